internal import CICU

/// Finds one sequence in another in linear time (Knuth, Morris and Pratt).
enum ByteSearch {
    /// The offset of the first occurrence of the bytes; nil if there is none, 0 for an empty
    /// sequence.
    static func first(_ needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Int? {
        needle.withMemoryRebound(to: UInt8.self) { needle in
            text.withMemoryRebound(to: UInt8.self) { first(needle, in: $0) }
        }
    }

    /// The offset of the first occurrence of the elements; nil if there is none, 0 for an empty
    /// sequence.
    static func first<Element: Equatable & BitwiseCopyable>(
        _ needle: UnsafeBufferPointer<Element>, in text: UnsafeBufferPointer<Element>
    ) -> Int? {
        guard needle.count <= text.count else { return nil }
        guard let start = needle.first else { return 0 }
        // Most strings do not contain even the first element.
        guard let begin = text.firstIndex(of: start) else { return nil }
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: needle.count) { borders in
            fill(borders, needle)
            return find(needle, borders, in: text, from: begin)
        }
    }

    /// For each prefix: the length of its longest proper border.
    private static func fill<Element: Equatable>(
        _ borders: UnsafeMutableBufferPointer<Int>, _ needle: UnsafeBufferPointer<Element>
    ) {
        borders[0] = 0
        var length = 0
        for index in 1..<max(needle.count, 1) {
            while length > 0, needle[index] != needle[length] { length = borders[length - 1] }
            if needle[index] == needle[length] { length += 1 }
            borders[index] = length
        }
    }

    private static func find<Element: Equatable>(
        _ needle: UnsafeBufferPointer<Element>, _ borders: UnsafeMutableBufferPointer<Int>,
        in text: UnsafeBufferPointer<Element>, from begin: Int
    ) -> Int? {
        var length = 0
        for index in begin..<text.count {
            let element = text[index]
            while length > 0, element != needle[length] { length = borders[length &- 1] }
            if element == needle[length] { length &+= 1 }
            if length == needle.count { return index &+ 1 &- length }
        }
        return nil
    }
}

/// Finds the words of languages that are written without spaces, with ICU's dictionaries.
///
/// For one thread at a time.
final class WordBoundaries {
    private let words: OpaquePointer

    /// Nil if ICU lacks its data.
    init?() {
        guard let words = icu_words_open() else { return nil }
        self.words = words
    }

    deinit {
        icu_words_close(words)
    }

    /// Starts a text, which must not move in memory until its last word; false if it cannot be
    /// read.
    func begin(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.baseAddress, let count = Int32(exactly: text.count) else {
            return false
        }
        return icu_words_begin(words, start.assumingMemoryBound(to: CChar.self), count)
    }

    /// The byte range of the next word; nil at the end. Separators are skipped.
    func next() -> Range<Int>? {
        var start: Int32 = 0
        var end: Int32 = 0
        guard icu_words_next(words, &start, &end), start >= 0, end > start else { return nil }
        return Int(start)..<Int(end)
    }
}

extension WordBoundaries {
    /// Whether a code point belongs to a script without spaces between words: Thai, Lao, Myanmar,
    /// Khmer, kana and Han.
    static func needed(for code: UInt32) -> Bool {
        switch code {
        case 0x0e00...0x0eff, 0x1000...0x109f, 0x1780...0x17ff, 0x19e0...0x19ff,
            0x3005...0x3007, 0x3040...0x30ff, 0x31f0...0x31ff, 0x3400...0x4dbf,
            0x4e00...0x9fff, 0xa9e0...0xa9ff, 0xaa60...0xaa7f, 0xf900...0xfaff,
            0xff66...0xff9f, 0x1b000...0x1b16f, 0x20000...0x3ffff:
            true
        default: false
        }
    }
}
