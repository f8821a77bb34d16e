internal import SQLCore
internal import StoreFormat

extension KeyStore {
    /// Writes a record if its current state is the one that the update expects.
    ///
    /// A record with the flag `.deleted` moves to the tombstone table, and back without the flag.
    /// The expiration moves with it. The columns are stored as they are: to save a document, which
    /// also creates its revision and detects conflicts, use the `save` functions of
    /// ``DocumentCollection``.
    ///
    /// ```swift
    /// let result = try file.write { transaction in
    ///     try store.put(RecordUpdate("ada", body: bytes, expecting: .absent), in: transaction)
    /// }
    /// switch result {
    /// case .saved(let sequence, _): show("stored as change \(sequence)")
    /// case .conflict: show("there is a record with this key")
    /// }
    /// ```
    ///
    /// An expectation that is not met is a result, not an error: the transaction continues. Costs
    /// one write by key, and one more lookup if the record may be in the other table.
    ///
    /// - Parameters:
    ///   - update: the new columns and the expected state.
    ///   - transaction: the transaction to write in.
    /// - Returns: the new sequence and subsequence, or ``PutResult/conflict`` if the state is not
    ///   as expected.
    /// - Throws: ``StoreError/Code/notFound`` if the file does not have this store;
    ///   ``StoreError/Code/invalidParameter`` for a new record that is to keep its sequence, an
    ///   empty key or one with U+0000, a record of the engine's own in `info`, or if the
    ///   subsequence cannot grow any more; ``StoreError/Code/corruptData`` if the sequences of the
    ///   rows contradict the index on them.
    public func put(
        _ update: RecordUpdate, in transaction: Transaction
    ) throws -> PutResult {
        try Self.requireKey(update.key)
        try requireNotOfEngine(update.key)
        return try update.version.withUnsafeBytes { version in
            try update.body.withOptionalBytes { body in
                try update.extra.withOptionalBytes { extra in
                    let content = RowContent(
                        version: version.isEmpty ? nil : version, body: body, extra: extra,
                        flags: update.flags)
                    return try put(
                        update.key, content, expecting: update.expectation,
                        keepsSequence: update.keepsSequence, in: transaction)
                }
            }
        }
    }

    /// Writes a record from borrowed bytes.
    ///
    /// - Parameter tables: the store's tables; nil to look them up.
    func put(
        _ key: String, _ content: RowContent, expecting expectation: RecordUpdate.Expectation,
        keepsSequence: Bool = false, tables: StoreTables? = nil, in transaction: Transaction
    ) throws -> PutResult {
        try transaction.wrapping(name) {
            let writer = try RowWriter(self, tables, key, content, transaction)
            switch expectation {
            case .absent:
                guard !keepsSequence else {
                    throw StoreError(
                        .invalidParameter,
                        "the record \"\(key)\" is new, so it has no sequence to keep")
                }
                return try writer.insert()
            case .revision(let sequence, let subsequence):
                return try writer.replace(sequence, subsequence, keepsSequence: keepsSequence)
            }
        }
    }

    /// Checks a key. It must not contain NUL, which other programs would take for its end.
    package static func requireKey(_ key: String) throws {
        guard !key.isEmpty, !key.hasByte(below: 1, or: 0) else {
            throw StoreError(
                .invalidParameter,
                key.isEmpty ? "a record's key is empty" : "a record's key has a NUL byte")
        }
    }
}

/// Writes one row.
private struct RowWriter: ~Copyable {
    let key: String
    let content: RowContent
    let transaction: Transaction
    let connection: Connection
    let tables: StoreTables
    /// The table to which the row belongs.
    let isTombstone: Bool

    init(
        _ store: KeyStore, _ tables: StoreTables?, _ key: String, _ content: RowContent,
        _ transaction: Transaction
    ) throws {
        let connection = try transaction.writing()
        let tables = try tables ?? store.tables(in: transaction)
        self.key = key
        self.content = content
        self.transaction = transaction
        self.connection = connection
        self.tables = tables
        // A missing tombstone table of a collection is another error, thrown below.
        isTombstone = content.flags.contains(.deleted) && store.name.isCollection
    }

