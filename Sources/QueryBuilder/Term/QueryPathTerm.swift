public import QueryEngine

/// The key path of a property in a query, or of a member of its term.
///
/// ```swift
/// let query = from(persons)
///     .where(\.name.last[like: "B%"])
///     .orderBy(\.name.last.lowercase)
///     .select(\.age, \.likes.count, \.meta.id)
/// ```
/// It begins at a document of the first source. Methods cannot be called in it; each method with a
/// constant argument has a subscript of the same name.
public typealias QueryPath<Root: Codable & Sendable, Value: Codable & Sendable> =
    any KeyPath<QueryTerm<Root>, QueryTerm<Value>> & Sendable

/// An expression of key paths, such as `\.age > 30` or `\.age + 1`.
///
/// ```swift
/// let isAdult: QueryPathTerm<Person, Bool> = \.age >= 18
/// let names = from(persons).where(isAdult && \.state == "NY").select(\.name)
/// ```
/// Operators on key paths create it, and clauses such as `where`, `having`, `select` and `orderBy`
/// accept it. It is a value that is independent of a query, so conditions can be defined once and
/// combined. The query converts it to a ``QueryTerm`` of its documents; closures work with terms
/// directly, and can call all their methods.
public struct QueryPathTerm<Root: Codable & Sendable, Value: Codable & Sendable>: Sendable {
    let term: @Sendable (QueryTerm<Root>) -> QueryTerm<Value>

    init(_ term: @escaping @Sendable (QueryTerm<Root>) -> QueryTerm<Value>) {
        self.term = term
    }
}

/// A property that the type does not have, by its path, for expressions of key paths.
///
/// ```swift
/// let query = from(people)
///     .where(property("age") > 30 && property("name.last").like("B%"))
///     .select(property("name.last"), property("age", as: Int.self))
/// ```
/// Its type is inferred from the comparison, or else is any value; values are compared without
/// conversion. In a closure, use ``QueryTerm/property(_:as:)``.
///
/// - Parameters:
///   - path: a path such as `address.streets[0].name`. An invalid path is an error of the query.
///   - type: the type of the property's values; any value by default.
public func property<Root, Value>(
    _ path: String, as type: Value.Type = QueryValue.self
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0.property(path, as: type) }
}

extension QueryPathTerm {
    /// Ascending order, for `orderBy`: missing values first.
    ///
    /// ```swift
    /// let query = from(voyages).orderBy((\.days + 1).ascending)
    /// ```
    public var ascending: QueryPathOrdering<Root> {
        QueryPathOrdering { [term] in term($0).ascending }
    }

    /// Descending order, for `orderBy`: missing values last.
    ///
    /// ```swift
    /// let query = from(voyages).orderBy((\.days * \.mostDays).descending)
    /// ```
    public var descending: QueryPathOrdering<Root> {
        QueryPathOrdering { [term] in term($0).descending }
    }

    /// Whether there is no value, as ``QueryTerm/isMissing``; `null` is a value.
    ///
    /// ```swift
    /// let query = from(people).where(property("email").isMissing)
    /// ```
    public var isMissing: QueryPathTerm<Root, Bool> { mapped(\.isMissing) }

    /// Whether it is JSON's `null`, as ``QueryTerm/isNull``.
    public var isNull: QueryPathTerm<Root, Bool> { mapped(\.isNull) }

    /// Whether there is a value other than `null`, as ``QueryTerm/isValued``; never missing.
    public var isValued: QueryPathTerm<Root, Bool> { mapped(\.isValued) }

    /// Whether it equals one of some values.
    ///
    /// ```swift
    /// let query = from(people).where(property("state", as: String.self).in(["NY", "CA"]))
    /// ```
    /// For the key path of a property use the subscript: `\.state[in: ["NY", "CA"]]`.
    ///
    /// - Parameter values: the values; an empty array matches nothing.
    public func `in`(_ values: [Value]) -> QueryPathTerm<Root, Bool> {
        QueryPathTerm<Root, Bool> { [term] in term($0).in(values) }
    }

    private func mapped<Other>(_ path: QueryPath<Value, Other>) -> QueryPathTerm<Root, Other> {
        QueryPathTerm<Root, Other> { [term] in term($0)[keyPath: path] }
    }
}

extension QueryPathTerm where Value: QueryStringValue {
    /// Whether the string matches a pattern, where `%` matches any characters and `_` matches one.
    ///
    /// ```swift
    /// let query = from(people).where(property("name.last").like("B%"))
    /// ```
    /// It is case-sensitive; see ``QueryTerm/like(_:escape:)``.
    ///
    /// - Parameter pattern: the pattern.
    public func like(_ pattern: String) -> QueryPathTerm<Root, Bool> {
        QueryPathTerm<Root, Bool> { [term] in term($0).like(pattern) }
    }

    /// Whether the string contains another one, as `QueryTerm.contains`.
    ///
    /// - Parameter text: the other string, compared case-sensitively.
    public func contains(_ text: String) -> QueryPathTerm<Root, Bool> {
        QueryPathTerm<Root, Bool> { [term] in term($0).contains(text) }
    }

    /// The string in lower case; null for a value that is not a string.
    ///
    /// ```swift
    /// let query = from(people).where(property("name.last", as: String.self).lower() == "byron")
    /// ```
    public func lower() -> Self { mapped(\.lowercase) }

    /// The string in upper case; null for a value that is not a string.
    public func upper() -> Self { mapped(\.uppercase) }
}

/// An order of rows by an expression of key paths, from ``QueryPathTerm/ascending`` and
/// ``QueryPathTerm/descending``.
///
/// ```swift
/// let longest: QueryPathOrdering<Voyage> = (\.days - \.mostDays).descending
/// let query = from(voyages).orderBy(longest)
/// ```
public struct QueryPathOrdering<Root: Codable & Sendable>: Sendable {
    let ordering: @Sendable (QueryTerm<Root>) -> QueryOrdering
}
