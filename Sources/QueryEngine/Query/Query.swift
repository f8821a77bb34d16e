internal import DataFileCore
internal import FleeceLite
package import QueryLanguage
internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// A question to the documents of a file, or a change of those that meet a condition.
///
/// ```swift
/// let adults = try Query("SELECT name.last, age FROM people WHERE age >= $least ORDER BY age")
/// try file.read { snapshot in
///     let rows = try adults.rows(in: snapshot, ["least": 18])
///     while let row = try rows.next() { print(row["last"], row["age"]) }
/// }
/// ```
/// It is a value that belongs to no file, and can be kept, compared and sent. What a file needs to
/// answer it is compiled when it is asked, and kept with the file's connections. The language is
/// described in `docs/query.md`.
public struct Query: Sendable {
    let statement: QueryStatement
    /// What it is known by: queries with the same text are the same.
    let identity: ExactString

    /// A query in SQL++, the language of Couchbase Lite.
    ///
    /// Throws `.invalidQuery`; beneath it a `QuerySyntaxError` says where it is wrong.
    public init(_ text: String) throws {
        self = try QueryTexts.query(text, .sqlPlusPlus)
    }

    /// A query in Couchbase Lite's JSON form: an object of clauses, or an expression that stands
    /// for a condition of the documents of the default collection.
    ///
    /// Throws `.invalidQuery`.
    public init(json: String) throws {
        self = try QueryTexts.query(json, .json)
    }

    fileprivate init(_ statement: QueryStatement, identity: String) {
        self.statement = statement
        self.identity = ExactString(identity)
    }

    /// A query that was put together.
    package init(_ statement: QueryStatement) {
        self.init(statement, identity: "j" + QueryJSONWriter.text(statement))
    }

    /// Whether it is an `UPDATE` or a `DELETE`.
    public var isChange: Bool {
        if case .select = statement { false } else { true }
    }

    /// The query in SQL++.
    public var sqlPlusPlus: String { SQLPPWriter.text(statement) }

    /// The query in the JSON form; equal statements have equal texts.
    public var json: String { QueryJSONWriter.text(statement) }
}

extension Query: Hashable, CustomStringConvertible {
    /// Whether both were made of the same text.
    public static func == (one: Query, other: Query) -> Bool { one.identity == other.identity }

    /// Adds the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

    /// The query in SQL++.
    public var description: String { sqlPlusPlus }
}

// What a program can offer whoever writes a query.
extension Query {
    /// The names of all functions that SQL++ has, in lower case, in alphabetical order.
    ///
    ///     Query.functionNames.contains("upper") // true
    public static var functionNames: [String] {
        Set(QueryFunction.names + QueryFunction.specialForms).sorted()
    }

    /// The name of a property, alias or index in SQL++: in back quotes unless it is a plain word.
    ///
    ///     Query.quotedName("order") // "`order`"
    public static func quotedName(_ name: String) -> String { SQLPPWriter.quotedName(name) }

    /// The words of SQL++ that are no functions, in upper case, in alphabetical order.
    public static var keywords: [String] {
        let words =
            SQLPPKeyword.allCases.map(\.rawValue) + SQLPPWord.allCases.map(\.rawValue)
        return words.map(\.asciiUppercased).sorted()
    }
}

/// The texts of queries that were read last, so that a program can write them where it asks.
enum QueryTexts {
    private struct Key: Hashable {
        let text: ExactString
        let language: IndexExpressions.Language
    }

    private static let known = Locked(RecentValues<Key, Query>(capacity: 256))
    /// A longer text is read each time.
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
