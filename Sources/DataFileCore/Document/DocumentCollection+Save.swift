public import FleeceLite
public import StoreFormat

extension DocumentCollection {
    /// What saving did.
    public struct Saved: Sendable {
        /// The document's id.
        public let id: String
        /// The new revision.
        public let revisionID: RevisionID
        /// The sequence of the change.
        public let sequence: Int64
        /// Saves since that one which kept the sequence.
        public let subsequence: Int
        /// Whether the document is new, or was deleted before.
        public let isNew: Bool
        /// Whether the row has nothing but a vector and a body.
        let isPlain: Bool
    }

    /// Writes a document's body, over the one that it has.
    ///
    /// A deleted document comes back by it.
    ///
    /// - Parameters:
    ///   - id: the document's id; made up if nil.
    ///   - write: writes one dictionary, as `{ try $0.writeJSON(text) }`.
    ///
    /// Throws what `write` throws; `.notFound` if there is no such collection; `.badDocumentID`;
    /// `.invalidParameter` for a body that is not a dictionary or has a reserved property (`_id`,
    /// `_rev`, `_deleted`); `.corruptRevisionData` if the history of the document that is there
    /// cannot be read, and so not be carried on. The transaction is as it was then, and can go on.
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
        var id: String?
        return try withNewRevision(in: transaction) {
            id = try write(&$0)
        } _: { new in
            let id = id ?? DocumentID.generate()
            try DocumentID.validate(id)
            return try store(id, new, in: transaction)
        }
    }

    /// Encodes a body, checks it, and lends it to `use`.
    func withNewRevision<T>(
        in transaction: Transaction, _ write: (inout FleeceEncoder) throws -> Void,
        _ use: (NewRevision) throws -> T
    ) throws -> T {
        try requireExistence(in: transaction)
        return try transaction.withEncodedBody(write) { encoded in
            let content = try BodyCheck.check(encoded, in: transaction)
            return try use(
                NewRevision(
                    body: content.body, flags: content.hasBlobs ? .hasAttachments : [],
                    sharedKeys: encoded.sharedKeys))
        }
    }
}

/// What must hold of a body before it is stored, and what its flags depend on.
enum BodyCheck {
    /// A body as the row will have it.
    struct Content {
        /// Nil for a body without properties, which is stored as `NULL`.
        let body: UnsafeRawBufferPointer?
        /// Whether it refers to blobs.
        let hasBlobs: Bool
    }

    /// Properties that the store itself gives to a document.
    private static let reserved = ["_id", "_rev", "_deleted"]

    /// Whether a body can have properties that the store gives, or attachments.
    ///
    /// Keys such as these are always shared while there is space: while the table lacks them, no
    /// body can have them. Looked up once for each state of the table.
    private static func mayHoldReserved(
        _ sharedKeys: SharedKeys, _ transaction: Transaction
    ) throws -> Bool {
        if transaction.keyCountWithoutReserved == sharedKeys.count { return false }
        guard sharedKeys.count < FleeceLimits.sharedKeys,
            (reserved + [BlobKey.attachments]).allSatisfy({ sharedKeys.index(of: $0) == nil })
        else { return true }
        transaction.keyCountWithoutReserved = sharedKeys.count
        return false
    }

    /// Checks the bytes that the encoder has written.
    ///
    /// Throws `.invalidParameter` if they are no dictionary or hold a reserved property.
    static func check(_ encoded: EncodedBody, in transaction: Transaction) throws -> Content {
        guard let body = RawBody(encoded.bytes, sharedKeys: encoded.sharedKeys) else {
            throw StoreError(.invalidParameter, "a document's body must be an object")
        }
        // `@type` is never shared.
        var hasBlobs = encoded.hasTextKeys && body.hasBlobs
        if try mayHoldReserved(encoded.sharedKeys, transaction) {
            hasBlobs = hasBlobs || body.hasAttachments
            for name in reserved where body.contains(key: name) {
                throw StoreError(
                    .invalidParameter, "the property \"\(name)\" is reserved and cannot be stored")
            }
        }
        return Content(body: body.isEmpty ? nil : encoded.bytes, hasBlobs: hasBlobs)
    }
}
