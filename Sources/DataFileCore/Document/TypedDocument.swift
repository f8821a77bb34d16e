internal import FleeceLite
public import StoreFormat

/// A document as a value of a type, with the state that is needed to save it after a change.
///
/// ```swift
/// var ada = try people.get("ada", in: transaction)  // people is a TypedCollection<Person>
/// ada?.age = 37
/// ```
/// The value's properties are accessible as properties of the document.
@dynamicMemberLookup
public struct TypedDocument<Value: Codable & Sendable>: Sendable {
    /// The id.
    public let id: String
    /// The value.
    public var value: Value
    /// The state that was read; nil for a new document.
    var base: MutableDocument.Base?
    /// The body that the value was decoded from.
    var source: FleeceDocument?

    /// Creates a new document.
    ///
    /// - Parameters:
    ///   - id: its id; nil to generate one.
    ///   - value: its value.
    public init(_ id: String? = nil, _ value: Value) {
        self.id = id ?? DocumentID.generate()
        self.value = value
    }

    /// Decodes a document.
    ///
    /// Throws `DecodingError` if the document cannot be decoded as the type.
    init(_ document: Document, _ decoder: FleeceRowDecoder) throws {
        id = document.id
        value = try decoder.decode(Value.self, from: document)
        base = MutableDocument.Base(document)
        source = document.body
    }

    /// The revision that was read or saved last; nil for a new document.
    public var revisionID: RevisionID? { base?.revisionID }

    /// A property of the value.
    public subscript<Property>(dynamicMember path: KeyPath<Value, Property>) -> Property {
        value[keyPath: path]
    }

    /// A mutable property of the value.
    public subscript<Property>(
        dynamicMember path: WritableKeyPath<Value, Property>
    ) -> Property {
        get { value[keyPath: path] }
        _modify { yield &value[keyPath: path] }
    }
}

extension FleeceRowDecoder {
    /// Decodes a document's properties; no properties are decoded as an empty dictionary.
    func decode<Value: Decodable>(
        _ type: Value.Type, from document: Document
    ) throws -> Value {
        if let body = document.body { return try decode(type, from: body.root) }
        return try decode(type, from: NewRevision.emptyBody)
    }
}

extension TypedDocument: EditedDocument {}
