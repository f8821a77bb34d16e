/// The unkeyed container of an array.
struct UnkeyedDecoding: UnkeyedDecodingContainer {
    let decoder: ValueDecoder
    private(set) var currentIndex = 0

    init(decoder: ValueDecoder) {
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var count: Int? { decoder.slots?.count ?? 0 }

    var isAtEnd: Bool { currentIndex >= decoder.slots?.count ?? 0 }

    mutating func decodeNil() throws -> Bool {
        let isNil = try element(Any?.self).isNil
        if isNil { currentIndex += 1 }
        return isNil
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try decoder.decode(type, element(type), PositionKey(currentIndex))
        currentIndex += 1
        return value
    }

    mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        guard !isAtEnd, try !decodeNil() else { return nil }
        return try decode(type)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try inner([String: Any].self).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try inner([Any].self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try inner((any Decoder).self)
        currentIndex += 1
        return decoder
    }

    private func inner(_ type: Any.Type) throws -> ValueDecoder {
        try ValueDecoder(element(type), in: decoder, key: PositionKey(currentIndex))
    }

    @inline(__always)
    private mutating func read<Scalar: FleeceScalar>(_ type: Scalar.Type) throws -> Scalar {
        let value = try decoder.read(type, element(type), PositionKey(currentIndex))
        currentIndex += 1
        return value
    }

    /// The next element.
    @inline(__always)
    private func element(_ type: Any.Type) throws -> RawValue {
        if let slots = decoder.slots, currentIndex < slots.count,
            let value = slots.slot(currentIndex)
        {
            return value
        }
        throw noElement(type)
    }

    private func noElement(_ type: Any.Type) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath + [PositionKey(currentIndex)],
            debugDescription: isAtEnd ? "the array is at its end" : "corrupt bytes")
        return isAtEnd ? .valueNotFound(type, context) : .dataCorrupted(context)
    }
}

// The protocol requires an overload for each of these types.
extension UnkeyedDecoding {
    mutating func decode(_ type: Bool.Type) throws -> Bool { try read(type) }
    mutating func decode(_ type: String.Type) throws -> String { try read(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try read(type) }
    mutating func decode(_ type: Float.Type) throws -> Float { try read(type) }
    mutating func decode(_ type: Int.Type) throws -> Int { try read(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try read(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try read(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try read(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try read(type) }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try read(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try read(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try read(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try read(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try read(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try read(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try read(type) }
}

/// A coding path key other than a property name: the index of an element, or `super`.
struct PositionKey: CodingKey {
    private let index: Int?

    /// The key under which a superclass encodes itself.
    static let `super` = PositionKey()

    private init() {
        index = nil
    }

    init(_ index: Int) {
        self.index = index
    }

    init?(intValue: Int) {
        index = intValue
    }

    init?(stringValue: String) {
        guard stringValue == "super" else { return nil }
        index = nil
    }

    var intValue: Int? { index }
    var stringValue: String { index.map { "Index \($0)" } ?? "super" }
}
