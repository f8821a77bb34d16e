internal import SQLCore

/// The file system through which SQLite reads and writes encrypted databases.
///
/// A database without a key passes through as it is. Temporary files are encrypted in any case,
/// with a key that nobody keeps.
final class EncryptingVFS: SQLVFS, @unchecked Sendable {
    // Unchecked as its superclass: all state is behind a lock.

    /// Keys of databases that are about to be opened by a statement, by their full paths.
    private let expected = Locked<[String: [Expected]]>([:])

    private struct Expected {
        let key: EncryptionKey?
        /// Why the statement failed, from the file that it has closed again.
        var failure: SQLFileFailure?
    }

    override func makeFile(_ opening: SQLFileOpening) throws -> SQLFile {
        switch opening.kind {
        case .mainDatabase:
            guard opening.parameter("psow") != "0" else {
                throw SQLError(
                    code: .cannotOpen,
                    message: "encryption needs psow=1, which is the default: pages are written "
                        + "without those around them")
            }
            let key = opening.path.flatMap { path in expected.withLock { $0[path]?.last?.key } }
            return DatabaseFile(opening, self, key)
        case .wal:
            return opening.encryptedDatabase.map { LogFile(opening, $0) } ?? SQLFile(opening)
        case .mainJournal:
            return opening.encryptedDatabase.map { JournalFile(opening, $0) } ?? SQLFile(opening)
        case .temporaryDatabase, .temporaryJournal, .transientDatabase, .subjournal:
            return TemporaryFile(opening)
        case .superJournal, .other:
            return SQLFile(opening)
        }
    }

    /// Runs a statement that opens a database by its path, which it has no other way to give a key.
    func expecting<T>(_ key: EncryptionKey?, at path: String, _ body: () throws -> T) throws -> T {
        let path = try fullPath(path)
        expected.withLock { $0[path, default: []].append(Expected(key: key)) }
        let end = {
            self.expected.withLock { expected -> SQLFileFailure? in
                let last = expected[path]?.popLast()
                if expected[path]?.isEmpty == true { expected[path] = nil }
                return last?.failure
            }
        }
        do {
            let result = try body()
            _ = end()
            return result
        } catch {
            guard let failure = end(), let error = error as? SQLError,
                failure.code ~= error.code
            else { throw error }
            throw SQLError(
                code: error.code, message: error.message, sql: error.sql, offset: error.offset,
                cause: failure.error)
        }
    }

    /// Keeps what a file has to say that is closed within a statement.
    func noteFailure(_ failure: SQLFileFailure, at path: String) {
        expected.withLock { expected in
            guard let last = expected[path]?.indices.last else { return }
            expected[path]?[last].failure = failure
        }
    }
}

extension SQLFileOpening {
    /// The database that a journal or log belongs to, also if another file system stands between.
    fileprivate var encryptedDatabase: DatabaseFile? {
        var file = databaseFile
        while let found = file {
            if let database = found as? DatabaseFile { return database }
            file = found.wrapped
        }
        return nil
    }
}
