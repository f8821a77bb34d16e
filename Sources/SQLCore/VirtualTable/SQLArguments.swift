/// The values of the constraints of a scan, in the order of the plan.
///
/// Valid during the call only.
public struct SQLArguments {
    private let call: SQLFunctionCall

    init(_ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
        call = SQLFunctionCall(SQLRawCall(nil, count, values))
    }

    /// The number of values.
    public var count: Int { call.count }

    /// Returns a value in its storage class; `.null` for an index past the last value.
    public func value(at index: Int) -> SQLValue { call.value(at: index) }

    /// Returns a value as a Swift type. Throws `.mismatch` if the value has another type.
    public func value<Value: SQLValueConvertible>(at index: Int, as type: Value.Type) throws
        -> Value
    {
        try call.value(at: index, as: type)
    }

    /// All values.
    public var values: [SQLValue] { call.values }
}
