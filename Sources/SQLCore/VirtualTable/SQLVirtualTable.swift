/// A table whose rows come from Swift.
///
/// One object is made for each table and connection, and released when the connection lets go of
/// it. Its methods are called on the thread that uses the connection; what they throw becomes the
/// statement's error.
public protocol SQLVirtualTable: AnyObject, SendableMetatype {
    /// What goes through the rows.
    associatedtype Cursor: SQLTableCursor

    /// How the table comes into being: `.created` unless said otherwise.
    static var kind: SQLVirtualTableKind { get }

    /// Where SQLite lets it be used; `.normal` unless said otherwise.
    static var trust: SQLVirtualTableTrust { get }

    /// Whether `name_suffix` is a table in which a table `name` of this kind keeps its data; nil if
    /// there are none. The closure gets the suffix. `xShadowName`
    static var isShadowName: (@convention(c) (UnsafePointer<CChar>?) -> Int32)? { get }

    /// The columns, as `CREATE TABLE x(a, b TEXT, c HIDDEN)`. `sqlite3_declare_vtab`
    var declaration: String { get }

    /// Says what can be done with the constraints of a statement, and what it costs. `xBestIndex`
    ///
    /// Throw `.constraint` if there is no way with those that are usable.
    func plan(_ plan: SQLIndexPlan) throws

    /// Makes a cursor, which begins with `filter`. `xOpen`
    func makeCursor() throws -> Cursor

    /// The table is dropped for good, and not only let go of. `xDestroy`
    func drop() throws
}

extension SQLVirtualTable {
    /// A table that is made by `CREATE VIRTUAL TABLE`.
    public static var kind: SQLVirtualTableKind { .created }
    /// Usable as SQLite's own settings say.
    public static var trust: SQLVirtualTableTrust { .normal }
    /// No shadow tables.
    public static var isShadowName: (@convention(c) (UnsafePointer<CChar>?) -> Int32)? { nil }
    /// Nothing is left behind.
    public func drop() throws {}
}

/// How a virtual table comes into being.
public enum SQLVirtualTableKind: Sendable {
    /// By `CREATE VIRTUAL TABLE` only: created once, and connected to after that.
    case created
    /// It is there under its module's name, and others of it can be created.
    case eponymous
    /// It is there under its module's name, and no other can be created: a table-valued function.
    case eponymousOnly
}

/// Where SQLite lets a virtual table be used.
public enum SQLVirtualTableTrust: Sendable {
    /// In the schema only if that is trusted, as `PRAGMA trusted_schema` says.
    case normal
    /// In triggers and views of any schema. `SQLITE_VTAB_INNOCUOUS`
    case innocuous
    /// In statements only. `SQLITE_VTAB_DIRECTONLY`
    case directOnly
}

/// Goes through the rows of a virtual table. Several can be open at once.
public protocol SQLTableCursor {
    /// Goes to the first row of a search; called again for each new one. `xFilter`
    ///
    /// - Parameters:
    ///   - plan: `SQLIndexPlan.number`, and its text.
    ///   - arguments: the values of the constraints that the plan passes on.
    mutating func filter(plan: Int, text: String?, _ arguments: SQLArguments) throws
    /// Goes to the next row. `xNext`
    mutating func next() throws
    /// Whether there is no row any more. `xEof`
    var isAtEnd: Bool { get }
    /// Gives a column of the row, as the result of a function is given; null if nothing is set.
    /// `xColumn`
    func column(at index: Int, _ result: SQLRawCall) throws
    /// The row's number, different for each row of a search. `xRowid`
    var rowID: Int64 { get }
}

/// A virtual table that can be written to.
public protocol SQLWritableVirtualTable: SQLVirtualTable {
    /// Adds a row, and returns its number: `rowID` unless that is nil. `xUpdate`
    func insert(_ values: [SQLValue], rowID: Int64?) throws -> Int64
    /// Changes a row, and its number if `newRowID` is another one. `xUpdate`
    func update(rowID: Int64, to newRowID: Int64, _ values: [SQLValue]) throws
    /// Removes a row. `xUpdate`
    func delete(rowID: Int64) throws
    /// A transaction begins that writes to it. `xBegin`
    func begin() throws
    /// The transaction is about to be committed: the last moment to throw. `xSync`
    func sync() throws
    /// The transaction has been committed. `xCommit`
    func commit()
    /// The transaction has been rolled back. `xRollback`
    func rollback()
    /// What is written from now on may be taken back by itself: a savepoint in SQL, or a statement
    /// that can fail in the middle. They nest; `number` counts from 0. `xSavepoint`
    func savepoint(_ number: Int) throws
    /// This savepoint and those after it are no more; what was written stays. `xRelease`
    func release(savepoint number: Int) throws
    /// What was written since the savepoint is taken back; the savepoint stays. `xRollbackTo`
    func rollback(toSavepoint number: Int) throws
}

extension SQLWritableVirtualTable {
    /// Nothing to begin.
    public func begin() throws {}
    /// Nothing to write.
    public func sync() throws {}
    /// Nothing to commit.
    public func commit() {}
    /// Nothing to take back.
    public func rollback() {}
    /// Nothing to remember.
    public func savepoint(_ number: Int) throws {}
    /// Nothing to forget.
    public func release(savepoint number: Int) throws {}
    /// Nothing is taken back.
    public func rollback(toSavepoint number: Int) throws {}
}

/// The statement that makes a virtual table, or connects to it.
public struct SQLTableConnection: Sendable {
    /// The name of the module.
    public let module: String
    /// The database it is in: `main`, `temp`, or the name of an attached one.
    public let database: String
    /// The table's name.
    public let table: String
    /// What stands in the parentheses after the module's name, cut at its commas, as it is written.
    public let arguments: [String]
    /// Whether `CREATE VIRTUAL TABLE` runs: false when an existing table is opened.
    public let isCreating: Bool
}
