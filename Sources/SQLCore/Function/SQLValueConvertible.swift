#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A type whose values SQLite can store: the argument and result types of typed functions.
///
/// `Int64`, `Int`, `Bool`, `Double`, `String`, `Data`, ``SQLValue`` and their optionals conform to
/// it. A type of your own conforms by one of the five storage classes:
///
/// ```swift
/// struct Celsius: SQLValueConvertible {
///     var degrees: Double
///     init(degrees: Double) { self.degrees = degrees }
///     var sqlValue: SQLValue { .real(degrees) }
///     init?(sqlValue: SQLValue) {
///         guard let degrees = Double(sqlValue: sqlValue) else { return nil }
///         self.init(degrees: degrees)
///     }
/// }
/// try database.registerFunction("warmer") { (a: Celsius, b: Celsius) in
///     a.degrees > b.degrees
/// }
/// ```
/// The conversions are strict: a string of digits is not an integer.
public protocol SQLValueConvertible {
    /// The value as SQLite stores it.
    var sqlValue: SQLValue { get }
    /// Converts a value from SQLite; nil if it has another type.
    init?(sqlValue: SQLValue)
}

extension SQLValue: SQLValueConvertible {
    /// The value itself.
    public var sqlValue: SQLValue { self }
    /// Any value.
    public init?(sqlValue: SQLValue) { self = sqlValue }
}

extension Int64: SQLValueConvertible {
    /// An integer, `.long`.
    public var sqlValue: SQLValue { .long(self) }
    /// Integers only; nil for doubles, even if they are whole.
    public init?(sqlValue: SQLValue) {
        guard case .long(let value) = sqlValue else { return nil }
        self = value
    }
}

extension Int: SQLValueConvertible {
    /// An integer.
    public var sqlValue: SQLValue { .long(Int64(self)) }
    /// Integers in the range of `Int`.
    public init?(sqlValue: SQLValue) {
        guard case .long(let value) = sqlValue else { return nil }
        self.init(exactly: value)
    }
}

extension Bool: SQLValueConvertible {
    /// 1 or 0.
    public var sqlValue: SQLValue { .long(self ? 1 : 0) }
    /// Integers: every value other than 0 is true.
    public init?(sqlValue: SQLValue) {
        guard case .long(let value) = sqlValue else { return nil }
        self = value != 0
    }
}

extension Double: SQLValueConvertible {
    /// A double.
    public var sqlValue: SQLValue { .real(self) }
    /// Doubles and integers.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .real(let value): self = value
        case .long(let value): self = Double(value)
        default: return nil
        }
    }
}

extension String: SQLValueConvertible {
    /// Text.
    public var sqlValue: SQLValue { .text(self) }
    /// Strings only; nil for numbers and blobs.
    public init?(sqlValue: SQLValue) {
        guard case .text(let value) = sqlValue else { return nil }
        self = value
    }
}

extension Data: SQLValueConvertible {
    /// A blob.
    public var sqlValue: SQLValue { .blob(self) }
    /// Blobs only; nil for strings.
    public init?(sqlValue: SQLValue) {
        guard case .blob(let value) = sqlValue else { return nil }
        self = value
    }
}

extension Optional: SQLValueConvertible where Wrapped: SQLValueConvertible {
    /// The value, or `NULL`.
    public var sqlValue: SQLValue { self?.sqlValue ?? .null }
    /// `NULL` is nil; other values are converted to the wrapped type.
    public init?(sqlValue: SQLValue) {
        if sqlValue.isNull {
            self = .none
        } else {
            guard let value = Wrapped(sqlValue: sqlValue) else { return nil }
            self = .some(value)
        }
    }
}
