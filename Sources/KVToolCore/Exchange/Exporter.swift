package import DocumentStore

/// Writes documents of a collection to a sink.
package struct Exporter {
    package let collection: DocumentCollection
    /// The documents to export; nil for all.
    package var selection: DocumentSelection?
    /// Exports only documents changed after this sequence.
    package var since: Int64?
    package var limit = Int.max
    package var includesDeleted = false
    package var withMetadata = false
    package var reportsEvery: Int?
    /// Whether to suppress messages about damaged documents.
    package var isQuiet = false
    /// The path that messages about damaged documents name; nil for all databases of the command.
    package var source: String?

    package init(
        collection: DocumentCollection, selection: DocumentSelection? = nil, since: Int64? = nil,
        limit: Int = Int.max, includesDeleted: Bool = false, withMetadata: Bool = false,
        reportsEvery: Int? = nil, isQuiet: Bool = false
    ) {
        self.collection = collection
        self.selection = selection
        self.since = since
        self.limit = limit
        self.includesDeleted = includesDeleted
        self.withMetadata = withMetadata
        self.reportsEvery = reportsEvery
        self.isQuiet = isQuiet
    }

    /// The result of an export.
    package struct Result: Sendable {
        package var count = 0
        package var damaged = 0
        package var missing = 0
        /// Whether the condition was evaluated for unreadable bodies.
        package var hasMetDamage = false
    }

    /// Writes all selected documents.
    package func run(_ snapshot: Snapshot, into sink: inout any DocumentSink) throws -> Result {
        guard try collection.exists(in: snapshot) else {
            throw StoreError(.notFound, "there is no collection \(collection.name)")
        }
        var run = try ExportRun(self, snapshot)
        defer { run.progress.finish() }
        if let selection {
            try run.export(selection, into: &sink)
        } else {
            try run.exportAll(options, into: &sink)
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

/// A running export.
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
        if progress.isShown, exporter.selection == nil, exporter.since == nil {
            progress.total = try exporter.collection.count(in: snapshot).live
        }
    }

    mutating func exportAll(
        _ options: RecordEnumerator.Options, into sink: inout any DocumentSink
    ) throws {
        try exporter.collection.records(options, in: snapshot).forEachRow { record in
            guard result.count < exporter.limit else { return false }
            try add(record.key, into: &sink) {
                try $0.write(record)
                return true
            }
            return true
        }
    }

    mutating func export(
        _ selection: DocumentSelection, into sink: inout any DocumentSink
    ) throws {
        let includesDeleted = exporter.includesDeleted
        let hasMetDamage = try selection.forEach(
            in: exporter.collection, snapshot, includesDeleted: includesDeleted
        ) { choice in
            guard result.count < exporter.limit else { return false }
            switch choice {
            case .missing(let name):
                result.missing += 1
                if !exporter.isQuiet { MissingDocument.report(name, exporter.collection.name) }
            case .id(let id):
                guard try isRecent(id) else { return true }
                try add(id, into: &sink) { try $0.write(id: id) }
            }
            return true
        }
        result.hasMetDamage = hasMetDamage
    }

    /// Whether the document has changed since the requested sequence.
    private func isRecent(_ id: String) throws -> Bool {
        guard let since = exporter.since else { return true }
        let record = try exporter.collection.keyStore.get(id, content: .metadata, in: snapshot)
        return record.map { $0.sequence > since } ?? false
    }

    /// Writes a document, or reports that it is damaged.
    @inline(__always)
    private mutating func add(
        _ id: String, into sink: inout any DocumentSink,
        _ write: (inout ExportedRow) throws -> Bool
    ) throws {
        row.text.utf8.removeAll(keepingCapacity: true)
        do {
            guard try write(&row) else { return }
        } catch let error as StoreError where error.isDamage {
            if !exporter.isQuiet {
                let start = exporter.source.map { "\($0): " } ?? ""
                StandardError.current.writeAboutSubject(start + error.message)
            }
            result.damaged += 1
            return
        }
        try sink.write(row.text, id: id)
        result.count += 1
        if result.count & 1023 == 0 {
            try Interruption.check()
            progress.update(result.count)
        }
        if let every = exporter.reportsEvery, result.count % every == 0 {
            StandardError.current.writeUnprefixed(Text.count(result.count, "document"))
        }
    }
}

/// Collects the property names of the exported documents, for the header of a CSV file.
package struct PropertyNames: DocumentSink {
    package private(set) var names: [String] = []
    private var known: Set<String> = []

    package init(names: [String] = [], known: Set<String> = []) {
        self.names = names
        self.known = known
    }

    package mutating func write(_ json: borrowing JSONText, id: String) throws {
        let document = try FleeceDocument(json: json.string)
        guard let properties = document.root.dictionary else { return }
        for (name, _) in properties where known.insert(name).inserted { names.append(name) }
    }

    package mutating func finish() throws {}
}

extension StoreError {
    /// Whether the error concerns one document, so that others may still be readable.
    fileprivate var isDamage: Bool { has(.corruptData) || has(.corruptRevisionData) }

    /// The error for a document whose body cannot be read.
    package static func damaged(document id: String, _ error: FleeceError) -> StoreError {
        StoreError(
            .corruptData, "document \"\(Text.line(id))\" is damaged: \(error.message)",
            underlying: error)
    }
}
