internal import SQLCore
internal import Synchronization

/// The highest sequence that each store's rows really have, looked up once per open file.
///
/// `kvmeta` is known to lag behind in files of real applications, and a sequence must never be
/// given twice.
final class RecoveredSequences: Sendable {
    private let found = Mutex<[KeyStoreName: Int64]>([:])

    func sequence(_ name: KeyStoreName, session: Session) throws -> Int64 {
        if let known = found.withLock({ $0[name] }) { return known }
        guard let tables = try session.storeTables(name) else { return 0 }
        var highest: Int64 = 0
        for table in [tables.live, tables.dead].compactMap(\.self) {
            let sql = "SELECT max(sequence) FROM \(table.name)"
            highest = max(highest, try session.firstOnce(sql) { $0.long(at: 0) } ?? 0)
        }
        let result = highest
        found.withLock { $0[name] = result }
        return result
    }
}
