internal import SQLCore

/// What one tokenizer does with words: which characters make them, what is left out, what is cut.
///
/// It belongs to a table of one connection and is used by one thread at a time, as that is.
final class TokenRules {
    /// ASCII characters of words as they are indexed; 0 between words, and for all other bytes.
    let ascii: UnsafeMutablePointer<UInt8>
    let table = UnicodeTable.shared
    let removesDiacritics: Bool
    /// Finds words in scripts without spaces; nil if that is not asked for.
    let boundaries: WordBoundaries?
    private let stopWords: StopWords?
    private let stemmer: Stemmer?
    /// Whether words stay as they are, and all are indexed.
    private let hasNoLists: Bool
    /// Other code points that belong to words, or do not, against the table; sorted.
    private let exceptions: [UInt32]
    /// Unchecked: to enter each access in a list at run time would cost more than the access.
    @exclusivity(unchecked)
    private var known = KnownWords()

    init(_ options: TokenizerOptions) {
        removesDiacritics = options.removesDiacritics
        boundaries = options.segmentsWords ? WordBoundaries() : nil
        stopWords =
            if let words = options.stopWords {
                StopWords(words)
            } else {
                options.stopWordLanguage.flatMap(StopWords.builtIn)
            }
        stemmer = options.stemmer.flatMap(Stemmer.init)
        hasNoLists = stopWords == nil && stemmer == nil
        exceptions = TokenRules.exceptions(options)
        ascii = .allocate(capacity: 256)
        ascii.initialize(repeating: 0, count: 256)
        for code in 0..<UInt32(128) {
            let entry = table.entry(code)
            let isWord = entry.isWord != exceptions.contains(code)
            let folded = table.fold(code, entry, bare: false)
            ascii[Int(code)] = isWord ? UInt8(truncatingIfNeeded: folded) : 0
        }
    }

    deinit {
        ascii.deallocate()
    }

    /// Only what the table says otherwise, and no marks, as in SQLite's tokenizers.
    private static func exceptions(_ options: TokenizerOptions) -> [UInt32] {
        let table = UnicodeTable.shared
        let added = options.wordCharacters.filter {
            !table.entry($0).isWord && !table.entry($0).isMark
        }
        let removed = options.separators.filter { table.entry($0).isWord }
        return Set(added + removed).sorted()
    }

    /// Whether a code point beyond ASCII belongs to words.
    @inline(__always)
    func isWord(_ code: UInt32, _ entry: UnicodeTable.Entry) -> Bool {
        entry.isWord != (!exceptions.isEmpty && isException(code))
    }

    @inline(never)
    private func isException(_ code: UInt32) -> Bool {
        var low = 0
        var high = exceptions.count
        while low < high {
            let middle = (low + high) / 2
            if exceptions[middle] < code { low = middle + 1 } else { high = middle }
        }
        return low < exceptions.count && exceptions[low] == code
    }
}

extension TokenRules {
    /// Cuts a word, folded but not yet stemmed, down to its stem. Throws `.noMemory`.
    ///
    /// - Returns: whether the word is left out.
    @inline(__always)
    func finish(_ word: TokenBuffer) throws -> Bool {
        if hasNoLists { return false }
        if let packed = word.packed, let token = known.find(packed) {
            word.replace(with: token.pointee)
            return token.pointee.isMarked
        }
        return try finishNew(word)
    }

    @inline(never)
    private func finishNew(_ word: TokenBuffer) throws -> Bool {
        let packed = word.packed
        let isStopWord = stopWords?.contains(word.text) ?? false
        try stemmer?.stem(word)
        if let packed, var token = word.packed {
            token.isMarked = isStopWord
            known.note(packed, token)
        }
        return isStopWord
    }
}

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
