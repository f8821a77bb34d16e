internal import DocumentStore

/// Writes the rows of a collection as JSON, appending each to the same text.
struct ExportedRow {
    private let collection: DocumentCollection
    private let snapshot: Snapshot
    private let withMetadata: Bool
    /// A document whose root each body takes in turn.
    private let scratch: FleeceDocument
    /// The JSON; the caller clears it.
    var text = JSONText()

    private static let maximumBytes = 1 << 26

    init(_ collection: DocumentCollection, in snapshot: Snapshot, withMetadata: Bool) throws {
        self.collection = collection
        self.snapshot = snapshot
        self.withMetadata = withMetadata
        scratch = try FleeceDocument.empty(sharedKeys: snapshot.requireSharedKeys())
    }

    /// Appends a row as an object with `_id` first.
    ///
    /// - Throws: `.corruptData` or `.corruptRevisionData`, with the document's ID; nothing is
    ///   appended then.
    mutating func write(_ row: borrowing RecordRow) throws {
        guard !withMetadata, row.withVersion({ Self.isVector($0) }) else {
            return try writeDocument(row.key)
        }
        let start = text.utf8.count
        do {
            appendID(row.key)
            try row.withBody { try appendProperties($0) }
        } catch {
            text.utf8.removeSubrange(start...)
            // This throws the error with the proper message.
            try writeDocument(row.key)
        }
    }

    /// Appends the document with this ID; returns false if it does not exist.
    @discardableResult
    mutating func write(id: String) throws -> Bool {
        guard let document = try collection.get(id, includesDeleted: true, in: snapshot) else {
            return false
        }
        try write(document)
        return true
    }

    private mutating func writeDocument(_ id: String) throws {
        guard try write(id: id) else {
            throw StoreError(
                .corruptData, "document \"\(Text.line(id))\" is damaged: its ID is not a string")
        }
    }

    private mutating func write(_ document: Document) throws {
        var writer = JSONWriter()
        swap(&writer.text, &text)
        defer { swap(&writer.text, &text) }
        try document.write(
            to: &writer, metadata: withMetadata ? WrittenDocument(document).metadata : [])
    }

    /// Whether the version is a version vector, so that the body contains no revision tree.
    private static func isVector(_ version: UnsafeRawBufferPointer) -> Bool {
        version.first == 0 && (try? VersionVector(binary: version)) != nil
    }

    private mutating func appendID(_ id: String) {
        text.append(#"{"_id":"#)
        let isPlain = id.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
        if isPlain {
            text.utf8.append(UInt8(ascii: "\""))
            text.utf8.append(contentsOf: id.utf8)
            text.utf8.append(UInt8(ascii: "\""))
        } else {
            text.append(quoted: id)
        }
    }

    private mutating func appendProperties(_ body: UnsafeRawBufferPointer) throws {
        let start = text.utf8.count
        guard !body.isEmpty else { return text.append("}") }
        try scratch.withUnsafeRoot(of: body) { root in
            guard let root, root.dictionary != nil else {
                throw FleeceError(.invalidData, "the body is not a dictionary")
            }
            try root.appendJSON(to: &text, maximumBytes: Self.maximumBytes)
        }
        // For an object without properties, only the closing brace remains.
        if text.utf8.count == start + 2 {
            text.utf8.remove(at: start)
        } else {
            text.utf8[start] = UInt8(ascii: ",")
        }
    }
}
