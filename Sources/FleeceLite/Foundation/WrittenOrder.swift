#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// How the values of a type are ordered, compared with what `FleeceRowEncoder` writes of them.
package enum WrittenOrder: Sendable {
    /// As what is written.
    case same
    /// Dates as text: within a second, `…51Z` comes after `…51.589Z`, but is before it.
    case timestamps
    /// Numbers as the texts of their digits.
    case digits

    /// The order of a type, or of what is optional in it.
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
