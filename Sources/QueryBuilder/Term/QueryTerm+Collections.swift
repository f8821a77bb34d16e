internal import FleeceLite
public import QueryEngine
internal import QueryLanguage

extension QueryTerm where Value: QueryArrayValue, Value.Element: Sendable {
    /// Whether an element of the array meets a condition.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.likes.any { $0 == "tea" } }
    /// let ports = from(voyages).where { $0.stops.any { $0.city == "Oslo" && $0.country == nil } }
    /// ```
    /// False for an empty array, missing for a missing one. The elements are read until one meets
    /// the condition. An array index on the path finds the documents if the condition compares an
    /// element, or a property of it, by `==`, `<` or `between` with a constant or a parameter.
    ///
    /// - Parameter condition: receives an element; may use terms of the query, too.
    public func any(
        _ condition: (QueryTerm<Value.Element>) -> QueryTerm<Bool>
    ) -> QueryTerm<Bool> {
        quantified(.any, condition)
    }

    /// Whether all elements of the array meet a condition; true for an empty array and a missing
    /// one.
    ///
    /// ```swift
    /// let query = from(voyages).where { voyage in voyage.costs.every { $0 < voyage.budget } }
    /// ```
    /// No index serves it. ``anyAndEvery(_:)`` excludes empty arrays.
    ///
    /// - Parameter condition: receives an element; may use terms of the query, too.
    public func every(
        _ condition: (QueryTerm<Value.Element>) -> QueryTerm<Bool>
    ) -> QueryTerm<Bool> {
        quantified(.every, condition)
    }

    /// Whether all elements of the array meet a condition, and there is at least one element.
    ///
    /// ```swift
    /// let query = from(voyages).where { $0.stops.anyAndEvery { $0.country == "NO" } }
    /// ```
    /// - Parameter condition: receives an element; may use terms of the query, too.
    public func anyAndEvery(
        _ condition: (QueryTerm<Value.Element>) -> QueryTerm<Bool>
    ) -> QueryTerm<Bool> {
        quantified(.anyAndEvery, condition)
    }

    private func quantified(
        _ kind: QueryQuantifier.Kind, _ condition: (QueryTerm<Value.Element>) -> QueryTerm<Bool>
    ) -> QueryTerm<Bool> {
        BuilderDepth.inside {
            // A collection's name cannot begin with an underscore, and nested variables have other
            // names. In a condition of a query the depth is 2.
            let name = BuilderDepth.current == 2 ? "_item" : "_item\(BuilderDepth.current)"
            let inside = condition(
                QueryTerm<Value.Element>(.variable(name, PropertyPath([])), coding))
            let quantifier = QueryQuantifier(
                kind: kind, variable: name, collection: expression, condition: inside.expression)
            return derived(.quantified(quantifier), inside.problem, height: inside.height)
        }
    }

    /// Whether the array contains a value.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.likes.contains("tea") && !$0.likes.contains("coffee") }
    /// ```
    /// Missing for a missing array, so its negation does not select such documents. Elements are
    /// compared as by `==`: dictionaries by their content.
    ///
    /// - Parameter value: a value, in the form that the collection's encoder writes.
    public func contains(_ value: Value.Element) -> QueryTerm<Bool> {
        contains(QueryTerm<Value.Element>(value, coding))
    }

    /// Whether the array contains the value of a term, such as a parameter.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.likes.contains(parameter("like")) }
    /// ```
    /// - Parameter value: the term. If it is missing, so is the condition.
    public func contains(_ value: QueryTerm<Value.Element>) -> QueryTerm<Bool> {
        with(value) { .operation(.in, [$1, $0]) }
    }

    /// Whether the array contains a value, for key paths: `\.likes[contains: "tea"]`.
    ///
    /// ```swift
    /// let query = from(persons).where(\.likes[contains: "tea"] && \.age > 30)
    /// ```
    public subscript(contains value: Value.Element) -> QueryTerm<Bool>
    where Value.Element: Hashable {
        contains(value)
    }

