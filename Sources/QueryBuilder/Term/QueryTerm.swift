internal import FleeceLite
public import QueryEngine
internal import QueryLanguage
internal import StoreFormat

/// A value in a typed query: a property of the documents, or an expression of properties.
///
/// ```swift
/// from(people).where { $0.age > 30 && $0.name.last.like("B%") }
/// ```
/// `$0` is the document. Its properties, and their properties, have their Swift names, also through
/// optionals. A member of the term, such as `isMissing`, hides a property with the same name, which
/// `term[property: \.isMissing]` accesses.
///
/// An error that the compiler cannot detect, such as the key path of a computed property, is thrown
/// when the query is used.
@dynamicMemberLookup
public struct QueryTerm<Value: Codable & Sendable>: Sendable {
    let expression: QueryExpression
    let coding: PropertyCoding
    /// The error of the term.
    let problem: StoreError?
    /// The height of its tree, as far as loops can increase it.
    let height: Int

    /// A tree that is too high is discarded: recursive code would need as much stack.
    init(
        _ expression: QueryExpression, _ coding: PropertyCoding = PropertyCoding(),
        _ problem: StoreError? = nil, height: Int = 1
    ) {
        let isTooHigh = height > QueryExpression.greatestHeight
        self.expression = isTooHigh ? .literal(.missing) : expression
        self.coding = coding
        self.problem = problem ?? (isTooHigh ? .tooHighQuery : nil)
        self.height = isTooHigh ? 1 : height
    }

    /// A constant.
    public init(_ value: Value) {
        self.init(value, PropertyCoding())
    }

    /// A constant in the encoding of a source.
    init(_ value: Value, _ coding: PropertyCoding) {
        do {
            self.init(try QueryExpression(encoding: value, coding), coding)
        } catch {
            let problem =
                error as? StoreError
                ?? StoreError.invalidQuery(
                    "\(value) cannot be encoded as a value of a query", underlying: error)
            self.init(.literal(.missing), coding, problem)
        }
    }

    /// Creates a term of the same source.
    ///
    /// - Parameter height: the height of the tallest other term in it.
    func derived<Other>(
        _ expression: QueryExpression, _ problem: StoreError? = nil, height other: Int = 0
    ) -> QueryTerm<Other> {
        QueryTerm<Other>(
            expression, coding, self.problem ?? problem, height: max(height, other) + 1)
    }

    /// Combines two terms by an operator.
    func with<Other, Result>(
        _ other: QueryTerm<Other>, _ make: (QueryExpression, QueryExpression) -> QueryExpression
    ) -> QueryTerm<Result> {
        derived(make(expression, other.expression), other.problem, height: other.height)
    }
}

// MARK: Properties

extension QueryTerm {
    /// A property of the value.
    public subscript<Property>(
        dynamicMember keyPath: KeyPath<Value, Property>
    ) -> QueryTerm<Property> {
        self[property: keyPath]
    }

    /// A property of the value, if the value exists.
    public subscript<Wrapped, Property>(
        dynamicMember keyPath: KeyPath<Wrapped, Property>
    ) -> QueryTerm<Property?> where Value == Wrapped? {
        member(keyPath)
    }

    /// An optional property of the value, if the value exists.
    public subscript<Wrapped, Property>(
        dynamicMember keyPath: KeyPath<Wrapped, Property?>
    ) -> QueryTerm<Property?> where Value == Wrapped? {
        member(keyPath)
    }

    /// A property of the value, even if a member of the term has its name.
    public subscript<Property>(
        property keyPath: KeyPath<Value, Property>
    ) -> QueryTerm<Property> {
        member(keyPath)
    }

    /// A property that the type does not have, by its path, such as `address.streets[0]`.
    ///
    /// Its type is inferred from the comparison, or else is any value.
    public func property<Property>(
        _ path: String, as type: Property.Type = QueryValue.self
    ) -> QueryTerm<Property> {
        do {
            return derived(expression.reading(try PropertyPath(parsing: path).components))
        } catch {
            let problem = StoreError.invalidQuery(
                "\"\(path)\" is not a property path", underlying: error)
            return derived(.literal(.missing), problem)
        }
    }

    /// A property that the type does not have, by its path, for key paths: `\.[path: "nick"]`.
    public subscript(path path: String) -> QueryTerm<QueryValue> { property(path) }

    /// The same value with another type, without conversion: for comparisons of types that differ
    /// in Swift, such as integers and floating-point numbers.
    public func `as`<Other>(_ type: Other.Type) -> QueryTerm<Other> { derived(expression) }

    /// The same value as an optional.
    public var optional: QueryTerm<Value?> { derived(expression) }

    private func member<Owner: Codable & Sendable, Property: Encodable, Result>(
        _ keyPath: KeyPath<Owner, Property>
    ) -> QueryTerm<Result> {
        do {
            return derived(expression.reading(try PropertyPaths.path(of: keyPath, coding)))
        } catch {
            let problem =
                error as? StoreError
                ?? StoreError.invalidQuery("\(keyPath) is not a property", underlying: error)
            return derived(.literal(.missing), problem)
        }
    }
}

/// A parameter, whose value is given when the query is run.
///
/// - Parameter name: the name without the `$`, of letters, digits and `_`.
public func parameter<Value>(
    _ name: String, as type: Value.Type = Value.self
) -> QueryTerm<Value> {
    let isName =
        !name.isEmpty
        && name.utf8.allSatisfy { byte in
            byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x5A
                || byte >= 0x61 && byte <= 0x7A || byte == 0x5F
        }
    let problem = StoreError.invalidQuery(
        "\"\(name)\" is not a parameter name: use letters, digits and '_'")
    return QueryTerm(.parameter(name), PropertyCoding(), isName ? nil : problem)
}

// Aggregates of the rows of a group, or of all rows.
extension QueryTerm {
    /// The number of rows: `COUNT(*)`
    public var rowCount: QueryTerm<Int> {
        derived(.function("count", [.property(.init([]))]))
    }

    /// The number of rows with a value.
    public var valueCount: QueryTerm<Int> { derived(.function("count", [expression])) }

    /// The number of distinct values.
    public var distinctCount: QueryTerm<Int> {
        derived(.call(QueryCall(function: "count", arguments: [expression], isDistinct: true)))
    }

    /// The minimum of the rows; missing if no row has a value.
    public var minimum: QueryTerm<Value?> { call("min") }

    /// The maximum of the rows; missing if no row has a value.
    public var maximum: QueryTerm<Value?> { call("max") }

    /// The values of the rows as an array.
    public var collected: QueryTerm<[Value]> { call("array_agg") }
}

extension QueryTerm where Value: QueryNumberValue {
    /// The sum of the rows.
    public var sum: QueryTerm<Value?> { call("sum") }

    /// The average of the rows.
    public var average: QueryTerm<Double?> { call("avg") }
}
