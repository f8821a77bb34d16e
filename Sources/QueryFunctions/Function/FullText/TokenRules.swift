internal import SQLCore

/// The rules of one tokenizer: the characters of words, the stop words, and the stemmer.
///
/// It belongs to a table of one connection and is used by one thread at a time, like the
/// connection.
final class TokenRules {
    /// The indexed form of ASCII characters; 0 for separators, and for all other bytes.
    let ascii: UnsafeMutablePointer<UInt8>
    let table = UnicodeTable.shared
    let removesDiacritics: Bool
    /// Finds words in scripts without spaces; nil unless word segmentation is enabled.
    let boundaries: WordBoundaries?
    private let stopWords: StopWords?
    private let stemmer: Stemmer?
    /// Whether all words are indexed unchanged.
    private let hasNoLists: Bool
    /// Other code points that are word characters or separators, contrary to the table; sorted.
    private let exceptions: [UInt32]
    /// Unchecked: dynamic exclusivity checks would cost more than the access.
    @exclusivity(unchecked)
    private var known = KnownWords()
    /// The buffer of the latest cursor.
    private var latestBuffer = TokenBuffer()

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

    /// Only code points that differ from the table, and no marks, as in SQLite's tokenizers.
    private static func exceptions(_ options: TokenizerOptions) -> [UInt32] {
        let table = UnicodeTable.shared
        let added = options.wordCharacters.filter {
            !table.entry($0).isWord && !table.entry($0).isMark
        }
        let removed = options.separators.filter { table.entry($0).isWord }
        return Set(added + removed).sorted()
    }

    /// Whether a code point beyond ASCII is a word character.
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
    /// A buffer for a new cursor: that of the previous one, unless it is still in use or large.
    ///
    /// Most strings in an index are short, so that allocating a buffer for each would show.
    func buffer() -> TokenBuffer {
        if latestBuffer.isLarge || !isKnownUniquelyReferenced(&latestBuffer) {
            latestBuffer = TokenBuffer()
        }
        return latestBuffer
    }

    /// Reduces a folded word to its stem. Throws `.noMemory`.
    ///
    /// - Returns: whether the word is a stop word.
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

/// The options that follow the tokenizer's name in `tokenize=unicodesn …`.
package struct TokenizerOptions: Equatable {
    /// Whether `é` is indexed as `e`; `remove_diacritics=0` preserves it.
    package var removesDiacritics = true

    /// Code points that are word characters in addition to Unicode's. `tokenchars=`
    package var wordCharacters: [UInt32] = []

    /// Code points that are separators in addition to Unicode's. `separators=`
    package var separators: [UInt32] = []

    /// The language of the stemmer. `stemmer=`
    package var stemmer: String?

    /// The language of the built-in stop words. `stopwords=`
    package var stopWordLanguage: String?

    /// Stop words that replace the built-in ones. `stopwordlist=`
    package var stopWords: [String]?

    /// Whether words are segmented in scripts without spaces.
    package var segmentsWords = false
}

extension TokenizerOptions {
    /// The option that enables word segmentation: `"separators=⸱"`.
    ///
    /// U+2E31, Unicode's word separator middle dot, is a separator anyway. So other tokenizers of
    /// this name, which reject unknown options, accept it, and it has no effect there.
    package static let segmentationArgument = "separators=\u{2e31}"

    /// - Throws: for an unknown option, since the tokens of another tokenizer may depend on it.
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
