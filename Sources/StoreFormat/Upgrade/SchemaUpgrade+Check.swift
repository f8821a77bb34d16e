package import SQLCore

/// The checks that precede any change.
extension SchemaUpgrade {
    /// Throws unless the file can be upgraded without loss.
    func check() throws {
        try checkVersion()
        guard catalog.reservedViews.isEmpty else {
            throw wrongFormat(
                "\(catalog.reservedViews.joined(separator: ", ")) is a view or a virtual table, "
                    + "where a table should be")
        }
        try require(["name", "lastSeq"], in: "kvmeta")
        try require(["key", "body"], in: KeyStoreName.info.tableName)
        for table in catalog.tables { try require(SchemaSQL.oldestColumns, in: table) }
        if try context.columns(ofTable: "indexes") != nil {
            try require(["name", "type", "keyStore"], in: "indexes")
        }
    }

    private func checkVersion() throws {
        let (oldest, newest) = (SchemaSQL.oldestReadable, SchemaSQL.newestReadable)
        switch version {
        case ..<oldest:
            throw StoreError(
                .databaseTooOld,
                "\(path) has schema \(version), older than \(oldest), the oldest that is upgraded")
        case ..<SchemaSQL.currentVersion: break
        case ...newest:
            throw StoreError(
                .cannotUpgradeDatabase,
                "\(path) has schema \(version), newer than \(SchemaSQL.currentVersion); it can be "
                    + "read, and written to by the version that wrote it")
        default:
            throw StoreError(
                .databaseTooNew,
                "\(path) has schema \(version), newer than any that this version reads")
        }
    }

    private func require(_ needed: [String], in table: String) throws {
        let columns = try context.columns(ofTable: table) ?? []
        let missing = needed.filter { !columns.contains($0) }
        guard missing.isEmpty else {
            throw wrongFormat(
                "the table \(table) is missing or lacks the columns "
                    + missing.joined(separator: ", "))
        }
    }

    private func wrongFormat(_ reason: String) -> StoreError {
        StoreError(.wrongFormat, "\(path) is not upgraded: \(reason)")
    }
}

/// Rows of the raw store `info`, mostly numbers, read on a connection without a session.
package enum InfoRow {
    /// The value stored under a key.
    package enum Number: Equatable {
        /// The row does not exist.
        case missing
        /// The row is not 8 bytes.
        case damaged
        case number(UInt64)
    }

    package static func number(_ key: String, in context: SQLContext) throws -> Number {
        let body = try context.first(SchemaSQL.getInfo, [.text(key)]) {
            $0.byteArray(at: 0) ?? []
        }
        guard let body else { return .missing }
        return BigEndian.number(body).map { .number($0) } ?? .damaged
    }

    package static func set(_ key: String, to number: UInt64, in context: SQLContext) throws {
        try set(key, to: BigEndian.bytes(number), in: context)
    }

    /// Writes a body; the row's other columns, which 2.x filled in, stay.
    package static func set(_ key: String, to body: [UInt8], in context: SQLContext) throws {
        let values: [SQLValue] = [.blob(body), .text(key)]
        let changed = try context.run("UPDATE kv_info SET body=? WHERE key=?", values)
        if changed == 0 { try context.run("INSERT INTO kv_info (body, key) VALUES (?, ?)", values) }
    }
}
