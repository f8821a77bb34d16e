internal import CSQLite

/// An action of a statement, which SQLite reports to the authorizer while it compiles it.
package enum SQLAction: Hashable, Sendable {
    /// A `SELECT`, including a subquery, or a recursive one.
    case select, recursive
    /// A column is read: the names of the table and the column.
    case read(String, String)
    /// A function is called.
    case function(String)
    /// A pragma: its name in lower case, and its value.
    case pragma(String, String?)
    /// The schema table is written, which also happens when a virtual table declares its columns.
    /// SQLite itself refuses statements that write it.
    case schema
    /// Any other action that changes the database, the connection or its files: SQLite's code.
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
    /// The name of the action in SQL.
    package var description: String {
        switch self {
        case .select, .recursive: "SELECT"
        case .schema: "UPDATE of the schema"
        case .read(let table, let column): "reading \(table).\(column)"
        case .function(let name): "\(name)()"
        case .pragma(let name, let value):
            value == nil ? "PRAGMA \(name)" : "PRAGMA \(name) with a value"
        case .change(let code): Self.names[code] ?? "action \(code)"
        }
    }

    private static let names: [Int32: String] = [
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

/// Permits or denies the actions of a connection's statements while SQLite compiles them.
package final class SQLAuthorizer {
    private let isAllowed: (SQLAction) -> Bool
    /// The first action that was denied; its statement fails with `SQLITE_AUTH`.
    package private(set) var refused: SQLAction?
    /// Whether a pragma was permitted.
    package private(set) var hasPragma = false

    init(_ isAllowed: @escaping (SQLAction) -> Bool) {
        self.isAllowed = isAllowed
    }

    /// Created in nonisolated code: SQLite calls it on the thread that compiles the statement.
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
    /// Sets the authorizer; nil permits every action. `sqlite3_set_authorizer`
    func setAuthorizer(_ authorizer: SQLAuthorizer?) {
        self.authorizer = authorizer
        guard let handle else { return }
        let pointer = authorizer.map { Unmanaged.passUnretained($0).toOpaque() }
        sqlite3_set_authorizer(handle, authorizer == nil ? nil : SQLAuthorizer.decide, pointer)
    }
}
