internal import FleeceLite
internal import QueryLanguage

// Of the rows of a group, or of all.
extension QueryTerm {
    /// The number of rows: `COUNT(*)`
    public var rowCount: QueryTerm<Int> {
        derived(.function("count", [.property(.init([]))]))
    }

    /// The number of rows that have a value.
    public var valueCount: QueryTerm<Int> { derived(.function("count", [expression])) }

    /// The number of different values.
    public var distinctCount: QueryTerm<Int> {
        derived(.call(QueryCall(function: "count", arguments: [expression], isDistinct: true)))
    }

    /// The least value of the rows, missing if none has one.
    public var minimum: QueryTerm<Value?> { call("min") }

    /// The greatest value of the rows, missing if none has one.
    public var maximum: QueryTerm<Value?> { call("max") }

    /// The values of the rows as an array.
    public var collected: QueryTerm<[Value]> { call("array_agg") }
}

extension QueryTerm where Value: QueryNumberValue {
    /// The sum of the values of the rows.
    public var sum: QueryTerm<Value?> { call("sum") }

    /// The average of the values of the rows.
    public var average: QueryTerm<Double?> { call("avg") }
}
