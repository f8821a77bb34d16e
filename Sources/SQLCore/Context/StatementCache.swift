/// Compiled statements of a connection, kept for the next time that their text comes: those that
/// were used last. Compiling takes longer than most short statements run.
final class StatementCache {
    private final class CachedStatement {
        let statement: SQLStatement
        var lastUse = 0
        var isInUse = true

        init(_ statement: SQLStatement) {
            self.statement = statement
        }
    }

    /// A statement's text, told from others by its bytes: Swift takes some different texts for
    /// equal, as two ways to write "é", which SQLite does not.
    private struct Text: Hashable {
        let sql: String

        static func == (left: Text, right: Text) -> Bool {
            left.sql.utf8.elementsEqual(right.sql.utf8)
        }
    }

    private var cached: [Text: CachedStatement] = [:]
    private var uses = 0

    /// The most statements that are kept; fewer are kept at once if it is lowered.
    var capacity = 64 {
        didSet { makeSpace(for: 0) }
    }

    var count: Int { cached.count }

    /// Lends a statement of a text to `body`. One that is lent already is compiled once more.
    func use<T>(
        _ sql: String, _ connection: SQLConnection, _ body: (SQLStatement) throws -> T
    ) throws -> T {
        // Also where nothing is compiled, a closed connection is an error.
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

    /// Some pragmas are read or set when they are compiled, so that they must be each time.
    private static func isPragma(_ sql: String) -> Bool {
        let text = sql.utf8.drop { $0 <= 0x20 }
        return zip(text, "pragma".utf8).allSatisfy { $0 | 0x20 == $1 } && text.count >= 6
    }

    /// Bound values are let go, since they may be large.
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
