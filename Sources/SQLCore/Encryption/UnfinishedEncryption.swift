/// What a crash leaves of a database that is encrypted or made plain in place. It can be plain, so
/// that who opens the database for writing removes it, with or without encryption.
package enum UnfinishedEncryption {
    /// Where the copy is made, for its owner's eyes alone.
    package static func draftPath(_ path: String) -> String { path + "-encryption" }

    /// A statement that needs the key, and locks the file.
    package static let countTables = "SELECT count(*) FROM sqlite_master"

    /// Removes what a crash has left of a conversion, whose copy may be plain, and gives the
    /// database its log back; removes a journal that was to hold pages of another key.
    ///
    /// Does nothing while a conversion may be going on.
    ///
    /// - Parameter context: a connection to the file for writing.
    package static func removeLeftovers(of path: String, _ context: SQLContext) throws {
        let (draft, journal) = (draftPath(path), path + "-journal")
        let hasDraft = DurableFile.exists(draft)
        guard hasDraft || DurableFile.exists(journal) else { return }
        let mode =
            hasDraft
            ? try context.setPragma("main.journal_mode", to: .text("wal"))
            : try context.pragma("main.journal_mode")
        guard mode == .text("wal") else { return }
        // With the first reading the connection has the file locked, as long as it is open: nobody
        // can begin a conversion, nor have begun one that has not ended.
        _ = try context.selectValue(sql: countTables)
        if hasDraft { try removeDraft(draft) }
        // One that counts was played back by that reading, and with a log none is written.
        try DurableFile.remove(journal)
    }

    /// Removes a copy, and what SQLite kept beside it.
    package static func removeDraft(_ draft: String) throws {
        for suffix in ["-journal", "-wal", "-shm", ""] { try DurableFile.remove(draft + suffix) }
    }
}
