internal import CSnowball
internal import SQLCore

/// Removes the endings of words with Snowball's algorithms. For one thread at a time.
final class Stemmer {
    private let stemmer: OpaquePointer
    private let isRussian: Bool

    /// Longer words are not stemmed: some algorithms take quadratic time.
    private static let longestWord = 1024

    /// Nil for a language that LiteCore's tokenizer does not support either.
    init?(_ language: String) {
        guard let algorithm = Stemmer.algorithms[language],
            let stemmer = sb_stemmer_new(algorithm, "UTF_8")
        else { return nil }
        self.stemmer = stemmer
        isRussian = algorithm == "russian"
    }

    deinit {
        sb_stemmer_delete(stemmer)
    }

    /// Replaces a word by its stem. Throws `.noMemory`.
    func stem(_ word: TokenBuffer) throws {
        guard word.count <= Stemmer.longestWord else { return }
        // LiteCore's version of Snowball does not change the Russian ё; later versions replace it
        // by е. So it is temporarily replaced by ђ, which is not a Russian letter.
        guard isRussian, word.contains(0xd1, 0x91), !word.contains(0xd1, 0x92) else {
            return word.replace(with: try stemmed(word))
        }
        word.replace(0xd1, 0x91, with: 0x92)
        word.replace(with: try stemmed(word))
        word.replace(0xd1, 0x92, with: 0x91)
    }

    /// The stem, which is valid until the next call; the word itself if the stem is empty.
    private func stemmed(_ word: TokenBuffer) throws -> UnsafeRawBufferPointer {
        let bytes = word.text
        let start = bytes.baseAddress?.assumingMemoryBound(to: sb_symbol.self)
        guard let stem = sb_stemmer_stem(stemmer, start, Int32(bytes.count)) else {
            throw SQLError(code: .noMemory, message: "no memory to stem a word")
        }
        let count = Int(sb_stemmer_length(stemmer))
        return count > 0 ? UnsafeRawBufferPointer(start: stem, count: count) : bytes
    }
}

extension Stemmer {
    /// Snowball's algorithms by their names in the `stemmer=` option.
    private static let algorithms: [String: String] = {
        let languages = [
            ("da", "danish"), ("nl", "dutch"), ("en", "english"), ("fi", "finnish"),
            ("fr", "french"), ("de", "german"), ("hu", "hungarian"), ("it", "italian"),
            ("no", "norwegian"), ("pt", "portuguese"), ("ro", "romanian"), ("ru", "russian"),
            ("es", "spanish"), ("sv", "swedish"), ("tr", "turkish"),
        ]
        var algorithms = ["porter": "porter"]
        for (code, name) in languages {
            algorithms[code] = name
            algorithms[name] = name
        }
        return algorithms
    }()
}
