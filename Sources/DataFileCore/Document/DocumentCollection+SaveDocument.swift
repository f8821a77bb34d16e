public import FleeceLite
internal import StoreFormat

extension DocumentCollection {
    /// Saves a document that was read or made before, if nobody has changed it since.
    ///
    /// A new document may take the place of a deleted one. `document` becomes what was saved, so
    /// that it can be changed and saved again. If the transaction is undone, it still is what was
    /// saved there, which is in conflict with what the file has: go on with a copy made before, or
    /// read it again.
    ///
    /// - Parameter onConflict: what to do if it has been changed. A handler is asked once.
    ///
    /// Throws what the handler throws; `.conflict` if it has changed the document itself; and as
    /// `save(_:in:_:)` of a body does.
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

    /// Saves a document if nobody has changed it, and otherwise what `next` makes of it and of the
    /// one that is there; `next` is asked once, and returns nil to give up.
    static func save<Edited: EditedDocument>(
        _ document: inout Edited, ifUnchanged save: (Edited) throws -> SaveResult,
        next: (_ mine: Edited, _ theirs: Document?) throws -> Edited?
    ) throws -> SaveResult {
        try DocumentID.validate(document.id)
        var candidate = document
        var hasAsked = false
        while true {
            let result = try save(candidate)
            switch result {
            case .saved(let saved):
                candidate.base = MutableDocument.Base(saved)
                document = candidate
                return result
            case .conflict(let current):
                guard !hasAsked else { throw StoreError.changedByHandler(document.id) }
                guard let next = try next(candidate, current) else { return result }
                hasAsked = true
                candidate = next
                candidate.base = current.map { MutableDocument.Base($0) }
            }
        }
    }

    /// Writes a body over a document that was read, if nobody has changed it since; nothing is read
    /// again.
    ///
    /// Throws as `save(_:in:_:)` of a body does.
    public func save(
        over document: Document, in transaction: Transaction,
        _ write: (inout FleeceEncoder) throws -> Void
    ) throws -> SaveResult {
        try save(
            document.id, over: MutableDocument.Base(document), in: transaction, write)
    }

    /// Writes a body if the document is what `base` says, nothing or a tombstone if that is nil.
    func save(
        _ id: String, over base: MutableDocument.Base?, in transaction: Transaction,
        _ write: (inout FleeceEncoder) throws -> Void
    ) throws -> SaveResult {
        try withNewRevision(in: transaction, write) {
            try save(id, $0, over: base, in: transaction)
        }
    }

    /// The same; nil, and nothing is written, if `isWrong` says so of the body.
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
            // The usual case: what was read is all that there is to know.
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

/// A document that is being changed, and knows what it began with.
protocol EditedDocument {
    var id: String { get }
    /// What was read, nil for a document that is to be new.
    var base: MutableDocument.Base? { get set }
}

extension MutableDocument: EditedDocument {}

/// Ends the writing of a body that is not to be stored; the keys that it added go, too.
private struct WrongBody: Error {}

extension MutableDocument.Base? {
    /// Whether a row is as it was read; for a new document, whether its id is free.
    func allows(_ row: Record?) -> Bool {
        guard let row else { return self == nil }
        return self?.isStill(row) ?? row.flags.contains(.deleted)
    }
}

extension MutableDocument.Base {
    /// Whether a row has the revision that was read.
    ///
    /// The revision decides, not the sequence: what remotes have is noted in a row without a new
    /// revision, and a sequence that a transaction gave which was undone is given again.
    func isStill(_ row: Record) -> Bool {
        guard let revisionID else {
            return row.version.isEmpty && row.sequence == sequence
                && row.subsequence == subsequence
        }
        if revisionID.binary == row.version { return true }
        // The same can be written in more bytes, or with fewer marks.
        return (try? RevisionID(binary: row.version)) == revisionID
    }

    /// What a document is that was saved.
    init(_ saved: DocumentCollection.Saved) {
        self.init(
            sequence: saved.sequence, subsequence: saved.subsequence,
            revisionID: saved.revisionID, isPlain: saved.isPlain, isDeleted: false)
    }
}

extension StoreError {
    /// Nobody else can have: others wait for this transaction.
    static func changedByHandler(_ id: String) -> StoreError {
        StoreError(
            .conflict,
            "document \"\(id)\" was changed by the handler that was to resolve its conflict; let "
                + "the handler return what is to be saved")
    }
}

extension ConflictHandler {
    /// What is to be saved instead; nil if nothing is.
    func next(
        after mine: MutableDocument, _ theirs: Document?
    ) throws -> MutableDocument? {
        switch kind {
        case .fail: return nil
        case .overwrite: return mine
        case .merge(let resolve):
            // Only the properties are taken: the id stays.
            var next = mine
            guard let merged = try resolve(mine, theirs) else { return nil }
            next.properties = merged.properties
            return next
        }
    }
}
