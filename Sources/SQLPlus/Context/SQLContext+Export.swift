public import SQLCore
internal import StorePlatform

extension SQLContext {
    /// Adds another database to this connection, with its key. `ATTACH`
    ///
    /// - Parameters:
    ///   - path: the file, made if there is none.
    ///   - name: what its tables are called by: `name.table`.
    ///   - key: nil for a plain database.
    ///
    /// Throws `SQLError`, with `.encryption` `.noEncryption` if the context was opened without
    /// `SQLiteConfiguration.plus`, `.noFile` for a URI or a database in memory; whether the key is
    /// right is found out by the first statement that reads.
    public func attach(path: String, as name: String, key: EncryptionKey?) throws {
        guard key != nil || (try? encryptingVFS()) != nil else {
            return try attach(path: path, as: name)
        }
        try encryptingVFS().expecting(key, at: path) { try attach(path: path, as: name) }
        if key != nil { try reserve(bytes: PageLayout.reserve, in: name) }
    }

    /// Writes the main database into a new file, with another key or none, in one transaction.
    /// `VACUUM INTO`
    ///
    /// `user_version`, `application_id`, the page size and the row ids stay; the journal mode does
    /// not. The file gets the permissions of the database. Of a file that comes from an encrypted
    /// one, 80 bytes of each page stay free.
    ///
    /// - Parameters:
    ///   - path: where there is no file yet, or an empty one.
    ///   - key: nil for a plain database.
    ///
    /// Throws `SQLError`, with `.encryption` `.noEncryption` if the context was opened without
    /// `SQLiteConfiguration.plus`, `.noFile` for a URI. What was written of the file is not removed
    /// then.
    public func export(_ path: String, key: EncryptionKey?) throws {
        let vfs = try encryptingVFS()
        if key != nil { try reserve(bytes: PageLayout.reserve) }
        let isMade = try self.path().map { DurableFile.makeLike($0, path) } ?? false
        do {
            try vfs.expecting(key, at: path) {
                try exec(sql: "VACUUM INTO ?", parameters: [.text(path)])
            }
        } catch {
            if isMade { DurableFile.removeIfEmpty(path) }
            throw error
        }
    }

    /// Writes the main database into a new file, with a key as text; nil for a plain one.
    public func export(_ path: String, key: String?) throws {
        try export(path, key: key.map { try EncryptionKey($0) })
    }

    /// The file system of the main database.
    private func encryptingVFS() throws -> EncryptingVFS {
        guard let name = try vfsName(), let vfs = EncryptingVFS.named(name) else {
            throw SQLError(.misuse, .noEncryption)
        }
        return vfs
    }
}

extension EncryptingVFS {
    /// One that was registered.
    static func named(_ name: String) -> EncryptingVFS? {
        if name == systemName { return system }
        return others.withLock { $0.values.first { $0.name == name } }
    }
}
