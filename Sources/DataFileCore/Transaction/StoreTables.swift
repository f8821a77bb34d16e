internal import SQLCore

/// The tables of one KeyStore in one file, whose columns depend on the version that made it, and
/// the statements that are kept for them on one connection.
final class StoreTables {
    /// One table, quoted, and which of the later columns it has.
    struct Table {
        let name: String
        let hasExpiration: Bool
        let hasExtra: Bool
    }

    /// The records that are alive; in older files also tombstones.
    let live: Table
    /// The tombstones, where they have a table of their own.
    let dead: Table?

    /// What a kept statement does; each table has its own.
    enum Operation: Int, CaseIterable {
        case get, getMetadata, insert, update, remove
    }

    private var kept: [SQLStatement?]

    /// The statement for an operation, compiled from `sql` the first time.
    func statement(
        _ operation: Operation, dead isDead: Bool = false, in session: Session,
        _ sql: () throws -> String
    ) throws -> SQLStatement {
        let index = operation.rawValue * 2 + (isDead ? 1 : 0)
        if let statement = kept[index] { return statement }
        let statement = try session.context.prepare(sql: sql())
        kept[index] = statement
        return statement
    }

    /// The table of tombstones or of the live records.
    ///
    /// Throws `.wrongFormat` if there is none for tombstones.
    func table(dead isDead: Bool) throws -> Table {
        guard isDead else { return live }
        guard let dead else {
            throw StoreError(.wrongFormat, "\(live.name) has no table for its tombstones")
        }
        return dead
    }

    /// Nil if the store's table does not exist.
    init?(_ name: KeyStoreName, session: Session) throws {
        guard let live = try Self.table(name.tableName, session) else { return nil }
        self.live = live
        dead = try Self.table(name.deadTableName, session)
        kept = Array(repeating: nil, count: Operation.allCases.count * 2)
    }

    private static func table(_ name: String, _ session: Session) throws -> Table? {
        guard let columns = try session.columns(of: name) else { return nil }
        let missing = ["key", "sequence", "flags", "version", "body"].filter {
            !columns.contains($0)
        }
        guard missing.isEmpty else {
            throw StoreError(
                .wrongFormat,
                "the table \(name) of \(session.path) lacks the columns "
                    + missing.joined(separator: ", "))
        }
        return Table(
            name: name.sqlName, hasExpiration: columns.contains("expiration"),
            hasExtra: columns.contains("extra"))
    }
}
