internal import FleeceLite
internal import StoreFormat

/// The values of a query's parameters, by their names without the `$`.
///
/// ```swift
/// let adults = try Query("SELECT name FROM people WHERE age >= $least")
/// let rows = try adults.rows(in: snapshot, ["least": 18])
/// ```
/// A value never becomes a part of the query text, so parameters are safe for external input, and
/// the same text need not be parsed again for other values. A parameter can stand wherever a value
/// can, also after `IN`, `LIKE` and `LIMIT`, but not for a name.
///
/// ```swift
/// let found = try Query("SELECT name FROM people WHERE state IN $states LIMIT $count")
/// var parameters: QueryParameters = ["count": 10]
/// parameters["states"] = try QueryValue(encoding: ["NY", "CA"])
/// show(try found.rows(in: snapshot, parameters).all())
/// ```
/// A parameter of the query without a value is missing, and so are comparisons with it; a value for
/// a parameter that the query does not have is the error `.invalidQueryParameter`, since it is
/// usually a typo. Booleans, 64-bit integers, data, arrays and dictionaries keep their types.
public struct QueryParameters: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// The values by name. A `.missing` parameter behaves like a property that does not exist, as
    /// does one that is not in the dictionary.
    public var values: [String: QueryValue]

    /// Creates parameters with these values; none by default.
    ///
    /// ```swift
    /// let parameters = QueryParameters(["least": .integer(18), "state": .string("NY")])
    /// ```
    /// - Parameter values: the values by name, without the `$`.
    public init(_ values: [String: QueryValue] = [:]) {
        self.values = values
    }

    /// Creates parameters from a dictionary literal; the last value of a repeated name counts.
    public init(dictionaryLiteral elements: (String, QueryValue)...) {
        values = Dictionary(elements) { $1 }
    }

    /// Parses the parameters from a JSON object, whose keys are the names without the `$`.
    ///
    /// ```swift
    /// let parameters = try QueryParameters(json: #"{"least": 18, "states": ["NY", "CA"]}"#)
    /// ```
    /// The object has values of JSON only; data and missing values are set by ``subscript(_:)``.
    ///
    /// - Parameter json: the text of an object.
    /// - Throws: `.invalidParameter` if the text is not a JSON object.
    public init(json: String) throws {
        guard let object = try? QueryValue(json: json).dictionary else {
            throw StoreError(.invalidParameter, "the parameters must be a JSON object: \(json)")
        }
        values = [:]
        for (name, value) in object { values[name] = QueryValue(value) }
    }

    /// The value of a parameter; nil if it has none. Setting nil removes the value.
    ///
    /// ```swift
    /// var parameters: QueryParameters = ["least": 18]
    /// parameters["most"] = 65
    /// parameters["least"] = nil as QueryValue?
    /// ```
    /// - Parameter name: the name without the `$`.
    public subscript(name: String) -> QueryValue? {
        get { values[name] }
        set { values[name] = newValue }
    }
}
