/// The search for a text in others, in a time that grows with their lengths together: the table of
/// Knuth, Morris and Pratt.
struct TextSearch {
    private let part: UnsafeRawBufferPointer
    /// How many bytes still match where the one after so many did not; for short parts not needed.
    private let fallback: [Int32]

    init(for part: UnsafeRawBufferPointer) {
        self.part = part
        guard part.count > 1 else {
            fallback = []
            return
        }
        var table = [Int32](repeating: 0, count: part.count)
        var length = 0
        for index in 1..<part.count {
            while length > 0, part[index] != part[length] { length = Int(table[length - 1]) }
            if part[index] == part[length] { length += 1 }
            table[index] = Int32(truncatingIfNeeded: length)
        }
        fallback = table
    }

    /// Where it stands first at or after an offset, nil if nowhere; an empty one stands anywhere.
    func offset(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard !part.isEmpty else { return start <= text.count ? start : nil }
        guard part.count <= text.count - start else { return nil }
        var matched = 0
        for index in start..<text.count {
            while matched > 0, text[index] != part[matched] {
                matched = Int(fallback[matched - 1])
            }
            if text[index] == part[matched] { matched += 1 }
            if matched == part.count { return index + 1 - matched }
        }
        return nil
    }
}
