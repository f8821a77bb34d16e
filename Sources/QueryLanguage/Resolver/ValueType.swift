internal import StoreFormat

/// The types that the values of an expression can have.
package struct ValueType: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let missing = ValueType(rawValue: 1)
    package static let null = ValueType(rawValue: 2)
    package static let boolean = ValueType(rawValue: 4)
    /// A number that SQL has: an integer of 64 bits with a sign, or a floating-point number.
    package static let number = ValueType(rawValue: 8)
    /// An integer above `Int64.max`.
    package static let unsigned = ValueType(rawValue: 16)
    package static let string = ValueType(rawValue: 32)
    /// An array, a dictionary, or data.
    package static let collection = ValueType(rawValue: 64)

    package static let any = ValueType(rawValue: 127)
    /// Every function can also return these.
    static let nothing: ValueType = [.missing, .null]
}

extension ValueType {
    init(_ result: QueryResultType) {
        self =
            switch result {
            case .plain: [.number, .string, .nothing]
            case .boolean: [.boolean, .nothing]
            case .any: .any
            }
    }

    init(_ literal: QueryLiteral) {
        self =
            switch literal {
            case .missing: .missing
            case .null: .null
            case .boolean: .boolean
            case .integer, .real: .number
            case .unsigned: .unsigned
            case .string: .string
            }
    }

    /// The types in SQL++, such as `number or missing`, for descriptions.
    package var text: String {
        if self == .any { return "any" }
        let names: [(ValueType, String)] = [
            (.boolean, "boolean"), (.number, "number"), (.unsigned, "unsigned"),
            (.string, "string"), (.collection, "collection"), (.null, "null"),
            (.missing, "missing"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: " or ")
    }
}

extension QueryOperator {
    /// The types of its results.
    var resultType: ValueType {
        switch self {
        case .concatenate: [.string, .nothing]
        case .multiply, .divide, .modulo, .add, .subtract: [.number, .nothing]
        case .exists, .isValued, .is, .isNot, .isDistinctFrom, .isNotDistinctFrom: .boolean
        default: [.boolean, .nothing]
        }
    }
}

extension MetaProperty {
    /// The types of its values.
    var resultType: ValueType {
        switch self {
        case .deleted: [.boolean, .missing]
        case .all: .any
        case .id, .revisionID: [.string, .missing]
        case .sequence, .expiration, .rowid: [.number, .missing]
        }
    }
}
