import CSQLite
import SQLCore

/// Records each statement that a context runs, with its values as literals.
final class StatementLog {
    private final class Lines {
        var sql: [String] = []
    }

    private let lines = Lines()
    private let context: SQLContext

    init(_ context: SQLContext) throws {
        self.context = context
        sqlite3_trace_v2(
            try context.connection.requireHandle(), UInt32(SQLITE_TRACE_STMT),
            { _, lines, statement, _ in
                guard let lines, let statement else { return 0 }
                let text = sqlite3_expanded_sql(OpaquePointer(statement))
                defer { sqlite3_free(text) }
                if let text {
                    Unmanaged<Lines>.fromOpaque(lines).takeUnretainedValue().sql
                        .append(String(cString: text))
                }
                return 0
            }, Unmanaged.passUnretained(lines).toOpaque())
    }

    deinit {
        if let handle = try? context.connection.requireHandle() {
            sqlite3_trace_v2(handle, 0, nil, nil)
        }
    }

    /// The statements that have run since the last call.
    func take() -> [String] {
        defer { lines.sql = [] }
        return lines.sql
    }
}
