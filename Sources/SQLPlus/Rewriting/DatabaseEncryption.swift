public import SQLCore

/// Encrypts and decrypts whole database files in place.
///
/// ```swift
/// let key = try EncryptionKey("correct horse battery staple")
/// try DatabaseEncryption.encrypt(path: path, key: key)
/// let database = try SQLContext(path: path, configuration: .plus(key: key))
/// ```
/// A copy is written beside the file, synced, and replaces it atomically: after a crash the file is
/// either unchanged or fully converted. `user_version`, `application_id`, page size, rowids and the
/// journal mode are preserved. No other connection may have the file open. The content of the old
/// file can remain on the disk until the system reuses its blocks.
///
/// To change the key of an encrypted file, use `rekey(_:)` of a connection; to write a converted
/// copy, `export(_:key:)`.
public enum DatabaseEncryption {
    /// Encrypts a plaintext database. The disk must have space for a copy of it.
    ///
    /// ```swift
    /// do {
    ///     try DatabaseEncryption.encrypt(path: path, key: plusKey)
    /// } catch let error as SQLError where error.encryption == .keyRequired {
    ///     show("the file is encrypted already")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The database file.
    ///   - key: The key of the encrypted database.
    /// - Throws: `SQLError`: `.busy` while another connection has the file open; with `.encryption`
    ///   `.keyRequired` if it is encrypted already; or an error of the file system.
    ///   `CancellationError` if the task is cancelled. In all these cases the file is unchanged.
    public static func encrypt(path: String, key: EncryptionKey) throws {
        try rewrite(path: path, from: nil, to: key)
    }

    /// Decrypts an encrypted database. 80 bytes at the end of each page remain reserved.
    ///
    /// ```swift
    /// try DatabaseEncryption.decrypt(path: path, key: plusKey)
    /// let plain = try SQLContext(path: path)
    /// ```
    /// - Parameters:
    ///   - path: The database file. The disk must have space for a copy of it.
    ///   - key: The key with which it is encrypted.
    /// - Throws: `SQLError` as ``encrypt(path:key:)`` does, and with `.encryption`
    ///   `.wrongKeyOrNotADatabase` for a wrong key. The file is then unchanged.
    public static func decrypt(path: String, key: EncryptionKey) throws {
        try rewrite(path: path, from: key, to: nil)
    }

    /// Rewrites a file with another key, or without a key.
    ///
    /// - Parameters:
    ///   - path: The file; it must not contain symbolic links if they are not followed.
    ///   - setUp: Called with the connection to the file once it has exclusive access, to register
    ///     the functions of the schema.
    ///   - prepare: Called with the connection to the copy before it replaces the file.
    ///
    /// Throws `SQLError`, with `.encryption` `.converted` if the copy has replaced the file; after
    /// any other error, and a `CancellationError`, the file is unchanged.
    package static func rewrite(
        path: String, followsLinks: Bool = true,
        from old: EncryptionKey?, to new: EncryptionKey?,
        setUp: (SQLContext) throws -> Void = { _ in },
        prepare: (SQLContext) throws -> Void = { _ in }
    ) throws {
        let path = try DurableFile.sole(path, followsLinks: followsLinks)
        let source = try SQLContext(
            path: path, flags: followsLinks ? .readWrite : [.readWrite, .noFollow],
            configuration: .plus(key: old))
        let usesWAL = try source.pragma("journal_mode") == .text("wal")
        _ = try source.selectValue(sql: UnfinishedEncryption.countTables)
        let draft = UnfinishedEncryption.draftPath(path)
        var isOwnDraft = usesWAL
        do {
            // The draft exists as long as the file is not in WAL mode, so that the state after a
            // crash is recognizable. Only a connection in WAL mode or with exclusive access may
            // modify it.
            if usesWAL { try createDraft(draft) }
            try lockAlone(source)
            isOwnDraft = true
            try createDraft(draft)
            try setUp(source)
            try writeDraft(draft, of: source, key: new, usesWAL: usesWAL, prepare)
            // The journal would be played back into the copy.
            try DurableFile.remove(path + "-journal")
            // An idle connection that is not in WAL mode must not continue to write to the old
            // file.
            try DurableFile.replace(path, with: draft) { try? source.spoilFile() }
        } catch let error as EncryptionError where error.isConverted {
            throw SQLError(error.code, error)
        } catch {
            // The error of the conversion is thrown, not that of the cleanup.
            if usesWAL { _ = try? source.setPragma("journal_mode", to: .text("wal")) }
            withExtendedLifetime(source) {
                if isOwnDraft { try? UnfinishedEncryption.removeDraft(draft) }
            }
            throw error
        }
        // The old file is deleted, so an error is irrelevant.
        try? source.close()
    }

