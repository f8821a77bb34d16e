internal import DocumentStore

/// One database's version of a document.
struct ComparedDocument {
    let record: Record
    let sharedKeys: SharedKeys

    var id: String { record.key }
    var isDeleted: Bool { record.flags.contains(.deleted) }

    /// The properties, or an empty dictionary if there are none.
    ///
    /// - Throws: `.corruptData`, with the ID of the document.
    func body() throws -> FleeceDocument {
        do {
            guard let bytes = record.currentBody, !bytes.isEmpty else {
                return try FleeceDocument(json: "{}")
            }
            let document = try FleeceDocument(trusted: bytes, sharedKeys: sharedKeys)
            guard document.root.dictionary != nil else {
                throw FleeceError(.invalidData, "the body is not a dictionary")
            }
            return document
        } catch let error as FleeceError {
            throw StoreError.damaged(document: id, error)
        }
    }
}

/// The documents of a collection in the order of their IDs, including tombstones.
struct DocumentCursor {
    private let records: RecordEnumerator?
    private let sharedKeys: SharedKeys
    private let filter: DocumentFilter

    /// A collection that does not exist has no documents.
    init(_ collection: DocumentCollection, _ filter: DocumentFilter, in snapshot: Snapshot) throws {
        var options = RecordEnumerator.Options()
        options.includesDeleted = true
        records =
            try collection.exists(in: snapshot)
            ? collection.records(options, in: snapshot) : nil
        sharedKeys = try snapshot.requireSharedKeys()
        self.filter = filter
    }

    func next() throws -> ComparedDocument? {
        while let record = try records?.next() {
            guard !Interruption.isRequested else { throw CancellationError() }
            if filter.accepts(record.key) {
                return ComparedDocument(record: record, sharedKeys: sharedKeys)
            }
        }
        return nil
    }
}

/// Selects the documents to compare.
package struct DocumentFilter {
    /// Ids without a pattern.
    let ids: [String]
    private let patterns: [KeyPattern]

    /// - Parameter names: IDs and patterns; empty for all documents.
    package init(_ names: [String]) {
        ids = names.filter { KeyPattern($0) == nil }
        patterns = names.compactMap { KeyPattern($0) }
    }

    /// Whether the filter names single documents, so that the others need not be read.
    var isByID: Bool { !ids.isEmpty && patterns.isEmpty }

    package func accepts(_ id: String) -> Bool {
        guard !ids.isEmpty || !patterns.isEmpty else { return true }
        return ids.contains { $0.utf8.elementsEqual(id.utf8) }
            || patterns.contains { $0.matches(id) }
    }
}
