public import FleeceLite

/// A document of a collection, as a snapshot has it.
public struct Document: Sendable {
    /// The row that it stands in.
    public let record: Record
    /// The current revision, nil if the row has none.
    public let revisionID: RevisionID?
    /// The body, nil if it has no properties.
    public let body: FleeceDocument?

    /// Reads a row.
    ///
    /// Throws `.corruptRevisionData` or `.corruptData`, naming the document.
    init(_ record: Record, sharedKeys: SharedKeys) throws {
        self.record = record
        do {
            revisionID = try record.revisionID()
            body = try record.currentBody.map {
                try FleeceDocument(trusted: $0, sharedKeys: sharedKeys)
            }
            if let body, body.root.dictionary == nil {
                throw FleeceError(.invalidData, "the body is no dictionary")
            }
        } catch {
            throw StoreError(
                (error as? StoreError)?.has(.corruptRevisionData) == true
                    ? .corruptRevisionData : .corruptData,
                "document \"\(record.key)\" is damaged: \(error)", underlying: error)
        }
    }

    /// The id.
    public var id: String { record.key }
    /// The sequence of its latest change.
    public var sequence: Int64 { record.sequence }
    /// What it is.
    public var flags: DocumentFlags { record.flags }
    /// Whether it is a tombstone.
    public var isDeleted: Bool { record.flags.contains(.deleted) }
    /// When it expires, in milliseconds since 1970; nil for never.
    public var expiration: Int64? { record.expiration }
    /// The properties, nil if it has none.
    public var properties: FleeceDictionary? { body?.root.dictionary }

    /// A property of the outermost level.
    public subscript(key: String) -> FleeceValue? { properties?[key] }
}

extension Document {
    /// Appends the document to `writer` as an object with `_id` first.
    ///
    /// Throws `.corruptData`, naming the document; nothing is appended then.
    public func write(
        to writer: inout JSONWriter, metadata: [(key: String, json: JSONText)] = []
    ) throws {
        var id = JSONText()
        id.append(quoted: record.key)
        do {
            try writer.write(properties, after: [("_id", id)] + metadata)
        } catch {
            throw StoreError(
                .corruptData, "document \"\(record.key)\" is damaged: \(error)",
                underlying: error)
        }
    }
}
