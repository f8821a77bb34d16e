internal import Foundation

/// Strings folded for search: UTF-8 without case, accents and other spelling variants.
///
/// A string is decomposed (NFKD), so that full-width letters and ligatures become plain ones;
/// accents are dropped, letters are lowercased, and letters that Unicode does not decompose become
/// what people type for them (`SearchLetters`). Marks that are essential to letters, such as Thai
/// vowels or the marks of voiced kana, stay.
///
/// At most `limit` code points of a string are read, and at most as many are stored.
struct SearchFolding {
    /// Longer than any name of a place, and than any realistic search.
    static let limit = 200

    /// The folded strings, concatenated; white space becomes a space.
    private(set) var bytes: [UInt8] = []
    /// The positions in `bytes` where a search may match, in the latest string.
    ///
    /// These are the starts of words: after white space, and a letter or digit after anything else.
    /// `#` starts a word, too, since people know servers by their numbers.
    private(set) var starts: [Int] = []
    private var latest = Kind.space

    private enum Kind {
        case space
        case word
        case other
    }

    /// Folds a string and appends it.
    mutating func append(_ text: String) {
        starts.removeAll(keepingCapacity: true)
        latest = .space
        let head = text.utf8.prefix(Self.limit)
        if head.allSatisfy({ $0 < 0x80 }) {
            for byte in head { append(ascii: byte) }
        } else {
            appendDecomposed(text)
        }
    }

    /// Removes all strings.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func appendDecomposed(_ text: String) {
        let head = String(text.unicodeScalars.prefix(Self.limit))
        let letters = head.decomposedStringWithCompatibilityMapping.unicodeScalars
            .lazy.filter { !Self.isDropped($0) }.prefix(Self.limit)
        for letter in letters {
            for small in letter.properties.lowercaseMapping.unicodeScalars {
                for plain in SearchLetters.plain[small] ?? [small] { append(plain) }
            }
        }
    }

    @inline(__always)
    private mutating func append(ascii byte: UInt8) {
        switch byte {
        case 0x61...0x7a, 0x30...0x39:
            begin(.word)
            bytes.append(byte)
        case 0x41...0x5a:
            begin(.word)
            bytes.append(byte | 0x20)
        case 0x20, 0x09...0x0d:
            begin(.space)
            bytes.append(0x20)
        case UInt8(ascii: "#"):
            // After a space it is a start already.
            begin(.other)
            if starts.last != bytes.count { starts.append(bytes.count) }
            bytes.append(byte)
        default:
            begin(.other)
            bytes.append(byte)
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.isASCII { return append(ascii: UInt8(truncatingIfNeeded: scalar.value)) }
        if scalar.properties.isWhitespace { return append(ascii: 0x20) }
        begin(Self.isSign(scalar) ? .other : .word)
        bytes.append(contentsOf: scalar.utf8)
    }

    @inline(__always)
    private mutating func begin(_ kind: Kind) {
        if kind != .space, latest == .space || (kind == .word && latest == .other) {
            starts.append(bytes.count)
        }
        latest = kind
    }
}

extension SearchFolding {
    /// Accents, Hebrew points, Arabic vowels, and invisible characters.
    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x80 else { return false }
        switch scalar.properties.canonicalCombiningClass.rawValue {
        case 1, 10...36, 200...: return true
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol,
            .currencySymbol, .modifierSymbol, .otherSymbol, .control:
            true
        default: false
        }
    }
}

/// Letters that Unicode does not decompose, in the spelling of people whose keyboards lack them;
/// and variants of punctuation.
enum SearchLetters {
    /// The replacement of a lower-case letter or a sign.
    static let plain: [Unicode.Scalar: [Unicode.Scalar]] = {
        var plain: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        for (written, letters) in letters {
            for letter in letters.unicodeScalars { plain[letter] = Array(written.unicodeScalars) }
        }
        return plain
    }()

    private static let letters = [
        ("a", "ⱥɑ"), ("ae", "æ"), ("b", "ƀɓ"), ("c", "ȼƈ"), ("d", "đðɖɗ"), ("e", "ɇəɛǝ"),
        ("f", "ƒ"), ("g", "ǥɠɣ"), ("h", "ħɦ"), ("i", "ıɨɩ"), ("j", "ɉȷ"), ("k", "ƙĸ"),
        ("l", "łƚɫ"), ("n", "ŋɲƞ"), ("o", "øɔɵ"), ("oe", "œ"), ("p", "ƥ"), ("r", "ɍ"), ("ss", "ß"),
        ("t", "ŧƭⱦ"), ("th", "þ"), ("u", "ʉʊ"), ("v", "ʋ"), ("y", "ɏƴ"), ("z", "ƶ"), ("σ", "ς"),
        ("'", "\u{2018}\u{2019}\u{201b}\u{2bb}\u{2bc}\u{2be}\u{2bf}\u{2032}"),
        ("\"", "\u{201c}\u{201d}\u{201e}\u{201f}"),
        ("-", "\u{2010}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}"),
    ]
}