    /// Acquires exclusive access to the file, and checkpoints a WAL.
    private static func lockAlone(_ source: SQLContext) throws {
        guard try source.setPragma("journal_mode", to: .text("delete")) == .text("delete") else {
            throw SQLError(code: .busy, message: "another connection uses the database")
        }
        try source.setPragma("locking_mode", to: .text("exclusive"))
        try source.exec(sql: "BEGIN EXCLUSIVE; COMMIT")
    }

    private static func writeDraft(
        _ draft: String, of source: SQLContext, key: EncryptionKey?, usesWAL: Bool,
        _ prepare: (SQLContext) throws -> Void
    ) throws {
        try source.endingWithTask { try source.export(draft, key: key) }
        try Task.checkCancellation()
        let count = try source.selectValue(sql: UnfinishedEncryption.countTables)
        let copy = try SQLContext(path: draft, flags: .readWrite, configuration: .plus(key: key))
        guard try copy.selectValue(sql: UnfinishedEncryption.countTables) == count else {
            throw SQLError(code: .corrupt, message: "the copy differs from the database")
        }
        try prepare(copy)
        if usesWAL { try copy.setPragma("journal_mode", to: .text("wal")) }
        try copy.close()
    }

    /// Creates the draft again, empty.
    private static func createDraft(_ draft: String) throws {
        try UnfinishedEncryption.removeDraft(draft)
        try DurableFile.createPrivate(draft)
    }
}

// The interface for the storage engine.
extension EncryptionKey: DatabaseKey {
    /// Returns a configuration with encryption over the VFS of another one.
    public func encrypting(_ configuration: SQLiteConfiguration) throws -> SQLiteConfiguration {
        try configuration.encrypted(with: self)
    }

    /// Whether both are the same passphrase, or the same raw key and salt.
    public func opensSameFiles(as other: any DatabaseKey) -> Bool {
        (other as? EncryptionKey).map { $0 == self } ?? false
    }

    /// Encrypts a plaintext database or decrypts an encrypted one, as `DatabaseEncryption` does.
    public func convert(
        _ path: String, _ direction: EncryptionDirection,
        setUp: (SQLContext) throws -> Void, prepare: (SQLContext) throws -> Void
    ) throws {
        let (old, new) = direction == .encrypt ? (nil, self) : (self, nil)
        try DatabaseEncryption.rewrite(
            path: path, followsLinks: false, from: old, to: new, setUp: setUp, prepare: prepare)
    }

    /// Makes this the key of a connection's database: `SQLContext.rekey(_:)`.
    public func rekey(_ context: SQLContext) throws { try context.rekey(self) }

    /// The length of the salt in SQLCipher's format: 16 bytes.
    public var saltLength: Int { FileSalt.length }

    /// Returns a reader for the pages of a file in SQLCipher's format.
    public func pageReader(salt: [UInt8]) throws -> any EncryptedPageReader {
        try PageReader(self, salt: salt)
    }

    /// Returns a sealer for files with AES-256-GCM, each with a key derived by HKDF-SHA256.
    public func fileSealer(key: some Sequence<UInt8>) -> any FileSealer { SealedFiles(key: key) }
}
