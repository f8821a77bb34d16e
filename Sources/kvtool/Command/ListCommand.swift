internal import ArgumentParser
internal import DataFileCore
internal import FleeceLite

/// `kvtool ls DATABASE`
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists the documents of a collection.",
        discussion: """
            Flags: d deleted, c conflicted, a has attachments, s synced, r rejected. The size is \
            that of the stored body, which is not read: export finds the damaged ones.
            """)

    @OptionGroup var arguments: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Flag(help: "Deleted documents too.") var deleted = false
    @Flag(name: .customLong("seq"), help: "In the order of their last change.")
    var bySequence = false
    @Flag(name: .customLong("desc"), help: "Backwards.") var descending = false
    @Option(help: "At most this many.") var limit: Int?
    @Flag(help: "Write JSON.") var json = false

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more") }
    }

    func run() throws {
        let file = try arguments.open()
        let collection = try collection.named()
        var damaged = 0
        try file.read { snapshot in
            var list: any DocumentList = json ? JSONList(collection.name) : TextList()
            try list.begin()
            let records = try collection.records(options, in: snapshot)
            while let record = try records.next() {
                let row = ListRow(record)
                if let error = row.error {
                    StandardError.writeAboutSubject(
                        "document \"\(Text.line(record.key))\": \(error)")
                    damaged += 1
                }
                try list.add(row)
            }
            try list.finish()
        }
        if damaged > 0 { throw ReportedFailure(status: .damaged) }
    }

    private var options: RecordEnumerator.Options {
        var options = RecordEnumerator.Options()
        options.content = .metadata
        options.includesDeleted = deleted
        options.order = bySequence ? .sequence : .key
        options.descending = descending
        options.limit = limit
        return options
    }
}

/// A line of the list.
struct ListRow {
    let record: Record
    let revision: String
    /// Why the revision cannot be told.
    let error: StoreError?

    init(_ record: Record) {
        self.record = record
        do {
            revision = try record.revisionID()?.description ?? "-"
            error = nil
        } catch {
            revision = "(damaged)"
            self.error = error as? StoreError
        }
    }
}

/// A form that the list is written in.
protocol DocumentList {
    mutating func begin() throws
    mutating func add(_ row: ListRow) throws
    mutating func finish() throws
}

/// The list as a table.
struct TextList: DocumentList {
    private var table = Table([
        .init(heading: "Document"), .init(heading: "Revision"), .init(heading: "Flags"),
        .init(heading: "Sequence", isNumber: true), .init(heading: "Size", isNumber: true),
        .init(heading: "Expires"),
    ])
    private var isEmpty = true

    mutating func begin() throws {}

    mutating func add(_ row: ListRow) throws {
        isEmpty = false
        let record = row.record
        try table.add([
            Text.line(record.key), row.revision, Text.flags(record.flags), "\(record.sequence)",
            "\(record.bodySize)",
            record.expiration.map { Text.date(milliseconds: $0) } ?? "",
        ])
    }

    mutating func finish() throws {
        try table.finish()
        if isEmpty { StandardError.writeUnprefixed("(no documents)") }
    }
}

/// The list as one JSON object, a line for each document.
struct JSONList: DocumentList {
    private let name: CollectionName
    private var isFirst = true

    init(_ name: CollectionName) {
        self.name = name
    }

    mutating func begin() throws {
        try StandardOutput.write(
            #"{"schema":"kvtool.ls/1","collection":"\#(name)","documents":["#)
    }

    mutating func add(_ row: ListRow) throws {
        try StandardOutput.write(isFirst ? "\n" : ",\n")
        isFirst = false
        var object = JSONObject()
        object.add("id", row.record.key)
        if row.error == nil { object.add("revision", row.revision) }
        object.add("flags", row.record.flags.names)
        object.add("sequence", row.record.sequence)
        object.add("size", row.record.bodySize)
        object.add("expiration", row.record.expiration)
        try StandardOutput.write(object.finished().utf8)
    }

    mutating func finish() throws {
        try StandardOutput.write("\n]}\n")
    }
}
