/// What FTS4's `offsets` tells of a row: numbers in text, four for each word that matches: its
/// column, the term of the query, where it stands in the column in bytes, how many bytes it has.
struct MatchOffsets {
    private let text: UnsafeRawBufferPointer

    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
    }

    /// The words of a column in the order of the text, those that overlap as one.
    func ranges(column: Int64, in text: UnsafeRawBufferPointer) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var place = 0
        while let found = number(&place), number(&place) != nil, let start = number(&place),
            let count = number(&place)
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

    /// Whether no character has bytes on both sides.
    private func isBoundary(_ place: Int, _ text: UnsafeRawBufferPointer) -> Bool {
        place == text.count || text[place] & 0xc0 != 0x80
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

    /// The next number of the list, at most 2^56; nil where there is none.
    private func number(_ place: inout Int) -> Int64? {
        while place < text.count, text[place] == UInt8(ascii: " ") { place += 1 }
        var number: Int64?
        while place < text.count, let digit = digit(text[place]) {
            number = min(10 * (number ?? 0) + digit, 1 << 56)
            place += 1
        }
        return number
    }

    private func digit(_ byte: UInt8) -> Int64? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int64(byte & 0x0f) : nil
    }
}
