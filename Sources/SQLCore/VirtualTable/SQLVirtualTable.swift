/// A virtual table: its rows are provided by Swift code.
///
/// SQLite reads it like any table: it can be joined, sorted and grouped. The table declares its
/// columns, chooses a plan for each statement, and creates cursors that iterate over its rows. The
/// module that creates it is registered by `SQLContext.registerVirtualTable(_:_:)`.
///
/// ```swift
/// final class Environment: SQLVirtualTable {
///     static var kind: SQLVirtualTableKind { .eponymous }
///     let variables = ProcessInfo.processInfo.environment.sorted { $0.key < $1.key }
///
///     var declaration: String { "CREATE TABLE x(name TEXT, value TEXT)" }
///     func plan(_ plan: SQLIndexPlan) { plan.cost = Double(variables.count) }
///     func makeCursor() -> Rows { Rows(table: self) }
///
///     struct Rows: SQLTableCursor {
///         let table: Environment
///         var index = 0
///
///         var isAtEnd: Bool { index >= table.variables.count }
///         var rowID: Int64 { Int64(index) }
///         mutating func filter(plan: Int, text: String?, _ arguments: SQLArguments) {
///             index = 0
///         }
///         mutating func next() { index += 1 }
///         func column(at column: Int, _ result: SQLRawCall) {
///             let (name, value) = table.variables[index]
///             result.setResult(SQLValue.text(column == 0 ? name : value))
///         }
///     }
/// }
/// try database.registerVirtualTable("environment") { _ in Environment() }
/// let home = try database.selectValue(
///     sql: "SELECT value FROM environment WHERE name = 'HOME'")
/// ```
/// Without a constraint that the plan passes to the cursor, SQLite reads all rows and filters them
/// itself.
///
/// One object is created for each table and connection, and released when the connection releases
/// the table. Its methods are called on the thread that uses the connection. An error that they
/// throw becomes the error of the statement.
///
/// See <doc:VirtualTables>; ``SQLWritableVirtualTable`` for tables that can be written.
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
    /// Use in the schema is permitted if `PRAGMA trusted_schema` is on, which is SQLite's default.
    public static var trust: SQLVirtualTableTrust { .normal }
    /// No shadow tables: the table stores no data in tables of its own.
    public static var isShadowName: (@convention(c) (UnsafePointer<CChar>?) -> Int32)? { nil }
    /// Does nothing. Implement it if the table has data outside the database.
    public func drop() throws {}
}

/// How a virtual table is created.
///
/// A table that needs arguments is `.created`; one that shows a state of the program is
/// `.eponymous`.
public enum SQLVirtualTableKind: Sendable {
    /// Only by `CREATE VIRTUAL TABLE`; connections to an existing table open it.
    case created
    /// A table with the name of the module always exists, and others can be created.
    case eponymous
    /// Only a table with the name of the module exists: a table-valued function.
    case eponymousOnly
}

/// Where SQLite permits the use of a virtual table.
///
/// A table whose rows reveal or change something outside the database must not be usable by the
/// schema of an untrusted file: `.directOnly`.
public enum SQLVirtualTableTrust: Sendable {
    /// In the schema only if `PRAGMA trusted_schema` is on.
    case normal
    /// In triggers and views of any schema. `SQLITE_VTAB_INNOCUOUS`
    case innocuous
    /// Only in top-level statements. `SQLITE_VTAB_DIRECTONLY`
    case directOnly
}

