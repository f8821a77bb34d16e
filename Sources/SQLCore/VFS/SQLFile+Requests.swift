import CSQLite

/// What a file answers to a pragma.
public enum SQLPragmaResult: Sendable {
    /// It is none of the file's: SQLite looks for it among its own.
    case unknown
    /// Done; the text, if there is one, is the pragma's one row.
    case done(String? = nil)
    /// Refused: the statement fails.
    case failed(SQLResultCode, String)
}

/// Why a file refused a call, where it knows more than the code that SQLite is given.
public struct SQLFileFailure: Sendable {
    /// The code that the call returned.
    public let code: SQLResultCode
    /// What happened.
    public let error: any Error

    /// Made where the call fails.
    public init(_ code: SQLResultCode, _ error: any Error) {
        self.code = code
        self.error = error
    }
}

extension SQLFile {
    /// The request with which an error takes the failure of a file; numbers from 100 on are free.
    private static let takeFailure: Int32 = 0x5351_4C01

    /// Answers what is answered the same way by all files, and hands the rest to `control(_:_:)`.
    func answer(_ request: Int32, _ argument: UnsafeMutableRawPointer?) -> SQLResultCode {
        switch request {
        case SQLITE_FCNTL_PDB:
            handle = argument?.load(as: OpaquePointer?.self)
            connected()
        case SQLITE_FCNTL_PRAGMA:
            if let code = argument.flatMap(answerPragma) { return code }
        case Self.takeFailure:
            guard let found = failure, let argument else { break }
            argument.assumingMemoryBound(to: SQLFileFailure?.self).pointee = found
            failure = nil
            return .ok
        default: break
        }
        return control(request, argument)
    }

    /// The argument is an array: room for a message, the name, and the value or NULL.
    private func answerPragma(_ argument: UnsafeMutableRawPointer) -> SQLResultCode? {
        let texts = argument.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
        guard let name = texts[1].map({ String(cString: $0) }) else { return nil }
        switch pragma(name, texts[2].map { String(cString: $0) }) {
        case .unknown: return nil
        case .done(let text):
            texts[0] = text.flatMap(Self.allocate)
            return .ok
        case .failed(let code, let message):
            texts[0] = Self.allocate(message)
            return code
        }
    }

    /// A text that SQLite frees.
    private static func allocate(_ text: String) -> UnsafeMutablePointer<CChar>? {
        let bytes = Array(text.utf8CString)
        guard let memory = sqlite3_malloc64(UInt64(bytes.count)) else { return nil }
        let copy = memory.bindMemory(to: CChar.self, capacity: bytes.count)
        copy.initialize(from: bytes, count: bytes.count)
        return copy
    }

    /// What a file of a connection says of the latest failure that had this code, if anything.
    static func takeFailure(_ handle: OpaquePointer, _ code: Int32) -> (any Error)? {
        if let refusal = FileGuard.takeRefusal(code) { return refusal }
        for schema in schemas(handle) {
            var failure: SQLFileFailure?
            let found = withUnsafeMutablePointer(to: &failure) {
                sqlite3_file_control(handle, schema, takeFailure, $0)
            }
            if found == SQLITE_OK, let failure, failure.code.rawValue & 0xFF == code & 0xFF {
                return failure.error
            }
        }
        return nil
    }

    /// The names of a connection's databases; the first two only before SQLite 3.39.
    private static func schemas(_ handle: OpaquePointer) -> [String] {
        var names: [String] = []
        while let name = shim_db_name(handle, Int32(names.count)) {
            names.append(String(cString: name))
        }
        return names
    }

    /// Asks SQLite to leave bytes free at the end of each page, where it lays out new ones.
    /// `SQLITE_FCNTL_RESERVE_BYTES`
    public func reserve(bytes: Int) {
        guard let handle else { return }
        for schema in Self.schemas(handle) where isFile(of: schema, handle) {
            var count = Int32(clamping: bytes)
            sqlite3_file_control(handle, schema, SQLITE_FCNTL_RESERVE_BYTES, &count)
        }
    }

    /// Moves all that is in the log of the database into it, and leaves nothing in the log;
    /// `.ok` if there is none. `SQLITE_CHECKPOINT_TRUNCATE`
    public func resetWAL() -> SQLResultCode {
        guard let handle else { return .misuse }
        for schema in Self.schemas(handle) where isFile(of: schema, handle) {
            let code = sqlite3_wal_checkpoint_v2(
                handle, schema, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
            guard code == SQLITE_OK else { return SQLResultCode(rawValue: code) }
        }
        return .ok
    }

    /// Whether a database of the connection is in this file, or in one that wraps it.
    private func isFile(of schema: String, _ handle: OpaquePointer) -> Bool {
        Self.files(of: schema, handle).contains { $0 === self }
    }

    /// The files of the connection's main database: the one that SQLite sees, and those that it
    /// wraps. None before the connection is known, or if it is in memory.
    public var mainFiles: [SQLFile] { handle.map { Self.files(of: "main", $0) } ?? [] }

    /// The files of all databases of a connection but the main one.
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
