internal import SQLCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension SQLColumn {
    /// The integer in this column; nil for null and other types. A whole real number counts as one.
    public func longValue(in row: SQLRow) -> Int64? { value(in: row).flatMap(long) }

    /// The number in this column; nil for null and other types. An integer counts as one.
    public func realValue(in row: SQLRow) -> Double? { value(in: row).flatMap(real) }

    /// The text in this column; nil for null and other types.
    public func textValue(in row: SQLRow) -> String? { value(in: row)?.textValue }

    /// The bytes in this column; nil for null and other types.
    public func blobValue(in row: SQLRow) -> Data? { value(in: row)?.blobValue }

    /// Whether the integer in this column is not 0; nil for null and other types.
    public func boolValue(in row: SQLRow) -> Bool? { longValue(in: row).map { $0 != 0 } }

    /// The date in this column; nil for null and values that are not a date.
    ///
    /// A number is seconds since 1970, text is ISO 8601 with its fractions of a second.
    public func dateValue(in row: SQLRow) -> Date? { value(in: row).flatMap(date) }

    /// The UUID in this column, from its text or its 16 bytes; nil for null and other values.
    public func uuidValue(in row: SQLRow) -> UUID? { value(in: row).flatMap(uuid) }
}

extension SQLColumn {
    /// The integer. Throws `.nullColumn`, `.unknownColumn` or `.typeMismatch`.
    public func longValueRequired(in row: SQLRow) throws -> Int64 {
        try required(in: row, long)
    }

    /// The number. Throws `.nullColumn`, `.unknownColumn` or `.typeMismatch`.
    public func realValueRequired(in row: SQLRow) throws -> Double {
        try required(in: row, real)
    }

    /// The text. Throws `.nullColumn`, `.unknownColumn` or `.typeMismatch`.
    public func textValueRequired(in row: SQLRow) throws -> String {
        try required(in: row) { $0.textValue }
    }

    /// The bytes. Throws `.nullColumn`, `.unknownColumn` or `.typeMismatch`.
    public func blobValueRequired(in row: SQLRow) throws -> Data {
        try required(in: row) { $0.blobValue }
    }

    /// Whether the integer is not 0. Throws `.nullColumn`, `.unknownColumn` or `.typeMismatch`.
    public func boolValueRequired(in row: SQLRow) throws -> Bool {
        try longValueRequired(in: row) != 0
    }

    /// The date. Throws `.nullColumn`, `.unknownColumn` or `.typeMismatch`.
    public func dateValueRequired(in row: SQLRow) throws -> Date {
        try required(in: row, date)
    }

    /// The UUID. Throws `.nullColumn`, `.unknownColumn` or `.typeMismatch`.
    public func uuidValueRequired(in row: SQLRow) throws -> UUID {
        try required(in: row, uuid)
    }
}

extension SQLColumn {
    @inline(__always)
    private func value(in row: SQLRow) -> SQLValue? {
        row.index.position(of: self).map { row.values[$0] }
    }

    @inline(__always)
    private func required<T>(in row: SQLRow, _ convert: (SQLValue) -> T?) throws -> T {
        guard let value = value(in: row) else { throw SQLBindingError.unknownColumn(self) }
        if let converted = convert(value) { return converted }
        throw value.isNull
            ? SQLBindingError.nullColumn(self) : SQLBindingError.typeMismatch(self)
    }

    @inline(__always)
    private func long(_ value: SQLValue) -> Int64? {
        switch value {
        case .long(let number): number
        case .real(let number): Int64(exactly: number)
        default: nil
        }
    }

    @inline(__always)
    private func real(_ value: SQLValue) -> Double? {
        switch value {
        case .long(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    @inline(__always)
    private func date(_ value: SQLValue) -> Date? {
        switch value {
        case .long(let seconds): Date(timeIntervalSince1970: Double(seconds))
        case .real(let seconds): Date(timeIntervalSince1970: seconds)
        case .text(let text): secondsSince1970(iso8601: text).map(Date.init(timeIntervalSince1970:))
        default: nil
        }
    }

    @inline(__always)
    private func uuid(_ value: SQLValue) -> UUID? {
        switch value {
        case .text(let text): return UUID(uuidString: text)
        case .blob(let bytes) where bytes.count == 16:
            var result = UUID().uuid
            withUnsafeMutableBytes(of: &result) { $0.copyBytes(from: bytes) }
            return UUID(uuid: result)
        default: return nil
        }
    }
}
