public import FleeceLite
internal import StoreFormat

/// A collection whose documents are values of a type.
///
/// Define a `Codable` type, and view a collection as one of its values. A document can then be
/// written from a value, read as a value, or read, changed and saved with conflict detection:
///
/// ```swift
/// let persons = DocumentCollection(.default).of(Person.self)
/// let name = Person.Name(first: "Ada", last: "Lovelace")
/// try file.write { transaction in
///     let ada = Person(name: name, age: 36, state: "CA", likes: [])
///     _ = try persons.save(ada, id: "ada", in: transaction)
///     if var ada = try persons.get("ada", in: transaction) {
///         ada.age = 37
///         _ = try persons.save(&ada, in: transaction)
///     }
/// }
/// let age = try file.read { try persons.value("ada", in: $0) }?.age
/// ```
///
/// Values are encoded directly to the binary format and decoded from it, without JSON in between.
/// Changing a document retains properties that the type does not have, also in nested dictionaries
/// and in unmoved, unchanged elements of arrays; ``save(_:id:in:)`` replaces all properties.
///
/// A property that may be missing in older documents must be optional or have a default in
/// `init(from:)`. A document that cannot be decoded throws `DecodingError`, which names the
/// property:
///
/// ```swift
/// do {
///     show(try file.read { try persons.value("ada", in: $0) } as Any)
/// } catch let error as DecodingError {
///     show("not a person", error)
/// }
/// ```
///
/// The form of dates and of nil is that of ``encoder``. It is a view: ``collection`` has the same
/// documents, with everything that does not depend on the type, and several types can be views of
/// one collection. Queries have rows of types of their own; see ``Query``.
public struct TypedCollection<Value: Codable & Sendable>: Sendable {
    /// The collection, for what does not depend on the type: indexes, history, counting.
    ///
    /// ```swift
    /// let count = try file.read { try persons.collection.count(in: $0).live }
    /// ```
    public let collection: DocumentCollection
    /// The encoder for values, which determines the form of dates and of nil.
    ///
    /// ```swift
    /// var persons = people.of(Person.self)
    /// persons.encoder.dates = .milliseconds
    /// ```
    public var encoder: FleeceRowEncoder
    /// The decoder for values. It caches the positions of properties, also for copies of the
    /// collection.
    public var decoder: FleeceRowDecoder

    /// The value of a document; nil if the document does not exist or is deleted.
    ///
    /// ```swift
    /// let names = try file.read { snapshot in
    ///     try ["ada", "grace"].compactMap { try persons.value($0, in: snapshot)?.name }
    /// }
    /// ```
    ///
    /// To change it, use ``get(_:in:)``: saving a value by its ID neither detects conflicts nor
    /// retains properties that the type does not have.
    ///
    /// - Parameters:
    ///   - id: the document's ID.
    ///   - snapshot: the snapshot or transaction to read from.
    /// - Throws: `DecodingError` if the document cannot be decoded as the type; otherwise as
    ///   ``DocumentCollection/get(_:includesDeleted:in:)``.
    public func value(_ id: String, in snapshot: Snapshot) throws -> Value? {
        try collection.get(id, in: snapshot).map { try decoder.decode(Value.self, from: $0) }
    }

    /// A document, to be read or changed; nil if it does not exist or is deleted.
    ///
    /// ```swift
    /// if var ada = try file.read({ try persons.get("ada", in: $0) }) {
    ///     ada.age += 1
    ///     let result = try file.write { try persons.save(&ada, in: $0) }
    ///     if result.saved == nil { show("someone else has changed it") }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the document's ID.
    ///   - snapshot: the snapshot or transaction to read from.
    /// - Throws: `DecodingError` if the document cannot be decoded as the type; otherwise as
    ///   ``DocumentCollection/get(_:includesDeleted:in:)``.
    public func get(_ id: String, in snapshot: Snapshot) throws -> TypedDocument<Value>? {
        try collection.get(id, in: snapshot).map { try TypedDocument($0, decoder) }
    }

    /// Enumerates the documents; one that is damaged or cannot be decoded is passed as an error,
    /// and enumeration continues.
    ///
    /// ```swift
    /// try file.read { snapshot in
    ///     try persons.forEach(in: snapshot) { id, person in
    ///         switch person {
    ///         case .success(let person): show(id, person.age)
    ///         case .failure(let error): show(id, "is not a person", error)
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - options: the order, the range, and whether to include tombstones, which are decoded as
    ///     empty documents; all live documents by key by default.
    ///   - snapshot: the snapshot or transaction to read from.
    ///   - body: an error that it throws ends the enumeration.
    /// - Throws: what `body` throws; ``StoreError/Code/notFound`` if the collection does not exist;
    ///   an error if the file's shared keys are damaged.
    public func forEach(
        _ options: RecordEnumerator.Options = .init(), in snapshot: Snapshot,
        _ body: (_ id: String, Result<Value, any Error>) throws -> Void
    ) throws {
        _ = try snapshot.requireSharedKeys()
        var options = options
        options.content = .all
        try collection.records(options, in: snapshot).forEachRow { row in
            try body(row.key, result(of: row, snapshot))
            return true
        }
    }

    private func result(
        of row: borrowing RecordRow, _ snapshot: Snapshot
    ) -> Result<Value, any Error> {
        do {
            let document = try Document(row, sharedKeys: snapshot.sharedKeys)
            return .success(try decoder.decode(Value.self, from: document))
        } catch {
            return .failure(error)
        }
    }
}

extension DocumentCollection {
    /// The collection, with documents that are values of a type.
    ///
    /// ```swift
    /// let persons = DocumentCollection(.default).of(Person.self)
    /// ```
    ///
    /// Costs nothing, and touches no file. Create it once, so that the decoder's cache is shared.
    ///
    /// - Parameters:
    ///   - type: the type of the documents.
    ///   - encoder: the encoder for values; that with the default settings by default.
    ///   - decoder: the decoder for values.
    public func of<Value: Codable & Sendable>(
        _ type: Value.Type, encoder: FleeceRowEncoder = FleeceRowEncoder(),
        decoder: FleeceRowDecoder = FleeceRowDecoder()
    ) -> TypedCollection<Value> {
        TypedCollection(collection: self, encoder: encoder, decoder: decoder)
    }
}