/// Iterates over the rows of a virtual table. Several cursors can be open at the same time.
///
/// SQLite calls ``filter(plan:text:_:)``, then ``isAtEnd``, and for each row ``column(at:_:)`` for
/// the columns that the statement needs, followed by ``next()``. A cursor can be used for several
/// scans, for example as the inner table of a join.
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
///
/// ``insert(_:rowID:)``, ``update(rowID:to:_:)`` and ``delete(rowID:)`` change it. Its other
/// methods take part in transactions, and do nothing by default: without them, changes are not
/// undone by a rollback.
///
/// ```swift
/// final class Notes: SQLWritableVirtualTable {
///     var notes: [Int64: SQLValue] = [:]
///     var declaration: String { "CREATE TABLE x(text)" }
///     func plan(_ plan: SQLIndexPlan) { plan.cost = Double(notes.count) }
///     func makeCursor() -> Rows { Rows(rows: notes.sorted { $0.key < $1.key }) }
///
///     func insert(_ values: [SQLValue], rowID: Int64?) -> Int64 {
///         let id = rowID ?? (notes.keys.max() ?? 0) + 1
///         notes[id] = values[0]
///         return id
///     }
///     func update(rowID: Int64, to newRowID: Int64, _ values: [SQLValue]) {
///         notes[rowID] = nil
///         notes[newRowID] = values[0]
///     }
///     func delete(rowID: Int64) { notes[rowID] = nil }
///
///     struct Rows: SQLTableCursor {
///         let rows: [(key: Int64, value: SQLValue)]
///         var index = 0
///         var isAtEnd: Bool { index >= rows.count }
///         var rowID: Int64 { rows[index].key }
///         mutating func filter(plan: Int, text: String?, _ arguments: SQLArguments) {
///             index = 0
///         }
///         mutating func next() { index += 1 }
///         func column(at column: Int, _ result: SQLRawCall) {
///             result.setResult(rows[index].value)
///         }
///     }
/// }
/// try database.registerVirtualTable("notes") { _ in Notes() }
/// try database.exec(sql: "CREATE VIRTUAL TABLE temp.note USING notes")
/// try database.exec(sql: "INSERT INTO note (text) VALUES ('buy milk')")
/// ```
/// An update passes the values of all columns. Throw a ``SQLError`` with `.constraint` for values
/// that the table does not accept, and with `.readOnly` for changes that it does not support.
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
    /// Does nothing by default: the table has no transactions.
    public func begin() throws {}
    /// Does nothing by default: the table never prevents a commit.
    public func sync() throws {}
    /// Does nothing.
    public func commit() {}
    /// Does nothing by default, so changes of a transaction that is rolled back remain.
    public func rollback() {}
    /// Does nothing by default; changes cannot be undone in part.
    public func savepoint(_ number: Int) throws {}
    /// Does nothing.
    public func release(savepoint number: Int) throws {}
    /// Does nothing by default, so changes since the savepoint remain.
    public func rollback(toSavepoint number: Int) throws {}
}

/// The statement that creates or opens a virtual table. The closure of
/// `SQLContext.registerVirtualTable(_:_:)` receives it.
///
/// ```swift
/// final class Lines: SQLVirtualTable {
///     struct NoRows: SQLTableCursor {
///         var isAtEnd: Bool { true }
///         var rowID: Int64 { 0 }
///         func filter(plan: Int, text: String?, _ arguments: SQLArguments) {}
///         func next() {}
///         func column(at index: Int, _ result: SQLRawCall) {}
///     }
///     let path: String
///     init(path: String) { self.path = path }
///     var declaration: String { "CREATE TABLE x(line TEXT)" }
///     func plan(_ plan: SQLIndexPlan) { … }
///     func makeCursor() -> NoRows { NoRows() }
/// }
/// try database.registerVirtualTable("lines") { connection in
///     guard let path = connection.arguments.first else {
///         throw SQLError(code: .error, message: "lines(path) needs the path of a file")
///     }
///     return Lines(path: path)
/// }
/// ```
public struct SQLTableConnection: Sendable {
    /// The name of the module.
    public let module: String
    /// The schema name: `main`, `temp`, or that of an attached database.
    public let database: String
    /// The name of the table.
    public let table: String
    /// The arguments in parentheses after the module's name, split at commas, otherwise unchanged:
    /// quotes remain. Empty for an eponymous table.
    public let arguments: [String]
    /// Whether `CREATE VIRTUAL TABLE` runs; false when an existing table is opened, and for an
    /// eponymous table. Create stored data only if it is true.
    public let isCreating: Bool
}
