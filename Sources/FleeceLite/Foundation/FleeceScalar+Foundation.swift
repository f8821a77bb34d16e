#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Written as Fleece data; Base64, which it becomes in JSON, is read as well.
extension Data: FleeceScalar {
    func write(into encoder: inout FleeceEncoder, _ dates: FleeceRowEncoder.DateForm) throws {
        encoder.writeData([UInt8](self))
    }

    static func read(
        _ value: RawValue, _ source: DecodingSource
    ) throws(ReadFailure) -> Data {
        if let bytes = value.bytes(tag: FleeceTag.data) {
            try source.spend(bytes.count, on: value)
            return Data(bytes)
        }
        guard let text = value.string else { throw .mismatch(value) }
        try source.spend(text.count, on: value)
        guard let data = Data(base64Encoded: Data(text)) else {
            throw .invalid("the string is not base64", value)
        }
        return data
    }
}

extension Date: FleeceScalar {
    func refusal(_ dates: FleeceRowEncoder.DateForm) -> WriteRefusal? {
        let range: Range<Double>
        switch dates {
        case .milliseconds: range = -0x1p63..<0x1p63
        // 0000-01-01 up to 10000-01-01.
        case .text: range = -62_167_219_200_000..<253_402_300_800_000
        }
        if range.contains((timeIntervalSince1970 * 1000).rounded()) { return nil }
        return WriteRefusal(message: "the date is out of range")
    }

    func write(into encoder: inout FleeceEncoder, _ dates: FleeceRowEncoder.DateForm) throws {
        let milliseconds = Int64((timeIntervalSince1970 * 1000).rounded())
        switch dates {
        case .milliseconds: encoder.writeInt(milliseconds)
        case .text:
            FleeceTimestamp(milliseconds: milliseconds).withText { encoder.writeString($0) }
        }
    }

    static func read(
        _ value: RawValue, _ source: DecodingSource
    ) throws(ReadFailure) -> Date {
        guard let bytes = value.string else {
            return Date(timeIntervalSince1970: try Double.read(value, source) / 1000)
        }
        guard bytes.count <= 64, let timestamp = FleeceTimestamp(parsing: bytes) else {
            throw .invalid("the string is not a date of ISO 8601", value)
        }
        return Date(timeIntervalSince1970: Double(timestamp.milliseconds) / 1000)
    }
}

extension UUID: FleeceScalar {
    func write(into encoder: inout FleeceEncoder, _ dates: FleeceRowEncoder.DateForm) throws {
        encoder.writeString(uuidString)
    }

    static func read(
        _ value: RawValue, _ source: DecodingSource
    ) throws(ReadFailure) -> UUID {
        guard let uuid = UUID(uuidString: try String.read(value, source)) else {
            throw .invalid("the string is not a UUID", value)
        }
        return uuid
    }
}

extension URL: FleeceScalar {
    func write(into encoder: inout FleeceEncoder, _ dates: FleeceRowEncoder.DateForm) throws {
        encoder.writeString(absoluteString)
    }

    static func read(
        _ value: RawValue, _ source: DecodingSource
    ) throws(ReadFailure) -> URL {
        guard let url = URL(string: try String.read(value, source)) else {
            throw .invalid("the string is not a URL", value)
        }
        return url
    }
}

/// All its digits, as a string.
extension Decimal: FleeceScalar {
    func refusal(_ dates: FleeceRowEncoder.DateForm) -> WriteRefusal? {
        isNaN ? WriteRefusal(message: "NaN cannot be written") : nil
    }

    func write(into encoder: inout FleeceEncoder, _ dates: FleeceRowEncoder.DateForm) throws {
        encoder.writeString(description)
    }

    static func read(
        _ value: RawValue, _ source: DecodingSource
    ) throws(ReadFailure) -> Decimal {
        if let integer = value.integer {
            return integer.isUnsigned
                ? Decimal(UInt64(bitPattern: integer.bits)) : Decimal(integer.bits)
        }
        // The shortest digits that represent a double are its decimal value.
        let digits: String
        if let number = value.floatingPoint {
            digits = number.isSingle ? "\(Float(number.value))" : "\(number.value)"
        } else {
            digits = try String.read(value, source)
        }
        guard isNumber(digits.utf8), let decimal = Decimal(string: digits) else {
            throw .invalid("the value is not a decimal number", value)
        }
        return decimal
    }

    /// `Decimal(string:)` accepts a number that is only a prefix of the string.
    private static func isNumber(_ text: String.UTF8View) -> Bool {
        var hasDigits = false
        var afterExponent = false
        var hasPoint = false
        var previous = UInt8(ascii: "e")
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigits = true
            case UInt8(ascii: "+"), UInt8(ascii: "-"):
                guard previous == UInt8(ascii: "e") else { return false }
            case UInt8(ascii: "."):
                guard !hasPoint, !afterExponent else { return false }
                hasPoint = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                guard hasDigits, !afterExponent else { return false }
                (afterExponent, hasDigits) = (true, false)
            default: return false
            }
            previous = byte | 0x20
        }
        return hasDigits
    }
}
