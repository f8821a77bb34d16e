import SQLCore
@testable import QueryFunctions

/// A tokenizer in SQL: the tokens that FTS4 receives for a text.
struct TokenTable {
    struct Token: Equatable {
        var text: [UInt8]
        var bytes: Range<Int>
        var position: Int

        var string: String { String(decoding: text, as: UTF8.self) }
    }

    private let statement: SQLStatement

    /// Makes a table of a tokenizer, ours if none is named.
    init(_ tokenizer: String = UnicodeTokenizer.name, _ arguments: String...) throws {
        let context = try SQLContext()
        try context.registerRawTokenizer(UnicodeTokenizer.name, UnicodeTokenizer.self)
        let list = ([tokenizer] + arguments).map { "'\($0)'" }.joined(separator: ", ")
        try context.exec(sql: "CREATE VIRTUAL TABLE t USING fts3tokenize(\(list))")
        statement = try context.prepare(
            sql: "SELECT CAST(token AS BLOB), start, \"end\", position FROM t "
                + "WHERE input = CAST(? AS TEXT)")
    }

    func tokens(_ text: [UInt8]) throws -> [Token] {
        defer { statement.reset() }
        try text.withUnsafeBytes { try statement.bind($0, at: 1) }
        var tokens: [Token] = []
        while try statement.next() {
            let start = Int(statement.long(at: 1))
            let end = Int(statement.long(at: 2))
            tokens.append(
                Token(
                    text: statement.blob(at: 0).map { Array($0) } ?? [], bytes: start..<end,
                    position: Int(statement.long(at: 3))))
        }
        return tokens
    }

    func words(_ text: String) throws -> [String] {
        try tokens(Array(text.utf8)).map(\.string)
    }
}
