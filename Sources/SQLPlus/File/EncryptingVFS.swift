internal import SQLCore
internal import StorePlatform

/// The VFS through which SQLite reads and writes encrypted databases.
///
/// The files of a database without a key are stored unchanged. Temporary files are always
/// encrypted, with a random key that is not stored.
final class EncryptingVFS: SQLVFS, @unchecked Sendable {
    // Unchecked like its superclass: all state is protected by a lock.

    /// The keys of databases that a statement is about to open, by their full paths.
    private let expected = Locked<[String: [Expected]]>([:])
    private let lastNumber = Locked(0)

    private struct Expected {
        let number: Int
        /// The thread on which the statement opens the file: another connection can open the same
        /// file on another thread.
        let thread = ThreadID.current
        /// The key; nil for a plaintext file.
        let key: EncryptionKey?
        /// Whether a file was opened with the key.
        var isTaken = false
        /// The failure of the file, if the statement has closed it again.
        var failure: SQLFileFailure?
    }

    override func makeFile(_ opening: SQLFileOpening) throws -> SQLFile {
        switch opening.kind {
        case .mainDatabase:
            guard opening.flag("psow", default: true) else {
                throw SQLError(
                    code: .cannotOpen,
                    message: "encryption requires psow=1 (the default), since a write must not "
                        + "affect adjacent bytes; remove psow=0 from the URI")
            }
            return DatabaseFile(opening, self, explicitKey: opening.path.flatMap(takeKey))
        case .wal: return WALFile(opening, try opening.encryptedDatabase())
        case .mainJournal: return JournalFile(opening, try opening.encryptedDatabase())
        case .temporaryDatabase, .temporaryJournal, .transientDatabase, .subjournal:
            return TemporaryFile(opening)
        case .superJournal, .other:
            return SQLFile(opening)
        }
    }

    /// Runs a statement that opens a database by its path, and passes the key to the file, since
    /// the statement itself cannot contain it.
    ///
    /// Throws `EncryptionError.noFile` if no file was opened with the key; the statement has run
    /// then.
    func expecting<T>(_ key: EncryptionKey?, at path: String, _ body: () throws -> T) throws -> T {
        // SQLite would resolve a URI to a file with another path, and create it without a key.
        guard key == nil || !path.isEmpty && !path.hasPrefix("file:") && path != ":memory:" else {
            throw SQLError(.misuse, .noFile)
        }
        let path = try fullPath(path)
        let number = lastNumber.withLock { last in
            last += 1
            return last
        }
        expected.withLock { $0[path, default: []].append(Expected(number: number, key: key)) }
        do {
            let result = try body()
            let isTaken = end(number, at: path)?.isTaken ?? false
            guard isTaken || key == nil else { throw SQLError(.misuse, .noFile) }
            return result
        } catch {
            guard let failure = end(number, at: path)?.failure, let error = error as? SQLError,
                failure.code ~= error.code
            else { throw error }
            throw SQLError(
                code: error.code, message: error.message, sql: error.sql, offset: error.offset,
                cause: failure.error)
        }
    }

    private func takeKey(_ path: String) -> EncryptionKey?? {
        expected.withLock { expected in
            guard let last = Self.lastOfThread(expected[path]) else { return nil }
            expected[path]?[last].isTaken = true
            return .some(expected[path]?[last].key)
        }
    }

    private static func lastOfThread(_ expected: [Expected]?) -> Int? {
        let thread = ThreadID.current
        return expected?.lastIndex { $0.thread == thread }
    }

    private func end(_ number: Int, at path: String) -> Expected? {
        expected.withLock { expected in
            guard let index = expected[path]?.firstIndex(where: { $0.number == number }) else {
                return nil
            }
            defer { if expected[path]?.isEmpty == true { expected[path] = nil } }
            return expected[path]?.remove(at: index)
        }
    }

    /// Stores the failure of a file that is closed before the statement ends.
    func noteFailure(_ failure: SQLFileFailure, at path: String) {
        expected.withLock { expected in
            guard let last = Self.lastOfThread(expected[path]) else { return }
            expected[path]?[last].failure = failure
        }
    }
}

extension SQLFileOpening {
    /// The database to which a journal or WAL belongs, even if another VFS is in between.
    ///
    /// Throws `.cannotOpen` if it is unknown, since then it is also unknown whether it has a key.
    fileprivate func encryptedDatabase() throws -> DatabaseFile {
        var file = databaseFile
        while let current = file {
            if let database = current as? DatabaseFile { return database }
            file = current.wrapped
        }
        throw SQLError(
            code: .cannotOpen,
            message: "the database to which the journal or WAL belongs is unknown")
    }
}
