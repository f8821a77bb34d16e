internal import SQLCore
internal import StoreFormat

/// The columns of a record, in the order that all statements use.
enum RecordColumns {
    /// Statements always name the columns, since their order differs between files. Columns that an
    /// older table lacks are `NULL`.
    static func list(_ table: StoreTables.Table, _ content: RecordContent) -> String {
        let expiration = table.hasExpiration ? "expiration" : "NULL"
        let extra = table.hasExtra ? "extra" : "NULL"
        let bodies =
            switch content {
            case .metadata: "length(body), length(\(extra))"
            case .body: "body, length(\(extra))"
            case .all: "body, \(extra)"
            }
        return "key, sequence, flags, version, \(expiration), \(bodies)"
    }

    /// A SELECT of the rows that meet a condition.
    static func select(
        _ table: StoreTables.Table, _ content: RecordContent, _ condition: String
    ) -> String {
        "SELECT \(list(table, content)) FROM \(table.name) WHERE \(condition)"
    }

    /// A condition on the sequence and subsequence, with two parameters, the first numbered
    /// `first`.
    static func isExpected(_ first: Int) -> String {
        "ifnull(sequence, 0)=?\(first) AND (ifnull(flags, 0) >> 16)=?\(first + 1)"
    }

    /// A condition on the sequence, subsequence and version, with three parameters, the first
    /// numbered `first`. If the version is `NULL`, any version matches.
    static func isExpectedVersion(_ first: Int) -> String {
        "\(isExpected(first)) AND (?\(first + 2) IS NULL OR version=?\(first + 2))"
    }

    /// Reads a row with these columns, starting at column 0.
    ///
    /// - Parameter key: the key, if it is known.
    static func record(
        _ row: SQLStatement, _ content: RecordContent, key: String?, isTombstone: Bool
    ) -> Record {
        let flags = row.long(at: 2)
        let hasBody = content != .metadata
        let body = hasBody ? row.byteArray(at: 5) : nil
        let expirationType = row.type(at: 4)
        // Upgrades by LiteCore store the revision tree of a tombstone from a 3.0 file in the wrong
        // one of the last two columns.
        let isSwapped = expirationType == .blob && (content != .all || !row.isBlob(at: 6))
        let extraColumn = isSwapped ? 4 : 6
        let hasExtra = content == .all || isSwapped
        let extra = hasExtra ? row.byteArray(at: extraColumn) : nil
        return Record(
            key: key ?? row.text(at: 0) ?? "",
            sequence: row.long(at: 1),
            subsequence: Int(flags >> 16),
            flags: DocumentFlags(rawValue: UInt16(truncatingIfNeeded: flags)),
            version: [UInt8](row.bytes(at: 3)),
            body: body,
            extra: extra,
            bodySize: hasBody ? body?.count ?? 0 : Int(row.long(at: 5)),
            extraSize: hasExtra ? extra?.count ?? 0 : Int(row.long(at: 6)),
            expiration: expirationType == .long ? row.long(at: 4) : nil,
            isInTombstoneTable: isTombstone)
    }
}
