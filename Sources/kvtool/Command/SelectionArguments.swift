internal import ArgumentParser
internal import DataFileCore

/// The arguments of commands on some documents of a collection.
struct SelectionArguments: ParsableArguments {
    @OptionGroup var place: CollectionArguments

    @Argument(
        help: """
            The ids of the documents; * and ? stand for any characters, \\ for the one after it.
            """,
        completion: .custom { arguments, _, _ in Completion.documents(arguments) })
    var ids: [String] = []

    @Option(
        name: .customLong("ids-from"),
        help: ArgumentHelp("A file with an id a line; - is standard input.", valueName: "file"),
        completion: .file())
    var idsFrom: String?

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp("Documents that meet this SQL++ condition.", valueName: "condition"))
    var condition: String?

    /// A document that was asked for.
    enum Choice {
        case id(String)
        /// Named by itself, and not there.
        case missing(String)
    }

    func validate() throws {
        guard isGiven else {
            throw ValidationError("no document is named: give an ID, --ids-from or --where")
        }
    }

    /// Whether anything says which documents.
    var isGiven: Bool {
        !ids.isEmpty || idsFrom != nil || condition != nil || place.database.address.id != nil
    }

    /// The documents that are meant, in the order in which they are named, those of a pattern in
    /// the order of their ids; one that several name comes as often.
    ///
    /// - Parameter includesDeleted: whether patterns and conditions mean tombstones, too, and an id
    ///   of one is not missing.
    func forEach(
        in snapshot: Snapshot, includesDeleted: Bool = false, _ body: (Choice) throws -> Void
    ) throws {
        let collection = try place.named()
        guard try collection.exists(in: snapshot) else {
            throw ToolError(
                "\(place.database.path) has no collection \(collection.name)", status: .notFound)
        }
        for id in try [place.database.address.id].compactMap(\.self) + ids + listed() {
            try forEach(id, collection, snapshot, includesDeleted, body)
        }
        if let condition { try forEach(meeting: condition, collection, snapshot, body) }
    }

    /// The same as a list, for what changes them.
    func choices(in snapshot: Snapshot, includesDeleted: Bool = false) throws -> [Choice] {
        var choices: [Choice] = []
        try forEach(in: snapshot, includesDeleted: includesDeleted) { choices.append($0) }
        return choices
    }

    private func listed() throws -> [String] {
        guard let idsFrom else { return [] }
        var reader = try LineReader(path: idsFrom)
        var ids: [String] = []
        while let id = try reader.next({ String(decoding: $0, as: UTF8.self) }) {
            if !id.isEmpty { ids.append(id) }
        }
        return ids
    }

    private func forEach(
        _ id: String, _ collection: Collection, _ snapshot: Snapshot, _ includesDeleted: Bool,
        _ body: (Choice) throws -> Void
    ) throws {
        // An id that has a `*` in it is that document, if it is there.
        let exact = try collection.keyStore.get(id, content: .metadata, in: snapshot)
        if let exact, includesDeleted || !exact.flags.contains(.deleted) {
            return try body(.id(id))
        }
        guard let pattern = KeyPattern(id) else { return try body(.missing(id)) }
        var options = RecordEnumerator.Options()
        options.content = .metadata
        options.includesDeleted = includesDeleted
        options.startKey = pattern.prefix.isEmpty ? nil : pattern.prefix
        let records = try collection.records(options, in: snapshot)
        while let record = try records.next() {
            guard record.key.utf8.starts(with: pattern.prefix.utf8) else { break }
            if pattern.matches(record.key) { try body(.id(record.key)) }
        }
    }

    private func forEach(
        meeting condition: String, _ collection: Collection, _ snapshot: Snapshot,
        _ body: (Choice) throws -> Void
    ) throws {
        let query = try DocumentCondition.query(condition, collection.name)
        let rows = try query.rows(in: snapshot)
        while let row = try rows.next() {
            if case .string(let id) = row[0] { try body(.id(id)) }
        }
    }
}
