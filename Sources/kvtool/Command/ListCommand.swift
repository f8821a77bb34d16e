internal import ArgumentParser
internal import DataFileCore

/// `kvtool ls DATABASE [PATTERN]`
struct ListCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists the documents of a collection.",
        discussion: """
            Examples:
              kvtool ls people.cblite2 'person-00*'
              kvtool ls people.cblite2 --seq --desc --limit 10
              kvtool ls people.cblite2 --columns id,size,expiration --json
              kvtool ls people.cblite2 'person-*' --count

            Flags: d deleted, c conflicted, a has attachments, s synced, r rejected. The size is \
            that of the stored body, which is not read: verify finds the damaged ones.
            """)

    @OptionGroup var place: CollectionArguments
    @Argument(help: "Only ids that match it; * and ? stand for any characters.")
    var pattern: String?
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
    @Option(help: ArgumentHelp("At most this many.", valueName: "n")) var limit: Int?
    @Option(help: ArgumentHelp("Leave out the first ones.", valueName: "n")) var offset = 0
    @Flag(help: "The bodies, too, as JSON.") var body = false
    @Option(
        help: ArgumentHelp(
            "Which columns: id, revision, flags, sequence, size, expiration, body.",
            valueName: "names"))
    var columns: String?
    @Flag(name: .customLong("count"), help: "Only how many there are.") var onlyCount = false
    @Flag(
        name: [.customShort("0"), .customLong("null")],
        help: "Only the ids, each ended by a byte of zero: for xargs -0.")
    var endsWithZero = false
    @OptionGroup var output: OutputArguments

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more") }
        guard offset >= 0 else { throw ValidationError("--offset takes 0 or more") }
        _ = try fields()
    }

    func run() async throws {
        let damaged = try await place.database.read { file, snapshot in
            var list = try makeList()
            var damaged = 0
            let fields = try needed()
            try forEachRow(snapshot) { record in
                let row = ListRow(record, snapshot.sharedKeys, fields)
                if let error = row.error {
                    StandardError.writeAboutSubject(
                        "document \"\(Text.line(row.record.key))\": \(error)")
                    damaged += 1
                }
                try list.add(row)
            }
            try list.finish()
            return damaged
        }
        if damaged > 0 { throw ReportedFailure(status: .damaged) }
    }

    private func makeList() throws -> any DocumentList {
        let name = try place.named().name
        if onlyCount { return CountList(name, output) }
        if endsWithZero { return IDList() }
        let isLong = long || body || columns != nil || !output.isForPeople
        let isShort = !isLong && System.isTerminal(System.standardOutput)
        return isShort ? ShortList() : LongList(name, try fields(), output)
    }

    /// What must be read of each document.
    private func needed() throws -> [ListField] { onlyCount || endsWithZero ? [] : try fields() }

    /// What is told of each document.
    private func fields() throws -> [ListField] {
        guard let columns else { return ListField.usual + (body ? [.body] : []) }
        var fields = try columns.split(separator: ",").map { name in
            guard let field = ListField(rawValue: String(name)) else {
                let known = ListField.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError(
                    "--columns knows no \(Text.line(String(name))), but \(known)")
            }
            return field
        }
        guard !fields.isEmpty else { throw ValidationError("--columns needs a name, as id") }
        if body, !fields.contains(.body) { fields.append(.body) }
        return fields
    }

    private func forEachRow(_ snapshot: Snapshot, _ body: (Record) throws -> Void) throws {
        let matcher = pattern.map { ListPattern($0) }
        let records = try place.named().records(try options(matcher), in: snapshot)
        var (skipped, count) = (0, 0)
        while count < limit ?? .max, let record = try records.next() {
            if let matcher {
                guard matcher.mayFollow(record.key) || bySequence || descending else { return }
                guard matcher.matches(record.key) else { continue }
            }
            skipped += 1
            guard skipped > offset else { continue }
            try body(record)
            count += 1
        }
    }

    private func options(_ matcher: ListPattern?) throws -> RecordEnumerator.Options {
        var options = RecordEnumerator.Options()
        options.content = try needed().contains(.body) ? .all : .metadata
        options.includesDeleted = deleted
        options.conflictedOnly = conflictsOnly
        options.order = bySequence ? .sequence : .key
        options.descending = descending
        if !bySequence, !descending { options.startKey = matcher?.start }
        if matcher == nil { options.limit = limit.map { $0.addingReportingOverflow(offset).0 } }
        return options
    }
}

/// What an id must be to be listed.
private struct ListPattern {
    private let text: String
    private let pattern: KeyPattern?

    init(_ text: String) {
        self.text = text
        pattern = KeyPattern(text)
    }

    /// What all that match begin with; nil if that may be anything.
    var start: String? {
        let prefix = pattern?.prefix ?? text
        return prefix.isEmpty ? nil : prefix
    }

    func matches(_ id: String) -> Bool {
        pattern?.matches(id) ?? id.utf8.elementsEqual(text.utf8)
    }

    /// Whether ones that match can still come, in the order of their ids.
    func mayFollow(_ id: String) -> Bool {
        start.map { id.utf8.starts(with: $0.utf8) } ?? true
    }
}
