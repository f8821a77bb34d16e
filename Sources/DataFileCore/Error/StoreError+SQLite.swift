internal import SQLCore

extension StoreError {
    /// `ENOSPC`, on all systems.
    private static let noSpace = 28

    /// What a SQLite error means for the data file at `path`.
    ///
    /// The classes are LiteCore's; extended codes count as their primary one.
    ///
    /// - Parameter table: what was being read or written, if that is known.
    init(_ error: SQLError, path: String, table: String? = nil) {
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
        case .corrupt:
            self.init(
                .corruptData,
                "\(place) is damaged (\(error.message)); restore it from a backup, or salvage it",
                underlying: error)
        case .cannotOpen:
            self.init(
                .cannotOpenFile, "\(path) cannot be opened: \(error.message)", underlying: error)
        case .inputOutput:
            self.init(
                .inputOutput,
                "reading or writing \(place) failed: \(error.message) (\(error.code.rawValue))",
                underlying: error)
        case .full:
            self.init(
                domain: .posix, code: Self.noSpace,
                "the disk is full; \(path) was not changed", underlying: error)
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

    /// Runs `body`; what SQLite refuses becomes a `StoreError` that names `path`.
    static func wrapping<T>(path: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as SQLError {
            throw StoreError(error, path: path)
        }
    }

    /// The same for tasks.
    static func wrapping<T: Sendable>(
        path: String, _ body: () async throws -> T
    ) async throws -> T {
        do {
            return try await body()
        } catch let error as SQLError {
            throw StoreError(error, path: path)
        }
    }
}
