internal import SQLCore

/// What a row is to become.
struct RecordUpdate {
    let version: [UInt8]
    /// Nil becomes `NULL`; borrowed for the length of the call.
    let body: UnsafeRawBufferPointer?
    let flags: DocumentFlags
    let sequence: Int64
}

/// Changes of single rows. All return false, and change nothing, when the row is not as expected.
extension KeyStore {
    /// Adds a row that must not exist in that table.
    func insert(
        _ key: String, _ update: RecordUpdate, dead isDead: Bool = false,
        expiration: Int64? = nil, in transaction: Transaction
    ) throws -> Bool {
        if isDead { transaction.noteTombstone(name) }
        return try change(.insert, dead: isDead, transaction) { table in
            """
            INSERT OR IGNORE INTO \(table) (version, body, flags, sequence, key, expiration)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        } bind: { row in
            try bind(update, key, row)
            if let expiration { try row.bind(expiration, at: 6) } else { try row.bindNull(at: 6) }
        }
    }

    /// Rewrites a live row that must still have this sequence and subsequence.
    ///
    /// `extra` becomes `NULL`: the caller makes sure that nothing is lost by it.
    func update(
        _ record: Record, _ update: RecordUpdate, in transaction: Transaction
    ) throws -> Bool {
        try change(.update, dead: false, transaction) { table in
            """
            UPDATE \(table) SET version=?, body=?, extra=NULL, flags=?, sequence=?
            WHERE key=? AND ifnull(sequence, 0)=? AND (ifnull(flags, 0) >> 16)=?
            """
        } bind: { row in
            try bind(update, record.key, row)
            try row.bind(record.sequence, at: 6)
            try row.bind(Int64(record.subsequence), at: 7)
        }
    }

    /// Removes a row from the table it stands in.
    func remove(_ record: Record, in transaction: Transaction) throws -> Bool {
        try change(.remove, dead: record.isInDeadTable, transaction) { table in
            """
            DELETE FROM \(table)
            WHERE key=? AND ifnull(sequence, 0)=? AND (ifnull(flags, 0) >> 16)=?
            """
        } bind: { row in
            try row.bind(record.key, at: 1)
            try row.bind(record.sequence, at: 2)
            try row.bind(Int64(record.subsequence), at: 3)
        }
    }

    private func bind(_ update: RecordUpdate, _ key: String, _ row: SQLStatement) throws {
        try update.version.withUnsafeBytes { try row.bind($0, at: 1) }
        if let body = update.body {
            try row.bindStatic(body, at: 2)
        } else {
            try row.bindNull(at: 2)
        }
        try row.bind(Int64(update.flags.rawValue), at: 3)
        try row.bind(update.sequence, at: 4)
        try row.bind(key, at: 5)
    }

    private func change(
        _ operation: StoreTables.Operation, dead isDead: Bool, _ transaction: Transaction,
        sql: (String) -> String, bind: (SQLStatement) throws -> Void
    ) throws -> Bool {
        let session = try transaction.session()
        let tables = try tables(in: transaction)
        let statement = try tables.statement(operation, dead: isDead, in: session) {
            sql(try tables.table(dead: isDead).name)
        }
        defer { statement.reset() }
        try bind(statement)
        while try statement.next() {}
        return session.context.changes > 0
    }
}
