public import SQLCore

/// Encrypts and decrypts whole database files, in place.
///
/// A copy is made beside the file, synced, and takes its place at one moment: after a crash the
/// file is as it was, or as it was to be. `user_version`, `application_id`, page size, row ids and
/// the journal mode stay. Nobody else may have the file open. What was in the old file can stay on
/// the disk until the system uses its blocks again.
public enum DatabaseEncryption {
    /// Encrypts a plain database.
    ///
    /// Throws `SQLError`: `.busy` while anybody else has it open, with `.encryption` `.keyRequired`
    /// if it is encrypted already, and what the file system says; `CancellationError` in a task
    /// that is cancelled. The file is then as it was.
    public static func encrypt(path: String, key: EncryptionKey) throws {
        try rewrite(path: path, from: nil, to: key)
    }

    /// Makes an encrypted database a plain one. 80 bytes at the end of each page stay free.
    ///
    /// Throws `SQLError` as `encrypt(path:key:)` does; with `.encryption` `.wrongKeyOrNotADatabase`
    /// for another key.
    public static func decrypt(path: String, key: EncryptionKey) throws {
        try rewrite(path: path, from: key, to: nil)
    }

    /// Rewrites a file with another key, or none.
    ///
    /// - Parameters:
    ///   - path: the file; without links in it if they are not followed.
    ///   - setUp: called with the connection to the file, once it has it alone: registers the
    ///     functions of the schema.
    ///   - prepare: called with the copy before it takes the file's place.
    ///
    /// Throws `SQLError`, with `.encryption` `.converted` if the copy has taken the file's place;
    /// for any other error, and a `CancellationError`, the file is as it was.
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
            // There as long as the file is without its log, so that what a crash leaves can be
            // told. Only who has the file open with its log, or alone, may touch it.
            if usesWAL { try makeDraft(draft) }
            try lockAlone(source)
            isOwnDraft = true
            try makeDraft(draft)
            try setUp(source)
            try writeDraft(draft, of: source, key: new, usesWAL: usesWAL, prepare)
            // It would be played back into the copy.
            try DurableFile.remove(path + "-journal")
            // Who has the file open, too, idle and without a log, must not go on writing to it.
            try DurableFile.replace(path, with: draft) { try? source.spoilFile() }
        } catch let error as EncryptionError where error.isConverted {
            throw SQLError(error.code, error)
        } catch {
            // The trouble of the conversion, not that of going back, is what the caller wants.
            if usesWAL { _ = try? source.setPragma("journal_mode", to: .text("wal")) }
            withExtendedLifetime(source) {
                if isOwnDraft { try? UnfinishedEncryption.removeDraft(draft) }
            }
            throw error
        }
        // The file that it has open is gone: nothing that happens to it matters.
        try? source.close()
    }

    /// Takes the file for this connection alone; a log is moved into it.
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
            throw SQLError(code: .corrupt, message: "the copy is not like the database")
        }
        try prepare(copy)
        if usesWAL { try copy.setPragma("journal_mode", to: .text("wal")) }
        try copy.close()
    }

    /// Makes the draft again, empty.
    private static func makeDraft(_ draft: String) throws {
        try UnfinishedEncryption.removeDraft(draft)
        try DurableFile.makePrivate(draft)
    }
}

// What the storage engine asks of a key.
extension EncryptionKey: DatabaseKey {
    /// A configuration with encryption over the file system of another one.
    public func encrypting(_ configuration: SQLiteConfiguration) throws -> SQLiteConfiguration {
        try configuration.encrypted(with: self)
    }

    /// Whether it is the same passphrase, or the same raw key and salt.
    public func opensSameFiles(as other: any DatabaseKey) -> Bool {
        (other as? EncryptionKey).map { $0 == self } ?? false
    }

    /// Encrypts a plain database or makes an encrypted one plain, as `DatabaseEncryption` does.
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

    /// The 16 bytes of SQLCipher's form.
    public var saltLength: Int { FileSalt.length }

    /// What opens the pages of a file in SQLCipher's form.
    public func pageReader(salt: [UInt8]) throws -> any EncryptedPageReader {
        try PageReader(self, salt: salt)
    }

    /// What seals files with AES-256-GCM, each with a key that comes with HKDF-SHA256.
    public func fileSealer(key: some Sequence<UInt8>) -> any FileSealer { SealedFiles(key: key) }
}
