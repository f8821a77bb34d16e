public import SQLCore

/// A fault as it happened: which call of a workload failed, and how.
public struct Fault: Equatable, Sendable {
    /// How long what has failed goes on failing.
    public enum Duration: String, CaseIterable, Sendable {
        /// This one call.
        case once
        /// This call, and every later one of the same operation on any file.
        case alike
        /// This call and every later one that is counted: the disk is gone.
        case forGood
    }

    /// The number of the call among all that were counted, from 1.
    public let point: Int
    /// What was asked for.
    public let operation: FaultOperation
    /// On what kind of file.
    public let kind: SQLFileKind
    /// The file's full path; nil for a temporary file without a name.
    public let path: String?
    /// What SQLite was told.
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

/// The file that a counted call is about.
struct FaultLocation {
    let kind: SQLFileKind
    let path: String?

    init(kind: SQLFileKind, path: String?) {
        self.kind = kind
        self.path = path
    }

    /// A file of which only the path is known: SQLite names logs and journals by their ending.
    init(path: String) {
        let endings: [(String, SQLFileKind)] = [("-wal", .wal), ("-journal", .mainJournal)]
        self.init(kind: endings.first { path.hasSuffix($0.0) }?.1 ?? .other, path: path)
    }
}
