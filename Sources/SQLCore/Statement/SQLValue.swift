#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A SQLite value, in one of the five storage classes.
///
/// It is used for parameters and results. The properties such as ``longValue`` do not convert
/// between storage classes: the ``realValue`` of an integer is nil. `SQLStatement`'s getters, such
/// as ``SQLStatement/long(at:)``, convert by SQLite's rules.
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
    /// A blob of these bytes.
    public static func blob(_ bytes: [UInt8]) -> SQLValue { .blob(Data(bytes)) }
    /// SkipSQL's older name for `long`.
    public static func integer(_ value: Int64) -> SQLValue { .long(value) }
    /// SkipSQL's older name for `real`.
    public static func float(_ value: Double) -> SQLValue { .real(value) }

    /// An integer, or null.
    public init(_ value: Int64?) { self = value.map { .long($0) } ?? .null }
    /// An integer, or null.
    public init(_ value: Int?) { self = value.map { .long(Int64($0)) } ?? .null }
    /// A double, or null.
    public init(_ value: Double?) { self = value.map { .real($0) } ?? .null }
    /// A string, or null.
    public init(_ value: String?) { self = value.map { .text($0) } ?? .null }
    /// Bytes, or null.
    public init(_ value: Data?) { self = value.map { .blob($0) } ?? .null }

    /// The integer, if it is one.
    public var longValue: Int64? { if case .long(let value) = self { value } else { nil } }
    /// The double, if it is one; nil for an integer.
    public var realValue: Double? { if case .real(let value) = self { value } else { nil } }
    /// The string, if it is one.
    public var textValue: String? { if case .text(let value) = self { value } else { nil } }
    /// The bytes, if it is a blob.
    public var blobValue: Data? { if case .blob(let value) = self { value } else { nil } }
    /// The bytes as an array, if it is a blob.
    public var bytesValue: [UInt8]? { blobValue.map { [UInt8]($0) } }
    /// Whether it is `NULL`.
    public var isNull: Bool { self == .null }
}
