import CSQLite

/// A file that the base VFS has just opened, from which `SQLVFS.makeFile(_:)` makes a `SQLFile`.
public struct SQLFileOpening {
    /// What the file is for.
    public let kind: SQLFileKind
    /// Its full path; nil for a temporary file without a name.
    public let path: String?
    /// Whether it can be read only.
    public let isReadOnly: Bool

    /// The base's own file.
    let base: UnsafeMutablePointer<sqlite3_file>
    private let name: UnsafePointer<CChar>?

    init(base: UnsafeMutablePointer<sqlite3_file>, name: UnsafePointer<CChar>?, flags: Int32) {
        self.base = base
        self.name = name
        kind = SQLFileKind(flags: flags)
        path = name.map { String(cString: $0) }
        isReadOnly = flags & SQLITE_OPEN_READONLY != 0
    }

    /// A parameter of the URI that the database was opened with; nil if there is none.
    /// `sqlite3_uri_parameter`
    public func parameter(_ key: String) -> String? {
        guard kind.hasParameters, let name else { return nil }
        return sqlite3_uri_parameter(name, key).map { String(cString: $0) }
    }

    /// A parameter of that URI that is on or off, as SQLite understands it.
    /// `sqlite3_uri_boolean`
    public func flag(_ key: String, default standard: Bool) -> Bool {
        guard kind.hasParameters, let name else { return standard }
        return sqlite3_uri_boolean(name, key, standard ? 1 : 0) != 0
    }

    /// The database file to which this journal or write-ahead log belongs, if a `SQLVFS` opened it.
    /// `sqlite3_database_file_object`
    public var databaseFile: SQLFile? {
        guard kind == .mainJournal || kind == .wal, let name,
            let file = shim_database_file_object(name)
        else { return nil }
        return SQLFile.object(of: file)
    }
}
