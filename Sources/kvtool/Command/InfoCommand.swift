internal import ArgumentParser
internal import DataFileCore
internal import FleeceLite

/// `kvtool info DATABASE`
struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Says what a database is and what is in it.")

    @OptionGroup var arguments: DatabaseArguments
    @Flag(help: "Write JSON.") var json = false

    func run() throws {
        let file = try arguments.open()
        let report = try file.read { try InfoReport(file, $0) }
        if json {
            try StandardOutput.write(report.json.utf8 + [0x0A])
        } else {
            try report.write()
        }
        for problem in report.problems { StandardError.writeAboutSubject(problem.message) }
        if !report.problems.isEmpty { throw ReportedFailure(status: .damaged) }
    }
}

/// What `info` tells.
struct InfoReport {
    /// A collection and what it holds.
    struct Row {
        let name: CollectionName
        let live: Int
        let deleted: Int
        let lastSequence: Int64
    }

    let path: String
    let size: FileSize
    let info: FileInfo
    private(set) var rows: [Row] = []
    private(set) var indexes: [IndexInfo] = []
    /// What could not be told, because tables are not as they should be.
    private(set) var problems: [StoreError] = []

    init(_ file: DataFile, _ snapshot: Snapshot) throws {
        path = file.path
        size = file.size
        info = try snapshot.fileInfo()
        for name in try snapshot.collectionNames() {
            if let row = try noting({ try Row(name, snapshot) }) { rows.append(row) }
        }
        indexes = try noting { try snapshot.indexes() } ?? []
    }

    /// The result of `body`, nil if a table's form stands in its way.
    private mutating func noting<T>(_ body: () throws -> T) throws -> T? {
        do {
            return try body()
        } catch let error as StoreError where error.has(.wrongFormat) {
            problems.append(error)
            return nil
        }
    }
}

extension InfoReport.Row {
    fileprivate init(_ name: CollectionName, _ snapshot: Snapshot) throws {
        let collection = Collection(name)
        let (live, deleted) = try collection.count(in: snapshot)
        self.init(
            name: name, live: live, deleted: deleted,
            lastSequence: try collection.keyStore.lastSequence(in: snapshot))
    }
}

extension InfoReport {
    func write() throws {
        let log = size.log > 0 ? " and \(Text.size(size.log)) in the log" : ""
        try StandardOutput.write(
            """
            Database:     \(Text.line(path))
            Size:         \(Text.size(size.database))\(log)
            Schema:       \(info.schemaVersion)
            Versioning:   \(versioning)
            Public UUID:  \(info.publicUUID.map(Text.hexadecimal) ?? "none")
            Private UUID: \(info.privateUUID.map(Text.hexadecimal) ?? "none")
            Shared keys:  \(info.sharedKeyCount) of \(FleeceLimits.sharedKeys)
            Indexes:      \(indexList)

            """)
        for (line, index) in indexes.filter({ $0.staleness != nil }).enumerated() {
            let heading = line == 0 ? "Stale:        " : "              "
            try StandardOutput.write("\(heading)\(Text.line(name(index))): \(reason(index))\n")
        }
        try StandardOutput.write("\n")
        var table = Table([
            .init(heading: "Collection"), .init(heading: "Documents", isNumber: true),
            .init(heading: "Deleted", isNumber: true),
            .init(heading: "Last sequence", isNumber: true),
        ])
        for row in rows {
            try table.add([
                Text.line("\(row.name)"), "\(row.live)", "\(row.deleted)", "\(row.lastSequence)",
            ])
        }
        try table.finish()
    }

    private var versioning: String {
        switch info.versioning {
        case .treesInBody: "revision trees of Couchbase Lite 2"
        case .treesInExtra: "revision trees of Couchbase Lite 3"
        case .versionVectors: "version vectors (source \(source))"
        case nil: "unknown"
        }
    }

    private var source: String {
        info.publicUUID.map(VersionVector.sourceText) ?? "unknown"
    }

    private var indexList: String {
        guard !indexes.isEmpty else { return "none" }
        return indexes.map { index in
            "\(Text.line(name(index))) (\(kind(index)))"
        }.joined(separator: ", ")
    }

    private func name(_ index: IndexInfo) -> String { "\(collection(index)).\(index.name)" }

    /// Why an index may be wrong, and what to do.
    private func reason(_ index: IndexInfo) -> String {
        switch index.staleness {
        case .foreign: "only the program that made it keeps it current; make it anew there"
        case .textOrder: "its texts may be in the order of another platform; make it anew"
        case nil: ""
        }
    }

    private func collection(_ index: IndexInfo) -> String {
        CollectionName(index.keyStore)?.description ?? index.keyStore.rawName
    }

    private func kind(_ index: IndexInfo) -> String {
        switch index.kind {
        case .value: "value"
        case .fullText: "full-text"
        case .array: "array"
        case .predictive: "predictive"
        case .vector: "vector"
        case nil: "unknown"
        }
    }
}

extension InfoReport {
    var json: JSONText {
        var object = JSONObject()
        object.add("schema", "kvtool.info/1")
        object.add("database", path)
        object.add("size", size.database)
        object.add("logSize", size.log)
        object.add("schemaVersion", info.schemaVersion)
        object.add("versioning", info.versioning?.rawValue)
        object.add("publicUUID", info.publicUUID.map(Text.hexadecimal))
        object.add("privateUUID", info.privateUUID.map(Text.hexadecimal))
        object.add("sharedKeys", info.sharedKeyCount)
        object.add("collections", rows.map(\.json))
        object.add(
            "indexes",
            indexes.map { index in
                var object = JSONObject()
                object.add("name", index.name)
                object.add("kind", kind(index))
                object.add("collection", collection(index))
                object.add("stale", stale(index))
                return object.finished()
            })
        return object.finished()
    }
}

extension InfoReport {
    private func stale(_ index: IndexInfo) -> String? {
        switch index.staleness {
        case .foreign: "foreign"
        case .textOrder: "textOrder"
        case nil: nil
        }
    }
}

extension InfoReport.Row {
    fileprivate var json: JSONText {
        var object = JSONObject()
        object.add("name", name.description)
        object.add("documents", live)
        object.add("deleted", deleted)
        object.add("lastSequence", lastSequence)
        return object.finished()
    }
}
