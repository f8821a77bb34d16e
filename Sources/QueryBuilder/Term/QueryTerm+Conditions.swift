internal import QueryLanguage
internal import StoreFormat

// Conditions on a value. In a key path a subscript stands for the method of its label:
// `\.name.last[like: "B%"]`.
extension QueryTerm {
    /// Whether there is no value; `null` is a value. Never missing itself.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.email.isMissing }
    /// ```
    /// Use ``isNotValued`` or `== nil` to find documents whose property is null as well.
    public var isMissing: QueryTerm<Bool> { isLiteral(.missing) }

    /// Whether there is a value, including `null`. Never missing itself.
    ///
    /// ```swift
    /// let query = from(persons).where(\.email.isNotMissing && \.age > 30)
    /// ```
    public var isNotMissing: QueryTerm<Bool> {
        derived(.operation(.isNot, [expression, .literal(.missing)]))
    }

    /// Whether it is JSON's `null`. Missing for a missing value, so neither it nor its negation
    /// selects documents without the property.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.email.isNull || $0.email.isMissing }
    /// ```
    public var isNull: QueryTerm<Bool> { isLiteral(.null) }

    /// Whether there is a value other than `null`. Never missing itself; it is the same as `!=
    /// nil`.
    ///
    /// ```swift
    /// let query = from(persons).where(\.email.isValued).select { $0.email ?? "" }
    /// ```
    public var isValued: QueryTerm<Bool> { derived(.operation(.isValued, [expression])) }

    /// Whether it is missing or `null`. Never missing itself; it is the same as `== nil`.
    ///
    /// ```swift
    /// let query = from(persons).where(\.email.isNotValued).select(\.name.last)
    /// ```
    public var isNotValued: QueryTerm<Bool> {
        derived(.operation(.not, [.operation(.isValued, [expression])]))
    }

    private func isLiteral(_ literal: QueryLiteral) -> QueryTerm<Bool> {
        derived(.operation(.is, [expression, .literal(literal)]))
    }

    /// Whether it equals one of some values.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.state.in(["NY", "CA"]) && $0.age.in(30...39) }
    /// ```
    /// An empty sequence matches nothing. An index finds the documents with each of the values. For
    /// many values, or values that change, use a parameter: each different list is a different
    /// query.
    ///
    /// - Parameter values: the values, in the form that the collection's encoder writes.
    public func `in`(_ values: some Sequence<Value>) -> QueryTerm<Bool> {
        let terms = values.map { QueryTerm($0, coding) }
        return compared(
            .in, [.array(terms.map(\.expression))], terms.lazy.compactMap(\.problem).first)
    }

    /// Whether it equals one of the elements of an array, such as a parameter or another property.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.state.in(parameter("states")) }
    /// let states = try QueryValue(encoding: ["NY", "CA"])
    /// let found = try query.all(in: snapshot, ["states": states])
    /// ```
    /// It is missing if the value or the array is.
    ///
    /// - Parameter array: the term of an array.
    public func `in`(_ array: QueryTerm<[Value]>) -> QueryTerm<Bool> {
        compared(.in, [array.expression], array.problem, height: array.height)
    }

    /// Whether it equals one of some values, for key paths: `\.state[in: ["NY", "CA"]]`.
    ///
    /// ```swift
    /// let query = from(persons).where(\.state[in: ["NY", "CA"]])
    /// ```
    public subscript(in values: [Value]) -> QueryTerm<Bool> where Value: Hashable {
        self.in(values)
    }

    /// Whether an optional value is in a range; missing if there is no value.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.likes.first.between("a"..."f") }
    /// ```
    /// - Parameter range: the range, which includes both bounds.
    public func between<Bound: Comparable>(
        _ range: ClosedRange<Bound>
    ) -> QueryTerm<Bool> where Value == Bound? {
        between(range.lowerBound, range.upperBound)
    }

    /// The condition on both values.
    func compared(
        _ operation: QueryOperator, _ others: [QueryExpression], _ problem: StoreError? = nil,
        height: Int = 0
    ) -> QueryTerm<Bool> {
        // A collation applies to the comparison, not to a single string.
        guard case .collate(let collation, let value) = expression else {
            return derived(.operation(operation, [expression] + others), problem, height: height)
        }
        return derived(
            .collate(collation, .operation(operation, [value] + others)), problem, height: height)
    }
}

extension QueryTerm where Value: Comparable {
    /// Whether it is in a range.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.age.between(18...65) }
    /// ```
    /// - Parameter range: the range, which includes both bounds; see ``between(_:_:)``.
    public func between(_ range: ClosedRange<Value>) -> QueryTerm<Bool> {
        between(range.lowerBound, range.upperBound)
    }
}

extension QueryTerm where Value: Comparable & Hashable {
    /// Whether it is in a range, for key paths: `\.age[between: 18...65]`.
    ///
    /// ```swift
    /// let query = from(persons).where(\.age[between: 18...65])
    /// ```
    public subscript(between range: ClosedRange<Value>) -> QueryTerm<Bool> {
        between(range.lowerBound, range.upperBound)
    }
}

// MARK: Order

/// An order of rows: a term, which stands for its ascending order, or a term with a direction.
///
/// ``QueryTerm`` and ``QueryOrdering`` conform to it; other types need not.
public protocol QueryOrderable: Sendable {
    /// The order.
    var ordering: QueryOrdering { get }
}

/// An order of rows by one term, from ``QueryTerm/ascending`` and ``QueryTerm/descending``.
///
/// ```swift
/// let query = from(persons).orderBy { ($0.email.descending.missingFirst, $0.name.last.ascending) }
/// ```
/// Numbers come before strings, which are compared by their bytes; null comes after strings, then
/// arrays and dictionaries. `$0.name.last.collated(locale: "sv").ascending` is the order of a
/// language.
public struct QueryOrdering: QueryOrderable {
    var order: QueryOrder
    let problem: StoreError?

    /// The order itself.
    public var ordering: QueryOrdering { self }

    /// The same order, with missing values first, as is the default for ascending order.
    public var missingFirst: QueryOrdering { with(missingIsLast: false) }

    /// The same order, with missing values last, as is the default for descending order.
    ///
    /// ```swift
    /// let query = from(persons).orderBy(\.email.ascending.missingLast)
    /// ```
    /// Null is a value and keeps its position. A query with it cannot be read in pages.
    public var missingLast: QueryOrdering { with(missingIsLast: true) }

    private func with(missingIsLast: Bool) -> QueryOrdering {
        var changed = self
        changed.order.missingIsLast = missingIsLast
        return changed
    }
}

extension QueryTerm: QueryOrderable {
    /// Ascending order, which a term without a direction has.
    public var ordering: QueryOrdering { ascending }

    /// Ascending order: missing values, numbers, strings, null, then arrays and dictionaries.
    ///
    /// ```swift
    /// let query = from(persons).orderBy(\.state.ascending, \.age.descending)
    /// ```
    /// Dates that are stored as strings are sorted as strings; `Decimal` values as numbers.
    public var ascending: QueryOrdering { ordered(isDescending: false) }

    /// Descending order, with missing values last.
    ///
    /// ```swift
    /// let oldest = from(persons).orderBy(\.age.descending).limit(1).select(\.name)
    /// ```
    public var descending: QueryOrdering { ordered(isDescending: true) }

    private func ordered(isDescending: Bool) -> QueryOrdering {
        QueryOrdering(
            order: QueryOrder(expression: orderedExpression, isDescending: isDescending),
            problem: problem)
    }
}
