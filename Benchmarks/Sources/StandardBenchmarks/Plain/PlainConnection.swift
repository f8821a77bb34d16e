import CBaseline
import Foundation

/// A connection to SQLite through its C interface.
final class PlainConnection {
    fileprivate let database: OpaquePointer

    /// Opens the database of a directory, and creates it if it does not exist.
    init(_ directory: String, _ durability: Durability) throws {
        guard let database = baseline_open(PlainConnection.path(directory)) else {
            throw StandardError("\(directory): SQLite cannot open the database")
        }
        self.database = database
        try execute(durability.pragmas)
    }

    deinit { baseline_close(database) }

    /// The file of a database in its directory.
    static func path(_ directory: String) -> String { directory + "/db.sqlite3" }

    func execute(_ sql: String) throws {
        guard baseline_exec(database, sql) == 0 else {
            throw StandardError("SQLite failed: \(sql)")
        }
    }
}

/// A compiled statement, which must not outlive its connection's use.
final class PlainStatement {
    // Keeps the connection open until the statement is finalized.
    private let connection: PlainConnection
    private let statement: OpaquePointer
    private let sql: String

    init(_ connection: PlainConnection, _ sql: String) throws {
        guard let statement = baseline_prepare(connection.database, sql) else {
            throw StandardError("SQLite cannot compile: \(sql)")
        }
        self.connection = connection
        self.statement = statement
        self.sql = sql
    }

    deinit { baseline_finalize(statement) }

    // Bound bytes must stay valid until the statement is reset.

    func bind(text: UnsafeRawBufferPointer, at index: Int32) {
        _ = baseline_bind_text(statement, index, text.baseAddress, Int32(text.count))
    }

    func bind(blob: UnsafeRawBufferPointer, at index: Int32) {
        _ = baseline_bind_blob(statement, index, blob.baseAddress, Int32(blob.count))
    }

    func bind(_ number: Int, at index: Int32) {
        _ = baseline_bind_integer(statement, index, Int64(number))
    }

    /// Steps to the next row; returns whether there is one.
    func step() throws -> Bool {
        let code = baseline_step(statement)
        if code >= 0 { return code == 1 }
        baseline_reset(statement)
        throw StandardError("SQLite failed: \(sql)")
    }

    func reset() { baseline_reset(statement) }

    /// Steps to the end without reading rows.
    func run() throws {
        while try step() {}
        reset()
    }

    /// The number of rows that the last statement of the connection changed.
    var changes: Int { Int(baseline_changes(statement)) }

    /// Steps to the end; returns the number of rows, and the sum of their columns: numbers, and
    /// the lengths of strings and blobs.
    func sumRows() throws -> (rows: Int, sum: Int) {
        var sum: Int64 = 0
        let rows = baseline_sum_rows(statement, &sum)
        guard rows >= 0 else { throw StandardError("SQLite failed: \(sql)") }
        return (Int(rows), Int(sum))
    }

    // The current row.

    var columnCount: Int { Int(baseline_column_count(statement)) }

    /// The sum of the columns of the current row, as in `sumRows()`.
    func sum() -> Int { Int(baseline_sum_row(statement)) }

    func integer(at column: Int) -> Int { Int(baseline_column_integer(statement, Int32(column))) }

    func bytes(at column: Int) -> UnsafeRawBufferPointer {
        var size: Int32 = 0
        let bytes = baseline_column_bytes(statement, Int32(column), &size)
        return UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(size))
    }

    /// A column as text.
    func text(at column: Int) -> String {
        baseline_column_is_integer(statement, Int32(column)) != 0
            ? String(integer(at: column)) : String(decoding: bytes(at: column), as: UTF8.self)
    }
}

/// The beginning and the end of transactions of a connection, of which one at a time writes.
///
/// The threads of this process wait for each other here instead of for SQLite's busy handler, which
/// polls.
final class PlainTransactions {
    private let lock: NSLock
    private let begin: PlainStatement
    private let commit: PlainStatement
    private let rollback: PlainStatement

    init(_ connection: PlainConnection, _ lock: NSLock) throws {
        self.lock = lock
        begin = try PlainStatement(connection, "BEGIN IMMEDIATE")
        commit = try PlainStatement(connection, "COMMIT")
        rollback = try PlainStatement(connection, "ROLLBACK")
    }

    /// Runs `work` in a transaction.
    func write<T>(_ work: () throws -> T) throws -> T {
        lock.lock()
        defer { lock.unlock() }
        try begin.run()
        do {
            let result = try work()
            try commit.run()
            return result
        } catch {
            try? rollback.run()
            throw error
        }
    }

    /// Runs `work`, a single statement, which is a transaction of its own.
    func writeOnce<T>(_ work: () throws -> T) throws -> T {
        lock.lock()
        defer { lock.unlock() }
        return try work()
    }
}

extension String {
    /// Calls `use` with the UTF-8 bytes, without copying those of a native string.
    func withBytes<T>(_ use: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        var copy = self
        return try copy.withUTF8 { try use(UnsafeRawBufferPointer($0)) }
    }
}
