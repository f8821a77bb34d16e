/// The values of the constraints of a scan, in the order of the plan.
///
/// Valid during the call only.
///
/// The argument at index 0 is the value of the constraint that was passed at position 0; see
/// ``SQLIndexPlan/pass(_:at:isExact:)``.
public struct SQLArguments {
    private let call: SQLFunctionCall

    init(_ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
        call = SQLFunctionCall(SQLRawCall(nil, count, values))
    }

    /// The number of values.
    public var count: Int { call.count }

    /// Returns a value in its storage class; `.null` for an index past the last value.
    ///
    /// - Parameter index: The position that the plan has passed the constraint at, from 0.
    public func value(at index: Int) -> SQLValue { call.value(at: index) }

    /// Returns a value as a Swift type. No type is converted, except an integer to a `Double`.
    ///
    /// - Parameters:
    ///   - index: The position that the plan has passed the constraint at, from 0.
    ///   - type: The type of the result; an optional type accepts `NULL`.
    /// - Throws: ``SQLError``: `.mismatch` if the value has another type, such as for `WHERE id =
    ///   'text'`.
    public func value<Value: SQLValueConvertible>(at index: Int, as type: Value.Type) throws
        -> Value
    {
        try call.value(at: index, as: type)
    }

    /// All values, in the order of their positions. It copies them to an array.
    public var values: [SQLValue] { call.values }
}
