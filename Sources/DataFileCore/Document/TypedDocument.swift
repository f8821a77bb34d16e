internal import FleeceLite
public import StoreFormat

/// A document as a value of a type, with what is needed to save it after a change.
///
/// ```swift
/// var ada = try people.get("ada", in: transaction)  // people is a TypedCollection<Person>
/// ada?.age = 37
/// ```
/// The properties of the value are reached as if they were the document's own.
@dynamicMemberLookup
public struct TypedDocument<Value: Codable & Sendable>: Sendable {
    /// The id.
    public let id: String
    /// The value.
    public var value: Value
    /// What was read, nil for a document that is to be new.
    var base: MutableDocument.Base?
    /// The body that it was read from.
    var source: FleeceDocument?

    /// A new document.
    ///
    /// - Parameters:
    ///   - id: its id; made up if nil.
    ///   - value: what it is to hold.
    public init(_ id: String? = nil, _ value: Value) {
        self.id = id ?? DocumentID.generate()
        self.value = value
    }

    /// The value of a document.
    ///
    /// Throws `DecodingError` if the document is no such value.
    init(_ document: Document, _ decoder: FleeceRowDecoder) throws {
        id = document.id
        value = try decoder.decode(Value.self, from: document)
        base = MutableDocument.Base(document)
        source = document.body
    }

    /// The revision that was read or saved last; nil for a document that is to be new.
    public var revisionID: RevisionID? { base?.revisionID }

    /// A property of the value.
    public subscript<Property>(dynamicMember path: KeyPath<Value, Property>) -> Property {
        value[keyPath: path]
    }

    /// A property of the value, to be changed.
    public subscript<Property>(
        dynamicMember path: WritableKeyPath<Value, Property>
    ) -> Property {
        get { value[keyPath: path] }
        _modify { yield &value[keyPath: path] }
    }
}

extension FleeceRowDecoder {
    /// The value that a document's properties stand for; no properties are an empty dictionary.
    func decode<Value: Decodable>(
        _ type: Value.Type, from document: Document
    ) throws -> Value {
        if let body = document.body { return try decode(type, from: body.root) }
        return try decode(type, from: NewRevision.emptyBody)
    }
}

extension TypedDocument: EditedDocument {}
