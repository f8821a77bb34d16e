internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool ls DATABASE [PATTERN…]`
struct ListCommand: CollectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists documents of a collection.",
        discussion: """
            Examples:
              kvtool ls people.cblite2 'person-00*'
              kvtool ls people.cblite2 --seq --desc --limit 10
              kvtool ls people.cblite2 --columns id,bytes,expiration --json
              kvtool ls people.cblite2 'person-*' --count
              kvtool ls people.cblite2 --where 'age > 80' --time

            Flags: d deleted, c conflicted, a has attachments, s synced, r rejected. The size is \
            that of the stored body, which is not read: use verify to find damaged bodies. The \
            exit status is 3 if no document has the given IDs, 7 if only some are listed. The time \
            is that of the revision by the clock of the device that created it; only version \
            vectors contain it.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(
        help: "Include only these IDs; * and ? are wildcards.",
        completion: .custom { arguments, _, _ in Completion.documents(arguments) })
    var patterns: [String] = []
    @Flag(
        name: [.customShort("l"), .long],
        help: "Include revisions, sequences and sizes (default without a terminal).")
    var long = false
    @Flag(
        name: [.customLong("deleted"), .customLong("del")], help: "Include deleted documents.")
    var deleted = false
    @Flag(
        name: [.customLong("conflicts"), .customLong("conf")],
        help: "Include only documents with conflicts.")
    var conflictsOnly = false
    @Flag(name: .customLong("seq"), help: "Order by last change.")
    var bySequence = false
    @Flag(name: .customLong("desc"), help: "Descending order.") var descending = false
    @Option(
        name: .customLong("where"),
        parsing: .unconditional,
        help: ArgumentHelp(
            "Include only documents matching this SQL++ condition.", valueName: "condition"))
    var condition: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of documents.", valueName: "n"))
    var limit: Int?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Skip this many documents first.", valueName: "n"))
    var offset = 0
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Begin after this ID, in the order of the list.", valueName: "id"))
    var after: String?
    @Flag(help: "Include the time of the last change, from version vectors.") var time = false
    @Flag(help: "Include the bodies as JSON.") var body = false
    @Flag(exclusivity: .exclusive) var form: ListForm?
    @Option(
        help: ArgumentHelp(
            "Columns to show: id, revision, flags, sequence, bytes, expiration, time, body.",
            valueName: "names"))
    var columns: String?
    @Flag(name: .customLong("count"), help: "Show only the number of documents.")
    var onlyCount = false
    @Flag(
        name: [.customShort("0"), .customLong("null")],
        help: "Write only the IDs, each terminated by a null byte, for xargs -0.")
    var endsWithZero = false
    @Flag(
        name: [.customShort("c"), .customLong("collections")],
        help: "List the collections instead, like lscoll.")
    var listsCollections = false
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try location.validate()
        try requireNotNegative("--limit", limit)
        try requireNotNegative("--offset", offset)
        guard !patterns.contains("") else { throw ValidationError(SelectionArguments.emptyID) }
        guard after == nil || !bySequence else {
            throw ValidationError("--after is for the order of IDs; with --seq use --offset")
        }
        guard !listsCollections || patterns.count < 2 else {
            throw ValidationError("--collections takes one pattern")
        }
        _ = try fields()
    }

    func run() async throws {
        guard !listsCollections else {
            return try await CollectionList(
                database: location.database, pattern: patterns.first, withSizes: long,
                output: output
            ).write()
        }
        let matcher = ListMatcher([location.database.address.id].compactMap(\.self) + patterns)
        try await location.database.read { _, snapshot in
            let fields = try needed()
            let isRead = fields.contains(.body)
            let keys = try isRead ? snapshot.requireSharedKeys() : snapshot.sharedKeys
            var list = try makeList(matcher)
            var (listed, damaged) = (0, 0)
            let damage = try UnreadableBodies(in: snapshot)
            let met = try idsThatMeet(in: snapshot)
            if try damage.wereEncountered(in: snapshot) { try UnreadableBodies.report() }
            try forEachRow(of: matcher, met, snapshot) { record in
                let row = ListRow(record, keys, fields, bodyForm)
                if let error = row.error {
                    StandardError.current.writeAboutSubject(
                        "document \"\(Text.line(row.record.key))\": \(error)")
                    damaged += 1
                }
                try list.add(row)
                listed += 1
            }
            try list.finish()
            if listed == 0 { try noteOtherCollections(in: snapshot) }
            let collection = try location.named()
            let missing = try matcher.missing(in: collection, snapshot, includesDeleted: deleted)
            for id in missing { MissingDocument.report(id, collection.name) }
            if damaged > 0 { throw ReportedFailure(status: .damaged) }
            guard missing.isEmpty else {
                throw ReportedFailure(status: MissingDocument.status(found: listed))
            }
        }
    }

    /// Notes that other collections have documents if the whole collection is listed and empty.
    private func noteOtherCollections(in snapshot: Snapshot) throws {
        guard output.isForPeople, !onlyCount, !endsWithZero, patterns.isEmpty, condition == nil,
            location.database.address.id == nil, !conflictsOnly, offset == 0, limit != 0
        else { return }
        let own = try location.named().name
        var options = RecordEnumerator.Options()
        options.content = .metadata
        options.limit = 1
        for name in try snapshot.collectionNames() where name != own {
            let records = try DocumentCollection(name).records(options, in: snapshot)
            guard try records.next() != nil else { continue }
            StandardError.current.writeAboutSubject(
                "note: other collections have documents; list them with kvtool lscoll")
            return
        }
    }

    private func makeList(_ matcher: ListMatcher) throws -> any DocumentList {
        let name = try location.named().name
        if onlyCount { return CountList(name, output) }
        if endsWithZero { return IDList() }
        let isLong = long || body || time || columns != nil || !output.isForPeople
        let isShort = !isLong && System.isTerminal(StandardOutput.current.descriptor)
        return isShort
            ? ShortList(empty: matcher.emptyNote)
            : LongList(name, try fields(), bodyForm, output, empty: matcher.emptyNote)
    }

    /// Formats for programs have one form.
    private var bodyForm: ListForm { output.isForPeople ? form ?? .raw : .raw }

    /// The fields that must be read of each document.
    private func needed() throws -> [ListField] { onlyCount || endsWithZero ? [] : try fields() }

    /// The fields to show of each document.
    private func fields() throws -> [ListField] {
        guard let columns else {
            return ListField.usual + (time ? [.time] : []) + (body ? [.body] : [])
        }
        var fields = try columns.split(separator: ",").map { name in
            guard let field = ListField(named: String(name)) else {
                let known = ListField.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError(
                    "--columns: unknown column \(Text.line(String(name))); use \(known)")
            }
            return field
        }
        guard !fields.isEmpty else { throw ValidationError("--columns needs a name, such as id") }
        if time, !fields.contains(.time) { fields.append(.time) }
        if body, !fields.contains(.body) { fields.append(.body) }
        return fields
    }

    /// Returns the IDs of the documents that match the condition, as UTF-8; nil for all.
    private func idsThatMeet(in snapshot: Snapshot) throws -> Set<[UInt8]>? {
        guard let condition else { return nil }
        let documents = try DocumentCondition(condition, location.named().name)
        var ids: Set<[UInt8]> = []
        let rows = try documents.locatingErrors { try documents.query.rows(in: snapshot) }
        while let row = try rows.next() {
            if case .string(let id) = row[0] { ids.insert(Array(id.utf8)) }
        }
        return ids
    }

    private func forEachRow(
        of matcher: ListMatcher, _ met: Set<[UInt8]>?, _ snapshot: Snapshot,
        _ body: (Record) throws -> Void
    ) throws {
        let records = try location.named().records(try options(matcher), in: snapshot)
        var (skipped, count) = (0, 0)
        while count < limit ?? .max, let record = try records.next() {
            guard bySequence || descending || matcher.mayFollow(record.key) else { return }
            let isBefore = record.key.utf8.elementsEqual((after ?? "").utf8)
            guard !isBefore, matcher.matches(record.key),
                met?.contains(Array(record.key.utf8)) ?? true
            else { continue }
            skipped += 1
            guard skipped > offset else { continue }
            try body(record)
            count += 1
        }
    }

    private func options(_ matcher: ListMatcher) throws -> RecordEnumerator.Options {
        var options = RecordEnumerator.Options()
        options.content = try needed().contains(.body) ? .all : .metadata
        options.includesDeleted = deleted
        options.conflictedOnly = conflictsOnly
        options.order = bySequence ? .sequence : .key
        options.descending = descending
        if !bySequence, !descending { options.startKey = matcher.start }
        if let after {
            // That one is left out later.
            let start = options.startKey ?? ""
            options.startKey = after.utf8.lexicographicallyPrecedes(start.utf8) ? start : after
        }
        if matcher.isEmpty, condition == nil {
            // One more than is shown, for the one before.
            let skipped = after == nil ? offset : offset.addingReportingOverflow(1).0
            options.limit = limit.map { $0.addingReportingOverflow(skipped).0 }
        }
        return options
    }
}