    /// The largest value of the bits above the flags.
    private static var largestSubsequence: Int { 1 << 47 - 1 }

    private var kind: RecordChange.Kind { content.flags.contains(.deleted) ? .deleted : .saved }

    /// Inserts a row, whose key must not exist.
    func insert() throws -> PutResult {
        guard try !isInOtherTable() else { return .conflict }
        let statement = try tables.statement(.insert, tombstones: isTombstone, in: connection) {
            """
            INSERT OR IGNORE INTO \($0.name) (version, body, extra, flags, sequence, key)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        }
        // Repeated if kvmeta was out of date and the sequence is in use.
        for _ in 0..<2 {
            let sequence = try transaction.nextSequence(tables)
            if try run(statement, sequence, 0) {
                wrote(sequence)
                return .saved(sequence: sequence, subsequence: 0)
            }
            transaction.returnSequence(tables)
            if try exists(key, tombstones: isTombstone) { return .conflict }
            try transaction.recoverSequence(tables)
        }
        throw lostRow
    }

    /// Replaces the row with this sequence and subsequence, in whichever table it is.
    func replace(
        _ sequence: Int64, _ subsequence: Int, keepsSequence: Bool
    ) throws -> PutResult {
        guard !keepsSequence || subsequence < Self.largestSubsequence else {
            throw StoreError(
                .invalidParameter,
                "the record \"\(key)\" has no subsequence after \(subsequence); give it a new "
                    + "sequence")
        }
        for isLast in [false, true] {
            let new = keepsSequence ? sequence : try transaction.nextSequence(tables)
            let newSubsequence = keepsSequence ? subsequence + 1 : 0
            do {
                // Most rows stay in their table, except when they are deleted.
                let hasBeenMoved =
                    try isTombstone && moveRow(sequence, subsequence, new, newSubsequence)
                let isDone =
                    try hasBeenMoved || updateRow(sequence, subsequence, new, newSubsequence)
                    || !isTombstone && moveRow(sequence, subsequence, new, newSubsequence)
                if isDone {
                    wrote(new, keepsSequence && !hasBeenMoved ? .metadata : kind)
                    return .saved(sequence: new, subsequence: newSubsequence)
                }
                if !keepsSequence { transaction.returnSequence(tables) }
                return .conflict
            } catch let error as SQLError where error.code == .uniqueConstraint && !isLast {
                try transaction.recoverSequence(tables)
            }
        }
        throw lostRow
    }

    private func updateRow(
        _ sequence: Int64, _ subsequence: Int, _ new: Int64, _ newSubsequence: Int
    ) throws -> Bool {
        let statement = try tables.statement(.update, tombstones: isTombstone, in: connection) {
            """
            UPDATE \($0.name) SET version=?, body=?, extra=?, flags=?, sequence=?\
            \(isTombstone && $0.hasExpiration ? SwappedRows.clearing : "")
            WHERE key=? AND \(RecordColumns.isExpectedVersion(7))
            """
        }
        try statement.bind(sequence, at: 7)
        try statement.bind(Int64(subsequence), at: 8)
        try Self.bind(content.oldVersion, at: 9, statement)
        return try run(statement, new, newSubsequence)
    }

    /// Moves the row from the other table to the table to which it belongs.
    private func moveRow(
        _ sequence: Int64, _ subsequence: Int, _ new: Int64, _ newSubsequence: Int
    ) throws -> Bool {
        guard try isTombstone || hasTombstones() else { return false }
        let source = try tables.table(tombstones: !isTombstone)
        let statement = try tables.statement(.moveRow, tombstones: isTombstone, in: connection) {
            """
            INSERT INTO \($0.name) (version, body, extra, flags, sequence, key, expiration)
            SELECT ?1, ?2, ?3, ?4, ?5, key,
                CASE typeof(expiration) WHEN 'integer' THEN expiration END
            FROM \(source.name)
            WHERE key=?6 AND \(RecordColumns.isExpectedVersion(7))
            """
        }
        try statement.bind(sequence, at: 7)
        try statement.bind(Int64(subsequence), at: 8)
        try Self.bind(content.oldVersion, at: 9, statement)
        do {
            guard try run(statement, new, newSubsequence) else { return false }
        } catch let error as SQLError where error.code == .primaryKeyConstraint {
            // A key in both tables, which only damage can cause: the live row counts, and the other
            // one is removed.
            guard isTombstone else { return false }
            _ = try tables.remove(key, tombstones: true, in: connection)
            guard try run(statement, new, newSubsequence) else { return false }
        }
        try removeMoved()
        return true
    }

    /// Removes the row from the table in which it was.
    ///
    /// A trigger can refuse that. A caller that catches the error and continues must not commit a
    /// document that is both live and deleted.
    private func removeMoved() throws {
        do {
            _ = try tables.remove(key, tombstones: !isTombstone, in: connection)
        } catch {
            let isUndone =
                (try? connection.context.restoring {
                    try tables.remove(key, tombstones: isTombstone, in: connection)
                }) != nil
            if !isUndone { connection.rollback() }
            throw error
        }
    }

    private func isInOtherTable() throws -> Bool {
        guard try isTombstone || hasTombstones() else { return false }
        return try exists(key, tombstones: !isTombstone)
    }

    private func exists(_ key: String, tombstones isTombstone: Bool) throws -> Bool {
        let statement = try tables.statement(.getMetadata, tombstones: isTombstone, in: connection)
        {
            RecordColumns.select($0, .metadata, "key=?")
        }
        defer { statement.reset() }
        try statement.bind(key, at: 1)
        return try statement.next()
    }

    private func hasTombstones() throws -> Bool {
        try tables.hasTombstones(in: connection)
    }

    private func wrote(_ sequence: Int64, _ kind: RecordChange.Kind? = nil) {
        if isTombstone { tables.rows.hasTombstones = true }
        transaction.note(kind ?? self.kind, key, sequence, tables)
    }

    private var lostRow: StoreError {
        StoreError(
            .corruptData,
            "the record \"\(key)\" could not be stored: the sequences of the store "
                + "\(tables.name.rawName) of \(connection.path) do not match the index on them")
    }

    /// Binds the columns and runs the statement. Returns whether a row was written.
    @inline(__always)
    private func run(
        _ statement: SQLStatement, _ sequence: Int64, _ subsequence: Int
    ) throws -> Bool {
        try Self.bind(content.version, at: 1, statement)
        try Self.bind(content.body, at: 2, statement)
        try Self.bind(content.extra, at: 3, statement)
        try statement.bind(Int64(content.flags.rawValue) | Int64(subsequence) << 16, at: 4)
        try statement.bind(sequence, at: 5)
        return try tables.run(statement, key: key, at: 6, in: connection)
    }

    @inline(__always)
    private static func bind(
        _ bytes: UnsafeRawBufferPointer?, at index: Int, _ statement: SQLStatement
    ) throws {
        if let bytes {
            try statement.bindStatic(bytes, at: index)
        } else {
            try statement.bindNull(at: index)
        }
    }
}

extension StoreTables {
    /// Whether the tombstone table has rows. Looked up once.
    package func hasTombstones(in connection: Connection) throws -> Bool {
        if let known = rows.hasTombstones { return known }
        guard let tombstones else { return false }
        // Not a cached statement: it would stay in the cache after a single use.
        let statement = try connection.context.prepare(
            sql: "SELECT 1 FROM \(tombstones.name) LIMIT 1")
        let found = try statement.next()
        rows.hasTombstones = found
        return found
    }
}
