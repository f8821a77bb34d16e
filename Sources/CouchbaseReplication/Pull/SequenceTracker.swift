/// Up to where the changes of the other side are done, although they are not done in their order.
struct SequenceTracker: Sendable {
    /// The JSON of the last sequence before which everything is done; empty for none.
    private(set) var position: String
    private var entries: [(sequence: String, isDone: Bool)] = []
    /// The number of entries before the first one that is kept.
    private var first = 0

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
        let done = entries.prefix(while: \.isDone)
        guard let last = done.last else { return }
        position = last.sequence
        first += done.count
        entries.removeFirst(done.count)
    }
}
