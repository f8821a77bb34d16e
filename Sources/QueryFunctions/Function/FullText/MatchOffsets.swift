/// FTS4's `offsets` of a row: numbers as text, four for each matching word: the column, the term of
/// the query, the byte offset in the column, and the length in bytes.
struct MatchOffsets {
    private let text: UnsafeRawBufferPointer

    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
    }

    /// The matching ranges of a column in text order; overlapping ranges are merged.
    func ranges(column: Int64, in text: UnsafeRawBufferPointer) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var position = 0
        while let found = number(&position), number(&position) != nil,
            let start = number(&position),
            let count = number(&position)
        {
            // Numbers are below 2^56: the sum cannot overflow.
            guard found == column, count > 0, start + count <= text.count else { continue }
            let range = Int(start)..<Int(start + count)
            if isBoundary(range.lowerBound, text), isBoundary(range.upperBound, text) {
                ranges.append(range)
            }
        }
        return merged(ranges)
    }

    /// Whether a byte offset is a character boundary.
    private func isBoundary(_ position: Int, _ text: UnsafeRawBufferPointer) -> Bool {
        position == text.count || text[position] & 0xc0 != 0x80
    }

    private func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var merged: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound < last.upperBound {
                merged[merged.count - 1] =
                    last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    /// The next number of the list, at most 2^56; nil at the end.
    private func number(_ position: inout Int) -> Int64? {
        while position < text.count, text[position] == UInt8(ascii: " ") { position += 1 }
        var number: Int64?
        while position < text.count, let digit = digit(text[position]) {
            number = min(10 * (number ?? 0) + digit, 1 << 56)
            position += 1
        }
        return number
    }

    private func digit(_ byte: UInt8) -> Int64? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int64(byte & 0x0f) : nil
    }
}
