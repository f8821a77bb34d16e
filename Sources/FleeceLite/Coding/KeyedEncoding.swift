/// A container whose values become a dictionary.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let destination: EncodingDestination

    var codingPath: [any CodingKey] { destination.codingPath }

    func encodeNil(forKey key: Key) throws {
        if destination.stream.form.nils != .leftOut {
            try destination.open().writeNull(property: key)
        }
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        guard destination.isOpen else { return try destination.open().encode(value, property: key) }
        try destination.stream.encode(value, property: key)
    }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeAbsence(key) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let nested = destination.nested(key, isKeyed: true).opened(.keyed)
        return KeyedEncodingContainer(KeyedEncoding<NestedKey>(destination: nested))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        UnkeyedEncoding(destination: destination.nested(key, isKeyed: true).opened(.unkeyed))
    }

    func superEncoder() -> any Encoder {
        destination.nestedEncoder(PositionKey.super, isKeyed: true)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        destination.nestedEncoder(key, isKeyed: true)
    }
}

extension KeyedEncoding {
    @inline(__always)
    func write<Scalar: FleeceScalar>(_ value: Scalar, _ key: Key) throws {
        guard destination.isOpen else { return try destination.open().write(value, property: key) }
        try destination.stream.write(value, property: key)
    }

    @inline(__always)
    func writeIfPresent<Scalar: FleeceScalar>(_ value: Scalar?, _ key: Key) throws {
        if let value { try write(value, key) } else { try encodeAbsence(key) }
    }

    private func encodeAbsence(_ key: Key) throws {
        if destination.stream.form.nils == .null { try destination.open().writeNull(property: key) }
    }
}

// The protocol requires an overload for each of these types.

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
