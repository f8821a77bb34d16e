internal import SQLCore
package import StoreFormat
internal import StorePlatform

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
        for table in [tables.live, tables.dead].compactMap(\.self) {
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
