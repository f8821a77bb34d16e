internal import CSQLite

/// What a statement does, as SQLite reports it while it compiles the statement.
package enum SQLAction: Hashable, Sendable {
    /// A `SELECT`, also one in another statement, and a recursive one.
    case select, recursive
    /// A column is read; the name of the table, and of the column.
    case read(String, String)
    /// A function is called.
    case function(String)
    /// A pragma, whose name is in lower case, and the value that it is given.
    case pragma(String, String?)
    /// The table of the schema is written to: by each virtual table that declares its columns, too.
    /// SQLite itself refuses statements that do so.
    case schema
    /// Anything else: it changes the database, the connection or its files. SQLite's code of it.
    case change(Int32)

    init(code: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) {
        let (first, second) = (
            first.map { String(cString: $0) }, second.map { String(cString: $0) }
        )
        self =
            switch code {
            case SQLITE_SELECT: .select
            case SQLITE_RECURSIVE: .recursive
            case SQLITE_READ: .read(first ?? "", second ?? "")
            case SQLITE_FUNCTION: .function(second ?? "")
            case SQLITE_UPDATE where first?.hasPrefix("sqlite_") == true: .schema
            case SQLITE_PRAGMA: .pragma((first ?? "").lowercased(), second)
            default: .change(code)
            }
    }
}

extension SQLAction: CustomStringConvertible {
    /// What it is called in SQL.
    package var description: String {
        switch self {
        case .select, .recursive: "SELECT"
        case .schema: "UPDATE of the schema"
        case .read(let table, let column): "reading \(table).\(column)"
        case .function(let name): "\(name)()"
        case .pragma(let name, let value):
            value == nil ? "PRAGMA \(name)" : "PRAGMA \(name) with a value"
        case .change(let code): Self.words[code] ?? "a statement of the kind \(code)"
        }
    }

    private static let words: [Int32: String] = [
        SQLITE_INSERT: "INSERT", SQLITE_UPDATE: "UPDATE", SQLITE_DELETE: "DELETE",
        SQLITE_CREATE_TABLE: "CREATE TABLE", SQLITE_CREATE_TEMP_TABLE: "CREATE TEMP TABLE",
        SQLITE_CREATE_INDEX: "CREATE INDEX", SQLITE_CREATE_TEMP_INDEX: "CREATE INDEX",
        SQLITE_CREATE_VIEW: "CREATE VIEW", SQLITE_CREATE_TEMP_VIEW: "CREATE TEMP VIEW",
        SQLITE_CREATE_TRIGGER: "CREATE TRIGGER",
        SQLITE_CREATE_TEMP_TRIGGER: "CREATE TEMP TRIGGER",
        SQLITE_CREATE_VTABLE: "CREATE VIRTUAL TABLE", SQLITE_DROP_TABLE: "DROP TABLE",
        SQLITE_DROP_TEMP_TABLE: "DROP TABLE", SQLITE_DROP_INDEX: "DROP INDEX",
        SQLITE_DROP_TEMP_INDEX: "DROP INDEX", SQLITE_DROP_VIEW: "DROP VIEW",
        SQLITE_DROP_TEMP_VIEW: "DROP VIEW", SQLITE_DROP_TRIGGER: "DROP TRIGGER",
        SQLITE_DROP_TEMP_TRIGGER: "DROP TRIGGER", SQLITE_DROP_VTABLE: "DROP TABLE",
        SQLITE_ALTER_TABLE: "ALTER TABLE", SQLITE_REINDEX: "REINDEX", SQLITE_ANALYZE: "ANALYZE",
        SQLITE_ATTACH: "ATTACH", SQLITE_DETACH: "DETACH",
        SQLITE_TRANSACTION: "BEGIN, COMMIT or ROLLBACK", SQLITE_SAVEPOINT: "SAVEPOINT",
    ]
}

/// Decides what the statements of a connection may do, while SQLite compiles them.
package final class SQLAuthorizer {
    private let isAllowed: (SQLAction) -> Bool
    /// The first action that was refused; its statement fails with `SQLITE_AUTH`.
    package private(set) var refused: SQLAction?
    /// Whether a pragma was allowed.
    package private(set) var hasPragma = false

    init(_ isAllowed: @escaping (SQLAction) -> Bool) {
        self.isAllowed = isAllowed
    }

    /// Formed here, in code that belongs to no actor: SQLite calls it on the thread that compiles.
    fileprivate static var decide:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?, UnsafePointer<CChar>?
        ) -> Int32
    {
        { pointer, code, first, second, _, _ in
            guard let pointer else { return SQLITE_DENY }
            return Unmanaged<SQLAuthorizer>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
                let action = SQLAction(code: code, first, second)
                if $0.isAllowed(action) {
                    if case .pragma = action { $0.hasPragma = true }
                    return SQLITE_OK
                }
                $0.refused = $0.refused ?? action
                return SQLITE_DENY
            }
        }
    }
}

extension SQLConnection {
    /// Lets an authorizer decide from now on; nil allows everything. `sqlite3_set_authorizer`
    func setAuthorizer(_ authorizer: SQLAuthorizer?) {
        self.authorizer = authorizer
        guard let handle else { return }
        let pointer = authorizer.map { Unmanaged.passUnretained($0).toOpaque() }
        sqlite3_set_authorizer(handle, authorizer == nil ? nil : SQLAuthorizer.decide, pointer)
    }
}
