internal import CICU
internal import SQLCore
internal import StorePlatform

/// A `LCUnicode_…` collation.
///
/// Its order is that of ICU, or of CoreFoundation on Apple's systems: an index that uses it may
/// need REINDEX when the file moves between systems. ASCII strings are compared here, in locales
/// where the result is the same: an index needs a single order.
package final class UnicodeCollator: Sendable {
    let collation: UnicodeCollation
    /// The ASCII order; nil if the collator orders ASCII differently, or has digraphs.
    package let ascii: ASCIICollation?
    // ICU's collators are thread-safe once they are set up.
    nonisolated(unsafe) private let collator: OpaquePointer

    /// Nil if there is no collator, for lack of memory or of ICU's data.
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

    /// Negative, zero or positive as the first string is before, equal to or after the second.
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

    /// The ASCII order that equals the collator's; nil if neither order does.
    private static func ascii(_ collator: OpaquePointer, caseSensitive: Bool) -> ASCIICollation? {
        guard icu_collator_is_plain(collator) else { return nil }
        return [ASCIICollation.all, .printable].first { order in
            let characters = order.characters
            return zip(characters, characters.dropFirst()).allSatisfy { one, other in
                let result = withUnsafeBytes(of: one) { one in
                    withUnsafeBytes(of: other) { compare(collator, one, $0) }
                }
                let isSameLetter = order.ranks[Int(one)] == order.ranks[Int(other)]
                return isSameLetter && !caseSensitive ? result == 0 : result < 0
            }
        }
    }

    /// A hash that is equal for strings that compare as equal, and for almost no others.
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

    /// The maximum size of the process-wide cache, since files can contain any number of names.
    private static let knownLimit = 64

    /// The collator with a name, shared by the process; nil if the name is not a collation of this
    /// kind.
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

/// The collations of LiteCore's databases: a `LCUnicode_…` collation is created when SQL names it.
package enum Collations {
    /// Incremented with each change of this project's ordering rules.
    private static let rules = 2

    /// Identifies the collation order among platforms and versions of ICU.
    package static let currentVersion: String = {
        var text = [CChar](repeating: 0, count: 64)
        icu_collator_version(&text, Int32(text.count))
        let end = text.firstIndex(of: 0) ?? text.endIndex
        let version = String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "\(version)/\(rules)"
    }()

    /// Lets a connection find them; other unknown names remain unknown.
    static func register(in context: SQLContext) throws {
        try context.setRawCollationNeeded(supply)
    }

    private static func supply(_ name: String) -> SQLRawCollation? {
        guard let collator = UnicodeCollator.named(name) else { return nil }
        return SQLRawCollation(state: collator) { state, firstCount, first, secondCount, second in
            guard let state else { return 0 }
            return Unmanaged<UnicodeCollator>.fromOpaque(state)._withUnsafeGuaranteedRef {
                $0.compare(
                    UnsafeRawBufferPointer(start: first, count: first == nil ? 0 : Int(firstCount)),
                    UnsafeRawBufferPointer(
                        start: second, count: second == nil ? 0 : Int(secondCount)))
            }
        }
    }
}

/// The parsed name of a collation: `LCUnicode_`, case, diacritics, `_`, locale.
struct UnicodeCollation: Hashable, Sendable {
    /// Whether comparison is case-sensitive.
    var isCaseSensitive = true

    /// Whether comparison is diacritic-sensitive.
    var isDiacriticSensitive = true

    /// A locale such as `sv` or `yue_Hans_CN`; empty for the root locale.
    var locale = ""

    /// LiteCore uses at most this many bytes of a locale name.
    private static let longestLocale = 19
    private static let prefix = "LCUnicode_"
}

extension UnicodeCollation {
    /// Parses a name; nil if it is not of this kind.
    init?(name: String) {
        var rest = name.utf8[...]
        guard rest.starts(with: UnicodeCollation.prefix.utf8) else { return nil }
        rest = rest.dropFirst(UnicodeCollation.prefix.utf8.count)
        switch rest.popFirst() {
        case UInt8(ascii: "_"): isCaseSensitive = true
        case UInt8(ascii: "C"): isCaseSensitive = false
        default: return nil
        }
        switch rest.popFirst() {
        case UInt8(ascii: "_"): isDiacriticSensitive = true
        case UInt8(ascii: "D"): isDiacriticSensitive = false
        default: return nil
        }
        guard rest.popFirst() == UInt8(ascii: "_") else { return nil }
        locale = String(decoding: rest.prefix(UnicodeCollation.longestLocale), as: UTF8.self)
    }

    /// Its name in SQL.
    var name: String {
        UnicodeCollation.prefix + (isCaseSensitive ? "_" : "C") + (isDiacriticSensitive ? "_" : "D")
            + "_" + locale
    }
}
