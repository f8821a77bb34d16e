import CSQLite

/// The arguments of one call of an SQL function, which the closure of
/// ``SQLContext/registerFunction(_:argumentCount:flags:_:)`` receives.
///
/// It is valid during that call only. Reading an argument copies it; ``raw`` reads it without a
/// copy.
///
/// ```swift
/// try database.registerFunction("concat_all") { call in
///     .text(call.values.compactMap(\.textValue).joined(separator: "-"))
/// }
/// ```
public struct SQLFunctionCall {
    /// The same call, without copies and checks: an index must be less than ``count``, and pointers
    /// are valid only during the call.
    public let raw: SQLRawCall

    init(_ raw: SQLRawCall) {
        self.raw = raw
    }

    /// The number of arguments. It varies only for a function that was registered for any number.
    public var count: Int { raw.count }

    /// Returns an argument in its storage class; `.null` for an index past the last argument.
    ///
    /// - Parameter index: The position of the argument, from 0.
    public func value(at index: Int) -> SQLValue {
        guard (0..<count).contains(index) else { return .null }
        return SQLValue(copying: raw.argument(at: index))
    }

    /// Returns an argument as a Swift type.
    ///
    /// An optional type accepts `NULL`. A `Double` also accepts an integer; no other type is
    /// converted.
    ///
    /// ```swift
    /// try database.registerFunction("clamp", argumentCount: 3) { call in
    ///     let number = try call.value(at: 0, as: Double.self)
    ///     let least = try call.value(at: 1, as: Double?.self) ?? -.infinity
    ///     let most = try call.value(at: 2, as: Double?.self) ?? .infinity
    ///     return .real(min(max(number, least), most))
    /// }
    /// ```
    /// - Parameters:
    ///   - index: The position of the argument, from 0.
    ///   - type: The type of the result.
    /// - Throws: ``SQLError``: `.mismatch` if the argument has another type, which makes the
    ///   statement fail.
    @inlinable
    public func value<Value: SQLValueConvertible>(at index: Int, as type: Value.Type) throws
        -> Value
    {
        let value = value(at: index)
        if let converted = Value(sqlValue: value) { return converted }
        throw mismatch(of: value, at: index, with: Value.self)
    }

    @usableFromInline
    func mismatch(of value: SQLValue, at index: Int, with type: Any.Type) -> SQLError {
        SQLError(
            code: .mismatch, message: "argument \(index + 1) is \(value.typeName), not \(type)")
    }

    /// All arguments, each in its storage class. It copies them to an array.
    public var values: [SQLValue] { (0..<count).map { value(at: $0) } }
}

extension SQLFunctionCall {
    /// Returns an object derived from an argument, such as a compiled pattern. It is cached as long
    /// as the argument is the same constant of the statement. `sqlite3_get_auxdata`
    ///
    /// For an argument that differs from row to row, such as a column, the object is created at
    /// each call.
    ///
    /// ```swift
    /// final class Pattern {
    ///     let words: Set<String>
    ///     init(_ words: Set<String>) { self.words = words }
    /// }
    /// try database.registerFunction("has_word", argumentCount: 2) { call in
    ///     let list = try call.value(at: 0, as: String.self)
    ///     let pattern = call.auxiliary(at: 0) {
    ///         Pattern(Set(list.split(separator: ",").map(String.init)))
    ///     }
    ///     return .long(pattern.words.contains(call.value(at: 1).textValue ?? "") ? 1 : 0)
    /// }
    /// ```
    ///
    /// - Parameter make: Creates the object if it is not cached.
    /// - Parameter index: The position of the argument, from 0.
    /// - Returns: The cached object, or the new one.
    public func auxiliary<Object: AnyObject>(
        at index: Int, make: () throws -> Object
    ) rethrows -> Object {
        if let object = raw.auxiliary(at: index, as: Object.self) { return object }
        let object = try make()
        raw.setAuxiliary(object, at: index)
        return object
    }
}

extension SQLResultCode {
    /// `SQLITE_MISMATCH`: a value of the wrong type.
    ///
    /// Also thrown for a string in an `INTEGER PRIMARY KEY` column.
    public static let mismatch = SQLResultCode(rawValue: SQLITE_MISMATCH)
}

extension SQLValue {
    /// The name of the storage class in SQL.
    var typeName: String {
        switch self {
        case .long: "integer"
        case .real: "real"
        case .text: "text"
        case .blob: "blob"
        case .null: "null"
        }
    }
}
