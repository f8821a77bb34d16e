internal import FleeceLite
public import QueryEngine
internal import QueryLanguage
internal import StoreFormat

/// A value in a typed query: a property of the documents, or an expression of properties.
///
/// ```swift
/// let query = from(persons).where { $0.age > 30 && $0.name.last.like("B%") }
/// ```
/// `$0` is the document. Its properties, and their properties, have their Swift names, also through
/// optionals. A member of the term, such as `isMissing`, hides a property with the same name, which
/// `term[property: \.isMissing]` accesses.
///
/// A term is an expression that the database evaluates for each row, not a value: `$0.age > 30` is
/// a `QueryTerm<Bool>`, and cannot be used by `if`. ``when(_:then:otherwise:)`` chooses between two
/// terms. Constants of Swift are written without conversion, and stored terms can be reused:
///
/// ```swift
/// func isAdult(_ person: QueryTerm<Person>) -> QueryTerm<Bool> { person.age >= 18 }
/// let query = from(persons).where { isAdult($0) && $0.email != nil }.select { $0.name.last }
/// ```
/// An operation with a missing property is missing too, unless stated otherwise: a comparison with
/// it selects no row. Values of documents need not have the types of the properties; a comparison
/// then uses the order of types: missing, numbers and Booleans, strings, null, then arrays and
/// dictionaries.
///
/// An error that the compiler cannot detect, such as the key path of a computed property, is thrown
/// when the query is used. Expressions may be nested 400 deep.
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

    /// A constant, for functions that need a term.
    ///
    /// ```swift
    /// let query = from(voyages).select { voyage in
    ///     QueryTerm<Double>.function("power", voyage.budget, QueryTerm(2.0))
    /// }
    /// ```
    /// Operators accept constants directly. A constant that stands next to a property has the form
    /// of the property's collection, and a constant of this initializer the default form, which
    /// differs only for dates and null.
    ///
    /// - Parameter value: the value. Data and numbers that are not finite are an error of the
    ///   query.
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
    ///
    /// ```swift
    /// let query = from(persons).where { $0.name.last == "Byron" }
    /// ```
    /// The property must be stored in the documents under some path; a computed one that returns a
    /// stored property refers to that.
    public subscript<Property>(
        dynamicMember keyPath: KeyPath<Value, Property>
    ) -> QueryTerm<Property> {
        self[property: keyPath]
    }

    /// A property of the value, if the value exists, without `?`.
    ///
    /// ```swift
    /// let query = from(persons).leftJoin(orders, on: { $0.meta.id == $1.customer })
    ///     .where { person, order in order.total > 100 }
    /// ```
    /// It is missing if the value is missing or null.
    public subscript<Wrapped, Property>(
        dynamicMember keyPath: KeyPath<Wrapped, Property>
    ) -> QueryTerm<Property?> where Value == Wrapped? {
        member(keyPath)
    }

    /// An optional property of the value, if the value exists. It is one optional, not two.
    public subscript<Wrapped, Property>(
        dynamicMember keyPath: KeyPath<Wrapped, Property?>
    ) -> QueryTerm<Property?> where Value == Wrapped? {
        member(keyPath)
    }

    /// A property of the value, even if a member of the term has its name.
    ///
    /// ```swift
    /// let query = from(voyages).where { $0[property: \.days] > 3 }
    /// ```
    /// It is needed for properties with names such as `meta`, `optional`, `sum` and `minimum`.
    ///
    /// - Parameter keyPath: the key path of a property of the type.
    public subscript<Property>(
        property keyPath: KeyPath<Value, Property>
    ) -> QueryTerm<Property> {
        member(keyPath)
    }

    /// A property that the type does not have, by its path, such as `address.streets[0]`.
    ///
    /// ```swift
    /// let pets = from(persons).where { $0.property("pets[0].name") == "Rex" }
    /// let old = from(people).where { $0.property("age", as: Int.self) > 80 }
    /// ```
    /// Its type is inferred from the comparison, or else is any value. The type is not checked
    /// until a row is decoded.
    ///
    /// - Parameters:
    ///   - path: the path from the value. An invalid path is an error of the query.
    ///   - type: the type of the property's values; any value by default.
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

    /// A property that the type does not have, by its path, for key paths.
    ///
    /// ```swift
    /// let query = from(persons).where(\.[path: "nick"] == "Bo").orderBy(\.[path: "nick"])
    /// ```
    /// - Parameter path: the path from the value.
    public subscript(path path: String) -> QueryTerm<QueryValue> { property(path) }

    /// The same value with another type, without conversion: for comparisons of types that differ
    /// in Swift, such as integers and floating-point numbers.
    ///
    /// ```swift
    /// let query = from(voyages).where { $0.budget > $0.days.as(Double.self) * 100 }
    /// ```
    /// To convert a value in the database, call a function such as `tonumber` by
    /// ``function(_:_:)``.
    ///
    /// - Parameter type: the new type, which is also that of a selected column.
    public func `as`<Other>(_ type: Other.Type) -> QueryTerm<Other> { derived(expression) }

    /// The same value as an optional.
    ///
    /// ```swift
    /// let likes = from(persons).select { $0.likes[0].optional }  // [String?]
    /// ```
    /// Use it to select a property that some documents do not have, or to give two terms the same
    /// type.
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
/// ```swift
/// let older = from(persons).where(\.age > parameter("least")).select(\.name.last)
/// let names = try older.all(in: snapshot, ["least": 60])
/// ```
/// The same query can then be run with different values, without being created and compiled again.
/// Its type is inferred from the comparison and is not checked when the query is run. Binary data,
/// which has no literal, must be a parameter. A parameter without a value is missing.
///
/// - Parameters:
///   - name: the name without the `$`, of ASCII letters, digits and `_`; another name is an error
///     of the query.
///   - type: the type of its values.
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
    /// The number of rows of a group, or of the result: `COUNT(*)`.
    ///
    /// ```swift
    /// let counts = from(persons).groupBy(\.state).select { ($0.state, $0.rowCount) }
    /// let count = try from(persons).select { $0.rowCount }.first(in: snapshot)
    /// ```
    /// It is the same for each term of a query; use that of any source.
    public var rowCount: QueryTerm<Int> {
        derived(.function("count", [.property(.init([]))]))
    }

    /// The number of rows with a value, including null: `COUNT(value)`.
    ///
    /// ```swift
    /// let counts = from(persons).select { ($0.rowCount, $0.email.valueCount) }
    /// ```
    public var valueCount: QueryTerm<Int> { derived(.function("count", [expression])) }

    /// The number of distinct values, including null; missing values do not count.
    ///
    /// ```swift
    /// let states = try from(persons).select { $0.state.distinctCount }.first(in: snapshot)
    /// ```
    public var distinctCount: QueryTerm<Int> {
        derived(.call(QueryCall(function: "count", arguments: [expression], isDistinct: true)))
    }

    /// The minimum of the rows; missing, thus nil, if no row has a value.
    ///
    /// ```swift
    /// let ages = from(persons).groupBy(\.state)
    ///     .select { ($0.state, $0.age.minimum, $0.age.maximum) }
    /// ```
    /// Values of different types have the order of types. Dates that are stored as strings are
    /// compared as strings. A property that is an array of numbers also has a member of this name
    /// that is its smallest element; the type of the result selects one of them.
    public var minimum: QueryTerm<Value?> { call("min") }

    /// The maximum of the rows; missing, thus nil, if no row has a value.
    ///
    /// ```swift
    /// let oldest = from(persons).groupBy(\.state).having(\.age.maximum > 90).select(\.state)
    /// ```
    /// Values of different types have the order of types, as for `minimum`.
    public var maximum: QueryTerm<Value?> { call("max") }

    /// The values of the rows as an array, in the order in which the documents were first stored.
    ///
    /// ```swift
    /// let names = from(persons).groupBy(\.state).select { ($0.state, $0.name.last.collected) }
    /// ```
    /// Missing values are omitted, null values are not. Without any value the array is empty.
    public var collected: QueryTerm<[Value]> { call("array_agg") }
}

extension QueryTerm where Value: QueryNumberValue {
    /// The sum of the rows; missing, thus nil, if no row has a value.
    ///
    /// ```swift
    /// let totals = from(orders).groupBy(\.customer).select { ($0.customer, $0.total.sum) }
    /// ```
    /// Missing values are ignored; null and other values that are not numbers count as 0. A sum of
    /// integers beyond 64 bits is the error `.invalidQuery`.
    public var sum: QueryTerm<Value?> { call("sum") }

    /// The average of the rows; missing, thus nil, if no row has a value.
    ///
    /// ```swift
    /// let age = try from(persons).select { $0.age.average }.first(in: snapshot)
    /// ```
    /// Missing values are ignored; null and other values that are not numbers count as 0.
    public var average: QueryTerm<Double?> { call("avg") }
}
