internal import SQLCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension SQLColumn {
    /// The integer of this column; nil for null and for other types. A whole real number counts.
    public func longValue(in row: SQLRow) -> Int64? { value(in: row).flatMap(long) }

    /// The number of this column; nil for null and for other types. An integer counts.
    public func realValue(in row: SQLRow) -> Double? { value(in: row).flatMap(real) }

    /// The text of this column; nil for null and for other types.
    public func textValue(in row: SQLRow) -> String? { value(in: row)?.textValue }

    /// The bytes of this column; nil for null and for other types.
    public func blobValue(in row: SQLRow) -> Data? { value(in: row)?.blobValue }

    /// Whether the integer of this column is not 0; nil for null and for other types.
    public func boolValue(in row: SQLRow) -> Bool? { longValue(in: row).map { $0 != 0 } }

    /// The point in time of this column; nil for null and for what is none.
    ///
    /// A number is seconds since 1970, text is ISO 8601 with its fractions of a second.
    public func dateValue(in row: SQLRow) -> Date? { value(in: row).flatMap(date) }

    /// The identifier of this column, from its text or its 16 bytes; nil for null and others.
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

    /// The point in time. Throws `.nullColumn`, `.unknownColumn` or `.typeMismatch`.
    public func dateValueRequired(in row: SQLRow) throws -> Date {
        try required(in: row, date)
    }

    /// The identifier. Throws `.nullColumn`, `.unknownColumn` or `.typeMismatch`.
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
