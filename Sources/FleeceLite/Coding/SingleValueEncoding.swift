/// A container for the one value that stands for the type which encodes itself.
struct SingleValueEncoding: SingleValueEncodingContainer {
    let place: EncodingPlace

    var codingPath: [any CodingKey] { place.codingPath }

    func encodeNil() throws {
        try place.openSingle().output.pointee.writeNull()
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        let stream = try place.openSingle()
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
        let stream = try place.openSingle()
        let dates = stream.form.dates
        if let refusal = value.refusal(dates) {
            throw stream.fail(stream.error(refusal, value, nil))
        }
        try value.write(into: &stream.output.pointee, dates)
    }
}

// The protocol names each of these types.
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
