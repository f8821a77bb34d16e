/// Up to where the changes of the other side are done, although they are not done in their order.
struct SequenceTracker: Sendable {
    /// The JSON of the last sequence before which everything is done; empty for none.
    private(set) var position: String
    private var entries: [(sequence: String, isDone: Bool)] = []
    /// The number of the first entry in the array.
    private var first = 0
    /// How many entries at the beginning of the array are done. They are removed together, later.
    private var done = 0

    private static let maximumDone = 1000

    init(position: String) {
        self.position = position
    }

    /// Adds an announced change; returns its number.
    mutating func add(_ sequence: String) -> Int {
        entries.append((sequence, false))
        return first + entries.count - 1
    }

    /// A change is stored, or there is nothing to be stored.
    mutating func finish(_ number: Int) {
        guard entries.indices.contains(number - first) else { return }
        entries[number - first].isDone = true
        guard done < entries.count, entries[done].isDone else { return }
        while done < entries.count, entries[done].isDone { done += 1 }
        position = entries[done - 1].sequence
        guard done >= Self.maximumDone else { return }
        first += done
        entries.removeFirst(done)
        done = 0
    }
}
