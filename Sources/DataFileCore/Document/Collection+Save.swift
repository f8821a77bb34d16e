public import FleeceLite

extension Collection {
    /// What saving did.
    public struct Saved: Sendable {
        /// The document's id.
        public let id: String
        /// The new revision.
        public let revisionID: RevisionID
        /// The sequence of the change.
        public let sequence: Int64
        /// Whether the document is new, or was deleted before.
        public let isNew: Bool
    }

    /// Writes a document's body, over the one that it has.
    ///
    /// - Parameters:
    ///   - id: the document's id; made up if nil.
    ///   - write: writes one dictionary, as `{ try $0.writeJSON(text) }`.
    ///
    /// Throws what `write` throws; `.badDocumentID`; `.invalidParameter` for a body that is no
    /// dictionary or has a reserved property (`_id`, `_rev`, `_deleted`); `.unsupported` if the
    /// document's history is of a kind that this version cannot carry on. The transaction is as it
    /// was then, and can go on.
    public func save(
        _ id: String? = nil, in transaction: Transaction,
        _ write: (inout FleeceEncoder) throws -> Void
    ) throws -> Saved {
        try save(in: transaction) { encoder in
            try write(&encoder)
            return id
        }
    }

    /// The same, with an id that is known only once the body has been written: `write` returns it,
    /// or nil to have one made up.
    public func save(
        in transaction: Transaction, _ write: (inout FleeceEncoder) throws -> String?
    ) throws -> Saved {
        try requireExistence(in: transaction)
        try transaction.requireVersionVectors()
        var id: String?
        return try transaction.withEncodedBody {
            id = try write(&$0)
        } _: { bytes, keys in
            let id = id ?? DocumentID.generate()
            try DocumentID.validate(id)
            let content = try BodyCheck.check(bytes, sharedKeys: keys, in: transaction)
            return try store(id, content, in: transaction)
        }
    }

    private func store(
        _ id: String, _ content: BodyCheck.Content, in transaction: Transaction
    ) throws -> Saved {
        let flags: DocumentFlags = content.hasBlobs ? .hasAttachments : []
        let tables = try keyStore.tables(in: transaction)
        if transaction.expectsNewDocuments, try !tables.hasTombstones(in: transaction.session()) {
            // The usual case of an import: one statement does it unless the id is taken.
            let version = try transaction.newVersion(after: nil, id: id)
            if let sequence = try put(id, content, version, flags, .absent, transaction) {
                return Saved(id: id, version, sequence, isNew: true)
            }
        }
        let old = try keyStore.get(id, in: transaction)
        transaction.expectsNewDocuments = old == nil
        let version = try transaction.newVersion(after: try old?.carriedVector(), id: id)
        let expectation = old.map { RecordUpdate.Expectation.revision(of: $0) } ?? .absent
        guard let sequence = try put(id, content, version, flags, expectation, transaction) else {
            throw StoreError.lostRow(id)
        }
        return Saved(
            id: id, version, sequence, isNew: old?.flags.contains(.deleted) ?? true)
    }

    /// Writes a row; nil if it is not as expected.
    private func put(
        _ id: String, _ content: BodyCheck.Content, _ version: VersionVector,
        _ flags: DocumentFlags, _ expectation: RecordUpdate.Expectation,
        _ transaction: Transaction
    ) throws -> Int64? {
        try version.binary.withUnsafeBytes { version in
            let row = RowContent(version: version, body: content.body, extra: nil, flags: flags)
            let result = try keyStore.put(id, row, expecting: expectation, in: transaction)
            guard case .saved(let sequence, _) = result else { return nil }
            return sequence
        }
    }
}

extension Collection.Saved {
    init(id: String, _ version: VersionVector, _ sequence: Int64, isNew: Bool) {
        self.init(
            id: id, revisionID: .vector(version), sequence: sequence, isNew: isNew)
    }
}

extension StoreError {
    /// A row that was read in this transaction is not there any more, or its number is taken.
    static func lostRow(_ id: String) -> StoreError {
        StoreError(
            .conflict,
            "document \"\(id)\" could not be stored: its row changed or its sequence is taken")
    }
}
