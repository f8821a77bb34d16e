internal import SQLCore

/// What follows the tokenizer's name in `tokenize=unicodesn …` (spec §7.1).
package struct TokenizerOptions: Equatable {
    /// Whether `é` is indexed as `e`. `remove_diacritics=0` keeps it.
    package var removesDiacritics = true

    /// Code points that belong to words though Unicode says otherwise. `tokenchars=`
    package var wordCharacters: [UInt32] = []

    /// Code points between words though Unicode says otherwise. `separators=`
    package var separators: [UInt32] = []

    /// The language of the stemmer. `stemmer=`
    package var stemmer: String?

    /// The language of the built-in stop words. `stopwords=`
    package var stopWordLanguage: String?

    /// Stop words, in place of the built-in ones. `stopwordlist=`
    package var stopWords: [String]?

    /// Whether words are found in scripts without spaces.
    package var segmentsWords = false
}

extension TokenizerOptions {
    /// How word segmentation is switched on: `"separators=⸱"`.
    ///
    /// U+2E31, Unicode's word separator middle dot, is between words anyway. So other tokenizers of
    /// this name, which refuse options they do not know, accept it, and it changes nothing there.
    package static let segmentationArgument = "separators=\u{2e31}"

    /// Throws for an option that is unknown: another tokenizer's tokens may depend on it.
    package init(arguments: [String]) throws {
        for argument in arguments { try read(argument) }
    }

    private mutating func read(_ argument: String) throws {
        if argument == TokenizerOptions.segmentationArgument {
            segmentsWords = true
            return
        }
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? parts[1] : ""
        switch (parts.first ?? "", value) {
        case ("remove_diacritics", "0"): removesDiacritics = false
        case ("remove_diacritics", "1"): removesDiacritics = true
        case ("tokenchars", _): wordCharacters += value.unicodeScalars.map(\.value)
        case ("separators", _): separators += value.unicodeScalars.map(\.value)
        case ("stemmer", _): stemmer = String(value)
        case ("stopwords", _): stopWordLanguage = String(value)
        case ("stopwordlist", _): stopWords = value.split(separator: " ").map(String.init)
        default:
            throw SQLError(code: .error, message: "unknown option of unicodesn: \(argument)")
        }
    }
}
