extension FleeceScalar where Self: FixedWidthInteger & SignedInteger {
    @inline(__always)
    func write(into encoder: inout FleeceEncoder, _ dates: FleeceRowEncoder.DateForm) throws {
        encoder.writeInt(Int64(truncatingIfNeeded: self))
    }
}

extension FleeceScalar where Self: FixedWidthInteger & UnsignedInteger {
    @inline(__always)
    func write(into encoder: inout FleeceEncoder, _ dates: FleeceRowEncoder.DateForm) throws {
        encoder.writeUInt(UInt64(truncatingIfNeeded: self))
    }
}

extension FleeceScalar where Self: FixedWidthInteger {
    @inline(__always)
    static func read(
        _ value: RawValue, _ source: DecodingSource
    ) throws(ReadFailure) -> Self {
        if let short = value.shortInteger, let number = Self(exactly: short) { return number }
        return try readLong(value)
    }

    /// Accepts integers, and floating-point numbers that are whole.
    fileprivate static func readLong(_ value: RawValue) throws(ReadFailure) -> Self {
        let number: Self?
        if let integer = value.integer {
            number =
                integer.isUnsigned
                ? Self(exactly: UInt64(bitPattern: integer.bits)) : Self(exactly: integer.bits)
        } else if let double = value.floatingPoint?.value {
            number = Self(exactly: double)
        } else {
            throw .mismatch(value)
        }
        guard let number else { throw .invalid("the number does not fit in \(Self.self)", value) }
        return number
    }
}

extension FleeceScalar where Self: FixedWidthInteger {
    /// Reads an integer, or a string of decimal digits.
    fileprivate static func readDigits(_ value: RawValue) throws(ReadFailure) -> Self {
        guard let digits = value.string else { return try readLong(value) }
        guard let number = Self(String(decoding: digits, as: UTF8.self)) else {
            throw .invalid("the string is not an integer that fits in \(Self.self)", value)
        }
        return number
    }
}

extension Int: FleeceScalar {}
extension Int8: FleeceScalar {}
extension Int16: FleeceScalar {}
extension Int32: FleeceScalar {}
extension Int64: FleeceScalar {}
extension UInt: FleeceScalar {}
extension UInt8: FleeceScalar {}
extension UInt16: FleeceScalar {}
extension UInt32: FleeceScalar {}
extension UInt64: FleeceScalar {}

/// Integers beyond 64 bits are stored as strings of decimal digits: Fleece has no such integers.
extension Int128: FleeceScalar {
    func write(into encoder: inout FleeceEncoder, _ dates: FleeceRowEncoder.DateForm) throws {
        if let small = Int64(exactly: self) {
            encoder.writeInt(small)
        } else if let natural = UInt64(exactly: self) {
            encoder.writeUInt(natural)
        } else {
            encoder.writeString(String(self))
        }
    }

    static func read(
        _ value: RawValue, _ source: DecodingSource
    ) throws(ReadFailure) -> Int128 {
        try readDigits(value)
    }
}

extension UInt128: FleeceScalar {
    func write(into encoder: inout FleeceEncoder, _ dates: FleeceRowEncoder.DateForm) throws {
        if let natural = UInt64(exactly: self) {
            encoder.writeUInt(natural)
        } else {
            encoder.writeString(String(self))
        }
    }

    static func read(
        _ value: RawValue, _ source: DecodingSource
    ) throws(ReadFailure) -> UInt128 {
        try readDigits(value)
    }
}

extension Double: FleeceScalar {
    @inline(__always)
    func refusal(_ dates: FleeceRowEncoder.DateForm) -> WriteRefusal? {
        isNaN ? WriteRefusal(message: "NaN cannot be written") : nil
    }

    @inline(__always)
    func write(into encoder: inout FleeceEncoder, _ dates: FleeceRowEncoder.DateForm) throws {
        try encoder.writeDouble(self)
    }

    @inline(__always)
    static func read(
        _ value: RawValue, _ source: DecodingSource
    ) throws(ReadFailure) -> Double {
        if let number = value.floatingPoint { return number.value }
        return try readInteger(value)
    }
}

extension Float: FleeceScalar {
    @inline(__always)
    func refusal(_ dates: FleeceRowEncoder.DateForm) -> WriteRefusal? {
        isNaN ? WriteRefusal(message: "NaN cannot be written") : nil
    }

    @inline(__always)
    func write(into encoder: inout FleeceEncoder, _ dates: FleeceRowEncoder.DateForm) throws {
        try encoder.writeFloat(self)
    }

    /// The nearest number: 0.1, which JSON yields as a double, must be readable.
    static func read(
        _ value: RawValue, _ source: DecodingSource
    ) throws(ReadFailure) -> Float {
        guard let number = value.floatingPoint else { return try readInteger(value) }
        let single = Float(number.value)
        guard single.isFinite || !number.value.isFinite else {
            throw .invalid("the number does not fit in Float", value)
        }
        return single
    }
}

extension BinaryFloatingPoint {
    fileprivate static func readInteger(_ value: RawValue) throws(ReadFailure) -> Self {
        guard let integer = value.integer else { throw .mismatch(value) }
        let number =
            integer.isUnsigned
            ? Self(exactly: UInt64(bitPattern: integer.bits)) : Self(exactly: integer.bits)
        guard let number else { throw .invalid("the integer does not fit in \(Self.self)", value) }
        return number
    }
}
