public import FleeceLite
public import StoreFormat

extension DocumentCollection {
    /// The result of saving a document: its ID, and its new revision and sequence.
    ///
    /// ```swift
    /// let saved = try file.write { transaction in
    ///     try people.save(in: transaction) { encoder in
    ///         try encoder.writeJSON(#"{"name": "Eve"}"#)
    ///         return nil
    ///     }
    /// }
    /// show(saved.id, saved.revisionID, saved.isNew)
    /// ```
    ///
    /// It describes the state after the save. If the transaction is rolled back, the sequence and
    /// the revision do not exist.
    public struct Saved: Sendable {
        /// The document's ID, given or generated.
        public let id: String
        /// The new revision, which succeeds the former one.
        public let revisionID: RevisionID
        /// The sequence of the change, one more than the collection's last one.
        public let sequence: Int64
        /// The number of changes since then with the same sequence; usually 0.
        public let subsequence: Int
        /// Whether the document is new or was deleted before; false if it replaced a document.
        public let isNew: Bool
        /// Whether the row only has a version vector and a body.
        let isPlain: Bool
    }

    /// Writes a document's body, replacing an existing one without a conflict check.
    ///
    /// The closure writes one dictionary with an encoder, from JSON, a `Codable` value, or property
    /// by property:
    ///
    /// ```swift
    /// try file.write { transaction in
    ///     _ = try people.save("ada", in: transaction) { try $0.writeJSON(#"{"age": 36}"#) }
    ///     _ = try people.save("eve", in: transaction) { try $0.encode(["age": 41]) }
    ///     let saved = try people.save(in: transaction) { encoder in
    ///         encoder.beginDictionary()
    ///         try encoder.writeKey("age")
    ///         encoder.writeInt(28)
    ///         try encoder.endDictionary()
    ///     }
    ///     show(saved.id)  // generated
    /// }
    /// ```
    ///
    /// A deleted document is restored by it. To detect changes by other writers, save a
    /// ``MutableDocument`` instead, or see ``save(over:in:_:)``.
    ///
    /// Costs one statement for a new document, and one more lookup for an existing one.
    ///
    /// - Parameters:
    ///   - id: the document's ID, 1 to 240 bytes of UTF-8; nil (default) to generate one.
    ///   - transaction: the transaction to save in.
    ///   - write: writes one dictionary, as `{ try $0.writeJSON(text) }`.
    /// - Returns: the ID, the new revision and its sequence.
    /// - Throws: what `write` throws; ``StoreError/Code/notFound`` if the collection does not
    ///   exist; ``StoreError/Code/badDocumentID``; ``StoreError/Code/invalidParameter`` for a body
    ///   that is not a dictionary or has a reserved property (`_id`, `_rev`, `_deleted`);
    ///   ``StoreError/Code/corruptRevisionData`` if the existing document's history cannot be read,
    ///   and therefore not be continued. The save is undone then; the transaction stays usable.
    public func save(
        _ id: String? = nil, in transaction: Transaction,
        _ write: (inout FleeceEncoder) throws -> Void
    ) throws -> Saved {
        try save(in: transaction) { encoder in
            try write(&encoder)
            return id
        }
    }

    /// Writes a document whose ID is only known after the body was written: `write` returns the ID,
    /// or nil to generate one.
    ///
    /// ```swift
    /// try file.write { transaction in
    ///     _ = try people.save(in: transaction) { encoder in
    ///         try encoder.writeJSON(json)
    ///         return nil
    ///     }
    /// }
    /// ```
    ///
    /// Otherwise the same as ``save(_:in:_:)``.
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

    /// Encodes and checks a body, and calls `use` with it.
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

/// The checks of a body before it is stored, and the flags that follow from it.
enum BodyCheck {
    /// A body in the form stored in the row.
    struct Content {
        /// Nil for a body without properties, which is stored as `NULL`.
        let body: UnsafeRawBufferPointer?
        /// Whether it refers to blobs.
        let hasBlobs: Bool
    }

    /// Properties that the store itself adds to a document.
    private static let reserved = ["_id", "_rev", "_deleted"]

    /// Whether a body may have reserved properties or attachments.
    ///
    /// Keys such as these are always shared if there is space: while the table lacks them, no body
    /// has them. The lookup is done once per state of the table.
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

    /// Checks the encoded bytes.
    ///
    /// Throws `.invalidParameter` if they are not a dictionary or have a reserved property.
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
