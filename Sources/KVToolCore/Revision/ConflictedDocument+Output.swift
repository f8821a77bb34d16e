internal import DocumentStore

extension ConflictedDocument {
    /// The columns of a list of documents with conflicts.
    package static let columns = [
        Column("collection", "Collection"), Column("id", "Document", isKey: true),
        Column("revisions", "Revisions", isNumber: true), Column("local", "Local"),
        Column("others", "Remote"), Column("deleted", "Deleted"), Column("latest", "Latest"),
        Column("sides", ""),
    ]

    /// One cell for each of `columns`.
    package var row: [Cell] { row(sides.map { $0.properties.finished() }) }

    /// One cell for each of `columns`, with these objects for the sides.
    func row(_ objects: [JSONText]) -> [Cell] {
        let deleted = sides.filter(\.isDeleted)
        return [
            .text(collection.description), .text(id), .number(sides.count),
            .text(current.id.description), .list(others.map(\.id.description)),
            .both(
                deleted.map(\.name).joined(separator: ","),
                program: .list(deleted.map(\.id.description))),
            .both(latestText, program: .text(latest.id.description)),
            .both("", program: .json(JSONText(array: objects))),
        ]
    }

    /// The side that wins if the last writer does, and its time if it has one.
    private var latestText: String {
        [latest.name, latest.id.time.map { Text.date(milliseconds: $0) }].compactMap(\.self)
            .joined(separator: ", ")
    }
}

extension ConflictedDocument.Side {
    /// Its properties for programs.
    var properties: JSONObject {
        var object = JSONObject()
        object.add("side", name)
        object.add("revision", id.description)
        object.add("deleted", isDeleted)
        object.add("time", id.time)
        object.add("source", source)
        object.add("remotes", revision.remotes.map(String.init))
        return object
    }

    /// The database that wrote the revision; nil for a revision of a tree, which does not have it.
    package var source: String? {
        guard case .vector(let vector) = id, !vector.first.isLegacy else { return nil }
        return vector.first.source.description
    }

    /// The ID unless it is the name, the time and source of the revision, and the addresses of the
    /// remotes that have it, as text.
    ///
    /// - Parameter addresses: the addresses of the remotes, by their numbers.
    package func description(_ addresses: [Int: String]) -> String {
        let origin = source.map { $0 == "*" ? "written here" : "written by \($0)" }
        let facts = [
            name == id.description ? nil : id.description,
            isDeleted ? "deletes the document" : nil,
            id.time.map { Text.date(milliseconds: $0) }, origin,
        ]
        let remotes = revision.remotes.map { addresses[$0] ?? "remote \($0)" }
        let text = facts.compactMap(\.self).joined(separator: ", ")
        guard !remotes.isEmpty else { return text }
        return (text.isEmpty ? "" : text + " ") + "(\(remotes.joined(separator: ", ")))"
    }
}

extension JSONText {
    /// An array of encoded values.
    init(array: [JSONText]) {
        self.init()
        append("[")
        for (index, value) in array.enumerated() {
            if index > 0 { append(",") }
            utf8 += value.utf8
        }
        append("]")
    }
}
