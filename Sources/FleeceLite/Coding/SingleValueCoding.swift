/// The container of a type that encodes itself as a single value.
struct SingleValueEncoding: SingleValueEncodingContainer {
    let destination: EncodingDestination

    var codingPath: [any CodingKey] { destination.codingPath }

    func encodeNil() throws {
        try destination.openSingle().output.pointee.writeNull()
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        let stream = try destination.openSingle()
        guard let scalar = stream.scalars.scalar(Value.self) else {
            return try stream.encode(value, key: nil)
        }
        let dates = stream.form.dates
        if let refusal = scalar.refusal(of: value, dates) {
            throw stream.fail(stream.error(refusal, value, nil))
        }
        try scalar.write(value, into: &stream.output.pointee, dates)
    }

    @inline(__always)
    private func write<Scalar: FleeceScalar>(_ value: Scalar) throws {
        let stream = try destination.openSingle()
        let dates = stream.form.dates
        if let refusal = value.refusal(dates) {
            throw stream.fail(stream.error(refusal, value, nil))
        }
        try value.write(into: &stream.output.pointee, dates)
    }
}

// The protocol requires an overload for each of these types.
extension SingleValueEncoding {
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

/// The container of a type that decodes itself from a single value.
struct SingleValueDecoding: SingleValueDecodingContainer {
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.value.isNil }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}

// The protocol requires an overload for each of these types.
extension SingleValueDecoding {
    func decode(_ type: Bool.Type) throws -> Bool { try decoder.read(type) }
    func decode(_ type: String.Type) throws -> String { try decoder.read(type) }
    func decode(_ type: Double.Type) throws -> Double { try decoder.read(type) }
    func decode(_ type: Float.Type) throws -> Float { try decoder.read(type) }
    func decode(_ type: Int.Type) throws -> Int { try decoder.read(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try decoder.read(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try decoder.read(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try decoder.read(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try decoder.read(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try decoder.read(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try decoder.read(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.read(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.read(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.read(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.read(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decoder.read(type) }
}
