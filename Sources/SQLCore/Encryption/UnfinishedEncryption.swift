/// The remains of an in-place encryption or decryption after a crash. They can be plaintext, so
/// every connection that opens the database for writing removes them, with or without encryption.
package enum UnfinishedEncryption {
    /// The path of the copy, which only its owner can read.
    package static func draftPath(_ path: String) -> String { path + "-encryption" }

    /// A statement that needs the key, and locks the file.
    package static let countTables = "SELECT count(*) FROM sqlite_master"

    /// Removes the copy that a crash has left of a conversion, which can be plaintext, and switches
    /// the database back to WAL mode. Also removes a journal that was created for a change of the
    /// key.
    ///
    /// Does nothing while a conversion may be running.
    ///
    /// - Parameter context: A connection that can write to the file.
    package static func removeLeftovers(of path: String, _ context: SQLContext) throws {
        let (draft, journal) = (draftPath(path), path + "-journal")
        let hasDraft = DurableFile.exists(draft)
        guard hasDraft || DurableFile.exists(journal) else { return }
        let mode =
            hasDraft
            ? try context.setPragma("main.journal_mode", to: .text("wal"))
            : try context.pragma("main.journal_mode")
        guard mode == .text("wal") else { return }
        // From its first read on the connection holds a lock on the file as long as it is open: no
        // conversion can start, and none that has started can be unfinished.
        _ = try context.selectValue(sql: countTables)
        if hasDraft { try removeDraft(draft) }
        // That read has played back a hot journal, and none is written in WAL mode.
        try DurableFile.remove(journal)
    }

    /// Removes a copy and its journal, WAL and wal-index.
    package static func removeDraft(_ draft: String) throws {
        for suffix in ["-journal", "-wal", "-shm", ""] { try DurableFile.remove(draft + suffix) }
    }
}
