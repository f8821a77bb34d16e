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
/// Values are encoded directly to the binary format and decoded from it. Changing a document
/// retains properties that the type does not have, also in nested dictionaries and in unmoved,
/// unchanged elements of arrays; `save(_:id:in:)` replaces all properties.
public struct TypedCollection<Value: Codable & Sendable>: Sendable {
    /// The collection.
    public let collection: DocumentCollection
    /// The encoder for values.
    public var encoder: FleeceRowEncoder
    /// The decoder for values.
    public var decoder: FleeceRowDecoder

    /// The value of a document; nil if the document does not exist or is deleted.
    ///
    /// Throws `DecodingError` if the document cannot be decoded as the type, and as
    /// `DocumentCollection.get` does.
    public func value(_ id: String, in snapshot: Snapshot) throws -> Value? {
        try collection.get(id, in: snapshot).map { try decoder.decode(Value.self, from: $0) }
    }

    /// A document, to be read or changed; nil if it does not exist or is deleted.
    ///
    /// Throws `DecodingError` if the document cannot be decoded as the type, and as
    /// `DocumentCollection.get` does.
    public func get(_ id: String, in snapshot: Snapshot) throws -> TypedDocument<Value>? {
        try collection.get(id, in: snapshot).map { try TypedDocument($0, decoder) }
    }

    /// Enumerates the documents; one that is damaged or cannot be decoded is passed as an error,
    /// and enumeration continues.
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
    public func of<Value: Codable & Sendable>(
        _ type: Value.Type, encoder: FleeceRowEncoder = FleeceRowEncoder(),
        decoder: FleeceRowDecoder = FleeceRowDecoder()
    ) -> TypedCollection<Value> {
        TypedCollection(collection: self, encoder: encoder, decoder: decoder)
    }
}
