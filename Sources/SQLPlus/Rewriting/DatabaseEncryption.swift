package import SQLCore

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
    /// if it is encrypted already, and what the file system says. The file is then as it was.
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

    /// Where the copy is made. Whoever finds one there after a crash may remove it.
    static func draftPath(_ path: String) -> String { path + "-encryption" }

    /// Rewrites a file with another key, or none.
    ///
    /// - Parameters:
    ///   - setUp: called with the connection to the file, once it has it alone: registers the
    ///     functions of the schema.
    ///   - prepare: called with the copy before it takes the file's place.
    package static func rewrite(
        path: String, from old: EncryptionKey?, to new: EncryptionKey?,
        setUp: (SQLContext) throws -> Void = { _ in },
        prepare: (SQLContext) throws -> Void = { _ in }
    ) throws {
        let source = try SQLContext(
            path: path, flags: .readWrite, configuration: .plus(key: old))
        let usesLog = try lockAlone(source)
        try setUp(source)
        let draft = draftPath(path)
        try removeDraft(draft)
        do {
            try source.export(draft, key: new)
            let tables = "SELECT count(*) FROM sqlite_master"
            let count = try source.selectValue(sql: tables)
            let copy = try SQLContext(
                path: draft, flags: .readWrite, configuration: .plus(key: new))
            guard try copy.selectValue(sql: tables) == count else {
                throw SQLError(code: .corrupt, message: "the copy is not like the database")
            }
            try prepare(copy)
            if usesLog { try copy.setPragma("journal_mode", to: .text("wal")) }
            try copy.close()
            try DurableFile.replace(path, with: draft)
        } catch {
            try? removeDraft(draft)
            // The draft's trouble, not that of giving the mode back, is what the caller wants.
            if usesLog { _ = try? source.setPragma("journal_mode", to: .text("wal")) }
            throw error
        }
        try source.close()
    }

    /// Takes the file for this connection alone; returns whether it has a log, which is moved into
    /// it.
    private static func lockAlone(_ source: SQLContext) throws -> Bool {
        let usesLog = try source.pragma("journal_mode") == .text("wal")
        _ = try source.selectValue(sql: "SELECT count(*) FROM sqlite_master")
        guard try source.setPragma("journal_mode", to: .text("delete")) == .text("delete") else {
            throw SQLError(code: .busy, message: "another connection uses the database")
        }
        try source.setPragma("locking_mode", to: .text("exclusive"))
        try source.exec(sql: "BEGIN EXCLUSIVE; COMMIT")
        return usesLog
    }

    private static func removeDraft(_ draft: String) throws {
        for suffix in ["", "-journal", "-wal", "-shm"] { try DurableFile.remove(draft + suffix) }
    }
}
