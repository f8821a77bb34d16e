internal import SQLCore

/// The columns of a record in the one order that all statements use.
enum RecordColumns {
    /// Columns are always named, since their order differs from file to file; those that an older
    /// table lacks are `NULL`.
    static func list(_ table: StoreTables.Table, _ content: RecordContent) -> String {
        let expiration = table.hasExpiration ? "expiration" : "NULL"
        let extra = table.hasExtra ? "extra" : "NULL"
        let bodies = content == .all ? "body, \(extra)" : "length(body), length(\(extra))"
        return "key, sequence, flags, version, \(expiration), \(bodies)"
    }

    /// Reads a row of those columns, that begin at column 0.
    static func record(_ row: SQLStatement, _ content: RecordContent, isDead: Bool) -> Record {
        let flags = row.long(at: 2)
        // Upgrades by LiteCore put the revision tree of a tombstone that a 3.0 file had into the
        // wrong one of its last two columns.
        let isSwapped = row.isBlob(at: 4) && row.isNull(at: 6)
        let extraColumn = isSwapped ? 4 : 6
        let hasAll = content == .all
        return Record(
            key: row.text(at: 0) ?? "",
            sequence: row.long(at: 1),
            subsequence: Int(flags >> 16),
            flags: DocumentFlags(rawValue: UInt16(truncatingIfNeeded: flags)),
            version: [UInt8](row.bytes(at: 3)),
            body: hasAll ? row.byteArray(at: 5) : nil,
            extra: hasAll || isSwapped ? row.byteArray(at: extraColumn) : nil,
            bodySize: hasAll ? row.bytes(at: 5).count : Int(row.long(at: 5)),
            extraSize: hasAll || isSwapped
                ? row.bytes(at: extraColumn).count : Int(row.long(at: 6)),
            expiration: row.isNull(at: 4) || isSwapped ? nil : row.long(at: 4),
            isInDeadTable: isDead)
    }
}
