internal import FleeceLite
public import QueryEngine
internal import QueryLanguage

extension QueryTerm where Value: QueryArrayValue, Value.Element: Sendable {
    /// Whether an element meets a condition: `$0.likes.any { $0 == "tea" }`
    public func any(
        _ condition: (QueryTerm<Value.Element>) -> QueryTerm<Bool>
    ) -> QueryTerm<Bool> {
        quantified(.any, condition)
    }

    /// Whether all elements meet a condition; true for an empty array.
    public func every(
        _ condition: (QueryTerm<Value.Element>) -> QueryTerm<Bool>
    ) -> QueryTerm<Bool> {
        quantified(.every, condition)
    }

    /// Whether all elements meet a condition, and there is at least one element.
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
    public func contains(_ value: Value.Element) -> QueryTerm<Bool> {
        contains(QueryTerm<Value.Element>(value, coding))
    }

    /// Whether the array contains a value.
    public func contains(_ value: QueryTerm<Value.Element>) -> QueryTerm<Bool> {
        with(value) { .operation(.in, [$1, $0]) }
    }

    /// Whether the array contains a value.
    public subscript(contains value: Value.Element) -> QueryTerm<Bool>
    where Value.Element: Hashable {
        contains(value)
    }

    /// An element; a negative index counts from the end. If the element may not exist, select it as
    /// `[0].optional`.
    public subscript(index: Int) -> QueryTerm<Value.Element> {
        derived(expression.reading([.index(index)]))
    }

    /// The first element.
    public var first: QueryTerm<Value.Element?> { self[0].optional }

    /// The last element.
    public var last: QueryTerm<Value.Element?> { self[-1].optional }

    /// The number of elements.
    public var count: QueryTerm<Int> { call("array_length") }

    /// Whether the array is empty.
    public var isEmpty: QueryTerm<Bool> { count == 0 }
}

extension QueryTerm
where Value: QueryArrayValue, Value.Element: Sendable & QueryNumberValue {
    /// The sum of the elements of the array.
    public var sum: QueryTerm<Value.Element?> { call("array_sum") }

    /// The average of the elements of the array.
    public var average: QueryTerm<Double?> { call("array_avg") }

    /// The smallest element of the array.
    public var minimum: QueryTerm<Value.Element?> { call("array_min") }

    /// The largest element of the array.
    public var maximum: QueryTerm<Value.Element?> { call("array_max") }
}

extension QueryTerm where Value: QueryDictionaryValue, Value.Entry: Sendable {
    /// The value of a key.
    public subscript(key: String) -> QueryTerm<Value.Entry?> {
        derived(expression.reading([.key(key)]))
    }

    /// The number of keys.
    public var count: QueryTerm<Int> { call("object_length") }
}

extension QueryTerm where Value == QueryValue {
    /// A property of the value, by its name.
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
