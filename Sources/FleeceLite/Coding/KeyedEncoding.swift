/// A container whose values become a dictionary.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: EncodingPlace

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
