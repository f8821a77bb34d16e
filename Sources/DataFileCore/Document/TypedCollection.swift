public import FleeceLite
internal import StoreFormat

/// A collection whose documents are values of a type.
///
/// ```swift
/// let people = DocumentCollection(.default).of(Person.self)
/// try file.write { transaction in
///     _ = try people.save(Person(name: "Ada", age: 36), id: "ada", in: transaction)
///     if var ada = try people.get("ada", in: transaction) {
///         ada.age = 37
///         _ = try people.save(&ada, in: transaction)
///     }
/// }
/// ```
/// Values go straight into the binary format and out of it. Properties that the type does not have,
/// also in dictionaries inside and in elements of arrays that stay where and as they are, stay when
/// a document is changed; `save(_:id:in:)` replaces all.
public struct TypedCollection<Value: Codable & Sendable>: Sendable {
    /// The collection.
    public let collection: DocumentCollection
    /// How values are written.
    public var encoder: FleeceRowEncoder
    /// How values are read.
    public var decoder: FleeceRowDecoder

    /// The value of a document; nil if there is none, or it is deleted.
    ///
    /// Throws `DecodingError` if the document is no such value, and as `DocumentCollection.get`
    /// does.
    public func value(_ id: String, in snapshot: Snapshot) throws -> Value? {
        try collection.get(id, in: snapshot).map { try decoder.decode(Value.self, from: $0) }
    }

    /// A document, to be read or changed; nil if there is none, or it is deleted.
    ///
    /// Throws `DecodingError` if the document is no such value, and as `DocumentCollection.get`
    /// does.
    public func get(_ id: String, in snapshot: Snapshot) throws -> TypedDocument<Value>? {
        try collection.get(id, in: snapshot).map { try TypedDocument($0, decoder) }
    }

    /// Walks through the documents; one that is damaged or no such value comes as its error, and
    /// the walk goes on.
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
    /// The collection with documents of a type.
    public func of<Value: Codable & Sendable>(
        _ type: Value.Type, encoder: FleeceRowEncoder = FleeceRowEncoder(),
        decoder: FleeceRowDecoder = FleeceRowDecoder()
    ) -> TypedCollection<Value> {
        TypedCollection(collection: self, encoder: encoder, decoder: decoder)
    }
}
