internal import DataFileCore
internal import FleeceLite
package import QueryLanguage
internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// A query for documents of a file, or a change of the documents that meet a condition.
///
/// ```swift
/// let adults = try Query("SELECT name.last, age FROM people WHERE age >= $least ORDER BY age")
/// try file.read { snapshot in
///     let rows = try adults.rows(in: snapshot, ["least": 18])
///     while let row = try rows.next() { print(row["last"], row["age"]) }
/// }
/// ```
/// A query is a value that is independent of any file: it can be stored, compared and sent. It is
/// compiled for a file when it is first run there; the compiled statement is cached with each
/// connection. `docs/query.md` describes the language.
public struct Query: Sendable {
    let statement: QueryStatement
    /// The identity of the query: queries with the same text are equal.
    let identity: ExactString

    /// Parses a statement in SQL++, the language of Couchbase Lite: `SELECT`, `UPDATE` or `DELETE`.
    ///
    /// Parsing finds syntax errors and unknown functions; errors that depend on a file, such as a
    /// missing collection, are thrown when the query is run. The process caches recently parsed
    /// texts, so the initializer can be called where the query is run. Pass external values as
    /// ``QueryParameters`` instead of inserting them into the text.
    ///
    /// - Parameter text: the statement, in which `_` is the default collection.
    /// - Throws: `.invalidQuery`; its underlying `QuerySyntaxError` states the position of the
    ///   error.
    public init(_ text: String) throws {
        self = try QueryTexts.query(text, .sqlPlusPlus)
    }

    /// Parses a query in Couchbase Lite's JSON form: an object of clauses, or an expression that is
    /// a condition on the documents of the default collection.
    ///
    /// - Parameter json: JSON text such as `{"WHAT": [".name"], "WHERE": [">", [".age"], 30]}`.
    /// - Throws: `.invalidQuery` with a description of the error.
    public init(json: String) throws {
        self = try QueryTexts.query(json, .json)
    }

    fileprivate init(_ statement: QueryStatement, identity: String) {
        self.statement = statement
        self.identity = ExactString(identity)
    }

    /// Creates a query from a syntax tree.
    package init(_ statement: QueryStatement) {
        self.init(statement, identity: "j" + QueryJSONWriter.text(statement))
    }

    /// Whether it is an `UPDATE` or a `DELETE`, which ``run(in:_:limits:)`` executes.
    public var isChange: Bool {
        if case .select = statement { false } else { true }
    }

    /// The query in SQL++, written from the parsed statement: comments and redundant parentheses of
    /// the original text are not preserved.
    public var sqlPlusPlus: String { SQLPPWriter.text(statement) }

    /// The query in the JSON form; equal statements have equal JSON.
    public var json: String { QueryJSONWriter.text(statement) }
}

extension Query: Hashable, CustomStringConvertible {
    /// Whether both queries have the same text.
    public static func == (one: Query, other: Query) -> Bool { one.identity == other.identity }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

    /// The query in SQL++.
    public var description: String { sqlPlusPlus }
}

// Names and keywords, for programs that help to write queries.
extension Query {
    /// The names of all functions of SQL++, in lower case, in alphabetical order.
    ///
    ///     Query.functionNames.contains("upper") // true
    public static var functionNames: [String] {
        Set(QueryFunction.names + QueryFunction.specialForms).sorted()
    }

    /// A name of a property, alias or index in SQL++: in back quotes unless it is a plain
    /// identifier.
    ///
    ///     Query.quotedName("order") // "`order`"
    public static func quotedName(_ name: String) -> String { SQLPPWriter.quotedName(name) }

    /// The reserved words of SQL++ that are not functions, in upper case, in alphabetical order.
    public static var keywords: [String] {
        let words =
            SQLPPKeyword.allCases.map(\.rawValue) + SQLPPWord.allCases.map(\.rawValue)
        return words.map(\.asciiUppercased).sorted()
    }
}

/// A cache of recently parsed query texts, so that a program can write a query where it runs it.
enum QueryTexts {
    private struct Key: Hashable {
        let text: ExactString
        let language: IndexExpressions.Language
    }

    private static let known = Locked(RecentValues<Key, Query>(capacity: 256))
    /// A longer text is parsed each time.
    private static let longestText = 1 << 13

    static func query(
        _ text: String, _ language: IndexExpressions.Language
    ) throws -> Query {
        let key = Key(text: ExactString(text), language: language)
        if let query = known.withLock({ $0.value(key) }) { return query }
        let query =
            switch language {
            case .sqlPlusPlus:
                Query(try SQLPPParser.statement(text), identity: "n" + text)
            case .json: Query(try QueryJSONReader.statement(text), identity: "j" + text)
            }
        guard text.utf8.count <= longestText else { return query }
        known.withLock { $0.keep(query, key) }
        return query
    }
}
