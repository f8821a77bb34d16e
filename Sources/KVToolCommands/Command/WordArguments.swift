internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// The options of an index of words.
struct WordArguments: ParsableArguments {
    @Flag(help: "An index of words.") var fts = false
    @Option(help: "The language of the words, as en.") var language: String?
    @Flag(
        name: [.customLong("ignore-diacritics"), .customLong("ignoreDiacritics")],
        help: "Find letters without their accents; so it is anyway.")
    var ignoresDiacritics = false
    @Flag(
        name: [.customLong("keep-diacritics"), .customLong("keepDiacritics")],
        help: "Tell letters with accents from those without.")
    var keepsDiacritics = false
    @Flag(
        name: [.customLong("no-stemming"), .customLong("noStemming")],
        help: "Do not cut off the endings of words.")
    var noStemming = false
    @Option(
        name: .customLong("stop-words"),
        help: ArgumentHelp(
            "Words that are not indexed, with spaces between them; in place of the language's own.",
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
            throw ValidationError("--ignore-diacritics and --keep-diacritics contradict each other")
        }
    }

    /// Tells of a language whose words stay as they are, since there is no stemmer for it.
    func noteMissingStemmer() {
        guard let language, !noStemming, !FullTextOptions.knows(language) else { return }
        StandardError.current.write(
            "note: there is no stemmer for the language \(Text.line(language)), so the index has "
                + "whole words; there are stemmers for "
                + FullTextOptions.stemmedLanguages.sorted().joined(separator: ", "))
    }

    /// The options that were given.
    var options: FullTextOptions {
        FullTextOptions(
            language: language, isStemmed: !noStemming, ignoresDiacritics: !keepsDiacritics,
            stopWords: stopWords.map { $0.split(separator: " ").map(String.init) })
    }
}

extension FullTextOptions {
    /// Whether word endings of a language are known: of `en` and of `en_US`.
    fileprivate static func knows(_ language: String) -> Bool {
        stemmedLanguages.contains(String(language.prefix { $0 != "_" }))
    }
}

/// The options of an index of vectors, which are known so that the answer can say what is missing.
struct VectorArguments: ParsableArguments {
    @Flag var vector = false
    @Option(name: [.customLong("dim"), .customLong("dimensions")]) var dimensions: String?
    @Option var metric: String?
    @Option var centroids: String?
    @Option var multi: String?
    @Option var encoding: String?

    static let refusal = ToolError(
        "indexes of vectors are not supported: they need Couchbase's vector search, a library of "
            + "their own that is not free; make it with the application itself")
}
