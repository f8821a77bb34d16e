/// What FTS4's `matchinfo` tells of a row: 32-bit numbers in the machine's order.
struct MatchInformation {
    private let bytes: UnsafeRawBufferPointer

    /// Which parts the blob has.
    private let hasSizes: Bool
    let phraseCount: Int
    let columnCount: Int

    /// How often a phrase is found.
    struct Hits {
        /// In this column of this row.
        var here: Double
        /// In this column of all rows.
        var everywhere: Double
        /// In how many rows this column has it.
        var rows: Double
    }

    /// Reads `matchinfo(t)`, or `matchinfo(t, 'pcnalx')` if `sizes` are needed; nil if the blob's
    /// length is another one than it says.
    init?(_ bytes: UnsafeRawBufferPointer, sizes: Bool) {
        guard bytes.count >= 8, bytes.count % 4 == 0 else { return nil }
        self.bytes = bytes
        hasSizes = sizes
        phraseCount = Int(bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
        columnCount = Int(bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        let head = sizes ? 3 + 2 * columnCount : 2
        // Both are below 2^32: three times their product may be too much.
        let (pairs, overflow) = phraseCount.multipliedReportingOverflow(by: columnCount)
        // Phrases without columns would take no bytes, and be counted for hours.
        guard !overflow, pairs <= bytes.count, columnCount > 0 || phraseCount == 0,
            3 * pairs == bytes.count / 4 - head
        else {
            return nil
        }
    }

    private func number(_ index: Int) -> Double {
        Double(bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
    }

    /// How many rows the table has.
    var rowCount: Double { number(2) }

    /// How many tokens a column has on average.
    func averageLength(column: Int) -> Double { number(3 + column) }

    /// How many tokens a column of this row has.
    func length(column: Int) -> Double { number(3 + columnCount + column) }

    func hits(phrase: Int, column: Int) -> Hits {
        let head = hasSizes ? 3 + 2 * columnCount : 2
        let first = head + 3 * (phrase * columnCount + column)
        return Hits(here: number(first), everywhere: number(first + 1), rows: number(first + 2))
    }
}
