/// Letters that Unicode does not take apart, as people write them who do not have them; and signs
/// that keyboards have in one form only.
enum SearchLetters {
    /// What stands for a small letter or a sign.
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
