public import FleeceLite
internal import StoreFormat

extension DocumentCollection {
    /// Saves a document that was read or created before, unless it was changed in the database
    /// since.
    ///
    /// ```swift
    /// if var ada = try file.read({ try people.get("ada", in: $0) })?.mutableCopy() {
    ///     ada["age"] = 37
    ///     switch try file.write({ try people.save(&ada, in: $0) }) {
    ///     case .saved(let saved): show(saved.sequence)
    ///     case .conflict(let theirs): show("changed meanwhile", theirs?.sequence ?? 0)
    ///     }
    /// }
    /// ```
    ///
    /// A new document may replace a deleted one. `document` is updated to the saved revision, so
    /// that it can be changed and saved again. It stays updated if the transaction is rolled back,
    /// and then conflicts with the stored document: use a copy made before, or read it again.
    ///
    /// It does not matter how the stored document differs: its revision decides. Recording that a
    /// remote has the document, or setting its expiration, is not a change.
    ///
    /// - Parameters:
    ///   - document: the document; it is only updated if it was saved.
    ///   - onConflict: how to handle a change by another writer; by default nothing is saved. A
    ///     handler is called once.
    ///   - transaction: the transaction to save in.
    /// - Returns: the saved revision, or the conflict, which is not an error.
    /// - Throws: what the handler throws; ``StoreError/Code/conflict`` if the handler changed the
    ///   document in the database itself; and the errors of ``save(_:in:_:)``.
    public func save(
        _ document: inout MutableDocument, onConflict: ConflictHandler = .failOnConflict,
        in transaction: Transaction
    ) throws -> SaveResult {
        try Self.save(&document) { document in
            try save(document.id, over: document.base, in: transaction) {
                try $0.write(document.properties)
            }
        } next: { mine, theirs in
            try onConflict.next(after: mine, theirs)
        }
    }

    /// Saves a document if it is unchanged in the database, and otherwise the result of `next`,
    /// which gets it and the stored one. `next` is called once, and returns nil to cancel.
    static func save<Edited: EditedDocument>(
        _ document: inout Edited, ifUnchanged save: (Edited) throws -> SaveResult,
        next: (_ mine: Edited, _ theirs: Document?) throws -> Edited?
    ) throws -> SaveResult {
        try DocumentID.validate(document.id)
        var candidate = document
        var isResolved = false
        while true {
            let result = try save(candidate)
            switch result {
            case .saved(let saved):
                candidate.base = MutableDocument.Base(saved)
                document = candidate
                return result
            case .conflict(let current):
                guard !isResolved else { throw StoreError.changedByHandler(document.id) }
                guard let next = try next(candidate, current) else { return result }
                isResolved = true
                candidate = next
                candidate.base = current.map { MutableDocument.Base($0) }
            }
        }
    }

    /// Writes a body over a document that was read, unless it was changed since; does not read it
    /// again.
    ///
    /// ```swift
    /// let result = try file.write { transaction in
    ///     try people.save(over: document, in: transaction) { try $0.writeJSON(json) }
    /// }
    /// ```
    ///
    /// Use it instead of ``save(_:in:_:)`` to detect changes by other writers when the body is
    /// encoded directly, without a ``MutableDocument``.
    ///
    /// - Parameters:
    ///   - document: the document as it was read; a tombstone is restored.
    ///   - transaction: the transaction to save in.
    ///   - write: writes one dictionary, which replaces all properties.
    /// - Returns: the saved revision, or the conflict, which is not an error.
    /// - Throws: as ``save(_:in:_:)`` does.
    public func save(
        over document: Document, in transaction: Transaction,
        _ write: (inout FleeceEncoder) throws -> Void
    ) throws -> SaveResult {
        try save(
            document.id, over: MutableDocument.Base(document), in: transaction, write)
    }

