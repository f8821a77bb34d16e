internal import CICU
internal import SQLCore

/// The collations of LiteCore's databases: any `LCUnicode_…` is known as soon as SQL names it.
package enum Collations {
    /// Counted up with each change to how this project orders texts.
    private static let rules = 2

    /// What tells the orders here from those of another platform, or of another version of ICU.
    package static let orderVersion: String = {
        var text = [CChar](repeating: 0, count: 64)
        icu_collator_version(&text, Int32(text.count))
        let end = text.firstIndex(of: 0) ?? text.endIndex
        let version = String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "\(version)/\(rules)"
    }()

    /// Lets a connection find them; other unknown names stay unknown.
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
