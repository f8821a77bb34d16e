/// The documents among which a query searches, by their numbers.
struct DocumentFilter {
    let docids: [Int64]
    /// A bit for each number from the first to the last one; empty if there would be too many.
    private var bits: [UInt64] = []
    private var others: Set<Int64> = []

    private static let mostBits = 1 << 28

    /// - Parameter docids: different numbers.
    init(_ docids: [Int64]) {
        self.docids = docids
        guard let last = docids.max(), let first = docids.min() else { return }
        if first >= 0, last < Self.mostBits {
            bits = [UInt64](repeating: 0, count: Int(last) / 64 + 1)
            for docid in docids { bits[Int(docid) / 64] |= 1 << (UInt64(docid) % 64) }
        } else {
            others = Set(docids)
        }
    }

    func contains(_ docid: Int64) -> Bool {
        guard others.isEmpty else { return others.contains(docid) }
        let word = docid >> 6
        guard word >= 0, word < bits.count else { return false }
        return bits[Int(word)] >> (UInt64(docid) % 64) & 1 == 1
    }
}
