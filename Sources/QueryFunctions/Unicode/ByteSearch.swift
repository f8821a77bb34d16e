/// Finds one sequence in another in linear time, whatever they are. (Knuth, Morris and Pratt)
enum ByteSearch {
    /// Where the bytes first occur; nil if they do not, 0 if there are none.
    static func first(_ needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Int? {
        needle.withMemoryRebound(to: UInt8.self) { needle in
            text.withMemoryRebound(to: UInt8.self) { first(needle, in: $0) }
        }
    }

    /// Where the elements first occur; nil if they do not, 0 if there are none.
    static func first<Element: Equatable & BitwiseCopyable>(
        _ needle: UnsafeBufferPointer<Element>, in text: UnsafeBufferPointer<Element>
    ) -> Int? {
        guard needle.count <= text.count else { return nil }
        guard let start = needle.first else { return 0 }
        // Most texts do not hold even the first element.
        guard let begin = text.firstIndex(of: start) else { return nil }
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: needle.count) { borders in
            fill(borders, needle)
            return find(needle, borders, in: text, from: begin)
        }
    }

    /// For each prefix: how long the longest shorter one is that it also ends with.
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
