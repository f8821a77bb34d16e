#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension OtherScalars: OtherScalarTypes {
    static var types: [any FleeceScalar.Type] {
        [Data.self, Date.self, Decimal.self, URL.self, UUID.self]
    }
}
