internal import FleeceLite
internal import StoreFormat

/// The values of a query's parameters, by their names without the `$`.
///
/// ```swift
/// let adults = try Query("SELECT name FROM people WHERE age >= $least")
/// let rows = try adults.rows(in: snapshot, ["least": 18])
/// ```
public struct QueryParameters: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// The values. A parameter that is `.missing` is like a property that is not there.
    public var values: [String: QueryValue]

    /// Parameters with these values.
    public init(_ values: [String: QueryValue] = [:]) {
        self.values = values
    }

    /// Parameters that are written in the text; of two with one name the latter counts.
    public init(dictionaryLiteral elements: (String, QueryValue)...) {
        values = Dictionary(elements) { $1 }
    }

    /// Parameters from a JSON object.
    ///
    /// Throws `.invalidParameter` if it is none.
    public init(json: String) throws {
        guard let object = try? QueryValue(json: json).dictionary else {
            throw StoreError(.invalidParameter, "parameters are given as a JSON object: \(json)")
        }
        values = [:]
        for (name, value) in object { values[name] = QueryValue(value) }
    }

    /// The value of a parameter.
    public subscript(name: String) -> QueryValue? {
        get { values[name] }
        set { values[name] = newValue }
    }
}
