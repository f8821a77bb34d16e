internal import CICU

/// Finds the words of languages that write them without spaces, with the dictionaries of ICU.
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

    /// Begins a text, which must stay where it is until its last word; false if it cannot be read.
    func begin(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.baseAddress, let count = Int32(exactly: text.count) else {
            return false
        }
        return icu_words_begin(words, start.assumingMemoryBound(to: CChar.self), count)
    }

    /// The next word in bytes of the text, or nil at its end. What is between words is left out.
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
