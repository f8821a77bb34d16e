internal import SQLCore
package import StoreFormat
internal import StorePlatform

/// What all connections of this process to one file share: its clock, what was found out about it,
/// who wants to hear of its changes.
package final class FileState: Sendable {
    /// The logical clock of the file.
    package let clock: HybridClock
    /// The sequences that the rows really have.
    package let recovered = RecoveredSequences()
    /// Who is told of changes.
    package let changes = ChangeNotifier()
    /// Milliseconds since 1970.
    package let now: @Sendable () -> Int64
    /// Indexes that a reader would have liked to have.
    private let wanted = Locked<Set<PendingIndexBuild>>([])
    /// Indexes that cannot be made: they are not tried again while the file is open.
    private let impossible = Locked<Set<PendingIndexBuild>>([])

    init(
        now: @escaping @Sendable () -> Int64, wallClock: @escaping @Sendable () -> UInt64
    ) {
        self.now = now
        clock = HybridClock(wallClock: wallClock)
    }

    /// Notes that an index was missed.
    func want(_ kind: LazyIndex, of store: KeyStoreName) {
        let index = PendingIndexBuild(kind: kind, store: store)
        guard !impossible.withLock({ $0.contains(index) }) else { return }
        wanted.withLock { _ = $0.insert(index) }
    }

    /// Notes that an index cannot be made.
    func giveUp(_ index: PendingIndexBuild) {
        impossible.withLock { _ = $0.insert(index) }
    }

    /// The indexes that were missed, which the caller makes.
    func takePending() -> Set<PendingIndexBuild> {
        wanted.withLock { wanted in
            defer { wanted = [] }
            return wanted
        }
    }

    /// Whether there is something that `takePending` would return.
    var hasPendingIndexes: Bool { wanted.withLock { !$0.isEmpty } }
}

/// An index that would have made a read faster.
struct PendingIndexBuild: Hashable, Sendable {
    let kind: LazyIndex
    let store: KeyStoreName
}

/// The highest sequence of each store whose rows have a later one than `kvmeta` says, looked up
/// once per open file.
///
/// `kvmeta` is known to lag behind in files of real applications, and a sequence must never be
/// given twice. With the index of the sequences it costs nothing; without it the table is walked
/// through once, bodies on pages of their own left out.
package final class RecoveredSequences: Sendable {
    private let found = Locked<[KeyStoreName: Int64]>([:])

    /// The sequence, 0 where `kvmeta` is right: what a later snapshot has found counts for an
    /// earlier one, too, which must not see more than its own.
    ///
    /// - Parameter stored: what `kvmeta` says in this snapshot.
    func sequence(
        _ tables: StoreTables, stored: Int64, session: Session
    ) throws -> Int64 {
        if let known = found.withLock({ $0[tables.name] }) { return known }
        var highest: Int64 = 0
        for table in [tables.live, tables.tombstones].compactMap(\.self) {
            // A text or blob, which only damage puts there, would be more than any number.
            let sql = "SELECT max(sequence) FROM \(table.name) WHERE sequence < ''"
            highest = max(highest, try session.first(sql) { $0.long(at: 0) } ?? 0)
        }
        let result = highest > stored ? highest : 0
        found.withLock { $0[tables.name] = result }
        return result
    }

    /// The rows are looked at again the next time.
    package func forget(_ name: KeyStoreName) {
        found.withLock { _ = $0.removeValue(forKey: name) }
    }

    /// The rows of all stores are looked at again the next time.
    package func forgetAll() {
        found.withLock { $0 = [:] }
    }
}
