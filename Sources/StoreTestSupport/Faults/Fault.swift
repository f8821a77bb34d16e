public import SQLCore

/// A fault that happened: the call of a workload that failed, and how.
public struct Fault: Equatable, Sendable {
    /// Which calls after the first failing one fail, too.
    public enum Duration: String, CaseIterable, Sendable {
        /// Only this call.
        case once
        /// This call, and every later call of the same operation on any file.
        case alike
        /// This call and every later counted call, like a disk that is gone.
        case forGood
    }

    /// The number of the call among all counted calls, from 1.
    public let point: Int
    /// The operation.
    public let operation: FaultOperation
    /// The kind of the file.
    public let kind: SQLFileKind
    /// The file's full path; nil for a temporary file without a name.
    public let path: String?
    /// The result code returned to SQLite.
    public let code: SQLResultCode
    /// How many bytes of a torn write were written before it failed; 0 for all other faults.
    public let bytesWritten: Int
}

extension Fault: CustomStringConvertible {
    /// Such as `point 17: sync of wal /tmp/x/db.sqlite3-wal, disk I/O error (1034)`.
    public var description: String {
        let torn = bytesWritten > 0 ? " after \(bytesWritten) bytes" : ""
        return "point \(point): \(operation.rawValue) of \(kind) \(path ?? "without a name")"
            + "\(torn), \(code)"
    }
}

/// The file of a counted call.
struct FaultLocation {
    let kind: SQLFileKind
    let path: String?

    init(kind: SQLFileKind, path: String?) {
        self.kind = kind
        self.path = path
    }

    /// A file of which only the path is known: SQLite names WAL files and journals by their suffix.
    init(path: String) {
        let endings: [(String, SQLFileKind)] = [("-wal", .wal), ("-journal", .mainJournal)]
        self.init(kind: endings.first { path.hasSuffix($0.0) }?.1 ?? .other, path: path)
    }
}
