public import SQLCore

/// A step that changes the schema, identified by its name.
///
/// ```swift
/// let steps = [
///     SQLMigration("players", sql: "CREATE TABLE PLAYER (ID INTEGER PRIMARY KEY, NAME TEXT)"),
///     SQLMigration("trim names") { context in
///         try context.exec(sql: "UPDATE PLAYER SET NAME = trim(NAME)")
///     },
/// ]
/// try database.migrate(named: steps)
/// ```
/// Once a step has been released, leave it unchanged, and do not use types of the application in
/// it: it must do the same to old files forever. The name is stored in the file, so it must not
/// change, either.
public struct SQLMigration: Sendable {
    /// The name, unique among the steps. It is compared exactly.
    public let name: String
    let body: @Sendable (SQLContext) throws -> Void

    /// Creates a step in Swift.
    ///
    /// - Parameters:
    ///   - name: The name, unique among the steps.
    ///   - body: Changes the database; it runs in a transaction, which is rolled back if it throws.
    public init(_ name: String, body: @escaping @Sendable (SQLContext) throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Creates a step from a script of any number of SQL statements.
    ///
    /// - Parameters:
    ///   - name: The name, unique among the steps.
    ///   - sql: The script. It must not contain `BEGIN` and `COMMIT`.
    public init(_ name: String, sql: String) {
        self.init(name) { try $0.exec(sql: sql) }
    }
}

/// What to do with a file to which steps were applied that this program does not know, since a
/// newer version has written it.
///
/// ```swift
/// let cache = SQLMigration("cache", sql: "CREATE TABLE CACHE (KEY TEXT PRIMARY KEY, BODY)")
/// try database.migrate(named: [cache], downgrade: .erase)
/// ```
public enum SQLDowngradePolicy: Hashable, Sendable {
    /// Throw `.unknownMigrations`, and leave the file unchanged.
    case fail
    /// Continue with the file.
    case ignore
    /// Erase the database and apply all steps: for data that can be restored from elsewhere.
    case erase
}

/// An error that prevents a database from being migrated to the schema of this program.
///
/// The steps before the one that failed remain applied.
///
/// ```swift
/// do {
///     try database.migrate(named: [])
/// } catch SQLMigrationError.unknownMigrations(let names) {
///     use("the file needs a newer version of the program: \(names)")
/// }
/// ```
public enum SQLMigrationError: Error, Hashable, Sendable {
    /// The file's `user_version` exceeds the number of steps: a newer program has written it.
    case newerFile(version: Int, known: Int)
    /// The file's `user_version` is negative, which migrations never set.
    case negativeVersion(Int)
    /// Steps were applied that this program does not know.
    case unknownMigrations([String])
    /// Two steps have the same name.
    case duplicateName(String)
    /// A step left rows whose parent row is missing, and was not before; the step was rolled back.
    case foreignKeys([SQLForeignKeyViolation])
    /// A transaction is open: each step needs its own.
    case insideTransaction
}

/// A row that refers to a missing row: a row of `PRAGMA foreign_key_check`.
/// ``SQLMigrationError/foreignKeys(_:)`` has them.
public struct SQLForeignKeyViolation: Hashable, Sendable {
    /// The table of the referring row.
    public let table: String
    /// The referring row; nil in a table without rowids.
    public let rowID: Int64?
    /// The table that is referred to.
    public let parent: String
}

extension SQLMigrationError: CustomStringConvertible {
    /// A description of the error, and what to do about it.
    public var description: String {
        switch self {
        case .newerFile(let version, let known):
            "the database has version \(version), and this program knows \(known): "
                + "open it with a newer version of the program"
        case .negativeVersion(let version):
            "the database has the user_version \(version), which migrations never set: "
                + "check whether it belongs to another program, or correct its version"
        case .unknownMigrations(let names):
            "the database was migrated by a newer version of the program: "
                + names.joined(separator: ", ")
        case .duplicateName(let name): "two migrations are called \(name): rename one of them"
        case .foreignKeys(let violations):
            "\(violations.count) rows violate a foreign key, the first from "
                + (violations.first.map { "\($0.table) to \($0.parent)" } ?? "nowhere")
        case .insideTransaction: "migrations cannot run inside a transaction: end it first"
        }
    }
}
