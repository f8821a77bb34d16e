/// A container whose values become a dictionary.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: EncodingDestination

    var codingPath: [any CodingKey] { place.codingPath }

    func encodeNil(forKey key: Key) throws {
        if place.stream.form.nils != .leftOut { try place.open().writeNull(property: key) }
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        guard place.isOpen else { return try place.open().encode(value, property: key) }
        try place.stream.encode(value, property: key)
    }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeAbsence(key) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let nested = place.nested(key, isKeyed: true).opened(.keyed)
        return KeyedEncodingContainer(KeyedEncoding<NestedKey>(place: nested))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        UnkeyedEncoding(place: place.nested(key, isKeyed: true).opened(.unkeyed))
    }

    func superEncoder() -> any Encoder {
        place.nestedEncoder(PositionKey.super, isKeyed: true)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        place.nestedEncoder(key, isKeyed: true)
    }
}

extension KeyedEncoding {
    @inline(__always)
    func write<Scalar: FleeceScalar>(_ value: Scalar, _ key: Key) throws {
        guard place.isOpen else { return try place.open().write(value, property: key) }
        try place.stream.write(value, property: key)
    }

    @inline(__always)
    func writeIfPresent<Scalar: FleeceScalar>(_ value: Scalar?, _ key: Key) throws {
        if let value { try write(value, key) } else { try encodeAbsence(key) }
    }

    private func encodeAbsence(_ key: Key) throws {
        if place.stream.form.nils == .null { try place.open().writeNull(property: key) }
    }
}

// The protocol names each of these types.

extension KeyedEncoding {
    func encode(_ value: Bool, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: String, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: Double, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: Float, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: Int, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: Int8, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: Int128, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try write(value, key) }

    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
        try writeIfPresent(value, key)
    }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws {
        try writeIfPresent(value, key)
    }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
        try writeIfPresent(value, key)
    }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
        try writeIfPresent(value, key)
    }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
        try writeIfPresent(value, key)
    }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
        try writeIfPresent(value, key)
    }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
        try writeIfPresent(value, key)
    }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
        try writeIfPresent(value, key)
    }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
        try writeIfPresent(value, key)
    }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws {
        try writeIfPresent(value, key)
    }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
        try writeIfPresent(value, key)
    }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
        try writeIfPresent(value, key)
    }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
        try writeIfPresent(value, key)
    }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
        try writeIfPresent(value, key)
    }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
        try writeIfPresent(value, key)
    }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
        try writeIfPresent(value, key)
    }
}
