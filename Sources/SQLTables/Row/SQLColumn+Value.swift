internal import SQLCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension SQLColumn {
    /// The integer in this column; nil for null and other types. A whole real number counts as one.
    ///
    /// ```swift
    /// let row: SQLRow = [Player.score: .long(12)]
    /// let score = Player.score.longValue(in: row) ?? 0
    /// ```
    /// - Parameter row: A row; nil also if it does not have the column.
    public func longValue(in row: SQLRow) -> Int64? { value(in: row).flatMap(long) }

    /// The number in this column; nil for null and other types. An integer counts as one.
    ///
    /// - Parameter row: A row; nil also if it does not have the column.
    public func realValue(in row: SQLRow) -> Double? { value(in: row).flatMap(real) }

    /// The text in this column; nil for null and other types. A number is not converted.
    ///
    /// - Parameter row: A row; nil also if it does not have the column.
    public func textValue(in row: SQLRow) -> String? { value(in: row)?.textValue }

    /// The bytes in this column; nil for null and other types. The text in a column is not bytes.
    ///
    /// - Parameter row: A row; nil also if it does not have the column.
    public func blobValue(in row: SQLRow) -> Data? { value(in: row)?.blobValue }

    /// Whether the integer in this column is not 0; nil for null and other types.
    ///
    /// SQLite has no Boolean type: `TRUE` and `FALSE` are the integers 1 and 0.
    public func boolValue(in row: SQLRow) -> Bool? { longValue(in: row).map { $0 != 0 } }

    /// The date in this column; nil for null and values that are not a date.
    ///
    /// A number is seconds since 1970, text is ISO 8601 with its fractions of a second. Without a
    /// time zone, text is in UTC. It reads all forms that `SQLValue.init(_:as:)` writes, whatever
    /// the declared type of the column.
    ///
    /// ```swift
    /// let row: SQLRow = [Player.joined: .text("2024-02-29T12:00:00Z")]
    /// let joined = Player.joined.dateValue(in: row)
    /// ```
    public func dateValue(in row: SQLRow) -> Date? { value(in: row).flatMap(date) }

    /// The UUID in this column, from its text in either letter case or its 16 bytes; nil for null
    /// and other values.
    public func uuidValue(in row: SQLRow) -> UUID? { value(in: row).flatMap(uuid) }
}

extension SQLColumn {
    /// The integer; it is an error if there is none.
    ///
    /// ```swift
    /// let row: SQLRow = [Player.id: .long(7)]
    /// let id = try Player.id.longValueRequired(in: row)
    /// ```
    /// - Parameter row: A row that should have the column.
    /// - Throws: ``SQLBindingError``: `.nullColumn` for null, `.typeMismatch` for another type,
    ///   `.unknownColumn` if the row does not have the column.
    public func longValueRequired(in row: SQLRow) throws -> Int64 {
        try required(in: row, long)
    }

    /// The number; it is an error if there is none.
    ///
    /// - Throws: ``SQLBindingError``: `.nullColumn` for null, `.typeMismatch` for text or a blob,
    ///   `.unknownColumn` if the row does not have the column.
    public func realValueRequired(in row: SQLRow) throws -> Double {
        try required(in: row, real)
    }

    /// The text; it is an error if there is none.
    ///
    /// - Throws: ``SQLBindingError``: `.nullColumn` for null, `.typeMismatch` for a number or a
    ///   blob, `.unknownColumn` if the row does not have the column.
    public func textValueRequired(in row: SQLRow) throws -> String {
        try required(in: row) { $0.textValue }
    }

    /// The bytes; it is an error if there are none.
    ///
    /// - Throws: ``SQLBindingError``: `.nullColumn` for null, `.typeMismatch` for a number or text,
    ///   `.unknownColumn` if the row does not have the column.
    public func blobValueRequired(in row: SQLRow) throws -> Data {
        try required(in: row) { $0.blobValue }
    }

    /// Whether the integer is not 0; it is an error if there is none.
    ///
    /// - Throws: ``SQLBindingError``: `.nullColumn` for null, `.typeMismatch` for another type,
    ///   `.unknownColumn` if the row does not have the column.
    public func boolValueRequired(in row: SQLRow) throws -> Bool {
        try longValueRequired(in: row) != 0
    }

    /// The date; it is an error if there is none. It reads the same forms as ``dateValue(in:)``.
    ///
    /// - Throws: ``SQLBindingError``: `.nullColumn` for null, `.typeMismatch` for a value that is
    ///   not a date, `.unknownColumn` if the row does not have the column.
    public func dateValueRequired(in row: SQLRow) throws -> Date {
        try required(in: row, date)
    }

    /// The UUID; it is an error if there is none.
    ///
    /// - Throws: ``SQLBindingError``: `.nullColumn` for null, `.typeMismatch` for a value that is
    ///   not a UUID, `.unknownColumn` if the row does not have the column.
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
