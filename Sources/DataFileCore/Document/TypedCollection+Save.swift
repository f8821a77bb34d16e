internal import FleeceLite

extension TypedCollection {
    /// Writes a value as a new document, or replacing an existing one without a conflict check.
    ///
    /// ```swift
    /// let order = Order(customer: "ada", total: 9.5, number: 1)
    /// let id = try file.write { try orders.save(order, in: $0) }.id
    /// ```
    ///
    /// An existing document loses the properties that the type does not have; to retain them, and
    /// to detect changes by others, save a ``TypedDocument``.
    ///
    /// - Parameters:
    ///   - value: the value, which must be encoded as a dictionary.
    ///   - id: the document's ID; nil (default) to generate one.
    ///   - transaction: the transaction to save in.
    /// - Returns: the ID, the new revision and its sequence.
    /// - Throws: `EncodingError`, and as ``DocumentCollection/save(_:in:_:)`` does.
    public func save(
        _ value: Value, id: String? = nil, in transaction: Transaction
    ) throws -> DocumentCollection.Saved {
        try collection.save(id, in: transaction) { try $0.encode(value, as: encoder) }
    }

    /// Saves a document that was read or created before, unless it was changed in the database
    /// since.
    ///
    /// ```swift
    /// if var ada = try file.read({ try persons.get("ada", in: $0) }) {
    ///     ada.age += 1
    ///     _ = try file.write { transaction in
    ///         try persons.save(&ada, onConflict: .lastWriteWins, in: transaction)
    ///     }
    /// }
    /// ```
    ///
    /// `document` is updated to the saved revision, so that it can be changed and saved again.
    /// Properties that the type does not have are retained. If the transaction is rolled back
    /// afterwards, saving it again is a conflict: read it again.
    ///
    /// - Parameters:
    ///   - document: the document; it is only updated if it was saved.
    ///   - onConflict: how to handle a change by another writer; by default nothing is saved.
    ///   - transaction: the transaction to save in.
    /// - Returns: the saved revision, or the conflict, which is not an error.
    /// - Throws: `EncodingError`; what the handler throws; ``StoreError/Code/conflict`` if it
    ///   changed the document itself; and as ``DocumentCollection/save(_:onConflict:in:)`` does.
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
    /// Deletes a document by replacing it with a tombstone, whichever writer has changed it last;
    /// see ``DocumentCollection/delete(_:in:)``.
    ///
    /// - Returns: what was saved; nil if the document does not exist or is deleted already.
    public func delete(
        _ id: String, in transaction: Transaction
    ) throws -> DocumentCollection.Saved? {
        try collection.delete(id, in: transaction)
    }

    /// Deletes a document that was read or saved before, unless it was changed since.
    ///
    /// ```swift
    /// if let ada = try file.read({ try persons.get("ada", in: $0) }), ada.age > 120 {
    ///     _ = try file.write { try persons.delete(ada, in: $0) }
    /// }
    /// ```
    ///
    /// - Returns: the tombstone, or the conflict, which is not an error.
    /// - Throws: as ``DocumentCollection/delete(_:in:)`` does.
    public func delete(
        _ document: TypedDocument<Value>, in transaction: Transaction
    ) throws -> SaveResult {
        var untyped = MutableDocument(document.id)
        untyped.base = document.base
        return try collection.delete(untyped, in: transaction)
    }

    /// Removes a document or tombstone permanently; see ``DocumentCollection/purge(_:in:)``.
    ///
    /// - Returns: whether it existed.
    public func purge(_ id: String, in transaction: Transaction) throws -> Bool {
        try collection.purge(id, in: transaction)
    }
}

/// How saving handles a typed document that was changed after it was read.
///
/// ```swift
/// if var ada = try file.read({ try persons.get("ada", in: $0) }) {
///     ada.email = "ada@example.com"
///     let keepingTheirs = TypedConflictHandler<Person>.merge { mine, theirs in
///         guard var merged = theirs else { return nil }
///         merged.email = mine.email
///         return merged
///     }
///     _ = try file.write { try persons.save(&ada, onConflict: keepingTheirs, in: $0) }
/// }
/// ```
///
/// In all cases the properties that the type does not have are those of the stored document. For
/// documents without a type see ``ConflictHandler``.
public struct TypedConflictHandler<Value: Codable & Sendable> {
    /// The strategy.
    enum Kind {
        case fail
        case overwrite
        case merge((Value, Value?) throws -> Value?)
    }

    let kind: Kind

    /// Saves nothing (default); the result is ``SaveResult/conflict(_:)``.
    public static var failOnConflict: Self { Self(kind: .fail) }

    /// Overwrites the stored document, also a tombstone.
    public static var lastWriteWins: Self { Self(kind: .overwrite) }

    /// Saves the value that a closure returns.
    ///
    /// - Parameter resolve: called once, within the transaction, with the value being saved and the
    ///   stored one, which is nil if the document was deleted or purged. Nil cancels the save; an
    ///   error that it throws, or a stored document that cannot be decoded, ends it.
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
