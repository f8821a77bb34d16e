internal import DocumentStore
internal import StorePlatform

extension InfoReport: OneReport {
    package var schema: String { "info" }

    package func writeText() throws {
        try Headings.write(headings)
        try StandardOutput.current.write("\n")
        try Self.writeTable(columns, rows + totals)
        guard !histogram.classes.isEmpty else { return }
        try StandardOutput.current.write(
            "\n" + Colour.bold("Document body sizes") + "\n")
        try histogram.writeText()
    }

    private var headings: [(String, String)] {
        var lines = [("Database", Text.line(path)), ("Size", sizes)]
        if isEncrypted { lines.append(("Encryption", "SQLCipher 4, and blobs with AES-GCM")) }
        if let statistics { lines.append(("Pages", pages(statistics))) }
        lines += [
            ("Schema", info.map { "\($0.schemaVersion)" } ?? "unknown"),
            ("Versioning", versioning), ("Public UUID", uuid(\.publicUUID)),
            ("Private UUID", uuid(\.privateUUID)),
            ("Shared keys", sharedKeys),
            ("Indexes", indexList),
        ]
        for (line, index) in indexes.filter({ $0.staleness != nil }).enumerated() {
            let text = "\(Text.line(IndexText.path(index))): \(IndexText.reason(index))"
            lines.append((line == 0 ? "Stale" : "", text))
        }
        return lines
    }

    private var sizes: String {
        let unread =
            unreadWALBytes > 0
            ? " (the last \(Text.size(unreadWALBytes)) are unused, left by a crash or a "
                + "rollback)" : ""
        let wal = size.wal > 0 ? " and \(Text.size(size.wal)) in the WAL\(unread)" : ""
        let blobs =
            blobs.count > 0
            ? " and \(Text.size(blobs.totalBytes)) in \(Text.count(blobs.count, "blob"))" : ""
        return Text.size(size.database) + wal + blobs
    }

    private func pages(_ statistics: FileStatistics) -> String {
        "\(statistics.pages) of \(statistics.pageSize) bytes, \(statistics.freePages) free"
    }

    private func uuid(_ path: KeyPath<FileInfo, [UInt8]?>) -> String {
        guard let info else { return "unknown" }
        return info[keyPath: path].map(Hexadecimal.encoded) ?? "none"
    }

    private var versioning: String {
        switch info?.versioning {
        case .treesInBody: "revision trees of Couchbase Lite 2"
        case .treesInExtra: "revision trees of Couchbase Lite 3"
        case .versionVectors: "version vectors (source \(source))"
        case nil: "unknown"
        }
    }

    private var sharedKeys: String {
        info?.sharedKeyCount.map { "\($0) of \(FleeceLimits.sharedKeys)" } ?? "damaged"
    }

    private var source: String {
        info?.publicUUID.map(VersionVector.sourceText) ?? "unknown"
    }

    private var indexList: String {
        guard !indexes.isEmpty else { return "none" }
        return indexes.map { index in
            let options = index.vectorOptions.map { " of \($0.text)" } ?? ""
            return "\(Text.line(IndexText.path(index))) (\(IndexText.kind(index.kind))\(options))"
        }.joined(separator: ", ")
    }
}

// The collections.
extension InfoReport {
    package var columns: [Column] {
        let plain = [
            Column("collection", "Collection", isKey: true),
            Column("documents", "Documents", isNumber: true),
            Column("deleted", "Deleted", isNumber: true),
            Column("lastSequence", "Last sequence", isNumber: true),
        ]
        guard detail >= .sizes else { return plain }
        return plain + [
            Column("withBlobs", "With blobs", isNumber: true),
            Column("conflicted", "Conflicted", isNumber: true),
            Column("expiring", "Expiring", isNumber: true),
            Column("bodyBytes", "Bodies", isNumber: true),
            Column("extraBytes", "Other revisions", isNumber: true),
        ]
    }

    /// The rows for CSV output.
    package var rows: [[Cell]] { collections.map(cells) }

    private static var unknown: Cell { .both("?", program: .none) }

    private static func cell(_ count: Int?) -> Cell { count.map(Cell.number) ?? unknown }

    private func cells(_ row: Row) -> [Cell] {
        let plain: [Cell] = [
            .text(row.name.description), Self.cell(row.counts?.live),
            Self.cell(row.counts?.deleted), row.lastSequence.map(Cell.integer) ?? Self.unknown,
        ]
        guard detail >= .sizes else { return plain }
        guard let contents = row.contents else {
            return plain + [Cell](repeating: .none, count: columns.count - plain.count)
        }
        return plain + [
            .number(contents.withBlobs), .number(contents.conflicted), .number(contents.expiring),
            .bytes(contents.bodyBytes), .bytes(contents.extraBytes),
        ]
    }
}

extension InfoReport {
    /// The totals, shown for several collections with sizes.
    private var totals: [[Cell]] {
        guard detail >= .sizes, collections.count > 1 else { return [] }
        func sum(_ value: (Row) -> Int) -> Int { collections.reduce(0) { $0 + value($1) } }
        func contents(_ value: (Contents) -> Int) -> Int { sum { $0.contents.map(value) ?? 0 } }
        return [
            [
                .text("TOTAL"), .number(sum { $0.counts?.live ?? 0 }),
                .number(sum { $0.counts?.deleted ?? 0 }), .none,
                .number(contents(\.withBlobs)), .number(contents(\.conflicted)),
                .number(contents(\.expiring)), .bytes(contents(\.bodyBytes)),
                .bytes(contents(\.extraBytes)),
            ]
        ]
    }

    package var properties: JSONObject {
        var object = JSONObject()
        object.add("database", path)
        object.add("encrypted", isEncrypted)
        object.add("bytes", size.database)
        object.add("walBytes", size.wal)
        if unreadWALBytes > 0 { object.add("unreadWALBytes", unreadWALBytes) }
        object.add("blobs", blobs.count)
        object.add("blobBytes", blobs.totalBytes)
        object.add("pageBytes", statistics?.pageSize)
        object.add("pages", statistics?.pages)
        object.add("freePages", statistics?.freePages)
        object.add("schemaVersion", info?.schemaVersion)
        object.add("versioning", info?.versioning?.rawValue)
        object.add("publicUUID", info?.publicUUID.map(Hexadecimal.encoded))
        object.add("privateUUID", info?.privateUUID.map(Hexadecimal.encoded))
        object.add("sharedKeys", info?.sharedKeyCount)
        object.add("collections", list)
        object.add("indexes", indexes.map(indexJSON))
        if detail >= .histogram { object.add("histogram", histogram.json) }
        return object
    }

    private func indexJSON(_ index: IndexInfo) -> JSONText {
        var object = JSONObject()
        object.add("name", index.name)
        object.add("kind", IndexText.kind(index.kind))
        object.add("collection", IndexText.collection(index.keyStore))
        object.add("dimensions", index.vectorOptions?.dimensions)
        object.add("metric", index.vectorOptions?.metric.rawValue)
        object.add("stale", IndexText.staleness(index))
        return object.finished()
    }
}
