internal import ArgumentParser
internal import DataFileCore

/// `kvtool mkindex DATABASE NAME EXPRESSIONS`
struct MakeIndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mkindex", abstract: "Makes an index of a collection.",
        discussion: """
            Examples:
              kvtool mkindex people.cblite2 byState contact.address.state
              kvtool mkindex people.cblite2 byStreet contact.address.street --fts --language en
              kvtool mkindex people.cblite2 byLikes --array likes
            """)

    @OptionGroup var arguments: DatabaseArguments
    @Argument(help: "The index's name, unique in the file.") var name: String
    @Argument(help: "What is indexed, in SQL++; nothing for the elements of an array.")
    var expressions = ""
    @OptionGroup var collection: CollectionArguments
    @Flag(help: "An index of words.") var fts = false
    @Option(help: "The language of the words, as en.") var language: String?
    @Option(name: .customLong("array"), help: "An index of the elements of the array at this path.")
    var arrayPath: String?
    @Option(name: .customLong("where"), help: "Only documents that meet this condition.")
    var condition: String?

    func validate() throws {
        if fts, arrayPath != nil { throw ValidationError("--fts and --array are two indexes") }
        if language != nil, !fts { throw ValidationError("--language is for --fts") }
        if let language, !FullTextOptions.knows(language) {
            throw ValidationError(
                "the words of the language \(Text.line(language)) are not known, but those of "
                    + FullTextOptions.stemmedLanguages.sorted().joined(separator: ", "))
        }
        if expressions.isEmpty, arrayPath == nil {
            throw ValidationError("an index needs an expression, such as age")
        }
    }

    func run() throws {
        let file = try arguments.open(.readWrite)
        let collection = try collection.named()
        let spec = IndexSpec(name, kind, on: .sqlPlusPlus(expressions), where: condition)
        let change = try file.write { transaction in
            let isKnown = try collection.indexes(in: transaction).contains { $0.name == name }
            let isNew = try collection.createIndex(spec, in: transaction)
            guard isNew else { return "is there already" }
            return isKnown ? "was made in place of another" : "was made"
        }
        try StandardOutput.write("the index \(Text.line(name)) \(change)\n")
    }

    private var kind: IndexSpec.Kind {
        if fts { return .fullText(FullTextOptions(language: language)) }
        return arrayPath.map { .array(path: $0) } ?? .value
    }
}

extension FullTextOptions {
    /// Whether word endings of a language are known: of `en` and of `en_US`.
    fileprivate static func knows(_ language: String) -> Bool {
        stemmedLanguages.contains(String(language.prefix { $0 != "_" }))
    }
}
