internal import DataFileCore
internal import FleeceLite
package import QueryLanguage
internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// A parsed statement in SQL++ or its JSON form: a `SELECT`, `UPDATE` or `DELETE`.
///
/// ```swift
/// let adults = try Query("SELECT name.last, age FROM people WHERE age >= $least ORDER BY age")
/// try file.read { snapshot in
///     let rows = try adults.rows(in: snapshot, ["least": 18])
///     while let row = try rows.next() { print(row["last"], row["age"]) }
/// }
/// ```
/// A query is a value that is independent of any file: it can be stored, compared and sent to other
/// tasks. It is compiled for a file when it is first run there; each connection caches the compiled
/// statements of its last 64 queries. The results do not depend on the existing indexes, which only
/// make the query faster; only `MATCH` needs one.
///
/// How to run it depends on what reads its rows:
///
/// ```swift
/// let query = try Query("SELECT name FROM people WHERE age >= $least")
/// let rows = try await file.all(of: query, ["least": 18])  // all rows, in a task
/// for try await row in file.rows(of: query, ["least": 18]) { show(row["name"]) }
/// for try await results in file.observe(query, ["least": 18]) { show(results.count, rows) }
/// ```
/// An `UPDATE` or `DELETE` has no rows; ``run(in:_:limits:)`` executes it in a transaction:
///
/// ```swift
/// let cleanup = try Query("DELETE FROM people WHERE age > $most")
/// let count = try file.write { try cleanup.run(in: $0, ["most": 150]) }
/// ```
/// ``explain(in:_:)`` shows how SQLite executes a query, ``adviseIndexes(in:)`` recommends indexes.
/// A query with key paths, which the compiler checks, is written with `from(_:as:)`; its
/// `SelectQuery.query` is a value of this type. `docs/query.md` describes the language.
public struct Query: Sendable {
    let statement: QueryStatement
    /// The identity of the query: queries with the same text are equal.
    let identity: ExactString
    /// The SQL++ text that it was parsed from, which locates errors; nil if there is none.
    let text: QueryText?

    /// Parses a statement in SQL++, the language of Couchbase Lite: `SELECT`, `UPDATE` or `DELETE`.
    ///
    /// ```swift
    /// let query = try Query("SELECT name FROM people WHERE state = $state LIMIT 10")
    /// ```
    /// Parsing finds syntax errors and unknown functions; errors of meaning, which can depend on a
    /// file, such as a missing collection, are thrown when the query is run. The process caches the
    /// 256 most recently parsed query texts of at most 8 KiB, so the initializer can be called
    /// where the query is run. Pass external values as ``QueryParameters`` instead of inserting
    /// them into the text: a string that is inserted becomes part of the query.
    ///
    /// ```swift
    /// do {
    ///     _ = try Query("SELECT name, FROM people")
    /// } catch let error as StoreError where error.has(.invalidQuery) {
    ///     print(error)  // line 1, column 14: found the word 'FROM', …
    /// }
    /// ```
    /// - Parameter text: the statement, in which `_` is the default collection.
    /// - Throws: `.invalidQuery`; its underlying `QuerySyntaxError` states the position of the
    ///   error. Errors of meaning have an underlying `QuerySemanticError`.
    public init(_ text: String) throws {
        self = try QueryTexts.query(text, .sqlPlusPlus)
    }

    /// Parses a query in Couchbase Lite's JSON form: an object of clauses, or an expression that is
    /// a condition on the documents of the default collection.
    ///
    /// ```swift
    /// let adults = #"{"WHAT": [".name"], "WHERE": [">=", [".age"], ["$least"]]}"#
    /// let query = try Query(json: adults)
    /// print(query.sqlPlusPlus)
    /// ```
    /// Text and JSON have the same features, so programs that generate queries can use the form
    /// that is easier to build. `docs/query.md` describes it.
    ///
    /// - Parameter json: JSON text such as `{"WHAT": [".name"], "WHERE": [">", [".age"], 30]}`.
    /// - Throws: `.invalidQuery` with a description of the error.
    public init(json: String) throws {
        self = try QueryTexts.query(json, .json)
    }

