extension SQLContext {
    /// Checks the files beside a database that is not opened yet: its rollback journal, WAL and
    /// wal-index.
    ///
    /// - Parameter database: its full path, without symbolic links.
    ///
    /// Throws `SQLFileRefusal` if one is a link or not a regular file, or if the rollback journal
    /// names a super-journal in another directory.
    package static func requireOwnFiles(of database: String) throws {
        try FileGuard.requireOwnFiles(of: database)
    }
}
