internal import DataFileCore
internal import FleeceLite

/// Writes documents of a collection to a sink.
struct Exporter {
    /// Which documents.
    enum Choice: Sendable {
        case all
        /// Those whose ids these are, or match these patterns.
        case ids([String])
        /// Those that meet a condition in SQL++.
        case condition(String)
    }

    let collection: Collection
    var choice = Choice.all
    /// Changes after this sequence.
    var since: Int64?
    var limit = Int.max
    var includesDeleted = false
    var withMetadata = false
    var tellsEvery: Int?
    /// Whether nothing is said of damaged documents.
    var isQuiet = false

    /// What was done.
    struct Result: Sendable {
        var count = 0
        var damaged = 0
        var missing = 0
    }

    /// Writes all that is chosen.
    func run(_ snapshot: Snapshot, into sink: inout any DocumentSink) throws -> Result {
        guard try collection.exists(in: snapshot) else {
            throw StoreError(.notFound, "there is no collection \(collection.name)")
        }
        var run = try ExportRun(self, snapshot)
        defer { run.progress.finish() }
        switch choice {
        case .all: try run.exportRows(options, matching: nil, into: &sink)
        case .ids(let ids):
            for id in ids where run.result.count < limit { try run.export(id, into: &sink) }
        case .condition(let condition): try run.export(meeting: condition, into: &sink)
        }
        return run.result
    }

    fileprivate var options: RecordEnumerator.Options {
        var options = RecordEnumerator.Options()
        options.includesDeleted = includesDeleted
        if let since {
            options.sequences = (since &+ 1)...Int64.max
            options.order = .sequence
        }
        if limit < .max { options.limit = limit }
        return options
    }
}

/// An export that is under way.
private struct ExportRun {
    let exporter: Exporter
    let snapshot: Snapshot
    var row: ExportedRow
    var result = Exporter.Result()
    var progress: Progress

    init(_ exporter: Exporter, _ snapshot: Snapshot) throws {
        self.exporter = exporter
        self.snapshot = snapshot
        row = try ExportedRow(
            exporter.collection, in: snapshot, withMetadata: exporter.withMetadata)
        progress = Progress("document")
        if progress.isShown, case .all = exporter.choice, exporter.since == nil {
            progress.total = try exporter.collection.count(in: snapshot).live
        }
    }

    mutating func exportRows(
        _ options: RecordEnumerator.Options, matching pattern: KeyPattern?,
        into sink: inout any DocumentSink
    ) throws {
        let prefix = pattern?.prefix ?? ""
        try exporter.collection.records(options, in: snapshot).forEachRow { record in
            guard result.count < exporter.limit else { return false }
            let id = record.key
            if let pattern {
                guard id.utf8.starts(with: prefix.utf8) else { return false }
                guard pattern.matches(id) else { return true }
            }
            try add(id, into: &sink) {
                try $0.write(record)
                return true
            }
            return true
        }
    }

    mutating func export(_ id: String, into sink: inout any DocumentSink) throws {
        let exact = try exporter.collection.keyStore.get(id, content: .metadata, in: snapshot)
        if let exact, exporter.includesDeleted || !exact.flags.contains(.deleted) {
            return try add(id, into: &sink) { try $0.write(id: id) }
        }
        guard let pattern = KeyPattern(id) else {
            result.missing += 1
            guard !exporter.isQuiet else { return }
            return MissingDocument.report(id, exporter.collection.name)
        }
        var options = exporter.options
        options.limit = nil
        options.startKey = pattern.prefix.isEmpty ? nil : pattern.prefix
        try exportRows(options, matching: pattern, into: &sink)
    }

    mutating func export(meeting condition: String, into sink: inout any DocumentSink) throws {
        let rows = try DocumentCondition.query(condition, exporter.collection.name)
            .rows(in: snapshot)
        while result.count < exporter.limit, let found = try rows.next() {
            guard case .string(let id) = found[0] else { continue }
            if let since = exporter.since {
                let record = try exporter.collection.keyStore.get(
                    id, content: .metadata, in: snapshot)
                guard let record, record.sequence > since else { continue }
            }
            try add(id, into: &sink) { try $0.write(id: id) }
        }
    }

    /// Writes a document, or says that it is damaged.
    @inline(__always)
    private mutating func add(
        _ id: String, into sink: inout any DocumentSink,
        _ write: (inout ExportedRow) throws -> Bool
    ) throws {
        row.text.utf8.removeAll(keepingCapacity: true)
        do {
            guard try write(&row) else { return }
        } catch let error as StoreError where error.isDamage {
            if !exporter.isQuiet { StandardError.writeAboutSubject(error.message) }
            result.damaged += 1
            return
        }
        try sink.write(row.text, id: id)
        result.count += 1
        if result.count & 1023 == 0 {
            try Task.checkCancellation()
            progress.update(result.count)
        }
        if let every = exporter.tellsEvery, result.count % every == 0 {
            StandardError.writeUnprefixed(Text.count(result.count, "document"))
        }
    }
}

/// The names of the properties of the documents that are exported, for the headings of a file of
/// values.
struct PropertyNames: DocumentSink {
    private(set) var names: [String] = []
    private var known: Set<String> = []

    mutating func write(_ json: borrowing JSONText, id: String) throws {
        let document = try FleeceDocument(json: json.string)
        guard let properties = document.root.dictionary else { return }
        for (name, _) in properties where known.insert(name).inserted { names.append(name) }
    }

    mutating func finish() throws {}
}

extension StoreError {
    /// Whether other documents may still be readable.
    fileprivate var isDamage: Bool { has(.corruptData) || has(.corruptRevisionData) }
}
