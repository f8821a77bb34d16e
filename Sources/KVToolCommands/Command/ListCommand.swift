internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool ls DATABASE [PATTERN…]`
struct ListCommand: CollectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists the documents of a collection.",
        discussion: """
            Examples:
              kvtool ls people.cblite2 'person-00*'
              kvtool ls people.cblite2 --seq --desc --limit 10
              kvtool ls people.cblite2 --columns id,bytes,expiration --json
              kvtool ls people.cblite2 'person-*' --count
              kvtool ls people.cblite2 --where 'age > 80' --time

            Flags: d deleted, c conflicted, a has attachments, s synced, r rejected. The size is \
            that of the stored body, which is not read: verify finds the damaged ones. Ids that \
            are not there end it with 3, or with 7 if others are listed. The time is that of the \
            revision, which only version vectors tell, by the clock of who made it.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(
        help: "Only these ids; * and ? stand for any characters.",
        completion: .custom { arguments, _, _ in Completion.documents(arguments) })
    var patterns: [String] = []
    @Flag(
        name: [.customShort("l"), .long],
        help: "Revisions, sequences and sizes, too; so it is anyway where no terminal is.")
    var long = false
    @Flag(
        name: [.customLong("deleted"), .customLong("del")], help: "Deleted documents, too.")
    var deleted = false
    @Flag(
        name: [.customLong("conflicts"), .customLong("conf")],
        help: "Only documents with conflicts.")
    var conflictsOnly = false
    @Flag(name: .customLong("seq"), help: "In the order of their last change.")
    var bySequence = false
    @Flag(name: .customLong("desc"), help: "Backwards.") var descending = false
    @Option(
        name: .customLong("where"),
        parsing: .unconditional,
        help: ArgumentHelp(
            "Only documents that meet this SQL++ condition, too.", valueName: "condition"))
    var condition: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many.", valueName: "n"))
    var limit: Int?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Leave out the first ones.", valueName: "n"))
    var offset = 0
    @Flag(help: "When each was changed, as version vectors tell, too.") var time = false
    @Flag(help: "The bodies, too, as JSON.") var body = false
    @Flag(exclusivity: .exclusive) var form: ListForm?
    @Option(
        help: ArgumentHelp(
            "Which columns: id, revision, flags, sequence, bytes, expiration, time, body.",
            valueName: "names"))
    var columns: String?
    @Flag(name: .customLong("count"), help: "Only how many there are.") var onlyCount = false
    @Flag(
        name: [.customShort("0"), .customLong("null")],
        help: "Only the ids, each ended by a byte of zero: for xargs -0.")
    var endsWithZero = false
    @Flag(
        name: [.customShort("c"), .customLong("collections")],
        help: "The collections instead, as lscoll lists them.")
    var listsCollections = false
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try place.validate()
        try requireNotNegative("--limit", limit)
        try requireNotNegative("--offset", offset)
        guard !patterns.contains("") else { throw ValidationError(SelectionArguments.emptyID) }
        guard !listsCollections || patterns.count < 2 else {
            throw ValidationError("--collections takes one pattern")
        }
        _ = try fields()
    }

    func run() async throws {
        guard !listsCollections else {
            return try await CollectionList(
                database: place.database, pattern: patterns.first, withSizes: long, output: output
            ).write()
        }
        let matcher = ListMatcher([place.database.address.id].compactMap(\.self) + patterns)
        try await place.database.read { _, snapshot in
            let fields = try needed()
            let isRead = fields.contains(.body)
            let keys = try isRead ? snapshot.requireSharedKeys() : snapshot.sharedKeys
            var list = try makeList(matcher)
            var (listed, damaged) = (0, 0)
            let damage = try UnreadableBodies(in: snapshot)
            let met = try idsThatMeet(in: snapshot)
            if try damage.wereMet(in: snapshot) { try UnreadableBodies.report() }
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
            let collection = try place.named()
            let missing = try matcher.missing(in: collection, snapshot, includesDeleted: deleted)
            for id in missing { MissingDocument.report(id, collection.name) }
            if damaged > 0 { throw ReportedFailure(status: .damaged) }
            guard missing.isEmpty else {
                throw ReportedFailure(status: MissingDocument.status(found: listed))
            }
        }
    }

    private func makeList(_ matcher: ListMatcher) throws -> any DocumentList {
        let name = try place.named().name
        if onlyCount { return CountList(name, output) }
        if endsWithZero { return IDList() }
        let isLong = long || body || time || columns != nil || !output.isForPeople
        let isShort = !isLong && System.isTerminal(StandardOutput.current.descriptor)
        return isShort
            ? ShortList(empty: matcher.emptyNote)
            : LongList(name, try fields(), bodyForm, output, empty: matcher.emptyNote)
    }

    /// Programs get one form.
    private var bodyForm: ListForm { output.isForPeople ? form ?? .raw : .raw }

    /// What must be read of each document.
    private func needed() throws -> [ListField] { onlyCount || endsWithZero ? [] : try fields() }

    /// What is told of each document.
    private func fields() throws -> [ListField] {
        guard let columns else {
            return ListField.usual + (time ? [.time] : []) + (body ? [.body] : [])
        }
        var fields = try columns.split(separator: ",").map { name in
            guard let field = ListField(named: String(name)) else {
                let known = ListField.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError(
                    "--columns knows no \(Text.line(String(name))), but \(known)")
            }
            return field
        }
        guard !fields.isEmpty else { throw ValidationError("--columns needs a name, as id") }
        if time, !fields.contains(.time) { fields.append(.time) }
        if body, !fields.contains(.body) { fields.append(.body) }
        return fields
    }

    /// The ids of the documents that meet the condition, in bytes; nil for all.
    private func idsThatMeet(in snapshot: Snapshot) throws -> Set<[UInt8]>? {
        guard let condition else { return nil }
        let query = try DocumentCondition.query(condition, place.named().name)
        var ids: Set<[UInt8]> = []
        let rows = try query.rows(in: snapshot)
        while let row = try rows.next() {
            if case .string(let id) = row[0] { ids.insert(Array(id.utf8)) }
        }
        return ids
    }

    private func forEachRow(
        of matcher: ListMatcher, _ met: Set<[UInt8]>?, _ snapshot: Snapshot,
        _ body: (Record) throws -> Void
    ) throws {
        let records = try place.named().records(try options(matcher), in: snapshot)
        var (skipped, count) = (0, 0)
        while count < limit ?? .max, let record = try records.next() {
            guard bySequence || descending || matcher.mayFollow(record.key) else { return }
            guard matcher.matches(record.key), met?.contains(Array(record.key.utf8)) ?? true
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
        if matcher.isEmpty, condition == nil {
            options.limit = limit.map { $0.addingReportingOverflow(offset).0 }
        }
        return options
    }
}
