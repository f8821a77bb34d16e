import CSQLite

/// A file that the base VFS has opened and for which ``SQLVFS/makeFile(_:)`` creates a ``SQLFile``.
///
/// ```swift
/// final class QuotaVFS: SQLVFS, @unchecked Sendable {
///     override func makeFile(_ opening: SQLFileOpening) throws -> SQLFile {
///         guard opening.kind == .mainDatabase else { return SQLFile(opening) }
///         guard opening.flag("quota", default: false) || opening.isReadOnly else {
///             throw SQLError(code: .cannotOpen, message: "open it with ?quota=1")
///         }
///         return SQLFile(opening)
///     }
/// }
/// ```
public struct SQLFileOpening {
    /// The purpose of the file.
    public let kind: SQLFileKind
    /// The full path; nil for a temporary file without a name.
    public let path: String?
    /// Whether the file is opened only for reading, also if the connection wanted to write and the
    /// file system denied it.
    public let isReadOnly: Bool

    /// The file of the base VFS.
    let base: UnsafeMutablePointer<sqlite3_file>
    private let name: UnsafePointer<CChar>?

    init(base: UnsafeMutablePointer<sqlite3_file>, name: UnsafePointer<CChar>?, flags: Int32) {
        self.base = base
        self.name = name
        kind = SQLFileKind(flags: flags)
        path = name.map { String(cString: $0) }
        isReadOnly = flags & SQLITE_OPEN_READONLY != 0
    }

    /// Returns a parameter of the database's URI; nil if it is not present.
    /// `sqlite3_uri_parameter`
    ///
    /// - Parameter key: The name of the parameter, such as `vfs`.
    /// - Returns: The value; nil also for a file without a URI, such as a temporary one.
    public func parameter(_ key: String) -> String? {
        guard kind.hasParameters, let name else { return nil }
        return sqlite3_uri_parameter(name, key).map { String(cString: $0) }
    }

    /// Returns a Boolean parameter of the database's URI, parsed by SQLite's rules.
    /// `sqlite3_uri_boolean`
    ///
    /// `yes`, `true`, `on` and a number other than 0 are true.
    ///
    /// - Parameters:
    ///   - key: The name of the parameter.
    ///   - standard: The result if the parameter is not present or not a Boolean.
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
