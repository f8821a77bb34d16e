internal import SQLCore

/// The tables of one KeyStore in one file, whose columns depend on the version that made it.
struct StoreTables {
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

    /// Nil if the store's table does not exist.
    init?(_ name: KeyStoreName, session: Session) throws {
        guard let live = try Self.table(name.tableName, session) else { return nil }
        self.live = live
        dead = try Self.table(name.deadTableName, session)
    }

    private static func table(_ name: String, _ session: Session) throws -> Table? {
        var columns: Set<String> = []
        let statement = try session.statement("SELECT name FROM pragma_table_info(?)")
        defer { statement.reset() }
        try statement.bind(name, at: 1)
        while try statement.next() { columns.insert(statement.text(at: 0) ?? "") }
        guard !columns.isEmpty else { return nil }
        let missing = ["key", "sequence", "flags", "version", "body"].filter {
            !columns.contains($0)
        }
        guard missing.isEmpty else {
            throw StoreError(
                .wrongFormat,
                "the table \(name) of \(session.path) has no column \(missing.joined(separator: ", "))"
            )
        }
        return Table(
            name: SchemaSQL.quoted(name), hasExpiration: columns.contains("expiration"),
            hasExtra: columns.contains("extra"))
    }
}
