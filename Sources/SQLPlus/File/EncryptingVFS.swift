internal import SQLCore
internal import StorePlatform

/// The file system through which SQLite reads and writes encrypted databases.
///
/// A database without a key passes through as it is. Temporary files are encrypted in any case,
/// with a key that nobody keeps.
final class EncryptingVFS: SQLVFS, @unchecked Sendable {
    // Unchecked as its superclass: all state is behind a lock.

    /// Keys of databases that are about to be opened by a statement, by their full paths.
    private let expected = Locked<[String: [Expected]]>([:])
    private let lastNumber = Locked(0)

    private struct Expected {
        let number: Int
        /// The one that opens it, on which SQLite calls the file system: on others somebody else
        /// may open the same file.
        let thread = ThreadID.current
        /// Nil for a plain file.
        let key: EncryptionKey?
        /// Whether a file was opened with it.
        var isTaken = false
        /// Why the statement failed, from the file that it has closed again.
        var failure: SQLFileFailure?
    }

    override func makeFile(_ opening: SQLFileOpening) throws -> SQLFile {
        switch opening.kind {
        case .mainDatabase:
            guard opening.flag("psow", default: true) else {
                throw SQLError(
                    code: .cannotOpen,
                    message: "encryption needs psow=1, which is the default: pages are written "
                        + "without those around them")
            }
            return DatabaseFile(opening, self, told: opening.path.flatMap(takeKey))
        case .wal: return WALFile(opening, try opening.encryptedDatabase())
        case .mainJournal: return JournalFile(opening, try opening.encryptedDatabase())
        case .temporaryDatabase, .temporaryJournal, .transientDatabase, .subjournal:
            return TemporaryFile(opening)
        case .superJournal, .other:
            return SQLFile(opening)
        }
    }

    /// Runs a statement that opens a database by its path, which it has no other way to give a key.
    ///
    /// Throws `EncryptionError.noFile` if no file was opened that could take the key; the statement
    /// has run then.
    func expecting<T>(_ key: EncryptionKey?, at path: String, _ body: () throws -> T) throws -> T {
        // SQLite would follow a URI to a file of another path, and make a plain one of it.
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
            guard let place = expected[path]?.firstIndex(where: { $0.number == number }) else {
                return nil
            }
            defer { if expected[path]?.isEmpty == true { expected[path] = nil } }
            return expected[path]?.remove(at: place)
        }
    }

    /// Keeps what a file has to say that is closed within a statement.
    func noteFailure(_ failure: SQLFileFailure, at path: String) {
        expected.withLock { expected in
            guard let last = Self.lastOfThread(expected[path]) else { return }
            expected[path]?[last].failure = failure
        }
    }
}

extension SQLFileOpening {
    /// The database that a journal or log belongs to, also if another file system stands between.
    ///
    /// Throws `.cannotOpen` if there is none: nobody could tell whether it has a key.
    fileprivate func encryptedDatabase() throws -> DatabaseFile {
        var file = databaseFile
        while let found = file {
            if let database = found as? DatabaseFile { return database }
            file = found.wrapped
        }
        throw SQLError(code: .cannotOpen, message: "a journal or log whose database is not known")
    }
}
