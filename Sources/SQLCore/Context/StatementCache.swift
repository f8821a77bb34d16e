/// The compiled statements of a connection that were used last, by their SQL text. Compiling takes
/// longer than running most short statements.
final class StatementCache {
    private final class CachedStatement {
        let statement: SQLStatement
        var lastUse = 0
        var isInUse = true

        init(_ statement: SQLStatement) {
            self.statement = statement
        }
    }

    /// The SQL text of a statement, compared by its bytes: Swift considers different encodings of
    /// "é" equal, SQLite does not.
    private struct Text: Hashable {
        let sql: String

        static func == (left: Text, right: Text) -> Bool {
            left.sql.utf8.elementsEqual(right.sql.utf8)
        }
    }

    private var cached: [Text: CachedStatement] = [:]
    private var uses = 0

    /// The maximum number of cached statements; lowering it evicts statements immediately.
    var capacity = 64 {
        didSet { makeSpace(for: 0) }
    }

    var count: Int { cached.count }

    /// Calls `body` with a cached statement, or with a new one if the cached statement is in use.
    func use<T>(
        _ sql: String, _ connection: SQLConnection, _ body: (SQLStatement) throws -> T
    ) throws -> T {
        // A closed connection is an error even if nothing is compiled.
        _ = try connection.requireHandle()
        let text = Text(sql: sql)
        if let entry = cached[text] {
            guard !entry.isInUse else {
                return try body(SQLStatement(connection: connection, sql: sql))
            }
            entry.isInUse = true
            defer { release(entry, text) }
            return try body(entry.statement)
        }
        let entry = CachedStatement(try SQLStatement(connection: connection, sql: sql))
        if capacity > 0, !Self.isPragma(sql) {
            makeSpace(for: 1)
            cached[text] = entry
        }
        defer { release(entry, text) }
        return try body(entry.statement)
    }

    /// Whether a statement is a pragma. Pragmas are not cached, since some are evaluated when they
    /// are compiled.
    private static func isPragma(_ sql: String) -> Bool {
        let text = sql.utf8.drop { $0 <= 0x20 }
        return zip(text, "pragma".utf8).allSatisfy { $0 | 0x20 == $1 } && text.count >= 6
    }

    /// Returns a statement to the cache, and releases its bound values, which can be large.
    private func release(_ entry: CachedStatement, _ text: Text) {
        entry.statement.reset()
        entry.statement.clearBindings()
        uses += 1
        entry.lastUse = uses
        entry.isInUse = false
        if entry.statement.isClosed { cached.removeValue(forKey: text) }
    }

    func removeAll() {
        cached.removeAll()
    }

    private func makeSpace(for more: Int) {
        while cached.count + more > max(capacity, more) {
            let idle = cached.filter { !$0.value.isInUse }
            guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
            cached.removeValue(forKey: oldest.key)
        }
    }
}
