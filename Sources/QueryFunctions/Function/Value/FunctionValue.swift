package import FleeceLite
internal import SQLCore

/// An argument of an SQL function as a JSON value, borrowed for the call.
package enum FunctionValue {
    /// No value: `NULL`, or bytes without a value.
    case missing
    case null
    case boolean(Bool)
    case integer(Int64)
    /// An integer above the range of `Int64`.
    case unsigned(UInt64)
    case real(Double)
    /// UTF-8, unless a document contains invalid bytes.
    case text(UnsafeRawBufferPointer)
    case data(UnsafeRawBufferPointer)
    /// An array or a dictionary.
    case collection(UnsafeFleeceValue)

    /// A value of a document.
    package init(_ value: UnsafeFleeceValue) {
        self =
            switch value.content {
            case .undefined: .missing
            case .null: .null
            case .bool(let bool): .boolean(bool)
            case .integer(let number): .integer(number)
            case .unsigned(let number): .unsigned(number)
            case .double(let number): .real(number)
            case .string(let text): .text(text)
            case .data(let bytes): .data(bytes)
            case .array, .dictionary: .collection(value)
            }
    }
}

/// Subtypes of values that SQLite's types do not distinguish, as LiteCore sets them.
enum FunctionSubtype {
    /// A blob of bytes that are not Fleece.
    static let data: UInt32 = 0x66
    /// The empty blob, which is null even without the mark.
    static let null: UInt32 = 0x67
    /// An integer that is a Boolean.
    static let boolean: UInt32 = 0x68
    /// An integer with the bits of an unsigned integer.
    static let unsigned: UInt32 = 0x69
    /// Specific to this project: a blob of Fleece with the shared keys of the file, the beginning
    /// of a body. The mark may be lost like all subtypes; the blob remains valid without it.
    static let excerpt: UInt32 = 0x6A
}

extension SQLRawCall {
    /// An argument as a JSON value. A blob is Fleece with the shared keys of the file, unless it is
    /// marked as data; without a root it is missing.
    func value(at index: Int, _ functions: FunctionContext) -> FunctionValue {
        switch type(at: index) {
        case .text: return .text(text(at: index))
        case .real: return .real(double(at: index))
        case .long: return integer(at: index)
        case .blob: return blob(at: index, functions)
        default: return .missing
        }
    }

    private func integer(at index: Int) -> FunctionValue {
        let number = int64(at: index)
        switch subtype(at: index) {
        case FunctionSubtype.boolean: return .boolean(number != 0)
        case FunctionSubtype.unsigned where number < 0:
            return .unsigned(UInt64(bitPattern: number))
        default: return .integer(number)
        }
    }

    private func blob(at index: Int, _ functions: FunctionContext) -> FunctionValue {
        let bytes = blob(at: index)
        if subtype(at: index) == FunctionSubtype.data { return .data(bytes) }
        if bytes.isEmpty { return .null }
        guard let root = functions.root(of: bytes) else { return .missing }
        return FunctionValue(root)
    }
}