    fileprivate init(
        _ statement: QueryStatement, identity: String, text: QueryText? = nil
    ) {
        self.statement = statement
        self.identity = ExactString(identity)
        self.text = text
    }

    /// The same query as if it was parsed from a text.
    init(_ query: Query, text: QueryText?) {
        (statement, identity) = (query.statement, query.identity)
        self.text = text
    }

    /// Creates a query from a syntax tree.
    package init(_ statement: QueryStatement) {
        self.init(statement, identity: "j" + QueryJSONWriter.text(statement))
    }

    /// Whether it is an `UPDATE` or a `DELETE`, which ``run(in:_:limits:)`` executes.
    ///
    /// ```swift
    /// if query.isChange {
    ///     try file.write { try query.run(in: $0) }
    /// } else {
    ///     try file.read { show(try query.rows(in: $0).all()) }
    /// }
    /// ```
    public var isChange: Bool {
        if case .select = statement { false } else { true }
    }

    /// The query in SQL++, written from the parsed statement: comments and redundant parentheses of
    /// the original text are not preserved.
    ///
    /// ```swift
    /// let query = try Query(json: #"[">", [".age"], 30]"#)
    /// print(query.sqlPlusPlus)
    /// ```
    /// Parsing the text gives an equivalent query.
    public var sqlPlusPlus: String { SQLPPWriter.text(statement) }

    /// The query in the JSON form; equal statements have equal JSON.
    ///
    /// ```swift
    /// let one = try Query("SELECT name FROM people -- all")
    /// let other = try Query("select name from people")
    /// print(one == other, one.json == other.json)  // false true
    /// ```
    public var json: String { QueryJSONWriter.text(statement) }
}

extension Query: Hashable, CustomStringConvertible {
    /// Whether both queries have the same text, and `_` is the same collection in both.
    ///
    /// Equivalent queries with different source text differ; compare ``json`` to find those.
    public static func == (one: Query, other: Query) -> Bool { one.identity == other.identity }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

    /// The query in SQL++, as ``sqlPlusPlus``.
    public var description: String { sqlPlusPlus }
}

// Names and keywords, for programs that help to write queries.
extension Query {
    /// The names of all functions of SQL++, in lower case, in alphabetical order.
    ///
    /// ```swift
    /// let functions = Query.functionNames.filter { $0.hasPrefix("array_") }
    /// ```
    /// They include aggregate and window functions. With ``keywords`` they serve to complete or to
    /// highlight the text of a query.
    public static var functionNames: [String] {
        Set(QueryFunction.names + QueryFunction.specialForms).sorted()
    }

    /// A name of a property, alias or index in SQL++: in back quotes unless it is a plain
    /// identifier.
    ///
    /// ```swift
    /// let property = "order"
    /// let query = try Query("SELECT \(Query.quotedName(property)) FROM people")  // `order`
    /// ```
    /// Names cannot be parameters, so a program that inserts a name into a query must quote it.
    /// Names with back quotes are safe too.
    ///
    /// - Parameter name: the name, without quotes.
    /// - Returns: the name in the syntax of a query.
    public static func quotedName(_ name: String) -> String { SQLPPWriter.quotedName(name) }

    /// The reserved words of SQL++ that are not functions, in upper case, in alphabetical order.
    ///
    /// Such a word is a name only in back quotes; ``quotedName(_:)`` adds them.
    ///
    /// ```swift
    /// let isReserved = Query.keywords.contains("order".uppercased())
    /// ```
    public static var keywords: [String] {
        let words =
            SQLPPKeyword.allCases.map(\.rawValue) + SQLPPContextualKeyword.allCases.map(\.rawValue)
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
                Query(
                    try SQLPPParser.statement(text), identity: "n" + text, text: QueryText(text))
            case .json: Query(try QueryJSONReader.statement(text), identity: "j" + text)
            }
        guard text.utf8.count <= longestText else { return query }
        known.withLock { $0.keep(query, key) }
        return query
    }
}
