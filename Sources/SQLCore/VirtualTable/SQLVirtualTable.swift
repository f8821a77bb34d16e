/// A virtual table: its rows are provided by Swift code.
///
/// One object is created for each table and connection, and released when the connection releases
/// the table. Its methods are called on the thread that uses the connection. An error that they
/// throw becomes the error of the statement.
public protocol SQLVirtualTable: AnyObject, SendableMetatype {
    /// The type that iterates over the rows.
    associatedtype Cursor: SQLTableCursor

    /// How the table is created; `.created` by default.
    static var kind: SQLVirtualTableKind { get }

    /// Where SQLite permits the use of the table; `.normal` by default.
    static var trust: SQLVirtualTableTrust { get }

    /// Whether `name_suffix` is a shadow table, in which a table `name` of this module stores its
    /// data; nil if there are none. The closure receives the suffix. `xShadowName`
    static var isShadowName: (@convention(c) (UnsafePointer<CChar>?) -> Int32)? { get }

    /// The columns, such as `CREATE TABLE x(a, b TEXT, c HIDDEN)`. `sqlite3_declare_vtab`
    var declaration: String { get }

    /// Chooses the constraints that a scan uses, and estimates its cost. `xBestIndex`
    ///
    /// Throw `.constraint` if no scan is possible with the usable constraints.
    func plan(_ plan: SQLIndexPlan) throws

    /// Creates a cursor; the first call on it is `filter`. `xOpen`
    func makeCursor() throws -> Cursor

    /// Called when the table is dropped, but not when it is only closed. `xDestroy`
    func drop() throws
}

extension SQLVirtualTable {
    /// A table that is created by `CREATE VIRTUAL TABLE`.
    public static var kind: SQLVirtualTableKind { .created }
    /// Use is permitted according to SQLite's settings.
    public static var trust: SQLVirtualTableTrust { .normal }
    /// No shadow tables.
    public static var isShadowName: (@convention(c) (UnsafePointer<CChar>?) -> Int32)? { nil }
    /// Does nothing.
    public func drop() throws {}
}

/// How a virtual table is created.
public enum SQLVirtualTableKind: Sendable {
    /// Only by `CREATE VIRTUAL TABLE`; connections to an existing table open it.
    case created
    /// A table with the name of the module always exists, and others can be created.
    case eponymous
    /// Only a table with the name of the module exists: a table-valued function.
    case eponymousOnly
}

/// Where SQLite permits the use of a virtual table.
public enum SQLVirtualTableTrust: Sendable {
    /// In the schema only if `PRAGMA trusted_schema` is on.
    case normal
    /// In triggers and views of any schema. `SQLITE_VTAB_INNOCUOUS`
    case innocuous
    /// Only in top-level statements. `SQLITE_VTAB_DIRECTONLY`
    case directOnly
}

/// Iterates over the rows of a virtual table. Several cursors can be open at the same time.
public protocol SQLTableCursor {
    /// Starts a scan and moves to its first row; called once for each scan. `xFilter`
    ///
    /// - Parameters:
    ///   - plan: `SQLIndexPlan.number`.
    ///   - text: The string that the plan has set.
    ///   - arguments: The values of the constraints that the plan passes.
    mutating func filter(plan: Int, text: String?, _ arguments: SQLArguments) throws
    /// Moves to the next row. `xNext`
    mutating func next() throws
    /// Whether the cursor is past the last row. `xEof`
    var isAtEnd: Bool { get }
    /// Sets a column of the row as the result of `result`; `NULL` if it is not set. `xColumn`
    func column(at index: Int, _ result: SQLRawCall) throws
    /// The rowid, which is unique in a scan. `xRowid`
    var rowID: Int64 { get }
}

/// A writable virtual table.
public protocol SQLWritableVirtualTable: SQLVirtualTable {
    /// Inserts a row and returns its rowid, which is `rowID` unless that is nil. `xUpdate`
    func insert(_ values: [SQLValue], rowID: Int64?) throws -> Int64
    /// Updates a row, and its rowid if `newRowID` differs. `xUpdate`
    func update(rowID: Int64, to newRowID: Int64, _ values: [SQLValue]) throws
    /// Deletes a row. `xUpdate`
    func delete(rowID: Int64) throws
    /// Called at the beginning of a transaction that writes to the table. `xBegin`
    func begin() throws
    /// Called before the commit of a transaction, which it can still prevent by throwing. `xSync`
    func sync() throws
    /// Called when the transaction is committed. `xCommit`
    func commit()
    /// Called when the transaction is rolled back. `xRollback`
    func rollback()
    /// Called at the beginning of a savepoint, or of a statement that can fail before its end.
    /// Savepoints nest; `number` counts from 0. `xSavepoint`
    func savepoint(_ number: Int) throws
    /// Releases this savepoint and all later ones; their changes remain. `xRelease`
    func release(savepoint number: Int) throws
    /// Rolls back the changes since the savepoint, which remains open. `xRollbackTo`
    func rollback(toSavepoint number: Int) throws
}

extension SQLWritableVirtualTable {
    /// Does nothing.
    public func begin() throws {}
    /// Does nothing.
    public func sync() throws {}
    /// Does nothing.
    public func commit() {}
    /// Does nothing.
    public func rollback() {}
    /// Does nothing.
    public func savepoint(_ number: Int) throws {}
    /// Does nothing.
    public func release(savepoint number: Int) throws {}
    /// Does nothing.
    public func rollback(toSavepoint number: Int) throws {}
}

/// The statement that creates or opens a virtual table.
public struct SQLTableConnection: Sendable {
    /// The name of the module.
    public let module: String
    /// The schema name: `main`, `temp`, or that of an attached database.
    public let database: String
    /// The name of the table.
    public let table: String
    /// The arguments in parentheses after the module's name, split at commas, otherwise unchanged.
    public let arguments: [String]
    /// Whether `CREATE VIRTUAL TABLE` runs; false when an existing table is opened.
    public let isCreating: Bool
}
