public import SQLCore

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
