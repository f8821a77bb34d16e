import CLMDB

/// An LMDB environment with one unnamed database. A process must open a file only once.
final class LMDBEnvironment {
    /// The largest size of the file; it grows as needed.
    private static let mapSize = 16 << 30

    let pointer: OpaquePointer
    let database: MDB_dbi

    init(_ directory: String, _ durability: Durability) throws {
        var environment: OpaquePointer?
        try Self.check(mdb_env_create(&environment), "mdb_env_create")
        guard let environment else { throw StandardError("LMDB: no environment") }
        pointer = environment
        do {
            database = try Self.open(environment, directory, durability)
        } catch {
            // `deinit` does not run for a value that was not initialized.
            mdb_env_close(environment)
            throw error
        }
    }

    private static func open(
        _ environment: OpaquePointer, _ directory: String, _ durability: Durability
    ) throws -> MDB_dbi {
        try check(mdb_env_set_mapsize(environment, mapSize), "mdb_env_set_mapsize")
        // Without MDB_NOTLS a thread could have only one reader.
        let flags = UInt32(MDB_NOTLS) | (durability == .normal ? UInt32(MDB_NOMETASYNC) : 0)
        try check(mdb_env_open(environment, directory, flags, 0o644), "mdb_env_open")
        return try openDatabase(environment)
    }

    /// Readers, whose transactions must have ended, keep the environment open.
    deinit { mdb_env_close(pointer) }

    /// Runs `work` in a transaction, which waits for the one of another thread.
    func write<T>(_ work: (OpaquePointer) throws -> T) throws -> T {
        var transaction: OpaquePointer?
        try Self.check(mdb_txn_begin(pointer, nil, 0, &transaction), "mdb_txn_begin")
        guard let transaction else { throw StandardError("LMDB: no transaction") }
        let result: T
        do {
            result = try work(transaction)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        try Self.check(mdb_txn_commit(transaction), "mdb_txn_commit")
        return result
    }

    private static func openDatabase(_ environment: OpaquePointer) throws -> MDB_dbi {
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, 0, &transaction), "mdb_txn_begin")
        var database: MDB_dbi = 0
        try check(mdb_dbi_open(transaction, nil, 0, &database), "mdb_dbi_open")
        try check(mdb_txn_commit(transaction), "mdb_txn_commit")
        return database
    }

    /// Throws if a call failed.
    static func check(_ code: Int32, _ call: String) throws {
        guard code == 0 else {
            throw StandardError("LMDB: \(call): \(String(cString: mdb_strerror(code)))")
        }
    }
}

/// A reader of an environment, whose transaction is renewed for each snapshot.
final class LMDBReader {
    private let environment: LMDBEnvironment
    private let transaction: OpaquePointer

    init(_ environment: LMDBEnvironment) throws {
        self.environment = environment
        var transaction: OpaquePointer?
        try LMDBEnvironment.check(
            mdb_txn_begin(environment.pointer, nil, UInt32(MDB_RDONLY), &transaction),
            "mdb_txn_begin")
        guard let transaction else { throw StandardError("LMDB: no transaction") }
        mdb_txn_reset(transaction)
        self.transaction = transaction
    }

    deinit { mdb_txn_abort(transaction) }

    /// Runs `work` in a snapshot.
    func read<T>(_ work: (OpaquePointer) throws -> T) throws -> T {
        try LMDBEnvironment.check(mdb_txn_renew(transaction), "mdb_txn_renew")
        defer { mdb_txn_reset(transaction) }
        return try work(transaction)
    }
}
