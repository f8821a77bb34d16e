public import QueryEngine

/// The key path of a property in a query: `\.age`, `\.name.last`, or of what a property has:
/// `\.name.last[like: "B%"]`.
public typealias QueryPath<Root: Codable & Sendable, Value: Codable & Sendable> =
    any KeyPath<QueryTerm<Root>, QueryTerm<Value>> & Sendable

/// What operators make of key paths: `\.age > 30`. It becomes a `QueryTerm` when the query says
/// which documents it is about.
public struct QueryPathTerm<Root: Codable & Sendable, Value: Codable & Sendable>: Sendable {
    let term: @Sendable (QueryTerm<Root>) -> QueryTerm<Value>

    init(_ term: @escaping @Sendable (QueryTerm<Root>) -> QueryTerm<Value>) {
        self.term = term
    }
}

/// A property that the type does not have, by its path: `.where(property("age") > 30)`
///
/// It is of any type, or of the one that is given; values in it are compared as they are.
public func property<Root, Value>(
    _ path: String, as type: Value.Type = QueryValue.self
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0.property(path, as: type) }
}

extension QueryPathTerm {
    /// From the least to the greatest.
    public var ascending: QueryPathOrdering<Root> {
        QueryPathOrdering { [term] in term($0).ascending }
    }

    /// From the greatest to the least.
    public var descending: QueryPathOrdering<Root> {
        QueryPathOrdering { [term] in term($0).descending }
    }

    /// Whether there is no value.
    public var isMissing: QueryPathTerm<Root, Bool> { mapped(\.isMissing) }

    /// Whether it is JSON's `null`.
    public var isNull: QueryPathTerm<Root, Bool> { mapped(\.isNull) }

    /// Whether there is a value other than `null`.
    public var isValued: QueryPathTerm<Root, Bool> { mapped(\.isValued) }

    /// Whether it is one of some values.
    public func `in`(_ values: [Value]) -> QueryPathTerm<Root, Bool> {
        QueryPathTerm<Root, Bool> { [term] in term($0).in(values) }
    }

    private func mapped<Other>(_ path: QueryPath<Value, Other>) -> QueryPathTerm<Root, Other> {
        QueryPathTerm<Root, Other> { [term] in term($0)[keyPath: path] }
    }
}

extension QueryPathTerm where Value: QueryStringValue {
    /// Whether the text fits a pattern, in which `%` stands for any text and `_` for one character.
    public func like(_ pattern: String) -> QueryPathTerm<Root, Bool> {
        QueryPathTerm<Root, Bool> { [term] in term($0).like(pattern) }
    }

    /// Whether a text is in it.
    public func contains(_ text: String) -> QueryPathTerm<Root, Bool> {
        QueryPathTerm<Root, Bool> { [term] in term($0).contains(text) }
    }

    /// The text in small letters.
    public func lower() -> Self { mapped(\.lowercase) }

    /// The text in capitals.
    public func upper() -> Self { mapped(\.uppercase) }
}

/// An order of rows, by what operators make of key paths.
public struct QueryPathOrdering<Root: Codable & Sendable>: Sendable {
    let ordering: @Sendable (QueryTerm<Root>) -> QueryOrdering
}
