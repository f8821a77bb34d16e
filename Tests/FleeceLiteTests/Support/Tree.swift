import FleeceLite

/// A value with all nested values, to be compared with a document.
enum Tree: Equatable, Sendable {
    case undefined
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer that exceeds `Int64`.
    case unsigned(UInt64)
    case double(Double)
    case string(String)
    case data([UInt8])
    case array([Tree])
    /// The pairs in the order in which the dictionary yields them.
    case dictionary([Pair])
    /// A kind without a value of that kind: corrupt bytes.
    case corrupt

    struct Pair: Equatable, Sendable {
        let key: String
        let value: Tree
    }
}

extension Tree {
    /// Reads a value through the public API alone.
    init(_ value: FleeceValue) {
        self =
            switch value.kind {
            case .undefined: .undefined
            case .null: value.isNull ? .null : .corrupt
            case .bool: value.bool.map { .bool($0) } ?? .corrupt
            case .integer:
                value.int.map { .integer($0) } ?? value.uint.map { .unsigned($0) } ?? .corrupt
            case .double: value.double.map { .double($0) } ?? .corrupt
            case .string: value.string.map { .string($0) } ?? .corrupt
            case .data: value.data.map { .data($0) } ?? .corrupt
            case .array: value.array.map { .array($0.map { Tree($0) }) } ?? .corrupt
            case .dictionary:
                value.dictionary.map { pairs in
                    .dictionary(pairs.map { Pair(key: $0.key, value: Tree($0.value)) })
                } ?? .corrupt
            }
    }

    /// Reads a document.
    init(hex: String, sharedKeys: SharedKeys = SharedKeys()) throws {
        let document = try FleeceDocument(trusted: bytes(hex), sharedKeys: sharedKeys)
        self.init(document.root)
    }
}

extension Tree: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    init(nilLiteral: ()) { self = .null }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(floatLiteral value: Double) { self = .double(value) }
    init(stringLiteral value: String) { self = .string(value) }
    init(arrayLiteral elements: Tree...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, Tree)...) {
        self = .dictionary(elements.map { Pair(key: $0, value: $1) })
    }
}
