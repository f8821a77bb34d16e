/// A container whose values become an array.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
    let destination: EncodingDestination

    var codingPath: [any CodingKey] { destination.codingPath }

    var count: Int { destination.count }

    func encodeNil() throws {
        let stream = try destination.open()
        stream.countElement()
        stream.output.pointee.writeNull()
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        guard destination.isOpen else { return try destination.open().encodeElement(value) }
        try destination.stream.encodeElement(value)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        let nested = destination.nested(PositionKey(count), isKeyed: false).opened(.keyed)
        return KeyedEncodingContainer(KeyedEncoding<NestedKey>(destination: nested))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedEncoding(
            destination: destination.nested(PositionKey(count), isKeyed: false).opened(.unkeyed))
    }

    func superEncoder() -> any Encoder {
        destination.nestedEncoder(PositionKey(count), isKeyed: false)
    }

    @inline(__always)
    private func write<Scalar: FleeceScalar>(_ value: Scalar) throws {
        guard destination.isOpen else { return try destination.open().writeElement(value) }
        try destination.stream.writeElement(value)
    }
}

// The protocol requires an overload for each of these types.
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
