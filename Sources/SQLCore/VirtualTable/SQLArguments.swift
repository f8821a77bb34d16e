/// The values of the constraints that a search goes by, in the order of the plan.
///
/// Valid during the call only.
public struct SQLArguments {
    private let call: SQLFunctionCall

    init(_ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
        call = SQLFunctionCall(SQLRawCall(nil, count, values))
    }

    /// How many there are.
    public var count: Int { call.count }

    /// A value, in the type it is stored in; null beyond the last.
    public func value(at index: Int) -> SQLValue { call.value(at: index) }

    /// A value in a type of Swift. Throws `.mismatch` if it holds another.
    public func value<Value: SQLValueConvertible>(at index: Int, as type: Value.Type) throws
        -> Value
    {
        try call.value(at: index, as: type)
    }

    /// All values.
    public var values: [SQLValue] { call.values }
}
