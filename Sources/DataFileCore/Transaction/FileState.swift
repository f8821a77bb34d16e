internal import SQLCore
package import StoreFormat
internal import StorePlatform
package import VectorIndex

/// The state that all connections of this process share for one file: its logical clock, recovered
/// sequences, pending index builds and the observers of its changes.
package final class FileState: Sendable {
    /// The logical clock of the file.
    package let clock: HybridClock
    /// The last sequences found in the rows, where `kvmeta` is out of date.
    package let recovered = RecoveredSequences()
    /// Notifies observers of committed changes.
    package let changes = ChangeNotifier()
    /// The cells of vector indexes.
    package let vectorCells = CellCache()
    /// The current time in milliseconds since 1970.
    package let now: @Sendable () -> Int64
    /// The pending index builds: indexes that a reader could have used and that do not exist yet.
    private let pending = Locked<Set<PendingIndexBuild>>([])
    /// Indexes whose creation failed. They are not requested again while the file is open.
    private let cancelled = Locked<Set<PendingIndexBuild>>([])

    init(
        now: @escaping @Sendable () -> Int64, wallClock: @escaping @Sendable () -> UInt64
    ) {
        self.now = now
        clock = HybridClock(wallClock: wallClock)
    }

    /// Requests the creation of an index that a reader could have used. Maintenance creates it.
    func request(_ kind: LazyIndex, of store: KeyStoreName) {
        let index = PendingIndexBuild(kind: kind, store: store)
        guard !cancelled.withLock({ $0.contains(index) }) else { return }
        pending.withLock { _ = $0.insert(index) }
    }

    /// Cancels a request whose index cannot be created, and ignores later requests for it.
    func cancelRequest(_ index: PendingIndexBuild) {
        cancelled.withLock { _ = $0.insert(index) }
    }

    /// Takes the pending index builds, which the caller carries out.
    func takePending() -> Set<PendingIndexBuild> {
        pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
    }

    /// Whether any index build is pending.
    var hasPendingIndexes: Bool { pending.withLock { !$0.isEmpty } }
}

/// An index that was requested and does not exist yet.
struct PendingIndexBuild: Hashable, Sendable {
    let kind: LazyIndex
    let store: KeyStoreName
}

/// The highest sequence of each store whose rows have a later one than `kvmeta` records, looked up
/// once per open file.
///
/// `kvmeta` lags behind its rows in some files of real applications, and a sequence must never be
/// assigned twice. With the index on the sequences the lookup is free; without it the table is
/// scanned once, without reading the overflow pages of the bodies.
package final class RecoveredSequences: Sendable {
    private let found = Locked<[KeyStoreName: Int64]>([:])

    /// Returns the highest sequence, or 0 if `kvmeta` is up to date.
    ///
    /// A value that a later snapshot has recovered also counts for an earlier one, which must not
    /// see more than its own changes.
    ///
    /// - Parameter stored: the value of `kvmeta` in this snapshot.
    func sequence(
        _ tables: StoreTables, stored: Int64, connection: Connection
    ) throws -> Int64 {
        if let known = found.withLock({ $0[tables.name] }) { return known }
        var highest: Int64 = 0
        for table in [tables.live, tables.tombstones].compactMap(\.self) {
            // A string or blob, which only damage puts there, would compare greater than any
            // number.
            let sql = "SELECT max(sequence) FROM \(table.name) WHERE sequence < ''"
            highest = max(highest, try connection.first(sql) { $0.long(at: 0) } ?? 0)
        }
        let result = highest > stored ? highest : 0
        found.withLock { $0[tables.name] = result }
        return result
    }

    /// Forgets a store's value: its rows are read again the next time.
    package func forget(_ name: KeyStoreName) {
        found.withLock { _ = $0.removeValue(forKey: name) }
    }

    /// Forgets the values of all stores: their rows are read again the next time.
    package func forgetAll() {
        found.withLock { $0 = [:] }
    }
}
