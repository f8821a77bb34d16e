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

extension SQLContext {
    /// Gives a database its key, before anything else is done with it.
    ///
    /// Whether the key is right is found out by the first statement that reads: it throws a
    /// `SQLError` with `.encryption` `.wrongKeyOrNotADatabase` if it is not, `.notEncrypted` if the
    /// database is plain. A new database is encrypted from its first byte on.
    ///
    /// - Parameter schema: the name of an attached database, or the main one.
    ///
    /// Throws `SQLError` with `.encryption` `.noEncryption` if the context was opened without
    /// `SQLiteConfiguration.plus`, or `.keyTooLate`.
    public func key(_ key: EncryptionKey, of schema: String = "main") throws {
        try send(.setKey, key, to: schema)
        try reserve(bytes: PageLayout.reserve, in: schema)
    }

    /// Gives a database its key as text: a passphrase, or `x'…'` with a raw key. Errors as for an
    /// `EncryptionKey`, and those of making one.
    public func key(_ key: String, of schema: String = "main") throws {
        try self.key(EncryptionKey(key), of: schema)
    }

    /// Encrypts the main database with another key, in place; this connection goes on with it.
    ///
    /// Nobody else may use the database meanwhile. All pages are written to a journal first, so a
    /// crash leaves the file with the old key, or with the new one. Before the old one is given up
    /// the file is opened once more with the new one to see that it can be read.
    ///
    /// Throws `SQLError` with `.encryption` `.cannotRekey` if others use the database or a
    /// transaction is open, and what the file system says; `CancellationError` in a task that is
    /// cancelled. The old key is then still right. Only with `.converted` the new one is.
    public func rekey(_ key: EncryptionKey) throws {
        guard !isInTransaction else {
            throw SQLError(.misuse, .cannotRekey(reason: "end the transaction first"))
        }
        // Reading plays a journal back that a crash has left.
        _ = try selectValue(sql: "SELECT count(*) FROM sqlite_master")
        try send(.rekey, key, to: "main")
    }

    /// Encrypts the main database with another key as text. Errors as for an `EncryptionKey`.
    public func rekey(_ key: String) throws { try rekey(EncryptionKey(key)) }

    private func send(_ request: FileRequest, _ key: EncryptionKey, to schema: String) throws {
        var lent = FileRequest.Key(key: key)
        let isKnown = try withUnsafeMutablePointer(to: &lent) {
            try self.request(request.rawValue, $0, of: schema)
        }
        guard isKnown else { throw SQLError(.misuse, .noEncryption) }
        if let error = lent.error as? EncryptionError { throw SQLError(error.code, error) }
        if let error = lent.error { throw error }
    }
}
