/// A container whose values become an array.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
    let place: EncodingDestination

    var codingPath: [any CodingKey] { place.codingPath }

    var count: Int { place.count }

    func encodeNil() throws {
        let stream = try place.open()
        stream.countElement()
        stream.output.pointee.writeNull()
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        guard place.isOpen else { return try place.open().encodeElement(value) }
        try place.stream.encodeElement(value)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        let nested = place.nested(PositionKey(count), isKeyed: false).opened(.keyed)
        return KeyedEncodingContainer(KeyedEncoding<NestedKey>(place: nested))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedEncoding(place: place.nested(PositionKey(count), isKeyed: false).opened(.unkeyed))
    }

    func superEncoder() -> any Encoder {
        place.nestedEncoder(PositionKey(count), isKeyed: false)
    }

    @inline(__always)
    private func write<Scalar: FleeceScalar>(_ value: Scalar) throws {
        guard place.isOpen else { return try place.open().writeElement(value) }
        try place.stream.writeElement(value)
    }
}

// The protocol names each of these types.
extension UnkeyedEncoding {
    func encode(_ value: Bool) throws { try write(value) }
    func encode(_ value: String) throws { try write(value) }
    func encode(_ value: Double) throws { try write(value) }
    func encode(_ value: Float) throws { try write(value) }
    func encode(_ value: Int) throws { try write(value) }
    func encode(_ value: Int8) throws { try write(value) }
    func encode(_ value: Int16) throws { try write(value) }
    func encode(_ value: Int32) throws { try write(value) }
    func encode(_ value: Int64) throws { try write(value) }
    func encode(_ value: Int128) throws { try write(value) }
    func encode(_ value: UInt) throws { try write(value) }
    func encode(_ value: UInt8) throws { try write(value) }
    func encode(_ value: UInt16) throws { try write(value) }
    func encode(_ value: UInt32) throws { try write(value) }
    func encode(_ value: UInt64) throws { try write(value) }
    func encode(_ value: UInt128) throws { try write(value) }
}
