public import SQLCore
internal import StorePlatform

extension SQLContext {
    /// Attaches another database to this connection, with its key. `ATTACH`
    ///
    /// A wrong key is not detected here, but by the first statement that reads the database.
    ///
    /// ```swift
    /// try plusContext.attach(path: "archive.db", as: "archive", key: plusKey)
    /// try plusContext.exec(sql: "INSERT INTO archive.mail SELECT * FROM main.mail")
    /// try plusContext.detach("archive")
    /// ```
    ///
    /// - Parameters:
    ///   - path: The file, which is created if it does not exist.
    ///   - name: The schema name, which qualifies its tables: `name.table`.
    ///   - key: The key; nil for a plaintext database.
    /// - Throws: `SQLError`, with `.encryption` `.noEncryption` if the context was opened without
    ///   `SQLiteConfiguration.plus`, `.noFile` for a URI or an in-memory database.
    public func attach(path: String, as name: String, key: EncryptionKey?) throws {
        guard key != nil || (try? encryptingVFS()) != nil else {
            return try attach(path: path, as: name)
        }
        try encryptingVFS().expecting(key, at: path) { try attach(path: path, as: name) }
        if key != nil { try reserve(bytes: PageLayout.reserve, in: name) }
    }

    /// Exports the main database to a new file, with another key or without one, in one
    /// transaction. `VACUUM INTO`
    ///
    /// `user_version`, `application_id`, the page size and rowids are preserved, the journal mode
    /// is not. The file has the permissions of the database. In a plaintext copy of an encrypted
    /// database, 80 bytes of each page remain reserved.
    ///
    /// The copy is compact, like after a `VACUUM`, and needs no more memory than a page cache.
    ///
    /// ```swift
    /// try plusContext.export("backup.db", key: plusKey)
    /// try plusContext.export("readable.db", key: nil as EncryptionKey?)
    /// ```
    ///
    /// - Parameters:
    ///   - path: A file that does not exist or is empty.
    ///   - key: The key of the copy; nil for a plaintext database.
    /// - Throws: `SQLError`, with `.encryption` `.noEncryption` if the context was opened without
    ///   `SQLiteConfiguration.plus`, `.noFile` for a URI. A partly written file is not removed.
    public func export(_ path: String, key: EncryptionKey?) throws {
        let vfs = try encryptingVFS()
        if key != nil { try reserve(bytes: PageLayout.reserve) }
        let isCreated = try self.path().map { DurableFile.createLike($0, path) } ?? false
        do {
            try vfs.expecting(key, at: path) {
                try exec(sql: "VACUUM INTO ?", parameters: [.text(path)])
            }
        } catch {
            if isCreated { DurableFile.removeIfEmpty(path) }
            throw error
        }
    }

    /// Exports the main database to a new file, with a key in the form of `EncryptionKey.init(_:)`,
    /// or nil for a plaintext database.
    ///
    /// - Parameters:
    ///   - path: A file that does not exist or is empty.
    ///   - key: A passphrase, or `x'…'` with a raw key; nil for a plaintext database.
    /// - Throws: The errors of the method with an ``EncryptionKey``, and those of creating one.
    public func export(_ path: String, key: String?) throws {
        try export(path, key: key.map { try EncryptionKey($0) })
    }

    /// The VFS of the main database.
    private func encryptingVFS() throws -> EncryptingVFS {
        guard let name = try vfsName(), let vfs = EncryptingVFS.named(name) else {
            throw SQLError(.misuse, .noEncryption)
        }
        return vfs
    }
}

extension EncryptingVFS {
    /// The registered VFS of this name.
    static func named(_ name: String) -> EncryptingVFS? {
        if name == systemName { return system }
        return others.withLock { $0.values.first { $0.name == name } }
    }
}

extension SQLContext {
    /// Sets the key of a database, which must be the first operation on it.
    ///
    /// A wrong key is detected by the first statement that reads: it throws a `SQLError` with
    /// `.encryption` `.wrongKeyOrNotADatabase`, or `.notEncrypted` if the database is plaintext. A
    /// new database is encrypted from its first byte.
    ///
    /// ```swift
    /// let database = try SQLContext(path: path, configuration: .plus)
    /// try database.key(plusKey)
    /// do {
    ///     show(try database.selectValue(sql: "SELECT count(*) FROM sqlite_master") as Any)
    /// } catch let error as SQLError where error.encryption == .wrongKeyOrNotADatabase {
    ///     show("the passphrase is wrong")
    /// }
    /// ```
    /// Usually the key is part of the configuration:
    /// `SQLiteConfiguration.plus(key:setUp:)`.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - schema: The schema name of the database.
    /// - Throws: `SQLError`, with `.encryption` `.noEncryption` if the context was opened without
    ///   `SQLiteConfiguration.plus`, or `.keyTooLate`.
    public func key(_ key: EncryptionKey, of schema: String = "main") throws {
        try send(.setKey, key, to: schema)
        try reserve(bytes: PageLayout.reserve, in: schema)
    }

    /// Sets the key of a database from a string.
    ///
    /// - Parameters:
    ///   - key: A passphrase, or `x'…'` with a raw key.
    ///   - schema: The schema name of the database (default: `main`).
    /// - Throws: The errors of the method with an ``EncryptionKey``, and those of creating one.
    public func key(_ key: String, of schema: String = "main") throws {
        try self.key(EncryptionKey(key), of: schema)
    }

    /// Encrypts the main database with another key in place. This connection uses the new key from
    /// then on.
    ///
    /// No other connection may use the database meanwhile. All pages are first written to a
    /// journal, so that after a crash either the old or the new key is valid for the whole file.
    /// Before the old key is dropped, the file is opened with the new one to verify that it can be
    /// read.
    ///
    /// ```swift
    /// let new = try EncryptionKey("a better passphrase")
    /// do {
    ///     try plusContext.rekey(new)
    /// } catch let error as SQLError {
    ///     if case .cannotRekey(let reason)? = error.encryption { show(reason) }
    /// }
    /// ```
    /// It reads and writes every page, so the time grows with the size of the file.
    ///
    /// - Throws: `SQLError`, with `.encryption` `.cannotRekey` if another connection uses the
    ///   database or a transaction is open, or an error of the file system; `CancellationError` if
    ///   the task is cancelled. The old key remains valid, except after `.converted`.
    /// - Parameter key: The new key, without a salt or with that of the file, which remains.
    public func rekey(_ key: EncryptionKey) throws {
        guard !isInTransaction else {
            throw SQLError(.misuse, .cannotRekey(reason: "end the transaction first"))
        }
        // The read plays back a journal that a crash has left.
        _ = try selectValue(sql: "SELECT count(*) FROM sqlite_master")
        try send(.rekey, key, to: "main")
    }

    /// Encrypts the main database with another key, given as a string.
    ///
    /// - Parameter key: A passphrase, or `x'…'` with a raw key.
    /// - Throws: The errors of the method with an ``EncryptionKey``, and those of creating one.
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
