public import SQLCore

/// A step that changes the schema, known by its name.
///
/// Once a step has been shipped, keep it as it is, and use no types of the application in it: it
/// must do the same to old files for ever.
public struct SQLMigration: Sendable {
    /// Its name, one of its own among the steps.
    public let name: String
    let body: @Sendable (SQLContext) throws -> Void

    /// A step in Swift.
    public init(_ name: String, body: @escaping @Sendable (SQLContext) throws -> Void) {
        self.name = name
        self.body = body
    }

    /// A step in SQL: a script of any number of statements.
    public init(_ name: String, sql: String) {
        self.init(name) { try $0.exec(sql: sql) }
    }
}

/// What happens to a file to which steps were applied that this program does not know: one that a
/// newer version has written.
public enum SQLDowngradePolicy: Hashable, Sendable {
    /// Throw `.unknownMigrations`, and leave the file as it is.
    case fail
    /// Go on with it.
    case ignore
    /// Empty the database and apply all steps: for data that can be had again.
    case erase
}

/// Why a database could not be brought to the schema of this program.
public enum SQLMigrationError: Error, Hashable, Sendable {
    /// The file's `user_version` is above the number of steps: a newer program has written it.
    case newerFile(version: Int, known: Int)
    /// The file's `user_version` is below 0, which no number of steps makes it.
    case negativeVersion(Int)
    /// Steps were applied that this program does not know.
    case unknownMigrations([String])
    /// Two steps have the same name.
    case duplicateName(String)
    /// A step left rows that point to nothing and did not before; it was undone.
    case foreignKeys([SQLForeignKeyViolation])
    /// A transaction is open: steps need one of their own each.
    case insideTransaction
}

/// A row that points to a row that is not there: a line of `PRAGMA foreign_key_check`.
public struct SQLForeignKeyViolation: Hashable, Sendable {
    /// The table of the row that points.
    public let table: String
    /// That row; nil in a table without rowids.
    public let rowID: Int64?
    /// The table that is pointed to.
    public let parent: String
}

extension SQLMigrationError: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .newerFile(let version, let known):
            "the database has version \(version), and this program knows \(known): "
                + "open it with a newer version of the program"
        case .negativeVersion(let version):
            "the database has the user_version \(version), which migrations never set: "
                + "see whether it belongs to another program, or set its version right"
        case .unknownMigrations(let names):
            "the database was migrated by a newer version of the program: "
                + names.joined(separator: ", ")
        case .duplicateName(let name): "two migrations are called \(name): rename one of them"
        case .foreignKeys(let violations):
            "\(violations.count) rows point to rows that do not exist, the first from "
                + (violations.first.map { "\($0.table) to \($0.parent)" } ?? "nowhere")
        case .insideTransaction: "migrations cannot run inside a transaction: end it first"
        }
    }
}
