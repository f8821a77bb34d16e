internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool mkindex DATABASE NAME EXPRESSIONS`
struct MakeIndexCommand: CollectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "mkindex", abstract: "Creates an index on a collection.",
        discussion: """
            Examples:
              kvtool mkindex people.cblite2 byState contact.address.state
              kvtool mkindex people.cblite2 byAge 'age, name.last' --where 'active = TRUE'
              kvtool mkindex people.cblite2 byName '[[".name.last"], [".name.first"]]'
              kvtool mkindex people.cblite2 byStreet contact.address.street --fts --language en
              kvtool mkindex people.cblite2 byLikes --array likes
              kvtool mkindex people.cblite2 byFace face --vector --dimensions 128

            An expression that begins with [ or { is in the JSON form, any other is SQL++; the \
            condition is in the same language. An index that exists with this name and definition \
            is left unchanged. If its definition differs, nothing is changed and the exit status \
            is 6, unless --replace or --if-not-exists is given.

            Documents with damaged bodies may be missing or wrong in the index: it is created \
            nevertheless, with a message on standard error, and the exit status is 5.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(help: "Name of the index, unique in the file.") var name: String
    @Argument(
        help: ArgumentHelp(
            "Expressions to index; optional with --array.", valueName: "expression"))
    var expressions: [String] = []
    @Option(
        name: .customLong("array"),
        help: ArgumentHelp("Index the elements of the array at this path.", valueName: "path"))
    var arrayPath: String?
    @Option(
        name: .customLong("where"), parsing: .unconditional,
        help: ArgumentHelp("Index only documents matching this condition.", valueName: "condition"))
    var condition: String?
    @Flag(name: .customLong("if-not-exists"), help: "Accept an existing index of this name.")
    var ifMissing = false
    @Flag(help: "Replace an existing index with another definition.")
    var replace = false
    @OptionGroup var words: WordArguments
    @OptionGroup var vectors: VectorArguments
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try location.validate()
        if words.fts, arrayPath != nil {
            throw ValidationError("--fts and --array exclude each other")
        }
        if vectors.vector, words.fts || arrayPath != nil {
            throw ValidationError("--vector excludes --fts and --array")
        }
        if text.isEmpty, arrayPath == nil {
            throw ValidationError("an index needs an expression, such as age")
        }
        if name.isEmpty || name.lowercased().hasPrefix("sqlite_") {
            throw ValidationError(
                "\"\(Text.line(name))\" is not a valid index name: it is empty or begins with "
                    + "sqlite_")
        }
        if replace, ifMissing {
            throw ValidationError("--replace and --if-not-exists exclude each other")
        }
    }

    func run() async throws {
        let began = System.nanoseconds
        let (action, unreadable) = try await location.database.write(upgrades: upgrade.upgrade) {
            transaction in
            let action = try make(in: transaction)
            if action != .kept {
                let properties = try spec.properties(of: location.named().name)
                MissingProperties.report(properties, in: transaction)
            }
            // The engine checks only the roots of bodies.
            let damaged =
                action == .kept ? nil : try location.named().unreadableDocuments(in: transaction)
            return (action, damaged)
        }
        let seconds = Double(System.nanoseconds - began) / 1e9
        try report(action, seconds)
        if action != .kept { words.noteMissingStemmer() }
        guard let unreadable else { return }
        UnreadableBodies.report(unreadable, inIndex: name)
        throw ReportedFailure(status: .damaged)
    }

    /// What the command did with the index.
    private enum Action: String {
        case made, replaced, kept
    }

    private func make(in transaction: Transaction) throws -> Action {
        let collection = try location.named()
        let old = try collection.indexes(in: transaction).first {
            $0.name.utf8.elementsEqual(name.utf8)
        }
        if old != nil, ifMissing { return .kept }
        if old == nil { try requireFreeName(in: transaction) }
        let rows = try collection.count(in: transaction).live
        var progress = Progress("document", total: rows)
        defer { progress.finish() }
        let mustBeSame = old != nil && !replace
        // `createIndex` starts to build the index if the definitions differ. Stopping it would end
        // the shell's whole transaction; there the change is rolled back.
        let mayStop = mustBeSame && !OpenShell.current.isInTransaction
        var hasStopped = false
        do {
            let isNew = try collection.createIndex(try spec, in: transaction) { state in
                progress.update(Int(state.fraction * Double(rows)))
                hasStopped = mayStop
                return !Interruption.isRequested && !mayStop
            }
            guard isNew else { return .kept }
            guard mustBeSame else { return old == nil ? .made : .replaced }
        } catch is CancellationError where hasStopped {}
        throw otherDefinition(of: old)
    }

    /// Throws a conflict if another collection has an index of this name.
    private func requireFreeName(in transaction: Transaction) throws {
        let other = try transaction.indexes().first { $0.name.utf8.elementsEqual(name.utf8) }
        guard let other else { return }
        throw ToolError(
            "\(IndexText.collection(other.keyStore)) has an index \(Text.line(name)) already, and "
                + "the names of indexes are unique in the whole file; choose another name",
            status: .conflict)
    }

    private func otherDefinition(of old: IndexInfo?) -> ToolError {
        guard old?.staleness != .collationChanged else {
            return ToolError(
                "the index \(Text.line(name)) exists, but may be wrong; reindex rebuilds it, "
                    + "--replace replaces it by this definition", status: .conflict)
        }
        let text = old?.expressions?.text ?? ""
        let expressions = text.isEmpty ? "" : " (of \(Text.line(text)))"
        return ToolError(
            "the index \(Text.line(name)) exists with another definition\(expressions); --replace "
                + "replaces it", status: .conflict)
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
                .text(name), .text(try location.named().name.description),
                .text(IndexText.kind(kindInFile)), .text(action.rawValue), .decimal(seconds),
            ])
            return try rows.finish()
        }
        let time = " in \(Text.duration(seconds: seconds))"
        let words =
            switch action {
            case .made: "was created" + time
            case .replaced: "was created, replacing another," + time
            case .kept: "already exists"
            }
        try StandardOutput.current.write("The index \(Text.line(name)) \(words)\n")
    }

    private var text: String { expressions.joined(separator: " ") }

    private var spec: IndexSpec {
        get throws {
            let start = text.first { !$0.isWhitespace }
            let isJSON = start == "[" || start == "{"
            let spec = IndexSpec(
                name, kind, on: isJSON ? .json(text) : .sqlPlusPlus(text), where: condition)
            return try spec.withoutSourceName()
        }
    }

    private var kind: IndexSpec.Kind {
        if words.fts { return .fullText(words.options) }
        if let options = vectors.options { return .vector(options) }
        return arrayPath.map { .array(path: $0) } ?? .value
    }

    private var kindInFile: IndexInfo.Kind {
        words.fts ? .fullText : vectors.vector ? .vector : arrayPath == nil ? .value : .array
    }
}
