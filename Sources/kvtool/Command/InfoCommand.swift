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
    let rows: [Row]

    init(_ file: DataFile, _ snapshot: Snapshot) throws {
        path = file.path
        size = file.size
        info = try snapshot.fileInfo()
        rows = try snapshot.collectionNames().map { name in
            let collection = Collection(name)
            let (live, deleted) = try collection.count(in: snapshot)
            return Row(
                name: name, live: live, deleted: deleted,
                lastSequence: try collection.keyStore.lastSequence(in: snapshot))
        }
    }
}

extension InfoReport {
    func write() throws {
        let log = size.log > 0 ? " and \(Text.size(size.log)) in the log" : ""
        try StandardOutput.write(
            """
            Database:     \(path)
            Size:         \(Text.size(size.database))\(log)
            Schema:       \(info.schemaVersion)
            Versioning:   \(versioning)
            Public UUID:  \(info.publicUUID.map(Text.hexadecimal) ?? "none")
            Private UUID: \(info.privateUUID.map(Text.hexadecimal) ?? "none")
            Shared keys:  \(info.sharedKeyCount) of \(FleeceLimits.sharedKeys)
            Indexes:      \(indexes)

            """)
        try StandardOutput.write("\n")
        var table = Table([
            .init(heading: "Collection"), .init(heading: "Documents", isNumber: true),
            .init(heading: "Deleted", isNumber: true),
            .init(heading: "Last sequence", isNumber: true),
        ])
        for row in rows {
            try table.add([
                "\(row.name)", "\(row.live)", "\(row.deleted)", "\(row.lastSequence)",
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

    private var indexes: String {
        guard !info.indexes.isEmpty else { return "none" }
        return info.indexes.map { index in
            "\(collection(index)).\(Text.line(index.name)) (\(kind(index)))"
        }.joined(separator: ", ")
    }

    private func collection(_ index: FileInfo.Index) -> String {
        CollectionName(index.keyStore)?.description ?? index.keyStore.rawName
    }

    private func kind(_ index: FileInfo.Index) -> String {
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
            info.indexes.map { index in
                var object = JSONObject()
                object.add("name", index.name)
                object.add("kind", kind(index))
                object.add("collection", collection(index))
                return object.finished()
            })
        return object.finished()
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
