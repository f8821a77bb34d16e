public import SQLCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension SQLValue {
    /// A Boolean value as 1 or 0, or null for nil.
    ///
    /// It is read again by ``SQLColumn/boolValue(in:)``.
    public init(_ value: Bool?) { self = value.map { .long($0 ? 1 : 0) } ?? .null }

    /// A UUID as upper-case text, or null for nil.
    ///
    /// For 16 bytes instead of 36 characters, store `.blob` of its bytes;
    /// ``SQLColumn/uuidValue(in:)`` reads both.
    public init(_ value: UUID?) { self = value.map { .text($0.uuidString) } ?? .null }

    /// A date for a column of `type`, or null for nil.
    ///
    /// Text is the form that SQLite's date functions and other programs read, and it sorts
    /// correctly; `real` takes 8 bytes instead of 27 and keeps the precision of `Date`.
    ///
    /// ```swift
    /// let now = Date()
    /// try database.exec(
    ///     sql: "UPDATE PLAYER SET JOINED = ? WHERE ID = 1",
    ///     parameters: [SQLValue(now, as: .text)])
    /// ```
    /// As text, a year outside 0 to 9999 is written with a sign, such as `+12345-01-01` or
    /// `-0044-03-15`, which ``SQLColumn/dateValue(in:)`` reads, but SQLite's own date functions do
    /// not. NaN is null in every form. An infinite date, and one whose seconds exceed `Int64` (as
    /// text: more than 10¹⁴ days away), is null as `text` and as `long`, which cannot represent it,
    /// but is stored as `real`.
    ///
    /// - Parameters:
    ///   - date: The date; nil is null.
    ///   - type: `real`: seconds since 1970; `text`: ISO 8601 in UTC to the microsecond, such as
    ///     `2001-02-03T04:05:06.789000Z`; `long`: whole seconds since 1970, rounded down.
    public init(_ date: Date?, as type: SQLType) {
        guard let seconds = date?.timeIntervalSince1970 else {
            self = .null
            return
        }
        switch type {
        case .real: self = seconds.isNaN ? .null : .real(seconds)
        case .text: self = iso8601(secondsSince1970: seconds).map { .text($0) } ?? .null
        case .long: self = Int64(exactly: seconds.rounded(.down)).map { .long($0) } ?? .null
        case .blob, .null: self = .null
        }
    }
}
