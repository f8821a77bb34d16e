internal import FleeceLite
public import QueryEngine
internal import QueryLanguage
internal import StoreFormat

/// A value in a query that is put together in Swift: a property of the documents, or what is made
/// of such.
///
/// ```swift
/// from(people).where { $0.age > 30 && $0.name.last.like("B%") }
/// ```
/// `$0` is the document; its properties, and theirs, are reached by the names that they have in
/// Swift, also through optional ones. What a term has itself, such as `isMissing`, hides a property
/// of that name, which `term[property: \.isMissing]` reaches.
///
/// An error that the compiler cannot see, such as a key path of a computed property, is an error
/// of the query when it is asked for.
@dynamicMemberLookup
public struct QueryTerm<Value: Codable & Sendable>: Sendable {
    let expression: QueryExpression
    let coding: PropertyCoding
    /// What is wrong with it.
    let problem: StoreError?
    /// How high the tree of it is, as far as loops can make it.
    let height: Int

    /// A tree that is too high is not kept: what goes through it needs as much of the stack.
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

    /// A value that is the same for all documents.
    public init(_ value: Value) {
        self.init(value, PropertyCoding())
    }

    /// A value, in the form in which a source has it.
    init(_ value: Value, _ coding: PropertyCoding) {
        do {
            self.init(try QueryExpression(encoding: value, coding), coding)
        } catch {
            let problem =
                error as? StoreError
                ?? StoreError.invalidQuery(
                    "\(value) cannot be written as a value of a query", underlying: error)
            self.init(.literal(.missing), coding, problem)
        }
    }

    /// A term of the same source.
    ///
    /// - Parameter height: that of the highest other term in it.
    func derived<Other>(
        _ expression: QueryExpression, _ problem: StoreError? = nil, height other: Int = 0
    ) -> QueryTerm<Other> {
        QueryTerm<Other>(
            expression, coding, self.problem ?? problem, height: max(height, other) + 1)
    }

    /// What an operator makes of two terms.
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

    /// A property of the value, if there is one.
    public subscript<Wrapped, Property>(
        dynamicMember keyPath: KeyPath<Wrapped, Property>
    ) -> QueryTerm<Property?> where Value == Wrapped? {
        member(keyPath)
    }

    /// An optional property of the value, if there is one.
    public subscript<Wrapped, Property>(
        dynamicMember keyPath: KeyPath<Wrapped, Property?>
    ) -> QueryTerm<Property?> where Value == Wrapped? {
        member(keyPath)
    }

    /// A property of the value, whatever it is called.
    public subscript<Property>(
        property keyPath: KeyPath<Value, Property>
    ) -> QueryTerm<Property> {
        member(keyPath)
    }

    /// A property that the type does not have, by its path, such as `address.streets[0]`.
    ///
    /// What is compared with it says its type; else it is of any.
    public func property<Property>(
        _ path: String, as type: Property.Type = QueryValue.self
    ) -> QueryTerm<Property> {
        do {
            return derived(expression.reading(try PropertyPath(parsing: path).components))
        } catch {
            let problem = StoreError.invalidQuery(
                "\"\(path)\" is no path of a property", underlying: error)
            return derived(.literal(.missing), problem)
        }
    }

    /// A property that the type does not have, by its path, for key paths: `\.[path: "nick"]`.
    public subscript(path path: String) -> QueryTerm<QueryValue> { property(path) }

    /// The same value as one of another type, which is not converted: for comparisons of what Swift
    /// takes for different, such as integers and floating-point numbers.
    public func `as`<Other>(_ type: Other.Type) -> QueryTerm<Other> { derived(expression) }

    /// The same value as one that may be missing.
    public var optional: QueryTerm<Value?> { derived(expression) }

    private func member<Owner: Codable & Sendable, Property: Encodable, Result>(
        _ keyPath: KeyPath<Owner, Property>
    ) -> QueryTerm<Result> {
        do {
            return derived(expression.reading(try PropertyPaths.path(of: keyPath, coding)))
        } catch {
            let problem =
                error as? StoreError
                ?? StoreError.invalidQuery("\(keyPath) is no property", underlying: error)
            return derived(.literal(.missing), problem)
        }
    }
}

/// A value that is given when the query is run.
///
/// - Parameter name: the name, of letters, digits and `_`, without the `$`.
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
        "\"\(name)\" is no name of a parameter: use letters, digits and '_'")
    return QueryTerm(.parameter(name), PropertyCoding(), isName ? nil : problem)
}

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
