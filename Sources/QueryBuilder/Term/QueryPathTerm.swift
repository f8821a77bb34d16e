public import QueryEngine

/// The key path of a property in a query: `\.age`, `\.name.last`; or of a term's member:
/// `\.name.last[like: "B%"]`.
public typealias QueryPath<Root: Codable & Sendable, Value: Codable & Sendable> =
    any KeyPath<QueryTerm<Root>, QueryTerm<Value>> & Sendable

/// An expression of key paths: `\.age > 30`. The query converts it to a `QueryTerm` of its
/// documents.
public struct QueryPathTerm<Root: Codable & Sendable, Value: Codable & Sendable>: Sendable {
    let term: @Sendable (QueryTerm<Root>) -> QueryTerm<Value>

    init(_ term: @escaping @Sendable (QueryTerm<Root>) -> QueryTerm<Value>) {
        self.term = term
    }
}

/// A property that the type does not have, by its path: `.where(property("age") > 30)`
///
/// Its type is inferred from the comparison, or else is any value; values are compared without
/// conversion.
public func property<Root, Value>(
    _ path: String, as type: Value.Type = QueryValue.self
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0.property(path, as: type) }
}

extension QueryPathTerm {
    /// Ascending order.
    public var ascending: QueryPathOrdering<Root> {
        QueryPathOrdering { [term] in term($0).ascending }
    }

    /// Descending order.
    public var descending: QueryPathOrdering<Root> {
        QueryPathOrdering { [term] in term($0).descending }
    }

    /// Whether there is no value.
    public var isMissing: QueryPathTerm<Root, Bool> { mapped(\.isMissing) }

    /// Whether it is JSON's `null`.
    public var isNull: QueryPathTerm<Root, Bool> { mapped(\.isNull) }

    /// Whether there is a value other than `null`.
    public var isValued: QueryPathTerm<Root, Bool> { mapped(\.isValued) }

    /// Whether it equals one of some values.
    public func `in`(_ values: [Value]) -> QueryPathTerm<Root, Bool> {
        QueryPathTerm<Root, Bool> { [term] in term($0).in(values) }
    }

    private func mapped<Other>(_ path: QueryPath<Value, Other>) -> QueryPathTerm<Root, Other> {
        QueryPathTerm<Root, Other> { [term] in term($0)[keyPath: path] }
    }
}

extension QueryPathTerm where Value: QueryStringValue {
    /// Whether the string matches a pattern, where `%` matches any characters and `_` matches one.
    public func like(_ pattern: String) -> QueryPathTerm<Root, Bool> {
        QueryPathTerm<Root, Bool> { [term] in term($0).like(pattern) }
    }

    /// Whether the string contains another one.
    public func contains(_ text: String) -> QueryPathTerm<Root, Bool> {
        QueryPathTerm<Root, Bool> { [term] in term($0).contains(text) }
    }

    /// The string in lower case.
    public func lower() -> Self { mapped(\.lowercase) }

    /// The string in upper case.
    public func upper() -> Self { mapped(\.uppercase) }
}

/// An order of rows by an expression of key paths.
public struct QueryPathOrdering<Root: Codable & Sendable>: Sendable {
    let ordering: @Sendable (QueryTerm<Root>) -> QueryOrdering
}
