import FleeceLite
import SQLCore
@testable import QueryFunctions

/// A full-text table of two columns, with the functions of the store.
struct FullTextTable {
    let context: SQLContext

    init(_ tokenizer: String = "unicodesn \"stopwords=en\" \"stemmer=en\"") throws {
        context = try SQLContext()
        try FullTextFunctions.register(in: context, FunctionContext(sharedKeys: SharedKeys()))
        try context.exec(
            sql: "CREATE VIRTUAL TABLE t USING fts4(a, b, tokenize=\(tokenizer))")
    }

    func insert(_ first: String, _ second: String = "") throws {
        try context.exec(
            sql: "INSERT INTO t (a, b) VALUES (?, ?)", parameters: [.text(first), .text(second)])
    }

    /// What an expression is in the rows that match, in their order.
    func values(_ expression: String, matching query: String) throws -> [SQLValue] {
        try context.selectAll(
            sql: "SELECT \(expression) FROM t WHERE t MATCH ? ORDER BY docid",
            parameters: [.text(query)]
        ).compactMap(\.first)
    }

    func rows(matching query: String) throws -> [Int64] {
        try values("docid", matching: query).compactMap(\.longValue)
    }
}
