internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// The options of a full-text index.
struct WordArguments: ParsableArguments {
    @Flag(help: "Create a full-text index.") var fts = false
    @Option(help: ArgumentHelp("Language of the text, such as en.", valueName: "code"))
    var language: String?
    @Flag(
        name: [.customLong("ignore-diacritics"), .customLong("ignoreDiacritics")],
        help: "Ignore accents (default).")
    var ignoresDiacritics = false
    @Flag(
        name: [.customLong("keep-diacritics"), .customLong("keepDiacritics")],
        help: "Distinguish letters with and without accents.")
    var keepsDiacritics = false
    @Flag(
        name: [.customLong("no-stemming"), .customLong("noStemming")],
        help: "Do not reduce words to their stems.")
    var noStemming = false
    @Option(
        name: .customLong("stop-words"),
        help: ArgumentHelp(
            "Words to exclude, separated by spaces, instead of the stop words of the language.",
            valueName: "words"))
    var stopWords: String?

    func validate() throws {
        guard fts else {
            let isGiven =
                language != nil || ignoresDiacritics || keepsDiacritics || noStemming
                || stopWords != nil
            if isGiven {
                let list = "--language, --keep-diacritics, --no-stemming and --stop-words"
                throw ValidationError("\(list) are for --fts")
            }
            return
        }
        if ignoresDiacritics, keepsDiacritics {
            throw ValidationError("--ignore-diacritics and --keep-diacritics exclude each other")
        }
    }

    /// Reports a language that has no stemmer, whose words are indexed whole.
    func noteMissingStemmer() {
        guard let language, !noStemming, !FullTextOptions.knows(language) else { return }
        StandardError.current.write(
            "note: there is no stemmer for the language \(Text.line(language)), so the index "
                + "contains whole words; stemmers exist for "
                + FullTextOptions.stemmedLanguages.sorted().joined(separator: ", "))
    }

    /// The options for the engine.
    var options: FullTextOptions {
        FullTextOptions(
            language: language, isStemmed: !noStemming, ignoresDiacritics: !keepsDiacritics,
            stopWords: stopWords.map { $0.split(separator: " ").map(String.init) })
    }
}

extension FullTextOptions {
    /// Whether a stemmer for a language exists: for `en` and `en_US`.
    fileprivate static func knows(_ language: String) -> Bool {
        stemmedLanguages.contains(String(language.prefix { $0 != "_" }))
    }
}
