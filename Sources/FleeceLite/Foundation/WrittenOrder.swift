#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// How the order of a type's values compares with the order of what
/// `FleeceRowEncoder` writes for them.
package enum WrittenOrder: Sendable {
    /// The same order.
    case same
    /// Dates as strings: within a second, `…51Z` sorts after `…51.589Z`, but is earlier.
    case timestamps
    /// Numbers as strings of their digits.
    case digits

    /// The order of a type, or of the type that an optional wraps.
    package init(of type: Any.Type, dates: FleeceRowEncoder.DateForm) {
        switch ObjectIdentifier(type) {
        case ObjectIdentifier(Date.self), ObjectIdentifier(Date?.self):
            self = dates == .text ? .timestamps : .same
        case ObjectIdentifier(Decimal.self), ObjectIdentifier(Decimal?.self),
            ObjectIdentifier(Int128.self), ObjectIdentifier(Int128?.self),
            ObjectIdentifier(UInt128.self), ObjectIdentifier(UInt128?.self):
            self = .digits
        default: self = .same
        }
    }
}
