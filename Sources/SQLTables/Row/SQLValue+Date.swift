public import SQLCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension SQLValue {
    /// A Boolean value as 1 or 0, or null.
    public init(_ value: Bool?) { self = value.map { .long($0 ? 1 : 0) } ?? .null }

    /// A UUID as upper-case text, or null.
    public init(_ value: UUID?) { self = value.map { .text($0.uuidString) } ?? .null }

    /// A date for a column of `type`, or null.
    ///
    /// As text, a year outside 0 to 9999 is written with a sign, such as `+12345-01-01` or
    /// `-0044-03-15`, which `dateValue(in:)` reads, but SQLite's own date functions do not. NaN is
    /// null in every form. An infinite date, and one whose seconds exceed `Int64` (as text: more
    /// than 10¹⁴ days away), is null as `text` and as `long`, which cannot represent it, but is
    /// stored as `real`.
    ///
    /// - Parameters:
    /// - date: the date; nil is null.
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