    /// An element of the array; a negative index counts from the end.
    ///
    /// ```swift
    /// let query = from(persons).where(\.likes[0] == "tea" && \.likes[-1] != "tea")
    /// ```
    /// It is missing if the array has fewer elements. If the element may not exist, select it as
    /// `[0].optional`.
    ///
    /// - Parameter index: the position, from 0 at the beginning and from -1 at the end.
    public subscript(index: Int) -> QueryTerm<Value.Element> {
        derived(expression.reading([.index(index)]))
    }

    /// The first element; missing, thus nil, for an empty array.
    ///
    /// ```swift
    /// let query = from(persons).select { ($0.name.last, $0.likes.first) }  // (String, String?)
    /// ```
    public var first: QueryTerm<Value.Element?> { self[0].optional }

    /// The last element; missing, thus nil, for an empty array.
    public var last: QueryTerm<Value.Element?> { self[-1].optional }

    /// The number of elements; 0 for a missing array, null, and a value that is not an array.
    ///
    /// ```swift
    /// let query = from(persons).where(\.likes.count > 2).orderBy(\.likes.count.descending)
    /// ```
    public var count: QueryTerm<Int> { call("array_length") }

    /// Whether the array has no elements; true for a missing array too.
    ///
    /// ```swift
    /// let query = from(persons).where(\.likes.isEmpty)
    /// ```
    public var isEmpty: QueryTerm<Bool> { count == 0 }
}

extension QueryTerm
where Value: QueryArrayValue, Value.Element: Sendable & QueryNumberValue {
    /// The sum of the elements of the array; 0 for an empty or missing one.
    ///
    /// ```swift
    /// let query = from(voyages).where { $0.costs.sum > $0.budget }
    /// ```
    /// Elements that are not numbers do not count. The sum of a property in several rows is the
    /// aggregate `sum` of a property that is a number.
    public var sum: QueryTerm<Value.Element?> { call("array_sum") }

    /// The average of the elements of the array that are numbers; 0 for an empty or missing array.
    ///
    /// ```swift
    /// let query = from(voyages).select { ($0.ship, $0.costs.average) }
    /// ```
    public var average: QueryTerm<Double?> { call("array_avg") }

    /// The smallest element of the array that is a number; null, thus nil, if there is none.
    ///
    /// ```swift
    /// let query = from(voyages).where { voyage in
    ///     let least: QueryTerm<Double?> = voyage.costs.minimum
    ///     return least > 100
    /// }
    /// ```
    /// The type selects this member: without it the aggregate of all rows has the same name.
    public var minimum: QueryTerm<Value.Element?> { call("array_min") }

    /// The largest element of the array that is a number; null, thus nil, if there is none.
    ///
    /// As for `minimum`, the type of the result selects it.
    public var maximum: QueryTerm<Value.Element?> { call("array_max") }
}

extension QueryTerm where Value: QueryDictionaryValue, Value.Entry: Sendable {
    /// The value of a key of a dictionary; missing if the dictionary does not have the key.
    ///
    /// ```swift
    /// let query = from(voyages).where(\.crew["cook"] > 1)
    ///     .select { ($0.ship, $0.crew["cook"] ?? 0) }
    /// ```
    /// - Parameter key: the key, of any characters; it is not parsed as a path.
    public subscript(key: String) -> QueryTerm<Value.Entry?> {
        derived(expression.reading([.key(key)]))
    }

    /// The number of keys; missing for a missing dictionary, null for another value.
    ///
    /// ```swift
    /// let query = from(voyages).where(\.crew.count > 20)
    /// ```
    public var count: QueryTerm<Int> { call("object_length") }
}

extension QueryTerm where Value == QueryValue {
    /// A property of the value, by its name; missing if the value is not a dictionary.
    ///
    /// ```swift
    /// let query = from(people).where { $0["name"]["last"] == "Byron" }
    /// ```
    /// - Parameter key: the name of one property, which is not parsed as a path.
    public subscript(key: String) -> QueryTerm<QueryValue> {
        derived(expression.reading([.key(key)]))
    }
}

/// The number of enclosing query closures, whose names must be distinct.
enum BuilderDepth {
    @TaskLocal static var current = 0

    static func inside<Result>(_ body: () throws -> Result) rethrows -> Result {
        try $current.withValue(current + 1, operation: body)
    }
}
