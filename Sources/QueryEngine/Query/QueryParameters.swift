internal import FleeceLite
internal import StoreFormat

/// The values of a query's parameters, by their names without the `$`.
///
/// ```swift
/// let adults = try Query("SELECT name FROM people WHERE age >= $least")
/// let rows = try adults.rows(in: snapshot, ["least": 18])
/// ```
/// A value never becomes a part of the query text, so parameters are safe for external input. A
/// parameter of the query without a value is missing, and so are comparisons with it; a value for a
/// parameter that the query does not have is the error `.invalidQueryParameter`.
public struct QueryParameters: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// The values. A `.missing` parameter behaves like a property that does not exist.
    public var values: [String: QueryValue]

    /// Creates parameters with these values.
    public init(_ values: [String: QueryValue] = [:]) {
        self.values = values
    }

    /// Creates parameters from a dictionary literal; the last value of a repeated name counts.
    public init(dictionaryLiteral elements: (String, QueryValue)...) {
        values = Dictionary(elements) { $1 }
    }

    /// Parses the parameters from a JSON object, whose keys are the names without the `$`.
    ///
    /// - Throws: `.invalidParameter` if the text is not a JSON object.
    public init(json: String) throws {
        guard let object = try? QueryValue(json: json).dictionary else {
            throw StoreError(.invalidParameter, "the parameters must be a JSON object: \(json)")
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
