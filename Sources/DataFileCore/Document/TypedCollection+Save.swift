internal import FleeceLite

extension TypedCollection {
    /// Writes a value as a new document, or replacing an existing one.
    ///
    /// - Parameter id: the document's id; nil to generate one.
    ///
    /// Throws `EncodingError`, and as `DocumentCollection.save` does.
    public func save(
        _ value: Value, id: String? = nil, in transaction: Transaction
    ) throws -> DocumentCollection.Saved {
        try collection.save(id, in: transaction) { try $0.encode(value, as: encoder) }
    }

    /// Saves a document that was read or created before, unless it was changed in the database
    /// since.
    ///
    /// `document` is updated to the saved revision, so that it can be changed and saved again.
    ///
    /// - Parameter onConflict: how to handle a change.
    ///
    /// Throws `EncodingError`; what the handler throws; `.conflict` if it changed the document
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

    /// Saves the value with the document's unknown properties.
    private func save(
        _ document: TypedDocument<Value>, in transaction: Transaction
    ) throws -> SaveResult {
        // Usually there are no unknown properties, so try to write the value alone first.
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

    /// Deletes a document that was read or saved before, unless it was changed since.
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

/// How saving handles a typed document that was changed after it was read.
public struct TypedConflictHandler<Value: Codable & Sendable> {
    /// The strategy.
    enum Kind {
        case fail
        case overwrite
        case merge((Value, Value?) throws -> Value?)
    }

    let kind: Kind

    /// Saves nothing; the result is `SaveResult.conflict`.
    public static var failOnConflict: Self { Self(kind: .fail) }

    /// Overwrites the stored document.
    public static var lastWriteWins: Self { Self(kind: .overwrite) }

    /// Saves what `resolve` returns, given the value being saved and the stored value, which is nil
    /// if the document was deleted or purged. Nil cancels the save.
    public static func merge(
        _ resolve: @escaping (_ mine: Value, _ theirs: Value?) throws -> Value?
    ) -> Self {
        Self(kind: .merge(resolve))
    }

    /// The document to save instead; nil to save nothing.
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
