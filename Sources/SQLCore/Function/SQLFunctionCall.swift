import CSQLite

/// The arguments of one call of a SQL function.
///
/// Valid during that call only.
public struct SQLFunctionCall {
    /// The same call, without copies and checks.
    public let raw: SQLRawCall

    init(_ raw: SQLRawCall) {
        self.raw = raw
    }

    /// The number of arguments.
    public var count: Int { raw.count }

    /// Returns an argument in its storage class; `.null` for an index past the last argument.
    public func value(at index: Int) -> SQLValue {
        guard (0..<count).contains(index) else { return .null }
        return SQLValue(copying: raw.argument(at: index))
    }

    /// Returns an argument as a Swift type. Throws `.mismatch` if the argument has another type.
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

    /// All arguments.
    public var values: [SQLValue] { (0..<count).map { value(at: $0) } }
}

extension SQLFunctionCall {
    /// Returns an object derived from an argument, such as a compiled pattern. It is cached as long
    /// as the argument is the same constant of the statement. `sqlite3_get_auxdata`
    ///
    /// - Parameter make: Creates the object if it is not cached.
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
