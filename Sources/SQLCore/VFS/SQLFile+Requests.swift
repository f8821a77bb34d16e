import CSQLite

/// The result of a pragma that a file handles in ``SQLFile/pragma(_:_:)``.
public enum SQLPragmaResult: Sendable {
    /// The file does not handle the pragma: SQLite runs it.
    case unknown
    /// The pragma is done; the string, if any, is its only row.
    case done(String? = nil)
    /// The pragma failed: the statement fails with this code and message.
    case failed(SQLResultCode, String)
}

/// The error because of which a file returned a result code to SQLite.
///
/// SQLite transports only the code. A file stores the error in ``SQLFile/failure``, and the
/// ``SQLError`` that the statement throws has it as its ``SQLError/cause``.
public struct SQLFileFailure: Sendable {
    /// The code that the call returned; the error is reported only for a failure with the same
    /// primary code.
    public let code: SQLResultCode
    /// The error, which becomes the cause of the ``SQLError``.
    public let error: any Error

    /// Creates a failure from a code and an error.
    public init(_ code: SQLResultCode, _ error: any Error) {
        self.code = code
        self.error = error
    }
}

extension SQLFile {
    /// The file-control request that returns the failure of a file; numbers above 100 are free.
    private static let takeFailure: Int32 = 0x5351_4C01

    /// Handles the requests that are the same for all files, and forwards others to
    /// `control(_:_:)`.
    func dispatch(_ request: Int32, _ argument: UnsafeMutableRawPointer?) -> SQLResultCode {
        switch request {
        case SQLITE_FCNTL_PDB:
            handle = argument?.load(as: OpaquePointer?.self)
            connected()
        case SQLITE_FCNTL_PRAGMA:
            if let code = argument.flatMap(runPragma) { return code }
        case Self.takeFailure:
            guard let failure, let argument else { break }
            argument.assumingMemoryBound(to: SQLFileFailure?.self).pointee = failure
            self.failure = nil
            return .ok
        default: break
        }
        return control(request, argument)
    }

    /// Runs a pragma. The argument is an array: a slot for the result or message, the name, and the
    /// value or NULL.
    private func runPragma(_ argument: UnsafeMutableRawPointer) -> SQLResultCode? {
        let strings = argument.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
        guard let name = strings[1].map({ String(cString: $0) }) else { return nil }
        switch pragma(name, strings[2].map { String(cString: $0) }) {
        case .unknown: return nil
        case .done(let text):
            strings[0] = text.flatMap(Self.allocate)
            return .ok
        case .failed(let code, let message):
            strings[0] = Self.allocate(message)
            return code
        }
    }

    /// Allocates a C string that SQLite frees.
    private static func allocate(_ text: String) -> UnsafeMutablePointer<CChar>? {
        let bytes = Array(text.utf8CString)
        guard let memory = sqlite3_malloc64(UInt64(bytes.count)) else { return nil }
        let copy = memory.bindMemory(to: CChar.self, capacity: bytes.count)
        copy.initialize(from: bytes, count: bytes.count)
        return copy
    }

    /// Returns and removes the error of the latest failure with this code that a file of the
    /// connection has recorded.
    static func takeFailure(_ handle: OpaquePointer, _ code: Int32) -> (any Error)? {
        if let refusal = FileGuard.takeRefusal(code) { return refusal }
        for schema in schemas(handle) {
            var failure: SQLFileFailure?
            let result = withUnsafeMutablePointer(to: &failure) {
                sqlite3_file_control(handle, schema, takeFailure, $0)
            }
            if result == SQLITE_OK, let failure, failure.code.rawValue & 0xFF == code & 0xFF {
                return failure.error
            }
        }
        return nil
    }

    /// The schema names of a connection; only the first two before SQLite 3.39.
    private static func schemas(_ handle: OpaquePointer) -> [String] {
        var names: [String] = []
        while let name = shim_db_name(handle, Int32(names.count)) {
            names.append(String(cString: name))
        }
        return names
    }

    /// Reserves bytes at the end of each page of a new database. `SQLITE_FCNTL_RESERVE_BYTES`
    ///
    /// Call it from ``SQLFile/connected()``, before the first page is written. It does nothing
    /// before the connection is known.
    ///
    /// - Parameter bytes: The number of bytes in each page, up to 255.
    public func reserve(bytes: Int) {
        guard let handle else { return }
        for schema in Self.schemas(handle) where isFile(of: schema, handle) {
            var count = Int32(clamping: bytes)
            sqlite3_file_control(handle, schema, SQLITE_FCNTL_RESERVE_BYTES, &count)
        }
    }

    /// Checkpoints the WAL of the database and truncates it; `.ok` if there is no WAL.
    /// `SQLITE_CHECKPOINT_TRUNCATE`
    ///
    /// - Returns: `.busy` while another connection reads or writes; `.misuse` before the connection
    ///   is known.
    public func resetWAL() -> SQLResultCode {
        guard let handle else { return .misuse }
        for schema in Self.schemas(handle) where isFile(of: schema, handle) {
            let code = sqlite3_wal_checkpoint_v2(
                handle, schema, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
            guard code == SQLITE_OK else { return SQLResultCode(rawValue: code) }
        }
        return .ok
    }

    /// Whether a schema of the connection is in this file, or in one that wraps it.
    private func isFile(of schema: String, _ handle: OpaquePointer) -> Bool {
        Self.files(of: schema, handle).contains { $0 === self }
    }

    /// The files of the connection's main database: the one that SQLite sees, and those that it
    /// wraps. Empty before the connection is known, or if the database is in memory.
    public var mainFiles: [SQLFile] { handle.map { Self.files(of: "main", $0) } ?? [] }

    /// The files of all databases of a connection except the main one.
    static func attached(_ handle: OpaquePointer) -> [SQLFile] {
        schemas(handle).filter { $0 != "main" }.flatMap { files(of: $0, handle) }
    }

    private static func files(of schema: String, _ handle: OpaquePointer) -> [SQLFile] {
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(handle, schema, SQLITE_FCNTL_FILE_POINTER, &pointer)
        guard code == SQLITE_OK, let pointer else { return [] }
        var files: [SQLFile] = []
        var next = SQLFile.object(of: pointer)
        while let file = next {
            files.append(file)
            next = file.wrapped
        }
        return files
    }
}
