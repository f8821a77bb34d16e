/// The sequences of a table, as far as one pass over its rows tells of them.
struct SequenceTrack {
    private(set) var lowest = Int64.max
    private(set) var highest = Int64.min
    /// Whether each row has a higher one than the row before.
    private(set) var isAscending = true

    /// No row has one.
    var isEmpty: Bool { highest < lowest }

    @inline(__always)
    mutating func add(_ sequence: Int64) {
        if sequence <= highest { isAscending = false }
        lowest = min(lowest, sequence)
        highest = max(highest, sequence)
    }

    /// Whether it is plain that no sequence stands twice in both tables.
    func isApart(from other: SequenceTrack) -> Bool {
        guard isAscending, other.isAscending else { return false }
        return isEmpty || other.isEmpty || highest < other.lowest || other.highest < lowest
    }
}
