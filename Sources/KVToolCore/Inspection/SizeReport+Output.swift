internal import DocumentStore
internal import StoreTools

extension SizeReport {
    package func writeText() throws {
        try Headings.write(headings)
        try StandardOutput.current.write("\n")
        try Self.writeTable(Self.storeColumns, storeRows)
        if statistics.trees != nil {
            try StandardOutput.current.write("\n")
            try Self.writeTable(columns, rows)
        }
        if !vectorIndexes.isEmpty {
            try StandardOutput.current.write("\n")
            try Self.writeTable(Self.vectorColumns, vectorRows)
        }
        for (name, profile) in profiles where profile.documents + profile.tombstones > 0 {
            try write(profile, of: name)
        }
    }

    private var headings: [(String, String)] {
        let pages =
            "\(Text.count(statistics.pages, "page")) of \(statistics.pageSize) bytes"
        let free = Text.count(statistics.freePages, "page")
        let keys = statistics.sharedKeyCount.map { "\($0)" } ?? "damaged"
        return [
            ("Database", Text.line(path)), ("File", "\(Text.size(size.database)), \(pages)"),
            ("WAL", Text.size(size.wal)), ("Free", "\(Text.size(freeBytes)), \(free)"),
            ("Blobs", "\(Text.size(blobs.totalBytes)), \(Text.count(blobs.count, "blob"))"),
            ("Shared keys", "\(keys) of \(FleeceLimits.sharedKeys)"),
        ]
    }

    private func write(_ profile: SizeProfile, of name: CollectionName) throws {
        let title = "Bodies in \(name)"
        try StandardOutput.current.write("\n" + Colour.bold(title) + "\n")
        try SizeHistogram(profile.histogram).writeText()
        if !profile.largest.isEmpty {
            try StandardOutput.current.write("\n")
            try Self.writeTable(Self.documentColumns, profile.largest.map(Self.row))
        }
        guard !profile.properties.isEmpty, propertyLimit > 0 else { return }
        try StandardOutput.current.write("\n")
        try Self.writeTable(Self.propertyColumns, propertyRows(profile))
    }

    private static let documentColumns = [
        Column("id", "Largest documents", isKey: true), Column("bytes", "Size", isNumber: true),
        Column("bodyBytes", "Body", isNumber: true),
        Column("extraBytes", "Other revisions", isNumber: true),
        Column("deleted", "Deleted"),
    ]

    private static func row(_ document: SizeProfile.Document) -> [Cell] {
        [
            .text(document.key), .bytes(document.bytes), .bytes(document.bodyBytes),
            .bytes(document.extraBytes),
            .both(document.isDeleted ? "yes" : "", program: .bool(document.isDeleted)),
        ]
    }

    private static let propertyColumns = [
        Column("name", "Property", isKey: true), Column("documents", "Documents", isNumber: true),
        Column("bytes", "Size", isNumber: true), Column("share", "Share", isNumber: true),
    ]

    /// The properties of the sample.
    private func propertyRows(_ profile: SizeProfile) -> [[Cell]] {
        profile.properties.prefix(propertyLimit).map { property in
            let share = Double(property.bytes) / Double(max(profile.sampledBytes, 1))
            let percent = Int((min(share, 1) * 100).rounded())
            return [
                .text(property.name), .number(property.count), .bytes(property.bytes),
                .both("\(percent) %", program: .decimal((share * 1000).rounded() / 1000)),
            ]
        }
    }
}

extension SizeReport {
    package var properties: JSONObject {
        var object = JSONObject()
        object.add("database", path)
        object.add("bytes", size.database)
        object.add("walBytes", size.wal)
        object.add("pageBytes", statistics.pageSize)
        object.add("pages", statistics.pages)
        object.add("freePages", statistics.freePages)
        object.add("freeBytes", freeBytes)
        object.add("blobs", blobs.count)
        object.add("blobBytes", blobs.totalBytes)
        object.add("sharedKeys", statistics.sharedKeyCount)
        object.add("stores", Self.list(Self.storeColumns, storeRows))
        object.add("trees", list)
        object.add("vectorIndexes", Self.list(Self.vectorColumns, vectorRows))
        object.add("collections", profiles.map { json($0.name, $0.profile) })
        return object
    }

    private func json(_ name: CollectionName, _ profile: SizeProfile) -> JSONText {
        var object = JSONObject()
        object.add("collection", name.description)
        object.add("documents", profile.documents)
        object.add("deleted", profile.tombstones)
        object.add("histogram", SizeHistogram(profile.histogram).json)
        object.add("largest", Self.list(Self.documentColumns, profile.largest.map(Self.row)))
        object.add("sampled", profile.sampledDocuments)
        object.add("sampledBytes", profile.sampledBytes)
        object.add("properties", Self.list(Self.propertyColumns, propertyRows(profile)))
        return object.finished()
    }
}
