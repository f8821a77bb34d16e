package import SQLCore

extension StoreError {
    /// `ENOSPC`, which has the same number on all systems.
    private static let noSpace = 28
    /// `SQLITE_IOERR_SHMSIZE`: the wal-index could not grow to the size it needs.
    private static let noSpaceForWALIndex: Int32 = 4874
    /// `SQLITE_CORRUPT_INDEX` and `SQLITE_CORRUPT_VTAB`: an index or full-text table is damaged,
    /// but the documents are not.
    private static let indexDamage: Set<Int32> = [779, 267]

    /// Translates an SQLite error on the data file at `path`.
    ///
    /// The error classes are LiteCore's; extended result codes count as their primary code.
    ///
    /// - Parameter table: the table being read or written, if known.
    package init(_ error: SQLError, path: String, table: String? = nil) {
        if let cause = error.encryption {
            self.init(cause, path: path)
            return
        }
        if let refusal = Self.refusal(error, path) {
            self = refusal
            return
        }
        let location = table.map { "the table \($0) of \(path)" } ?? path
        switch error.code {
        case .busy, .locked:
            self.init(
                .busy,
                "\(path) is locked by another process; try again, or wait longer for it",
                underlying: error)
        case .readOnly, .permission:
            self.init(
                .notWriteable, "\(path) cannot be written: \(error.message)", underlying: error)
        case .notADatabase:
            self.init(
                .notADatabaseFile, "\(path) is encrypted or is not an SQLite database",
                underlying: error)
        case .corrupt where Self.indexDamage.contains(error.code.rawValue):
            self.init(
                .corruptData,
                "an index of \(location) does not agree with its documents (\(error.message)); "
                    + "verify the file and fix it", underlying: error)
        case .corrupt:
            self.init(
                .corruptData,
                "\(location) is damaged (\(error.message)); restore it from a backup, or "
                    + "recover it",
                underlying: error)
        case .cannotOpen:
            self.init(
                .cannotOpenFile, "\(path) cannot be opened: \(error.message)", underlying: error)
        case .inputOutput where error.code.rawValue == Self.noSpaceForWALIndex:
            self = .fullDisk(
                "\(path) needs disk space for db.sqlite3-shm even for reading", underlying: error)
        case .inputOutput:
            self.init(
                .inputOutput,
                "reading or writing \(location) failed: \(error.message) (\(error.code.rawValue))",
                underlying: error)
        case .full:
            self = .noSpace("\(path) was not changed", path: path, underlying: error)
        case .abortedByRollback:
            self.init(
                .notInTransaction,
                "the transaction on \(location) was rolled back when a statement failed; nothing "
                    + "was changed", underlying: error)
        case .noMemory:
            self.init(.memory, "out of memory while using \(path)", underlying: error)
        case .error where error.missingName != nil:
            self.init(
                .unsupported,
                "\(location) has indexes or triggers that use \(error.missingName ?? ""), which "
                    + "this version does not have, so it is not written to; it can be read",
                underlying: error)
        default:
            self.init(
                domain: .sqlite, code: Int(error.code.rawValue), "\(path): \(error)",
                underlying: error)
        }
    }

    /// The error for a file that is refused in its present state: an unrelated file next to it, a
    /// hot rollback journal, a symbolic link. Nil for other errors.
    private static func refusal(_ error: SQLError, _ path: String) -> StoreError? {
        if let refusal = error.cause as? SQLFileRefusal {
            return StoreError(.cannotOpenFile, "\(refusal)", underlying: refusal)
        }
        switch error.code {
        case .hotJournal:
            return StoreError(
                .cannotOpenFile,
                "\(path) was left in the middle of a write, or of a change of its key; to read it, "
                    + "its rollback journal must be rolled back, which needs permission to write "
                    + "the database and its directory: open it with that, or copy the whole "
                    + "directory and make the copy writable",
                underlying: error)
        case .symbolicLink:
            return StoreError(
                .cannotOpenFile,
                "\(path) cannot be opened: db.sqlite3 in it is a symbolic link, which is not "
                    + "followed; put the file itself there", underlying: error)
        default: return nil
        }
    }

    /// Translates an error of an encrypted file, which becomes the underlying error.
    package init(_ error: EncryptionError, path: String) {
        let code: Code =
            switch error {
            case .wrongKeyOrNotADatabase, .notEncrypted, .keyRequired: .notADatabaseFile
            case .tampered, .truncated: .corruptData
            case .cannotRekey: .busy
            case .fileFailed, .cipherFailed, .converted, .rekeyRollbackFailed: .inputOutput
            default: .invalidParameter
            }
        self.init(code, "\(path): \(error)", underlying: error)
    }

    /// Whether the disk being written was full. A full disk of temporary files is a separate
    /// error.
    package var isFullDisk: Bool {
        domain == .posix && code == Self.noSpace && !(underlying is SQLiteTemporaryDirectory.Full)
    }

    /// The error for a full disk: that of temporary files, or that of the file at `path`.
    package static func noSpace(
        _ consequence: String, path: String, underlying: (any Error)?
    ) -> StoreError {
        guard let directory = SQLiteTemporaryDirectory.ifFuller(thanDiskOf: path) else {
            return fullDisk(consequence, underlying: underlying)
        }
        return StoreError(
            domain: .posix, code: noSpace,
            "the disk of temporary files, \(directory), is full; \(consequence); set "
                + "TMPDIR to another directory", underlying: SQLiteTemporaryDirectory.Full())
    }

    /// The error for a full disk.
    package static func fullDisk(_ consequence: String, underlying: (any Error)?) -> StoreError {
        StoreError(
            domain: .posix, code: noSpace, "the disk is full; \(consequence)",
            underlying: underlying)
    }

    /// Translates an error that prevented the creation of a new database: a full disk is attributed
    /// to `path`, whatever file was being read.
    ///
    /// - Parameter directory: the directory in which it was to be created.
    package static func creating(
        _ path: String, in directory: String, _ error: any Error
    ) -> any Error {
        let isFull =
            switch error {
            case let error as SQLError: .full ~= error.code
            case let error as StoreError: error.isFullDisk
            default: false
            }
        guard isFull else { return error }
        let consequence = "\(path) was not created"
        guard error is SQLError else { return fullDisk(consequence, underlying: error) }
        return noSpace(consequence, path: directory, underlying: error)
    }

    /// Runs `body` and turns SQLite errors into a `StoreError` that names `path`.
    package static func wrapping<T>(path: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as SQLError {
            throw StoreError(error, path: path)
        } catch let error as EncryptionError {
            throw StoreError(error, path: path)
        }
    }

    /// Runs an asynchronous `body` and turns SQLite errors into a `StoreError` that names `path`.
    package static func wrapping<T: Sendable>(
        path: String, _ body: () async throws -> T
    ) async throws -> T {
        do {
            return try await body()
        } catch let error as SQLError {
            throw StoreError(error, path: path)
        } catch let error as EncryptionError {
            throw StoreError(error, path: path)
        }
    }
}

extension SQLError {
    /// The missing function, collation, module or tokenizer; nil if the error has another reason.
    package var missingName: String? {
        guard .error ~= code else { return nil }
        let beginnings = [
            "unknown function: ", "no such function: ", "no such collation sequence: ",
            "no such module: ", "unknown tokenizer: ",
        ]
        for beginning in beginnings where message.hasPrefix(beginning) {
            return String(message.dropFirst(beginning.count).prefix { $0 != "(" })
        }
        return nil
    }
}
