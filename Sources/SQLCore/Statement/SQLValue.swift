#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An SQLite value, in one of the five storage classes.
///
/// It is used for parameters and results. The properties such as ``longValue`` do not convert
/// between storage classes: the ``realValue`` of an integer is nil. `SQLStatement`'s getters, such
/// as ``SQLStatement/long(at:)``, convert by SQLite's rules.
///
/// ```swift
/// let parameters: [SQLValue] = [.long(1), .real(2.5), .text("three"), .blob([4]), .null]
/// try database.exec(sql: "INSERT INTO t VALUES (?, ?, ?, ?, ?)", parameters: parameters)
/// let sum = try database.selectValue(sql: "SELECT a + b FROM t")
/// if case .real(let number) = sum { use(number) }
/// ```
/// Two values are equal if they have the same storage class and content: `.long(1)` and `.real(1)`
/// differ, although SQLite's `=` finds them equal. A Boolean is stored as 1 or 0; dates have no
/// storage class and are stored as a number or a string.
///
/// Types that can be stored as a value conform to ``SQLValueConvertible``.
public enum SQLValue: Hashable, Sendable {
    /// A signed 64-bit integer.
    case long(Int64)
    /// A double.
    case real(Double)
    /// A UTF-8 string, which can contain NUL.
    case text(String)
    /// Bytes; an empty blob is not `NULL`.
    case blob(Data)
    /// `NULL`
    case null
}

extension SQLValue {
    /// A blob of these bytes. It copies them to a `Data`.
    public static func blob(_ bytes: [UInt8]) -> SQLValue { .blob(Data(bytes)) }
    /// SkipSQL's older name for `long`: the same value as `.long(value)`.
    public static func integer(_ value: Int64) -> SQLValue { .long(value) }
    /// SkipSQL's older name for `real`: the same value as `.real(value)`.
    public static func float(_ value: Double) -> SQLValue { .real(value) }

    /// An integer, or `.null` for nil.
    ///
    /// ```swift
    /// let parent: Int64? = nil
    /// try database.exec(sql: "UPDATE page SET parent = ?", parameters: [SQLValue(parent)])
    /// ```
    public init(_ value: Int64?) { self = value.map { .long($0) } ?? .null }
    /// An integer, or `.null` for nil. SQLite stores it in 1 to 8 bytes, by its magnitude.
    public init(_ value: Int?) { self = value.map { .long(Int64($0)) } ?? .null }
    /// A double, or `.null` for nil. SQLite stores NaN as `NULL`; infinity is preserved.
    public init(_ value: Double?) { self = value.map { .real($0) } ?? .null }
    /// A string, or `.null` for nil. An empty string is not `NULL`.
    public init(_ value: String?) { self = value.map { .text($0) } ?? .null }
    /// Bytes, or `.null` for nil. An empty blob is not `NULL`.
    public init(_ value: Data?) { self = value.map { .blob($0) } ?? .null }

    /// The integer, if it is one; nil for every other storage class, including a double and a
    /// string of digits.
    ///
    /// ```swift
    /// let count = try database.selectValue(sql: "SELECT count(*) FROM city")?.longValue ?? 0
    /// ```
    public var longValue: Int64? { if case .long(let value) = self { value } else { nil } }
    /// The double, if it is one; nil for an integer.
    ///
    /// A column that is declared `REAL` stores an integer as a double, so its values are doubles;
    /// those of other columns need not be.
    public var realValue: Double? { if case .real(let value) = self { value } else { nil } }
    /// The string, if it is one; nil for a number, which is not converted.
    public var textValue: String? { if case .text(let value) = self { value } else { nil } }
    /// The bytes, if it is a blob; nil for a string, whose UTF-8 is not a blob.
    public var blobValue: Data? { if case .blob(let value) = self { value } else { nil } }
    /// The bytes as an array, if it is a blob. It copies them; ``blobValue`` does not.
    public var bytesValue: [UInt8]? { blobValue.map { [UInt8]($0) } }
    /// Whether it is `NULL`.
    public var isNull: Bool { self == .null }
}
