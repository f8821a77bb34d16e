internal import StorePlatform

/// The threads on which connections of a line are at work: no more than there are connections.
struct HeldMembers {
    // A few words that are looked through are faster than a table of hashes, under a lock that all
    // threads wait for.
    private var entries: [(thread: ThreadID, member: PoolMember)] = []

    var count: Int { entries.count }

    subscript(thread: ThreadID) -> PoolMember? {
        entries.first { $0.thread == thread }?.member
    }

    mutating func add(_ member: PoolMember, of thread: ThreadID) {
        entries.append((thread, member))
    }

    mutating func remove(_ thread: ThreadID) {
        guard let place = entries.firstIndex(where: { $0.thread == thread }) else { return }
        entries.swapAt(place, entries.count - 1)
        entries.removeLast()
    }
}
