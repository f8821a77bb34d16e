internal import ArgumentParser
internal import DataFileCore
internal import FleeceLite

/// `kvtool mkindex DATABASE NAME EXPRESSIONS`
struct MakeIndexCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "mkindex", abstract: "Makes an index of a collection.",
        discussion: """
            Examples:
              kvtool mkindex people.cblite2 byState contact.address.state
              kvtool mkindex people.cblite2 byAge 'age, name.last' --where 'active = TRUE'
              kvtool mkindex people.cblite2 byName '[[".name.last"], [".name.first"]]'
              kvtool mkindex people.cblite2 byStreet contact.address.street --fts --language en
              kvtool mkindex people.cblite2 byLikes --array likes

            An expression that begins with [ or { is one of the JSON form, any other is SQL++; the \
            condition is in the same language. An index of the same name that is of something else \
            is made anew, one that is the same is left as it is.
            """)

    @OptionGroup var place: CollectionArguments
    @Argument(help: "The index's name, unique in the file.") var name: String
    @Argument(
        help: ArgumentHelp(
            "What is indexed; nothing for the elements of an array.", valueName: "expression"))
    var expressions: [String] = []
    @Option(name: .customLong("array"), help: "An index of the elements of the array at this path.")
    var arrayPath: String?
    @Option(name: .customLong("where"), help: "Only documents that meet this condition.")
    var condition: String?
    @Flag(name: .customLong("if-not-exists"), help: "Leave an index of this name as it is.")
    var ifMissing = false
    @OptionGroup var words: WordArguments
    @OptionGroup(visibility: .hidden) var vectors: VectorArguments
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        if words.fts, arrayPath != nil {
            throw ValidationError("--fts and --array are two indexes")
        }
        if text.isEmpty, arrayPath == nil, !vectors.vector {
            throw ValidationError("an index needs an expression, such as age")
        }
    }

    func run() async throws {
        guard !vectors.vector else { throw VectorArguments.refusal }
        let began = System.nanoseconds
        let action = try await place.database.write(upgrades: upgrade.upgrade) { transaction in
            try make(in: transaction)
        }
        let seconds = Double(System.nanoseconds - began) / 1e9
        try report(action, seconds)
    }

    /// What was done with the index.
    private enum Action: String {
        case made, replaced, kept
    }

    private func make(in transaction: Transaction) throws -> Action {
        let collection = try place.named()
        let isKnown = try collection.indexes(in: transaction).contains {
            $0.name.utf8.elementsEqual(name.utf8)
        }
        if isKnown, ifMissing { return .kept }
        let rows = try collection.count(in: transaction).live
        var progress = Progress("document", total: rows)
        defer { progress.finish() }
        let isNew = try collection.createIndex(try spec, in: transaction) { state in
            progress.update(Int(state.fraction * Double(rows)))
            return !Task.isCancelled
        }
        return isNew ? (isKnown ? .replaced : .made) : .kept
    }

    private func report(_ action: Action, _ seconds: Double) throws {
        guard output.isForPeople else {
            var rows = RowOutput(
                "mkindex", list: "indexes",
                [
                    Column("name", "Index"), Column("collection", "Collection"),
                    Column("kind", "Kind"), Column("action", "Action"),
                    Column("seconds", "Seconds", isNumber: true),
                ], output)
            try rows.add([
                .text(name), .text(try place.named().name.description),
                .text(IndexText.kind(kindInFile)), .text(action.rawValue), .decimal(seconds),
            ])
            return try rows.finish()
        }
        let time = " in \(Text.duration(seconds: seconds))"
        let words =
            switch action {
            case .made: "was made" + time
            case .replaced: "was made in place of another" + time
            case .kept: "is there already"
            }
        try StandardOutput.write("the index \(Text.line(name)) \(words)\n")
    }

    private var text: String { expressions.joined(separator: " ") }

    private var spec: IndexSpec {
        get throws {
            let start = text.first { !$0.isWhitespace }
            let isJSON = start == "[" || start == "{"
            return IndexSpec(
                name, kind, on: isJSON ? .json(text) : .sqlPlusPlus(text), where: condition)
        }
    }

    private var kind: IndexSpec.Kind {
        if words.fts { return .fullText(words.options) }
        return arrayPath.map { .array(path: $0) } ?? .value
    }

    private var kindInFile: IndexInfo.Kind {
        words.fts ? .fullText : arrayPath == nil ? .value : .array
    }
}
