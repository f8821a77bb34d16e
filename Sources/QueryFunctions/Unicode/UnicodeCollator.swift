internal import CICU
internal import SQLCore
internal import StorePlatform

/// The order of texts of one `LCUnicode_…` collation.
///
/// It is the order of ICU, or of CoreFoundation on Apple's systems: an index that uses it may need
/// REINDEX where it comes from another system. Texts of ASCII are compared here, in a locale where
/// that cannot make a difference: an index needs one order.
package final class UnicodeCollator: Sendable {
    let collation: UnicodeCollation
    /// What compares ASCII; nil where the collator has another order of it, or digraphs.
    package let ascii: ASCIIOrder?
    // ICU's collators may be shared once they are set up.
    nonisolated(unsafe) private let collator: OpaquePointer

    /// Nil if there is no collator, for want of memory or of ICU's data.
    init?(_ collation: UnicodeCollation) {
        let locale = collation.locale.isEmpty ? "en_US" : collation.locale
        guard
            let collator = icu_collator_open(
                locale, collation.isCaseSensitive, collation.isDiacriticSensitive)
        else { return nil }
        self.collation = collation
        self.collator = collator
        ascii = Self.ascii(collator, caseSensitive: collation.isCaseSensitive)
    }

    deinit {
        icu_collator_close(collator)
    }

    /// Negative, zero or positive, as the first text comes before the second, is equal to it, or
    /// comes after it.
    func compare(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int32 {
        if let ascii {
            let caseSensitive = collation.isCaseSensitive
            if let result = ascii.compare(first, second, caseSensitive: caseSensitive) {
                return result
            }
        }
        return compareSlowly(first, second)
    }

    /// Compares by the collator alone.
    func compareSlowly(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int32 {
        Self.compare(collator, first, second)
    }

    private static func compare(
        _ collator: OpaquePointer, _ first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer
    ) -> Int32 {
        icu_collator_compare(
            collator, first.baseAddress, Int32(clamping: first.count), second.baseAddress,
            Int32(clamping: second.count))
    }

    /// The order of ASCII that the collator has, too; nil if it has none of those here.
    private static func ascii(_ collator: OpaquePointer, caseSensitive: Bool) -> ASCIIOrder? {
        guard icu_collator_is_plain(collator) else { return nil }
        return [ASCIIOrder.all, .printable].first { order in
            let characters = order.characters
            return zip(characters, characters.dropFirst()).allSatisfy { one, other in
                let result = withUnsafeBytes(of: one) { one in
                    withUnsafeBytes(of: other) { compare(collator, one, $0) }
                }
                let isSameLetter = order.places[Int(one)] == order.places[Int(other)]
                return isSameLetter && !caseSensitive ? result == 0 : result < 0
            }
        }
    }

    /// A number that is the same for texts which compare as equal, and for almost no others.
    func key(_ text: UnsafeRawBufferPointer) -> UInt64 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { key in
            guard let start = key.baseAddress else { return 0 }
            let count = icu_collator_key(
                collator, text.baseAddress, Int32(clamping: text.count), start, 64)
            if count <= 64 {
                return hash(UnsafeBufferPointer(rebasing: key[..<Int(max(count, 0))]))
            }
            let whole = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Int(count))
            defer { whole.deallocate() }
            guard let start = whole.baseAddress else { return 0 }
            let written = icu_collator_key(
                collator, text.baseAddress, Int32(clamping: text.count), start, count)
            return hash(UnsafeBufferPointer(rebasing: whole[..<Int(min(max(written, 0), count))]))
        }
    }

    /// FNV-1a.
    private func hash(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        key.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

extension UnicodeCollator {
    private static let known = Locked<[UnicodeCollation: UnicodeCollator]>([:])

    /// So many are kept for the process; names that come from files could be any number.
    private static let knownLimit = 64

    /// The collator of a name, one for the process; nil if the name is of no such collation.
    package static func named(_ name: String) -> UnicodeCollator? {
        guard let collation = UnicodeCollation(name: name) else { return nil }
        return known.withLock { known in
            if let collator = known[collation] { return collator }
            guard let collator = UnicodeCollator(collation) else { return nil }
            if known.count >= knownLimit { known.removeAll() }
            known[collation] = collator
            return collator
        }
    }
}
