internal import FleeceLite

extension TypedCollection {
    /// Writes a value over the document that there is, or as a new one.
    ///
    /// - Parameter id: the document's id; made up if nil.
    ///
    /// Throws `EncodingError`, and as `DocumentCollection.save` does.
    public func save(
        _ value: Value, id: String? = nil, in transaction: Transaction
    ) throws -> DocumentCollection.Saved {
        try collection.save(id, in: transaction) { try $0.encode(value, as: encoder) }
    }

    /// Saves a document that was read or made before, if nobody has changed it since.
    ///
    /// `document` becomes what was saved, so that it can be changed and saved again.
    ///
    /// - Parameter onConflict: what to do if it has been changed.
    ///
    /// Throws `EncodingError`; what the handler throws; `.conflict` if it has changed the document
    /// itself; and as `DocumentCollection.save` does.
    public func save(
        _ document: inout TypedDocument<Value>,
        onConflict: TypedConflictHandler<Value> = .failOnConflict, in transaction: Transaction
    ) throws -> SaveResult {
        try DocumentCollection.save(&document) {
            try save($0, in: transaction)
        } next: { mine, theirs in
            try onConflict.next(after: mine, theirs, decoder)
        }
    }

    /// Saves the value, and what the document has beside it.
    private func save(
        _ document: TypedDocument<Value>, in transaction: Transaction
    ) throws -> SaveResult {
        // Mostly there is nothing beside it, so the value is written first.
        let result = try collection.save(
            document.id, over: document.base, in: transaction
        ) {
            try $0.encode(document.value, as: encoder)
        } unless: { new in
            document.source.map { UnknownProperties.mayBeMissing(in: new, beside: $0) } ?? false
        }
        if let result { return result }
        let unknown = try document.source.flatMap {
            try UnknownProperties(of: document.value, beside: $0, encoder, decoder)
        }
        return try collection.save(document.id, over: document.base, in: transaction) {
            guard let unknown else { return try $0.encode(document.value, as: encoder) }
            try $0.write(unknown.merged)
        }
    }
}

extension TypedCollection {
    /// Deletes a document; see `DocumentCollection.delete(_:in:)`.
    public func delete(
        _ id: String, in transaction: Transaction
    ) throws -> DocumentCollection.Saved? {
        try collection.delete(id, in: transaction)
    }

    /// Deletes a document that was read or saved before, if nobody has changed it since.
    public func delete(
        _ document: TypedDocument<Value>, in transaction: Transaction
    ) throws -> SaveResult {
        var untyped = MutableDocument(document.id)
        untyped.base = document.base
        return try collection.delete(untyped, in: transaction)
    }

    /// Removes a document or tombstone permanently; see `DocumentCollection.purge(_:in:)`.
    public func purge(_ id: String, in transaction: Transaction) throws -> Bool {
        try collection.purge(id, in: transaction)
    }
}

/// What a typed document's saving does if the document has been changed since it was read.
public struct TypedConflictHandler<Value: Codable & Sendable> {
    /// What is to be done.
    enum Kind {
        case fail
        case overwrite
        case merge((Value, Value?) throws -> Value?)
    }

    let kind: Kind

    /// Nothing is saved, and the result says so.
    public static var failOnConflict: Self { Self(kind: .fail) }

    /// The value that is saved replaces what is there.
    public static var lastWriteWins: Self { Self(kind: .overwrite) }

    /// `resolve` makes one of the two values: the one that is being saved, and the one that is
    /// there, nil if the document has been deleted or purged. It returns what is to be saved, or
    /// nil to give up.
    public static func merge(
        _ resolve: @escaping (_ mine: Value, _ theirs: Value?) throws -> Value?
    ) -> Self {
        Self(kind: .merge(resolve))
    }

    /// What is to be saved instead; nil if nothing is.
    fileprivate func next(
        after mine: TypedDocument<Value>, _ theirs: Document?, _ decoder: FleeceRowDecoder
    ) throws -> TypedDocument<Value>? {
        var next = mine
        switch kind {
        case .fail: return nil
        case .overwrite: break
        case .merge(let resolve):
            let live = theirs.flatMap { $0.isDeleted ? nil : $0 }
            let value = try live.map { try decoder.decode(Value.self, from: $0) }
            guard let merged = try resolve(mine.value, value) else { return nil }
            next.value = merged
        }
        next.source = theirs?.body
        return next
    }
}
