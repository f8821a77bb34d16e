import CSQLite
internal import StorePlatform

/// Decides which files SQLite may open and delete.
enum FileGuard {
    /// The super-journals of this process's transactions.
    private static let created = Locked<Set<String>>([])
    /// The super-journals that journals name and that SQLite may delete after playing them back.
    private static let accepted = Locked<Set<String>>([])
    /// More than are played back at the same time.
    private static let maximumAccepted = 1000
    /// The latest refusal of each thread.
    private static let refusals = Locked<[ThreadID: SQLFileRefusal]>([:])

    /// The result codes of a refusal, which nothing else returns: `SQLITE_CANTOPEN` and
    /// `SQLITE_IOERR` with a private extension. SQLite ignores some failures to open a journal, but
    /// not one with an unknown code.
    private static let (cannotOpen, cannotDelete) = (
        SQLITE_CANTOPEN | 0x53 << 8, SQLITE_IOERR | 0x53 << 8
    )

    /// The result code if a file must not be opened; nil if it may be.
    static func refuseOpening(_ name: UnsafePointer<CChar>, _ flags: Int32) -> Int32? {
        let refused =
            if let path = String(validatingCString: name) {
                refusal(path, flags)
            } else {
                // The path that is checked would differ from the one that is opened.
                SQLFileRefusal(String(cString: name), .notUTF8)
            }
        guard let refused else { return nil }
        note(refused)
        return cannotOpen
    }

    /// The result code if a file must not be deleted; nil if it may be.
    static func refuseDeleting(_ path: String) -> Int32? {
        let isOwn =
            path.hasSuffix("-journal") || path.hasSuffix("-wal")
            || created.withLock { $0.remove(path) } != nil
            || accepted.withLock { $0.remove(path) } != nil
        guard !isOwn else { return nil }
        note(SQLFileRefusal(path, .notDeleted))
        return cannotDelete
    }

    /// Returns and removes the refusal because of which a call on this thread failed; nil if `code`
    /// is not that of a refusal.
    static func takeRefusal(_ code: Int32) -> SQLFileRefusal? {
        guard code == cannotOpen || code == cannotDelete else { return nil }
        return refusals.withLock { $0.removeValue(forKey: .current) }
    }

    private static func note(_ refusal: SQLFileRefusal) {
        refusals.withLock { $0[.current] = refusal }
    }

    private static func refusal(_ path: String, _ flags: Int32) -> SQLFileRefusal? {
        switch SQLFileKind(flags: flags) {
        case .mainDatabase: FileType(path) == .other ? SQLFileRefusal(path, .notRegular) : nil
        case .mainJournal: refusalOfJournal(path)
        case .wal:
            // SQLite opens the wal-index through the file of the database, not with `xOpen`.
            FileType.refusal(path)
                ?? (path.hasSuffix("-wal")
                    ? FileType.refusal(String(path.dropLast(3)) + "shm") : nil)
        case .superJournal: refusalOfSuperJournal(path, flags)
        default: nil
        }
    }

    /// A journal that is not hot can also name a super-journal: a rollback of this process would
    /// then play back what it has written before that name.
    private static func refusalOfJournal(_ path: String) -> SQLFileRefusal? {
        do {
            guard let journal = try RollbackJournal(path), let name = journal.superJournal else {
                return nil
            }
            if let refusal = journal.refusal { return refusal }
            accepted.withLock { accepted in
                if accepted.count >= maximumAccepted { accepted = [] }
                accepted.insert(name)
            }
            return nil
        } catch {
            return error
        }
    }

    /// SQLite reads a super-journal and the journals that it lists before it deletes it.
    private static func refusalOfSuperJournal(_ path: String, _ flags: Int32) -> SQLFileRefusal? {
        guard flags & SQLITE_OPEN_CREATE == 0 else {
            created.withLock { _ = $0.insert(path) }
            return nil
        }
        guard path.hasSuffix("-journal") || RollbackJournal.isSuperJournal(path) else {
            return SQLFileRefusal(path, .notRegular)
        }
        return FileType.refusal(path)
    }
}

extension FileGuard {
    /// Checks the files that accompany a database before SQLite opens them.
    ///
    /// - Parameter database: The full path, without symbolic links.
    ///
    /// Throws if one of them is a symbolic link or not a regular file, or if a rollback journal
    /// names a super-journal in another directory, to which the database does not belong.
    static func requireOwnFiles(of database: String) throws(SQLFileRefusal) {
        for suffix in ["-wal", "-shm"] {
            if let refusal = FileType.refusal(database + suffix) { throw refusal }
        }
        guard let journal = try RollbackJournal(database + "-journal") else { return }
        if let refusal = journal.refusal { throw refusal }
        guard journal.hasOwnSuperJournal else {
            throw SQLFileRefusal(
                journal.path, .foreignSuperJournal(journal.superJournal ?? ""))
        }
    }
}