    /// Writes a body if the stored document is `base`; for nil, if it is missing or a tombstone.
    func save(
        _ id: String, over base: MutableDocument.Base?, in transaction: Transaction,
        _ write: (inout FleeceEncoder) throws -> Void
    ) throws -> SaveResult {
        try withNewRevision(in: transaction, write) {
            try save(id, $0, over: base, in: transaction)
        }
    }

    /// The same; writes nothing and returns nil if `isWrong` returns true for the body.
    func save(
        _ id: String, over base: MutableDocument.Base?, in transaction: Transaction,
        _ write: (inout FleeceEncoder) throws -> Void, unless isWrong: (NewRevision) -> Bool
    ) throws -> SaveResult? {
        do {
            return try withNewRevision(in: transaction, write) { new in
                if isWrong(new) { throw WrongBody() }
                return try save(id, new, over: base, in: transaction)
            }
        } catch is WrongBody {
            return nil
        }
    }

    private func save(
        _ id: String, _ new: NewRevision, over base: MutableDocument.Base?,
        in transaction: Transaction
    ) throws -> SaveResult {
        if let base, let vector = base.plainVector {
            // The usual case: the base has everything that is needed.
            let saved = try storePlain(
                id, new, after: vector, base.expectation, wasDeleted: base.isDeleted,
                comparesVersion: true, in: transaction)
            if let saved { return .saved(saved) }
        }
        return try store(id, new, ifStill: base, in: transaction)
    }

    private func store(
        _ id: String, _ new: NewRevision, ifStill base: MutableDocument.Base?,
        in transaction: Transaction
    ) throws -> SaveResult {
        let old = try keyStore.get(id, in: transaction)
        guard base.allows(old) else {
            return .conflict(
                try old.map { try Document($0, sharedKeys: transaction.sharedKeys) })
        }
        return .saved(try store(id, new, over: old, in: transaction))
    }
}

/// A document that is being edited, with the state it is based on.
protocol EditedDocument {
    var id: String { get }
    /// The state that was read; nil for a new document.
    var base: MutableDocument.Base? { get set }
}

extension MutableDocument: EditedDocument {}

/// Ends the writing of a body that is not stored, which also discards the shared keys it added.
private struct WrongBody: Error {}

extension MutableDocument.Base? {
    /// Whether a row is unchanged since it was read; for a new document, whether its ID is free.
    func allows(_ row: Record?) -> Bool {
        guard let row else { return self == nil }
        return self?.isStill(row) ?? row.flags.contains(.deleted)
    }
}

extension MutableDocument.Base {
    /// Whether a row has the revision that was read.
    ///
    /// Compares revisions, not sequences: changes of remotes' revisions update a row without a new
    /// revision, and a sequence assigned by a rolled-back transaction is assigned again.
    func isStill(_ row: Record) -> Bool {
        guard let revisionID else {
            return row.version.isEmpty && row.sequence == sequence
                && row.subsequence == subsequence
        }
        if revisionID.binary == row.version { return true }
        // The same vector can be encoded in more bytes, or with fewer marks.
        return (try? RevisionID(binary: row.version)) == revisionID
    }

    /// The state after a document was saved.
    init(_ saved: DocumentCollection.Saved) {
        self.init(
            sequence: saved.sequence, subsequence: saved.subsequence,
            revisionID: saved.revisionID, isPlain: saved.isPlain, isDeleted: false)
    }
}

extension StoreError {
    /// Only the handler can have changed it: others wait for this transaction.
    static func changedByHandler(_ id: String) -> StoreError {
        StoreError(
            .conflict,
            "document \"\(id)\" was changed by the handler that resolves its conflict; return "
                + "the document to save from the handler instead")
    }
}

extension ConflictHandler {
    /// The document to save instead; nil to save nothing.
    func next(
        after mine: MutableDocument, _ theirs: Document?
    ) throws -> MutableDocument? {
        switch kind {
        case .fail: return nil
        case .overwrite: return mine
        case .merge(let resolve):
            // Only uses the properties: the ID stays.
            var next = mine
            guard let merged = try resolve(mine, theirs) else { return nil }
            next.properties = merged.properties
            return next
        }
    }
}
