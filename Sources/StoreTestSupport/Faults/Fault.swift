public import SQLCore

/// A fault that happened: the call of a workload that failed, and how.
///
/// ``FaultVFS/fault`` is the first one since the counts were reset, and ``FaultRound/fault`` that
/// of a round.
///
/// ```swift
/// let vfs = try FaultVFS.registered()
/// let context = try vfs.open(testDirectory("a.db"))
/// vfs.fail(.sync)
/// try? context.exec(sql: "CREATE TABLE t (a)")
/// #expect(vfs.fault?.operation == .sync)
/// ```
public struct Fault: Equatable, Sendable {
    /// Which calls after the first failing one fail, too.
    public enum Duration: String, CaseIterable, Sendable {
        /// Only this call, like a transient fault; the next attempt succeeds.
        case once
        /// This call, and every later call of the same operation on any file, like a disk that can
        /// be read but not written.
        case alike
        /// This call and every later counted call, like a disk that is gone.
        case forGood
    }

    /// The number of the call among all counted calls, from 1.
    public let point: Int
    /// The operation that failed.
    public let operation: FaultOperation
    /// The kind of the file, such as the database or its WAL.
    public let kind: SQLFileKind
    /// The file's full path; nil for a temporary file without a name.
    public let path: String?
    /// The result code returned to SQLite.
    ///
    /// It is ``FaultOperation/code`` of the operation unless another one was planned, or
    /// `SQLITE_FULL` if the space was used up.
    public let code: SQLResultCode
    /// How many bytes of a torn write were written before it failed.
    ///
    /// It is half of the write; 0 for all other faults.
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
