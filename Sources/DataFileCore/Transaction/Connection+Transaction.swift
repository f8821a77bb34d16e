package import FleeceLite
internal import SQLCore
internal import StoreFormat

// The life of a transaction: begin, refresh, commit or rollback.
extension Connection {
    /// Whether a transaction is for reading or for writing.
    enum Mode {
        case reading, writing
    }

    /// Opens an SQLite transaction.
    func begin(_ mode: Mode) throws {
        let statements = try statementsOfTransactions()
        try (mode == .reading ? statements.begin : statements.beginImmediate).update()
    }

    /// Starts the read transaction that SQLite has deferred, and reads what identifies its state.
    ///
    /// It is called first in each transaction. If no other connection has committed since the last
    /// call, it costs one statement.
    func refresh() throws {
        let version = try statementsOfTransactions().dataVersion.single()
        if version != dataVersion { try noteCommit(version) }
        if sharedKeys.token != rowsToken { try readSharedKeys() }
    }

    /// Called when another connection has committed since the last transaction.
    private func noteCommit(_ version: Int64) throws {
        let cookie = try statementsOfTransactions().schemaVersion.single()
        if cookie != schemaCookie {
            try requireOwnTables()
            // A store may have been deleted and created again.
            if schemaCookie != .min { state.recovered.forgetAll() }
            schemaCookie = cookie
        }
        dataVersion = version
    }

    /// Checks that the mandatory tables are tables and have the columns that are used. A view in
    /// their place could run arbitrary code of its author.
    private func requireOwnTables() throws {
        let info = KeyStoreName.info.tableName
        for (table, needed) in [("kvmeta", ["name", "lastSeq"]), (info, ["key", "body"])] {
            let columns = try context.columns(ofTable: table) ?? []
            for column in needed where !columns.contains(column) {
                throw StoreError(
                    .wrongFormat,
                    "\(path) has no table \(table) with a column \(column); restore it from a "
                        + "backup, or recover it")
            }
        }
    }

    /// Commits the transaction.
    func commit() throws {
        guard context.isInTransaction else {
            throw StoreError(
                .notInTransaction,
                "the transaction on \(path) had ended before its commit; nothing was changed")
        }
        try statementsOfTransactions().commit.update()
    }

    /// Ends a transaction that has changed nothing.
    ///
    /// SQLite can report damage here once more that a statement has met and whose error was caught.
    /// That does not invalidate what was read.
    func endReading() throws {
        do {
            try commit()
        } catch let error as SQLError where error.code.primary == .corrupt {
            rollback()
        }
    }

    /// Ends a transaction that has changed nothing, after an error. A commit undoes nothing, so
    /// that the caches stay valid.
    func abandonReading() {
        if (try? commit()) == nil { rollback() }
    }

    /// Rolls the transaction back, whatever error came before.
    func rollback() {
        context.rollback()
    }
}

/// The statements that begin and end every transaction.
final class TransactionStatements {
    let begin: SQLStatement
    let beginImmediate: SQLStatement
    let commit: SQLStatement
    let dataVersion: SQLStatement
    let schemaVersion: SQLStatement

    init(_ context: SQLContext) throws {
        begin = try context.prepare(sql: "BEGIN")
        beginImmediate = try context.prepare(sql: "BEGIN IMMEDIATE")
        commit = try context.prepare(sql: "COMMIT")
        dataVersion = try context.prepare(sql: "PRAGMA data_version")
        schemaVersion = try context.prepare(sql: "PRAGMA schema_version")
    }
}

extension SQLStatement {
    /// The number in the first column of the only row.
    fileprivate func single() throws -> Int64 {
        defer { reset() }
        return try next() ? long(at: 0) : 0
    }
}

/// The shared keys of the file in one of its states.
struct StoredSharedKeys {
    var keys = SharedKeys()
    /// The bytes that the keys were decoded from.
    var bytes: [UInt8] = []
    /// The damage of the bytes. With damaged keys, everything except bodies is readable.
    var damage: StoreError?
    /// The state that they were read from, or written to.
    var token: RowsToken?
}

extension Connection {
    /// Adopts the keys that a transaction has written.
    package func keepSharedKeys(_ keys: SharedKeys, bytes: [UInt8]) {
        sharedKeys = StoredSharedKeys(keys: keys, bytes: bytes, token: rowsToken)
    }

    /// Reads the shared keys, and decodes them if they have changed. Damage is not thrown here, but
    /// by operations that need the keys.
    private func readSharedKeys() throws {
        let known = sharedKeys.bytes
        let read = try first(SchemaSQL.getInfo, bind: { try $0.bind(InfoKey.sharedKeys, at: 1) }) {
            row in
            let bytes = row.bytes(at: 0)
            let isSame = known.withUnsafeBytes { bytes.hasSameBytes(as: $0) }
            return isSame ? known : row.byteArray(at: 0)
        }
        let bytes = (read ?? nil) ?? []
        if bytes != known {
            sharedKeys = StoredSharedKeys(bytes: bytes)
            do {
                sharedKeys.keys = try SharedKeys(stored: bytes, path: path)
            } catch {
                sharedKeys.damage = error
            }
        }
        sharedKeys.token = rowsToken
    }

    /// Prepares for statements outside of snapshots: their functions load the shared keys again.
    ///
    /// Throws if the keys cannot be read, since an index built with wrong keys would be wrong.
    func prepareForMaintenance() throws {
        try functions.useStoredKeys(in: context, path: path)
    }
}
