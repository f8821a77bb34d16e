package import SQLCore

extension StoreError {
    /// `ENOSPC`, on all systems.
    private static let noSpace = 28
    /// `SQLITE_IOERR_SHMSIZE`: the wal-index could not be made as large as it must be.
    private static let noSpaceForWALIndex: Int32 = 4874
    /// `SQLITE_CORRUPT_INDEX` and `SQLITE_CORRUPT_VTAB`: the documents are whole, and an index of
    /// them, or its full-text table, is not.
    private static let indexDamage: Set<Int32> = [779, 267]

    /// What a SQLite error means for the data file at `path`.
    ///
    /// The classes are LiteCore's; extended codes count as their primary one.
    ///
    /// - Parameter table: what was being read or written, if that is known.
    package init(_ error: SQLError, path: String, table: String? = nil) {
        if let cause = error.encryption {
            self.init(cause, path: path)
            return
        }
        if let refusal = Self.refusal(error, path) {
            self = refusal
            return
        }
        let place = table.map { "the table \($0) of \(path)" } ?? path
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
                .notADatabaseFile, "\(path) is encrypted or is not a SQLite database",
                underlying: error)
        case .corrupt where Self.indexDamage.contains(error.code.rawValue):
            self.init(
                .corruptData,
                "an index of \(place) does not agree with its documents (\(error.message)); "
                    + "verify the file and fix it", underlying: error)
        case .corrupt:
            self.init(
                .corruptData,
                "\(place) is damaged (\(error.message)); restore it from a backup, or salvage it",
                underlying: error)
        case .cannotOpen:
            self.init(
                .cannotOpenFile, "\(path) cannot be opened: \(error.message)", underlying: error)
        case .inputOutput where error.code.rawValue == Self.noSpaceForWALIndex:
            self = .fullDisk(
                "\(path) needs space for db.sqlite3-shm even to be read", underlying: error)
        case .inputOutput:
            self.init(
                .inputOutput,
                "reading or writing \(place) failed: \(error.message) (\(error.code.rawValue))",
                underlying: error)
        case .full:
            self = .noSpace("\(path) was not changed", path: path, underlying: error)
        case .abortedByRollback:
            self.init(
                .notInTransaction,
                "the transaction on \(place) was undone when a statement of it failed; nothing was "
                    + "changed", underlying: error)
        case .noMemory:
            self.init(.memory, "out of memory while using \(path)", underlying: error)
        case .error where error.missingName != nil:
            self.init(
                .unsupported,
                "\(place) has indexes or triggers that use \(error.missingName ?? ""), which this "
                    + "version does not have, so it is not written to; it can be read",
                underlying: error)
        default:
            self.init(
                domain: .sqlite, code: Int(error.code.rawValue), "\(path): \(error)",
                underlying: error)
        }
    }

    /// The error of a file that is not opened as it is: a stranger's file beside it, a rollback
    /// journal that must be played back, a link. Nil for other errors.
    private static func refusal(_ error: SQLError, _ path: String) -> StoreError? {
        if let refusal = error.cause as? SQLFileRefusal {
            return StoreError(.cannotOpenFile, "\(refusal)", underlying: refusal)
        }
        switch error.code {
        case .hotJournal:
            return StoreError(
                .cannotOpenFile,
                "\(path) was left in the middle of a write, or of a change of its key; to read it, "
                    + "its rollback journal must be played back, which needs permission to write "
                    + "the database and its directory: open it with that, or copy the whole directory "
                    + "and make the copy writable",
                underlying: error)
        case .symbolicLink:
            return StoreError(
                .cannotOpenFile,
                "\(path) cannot be opened: db.sqlite3 in it is a symbolic link, which is not "
                    + "followed; put the file itself there", underlying: error)
        default: return nil
        }
    }

    /// What an encrypted file said; it is the error beneath this one.
    package init(_ error: EncryptionError, path: String) {
        let code: Code =
            switch error {
            case .wrongKeyOrNotADatabase, .notEncrypted, .keyRequired: .notADatabaseFile
            case .tampered, .truncated: .corruptData
            case .cannotRekey: .busy
            case .fileFailed, .cipherFailed, .converted, .betweenKeys: .inputOutput
            default: .invalidParameter
            }
        self.init(code, "\(path): \(error)", underlying: error)
    }

    /// Whether there was no space on the disk of what was written; that of temporary files is
    /// another one.
    package var isFullDisk: Bool {
        domain == .posix && code == Self.noSpace && !(underlying is TemporaryDirectory.Full)
    }

    /// The error of a disk without space: that of temporary files, or that of the file at `path`.
    package static func noSpace(
        _ consequence: String, path: String, underlying: (any Error)?
    ) -> StoreError {
        guard let directory = TemporaryDirectory.ifFuller(thanDiskOf: path) else {
            return fullDisk(consequence, underlying: underlying)
        }
        return StoreError(
            domain: .posix, code: noSpace,
            "the disk of temporary files, \(directory), is full; \(consequence); give another "
                + "directory by the variable TMPDIR", underlying: TemporaryDirectory.Full())
    }

    /// The error of a disk that is full.
    package static func fullDisk(_ consequence: String, underlying: (any Error)?) -> StoreError {
        StoreError(
            domain: .posix, code: noSpace, "the disk is full; \(consequence)",
            underlying: underlying)
    }

    /// What has kept a new database from being made: a full disk is that of `path`, whatever was
    /// read meanwhile.
    ///
    /// - Parameter directory: where it was to be made.
    package static func making(_ path: String, in directory: String, _ error: any Error) -> any Error {
        let isFull =
            switch error {
            case let error as SQLError: .full ~= error.code
            case let error as StoreError: error.isFullDisk
            default: false
            }
        guard isFull else { return error }
        let consequence = "\(path) was not made"
        guard error is SQLError else { return fullDisk(consequence, underlying: error) }
        return noSpace(consequence, path: directory, underlying: error)
    }

    /// Runs `body`; what SQLite refuses becomes a `StoreError` that names `path`.
    package static func wrapping<T>(path: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as SQLError {
            throw StoreError(error, path: path)
        } catch let error as EncryptionError {
            throw StoreError(error, path: path)
        }
    }

    /// The same for tasks.
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
    /// The function, collation, module or tokenizer that SQLite lacks; nil if that is not what the
    /// error is about.
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
