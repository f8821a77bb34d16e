/// The keyed container of a dictionary.
struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] { decoder.keys().compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool {
        // Corrupt bytes are reported when the value is decoded.
        do { return try decoder.find(key) != nil } catch { return true }
    }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder.require(key).isNil }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.decode(type, decoder.require(key), key)
    }

    func decodeIfPresent<Value: Decodable>(
        _ type: Value.Type, forKey key: Key
    ) throws -> Value? {
        guard let value = try decoder.find(key), !value.isNil else { return nil }
        return try decoder.decode(type, value, key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try ValueDecoder(decoder.require(key), in: decoder, key: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try ValueDecoder(decoder.require(key), in: decoder, key: key).unkeyedContainer()
    }

    /// A decoder of nil if there is no such property.
    func superDecoder() throws -> any Decoder { try superDecoder(PositionKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(key) }

    private func superDecoder(_ key: some CodingKey) throws -> any Decoder {
        try ValueDecoder(decoder.find(key) ?? .undefined, in: decoder, key: key)
    }
}

extension KeyedDecoding {
    @inline(__always)
    func read<Scalar: FleeceScalar>(_ type: Scalar.Type, _ key: Key) throws -> Scalar {
        try decoder.read(type, decoder.require(key), key)
    }

    @inline(__always)
    func readIfPresent<Scalar: FleeceScalar>(_ type: Scalar.Type, _ key: Key) throws -> Scalar? {
        guard let value = try decoder.find(key), !value.isNil else { return nil }
        return try decoder.read(type, value, key)
    }
}

extension ValueDecoder {
    /// The keys whose values are not undefined, in stored order.
    fileprivate func keys() -> [String] {
        guard let slots else { return [] }
        return RawPairs(slots).compactMap { pair -> String? in
            // An unreadable value is included, so that reading it reports the error.
            if let value = pair.value, value.has(2), value.byte(0) == FleeceSpecial.undefined {
                return nil
            }
            return switch pair.key {
            case .string(let text): String(decoding: text, as: UTF8.self)
            case .number(let number): source.document.sharedKeys.key(at: number)
            case nil: nil
            }
        }
    }
}
