/// What the name of a collation says: `LCUnicode_`, case, diacritics, `_`, locale (spec §5.4).
struct UnicodeCollation: Hashable, Sendable {
    /// Whether capital letters differ from small ones.
    var isCaseSensitive = true

    /// Whether letters with marks differ from those without.
    var isDiacriticSensitive = true

    /// Such as `sv` or `yue_Hans_CN`; empty for the order that most languages share.
    var locale = ""

    /// LiteCore keeps this many bytes of a locale's name.
    private static let longestLocale = 19
    private static let prefix = "LCUnicode_"
}

extension UnicodeCollation {
    /// Reads a name; nil if it is not of this kind.
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
