internal import FleeceLite
public import StoreFormat

/// A document as a value of a type, with the state that is needed to save it after a change.
///
/// ``TypedCollection/get(_:in:)`` returns it. The value's properties are accessible as properties
/// of the document:
///
/// ```swift
/// try file.write { transaction in
///     guard var ada = try persons.get("ada", in: transaction) else { return }
///     ada.age += 1
///     ada.likes.append("engines")
///     _ = try persons.save(&ada, in: transaction)
/// }
/// ```
///
/// A new document is created from a value. Saving it is a conflict if the ID is taken:
///
/// ```swift
/// let name = Person.Name(first: "Grace", last: "Hopper")
/// var grace = TypedDocument("grace", Person(name: name, age: 85, state: "NY", likes: []))
/// if try file.write({ try persons.save(&grace, in: $0) }).saved == nil { show("exists") }
/// ```
///
/// Like ``MutableDocument`` it stores the revision that it is based on: saving detects whether
/// another writer has changed the document since. It also remembers the body that the value was
/// decoded from, so that saving retains the properties that the type does not have. A program whose
/// types cover a part of a document does not lose the rest.
///
/// It is a value: it can be passed to other tasks, and copies are independent. A property named
/// `id` or `value` of the type is reached through ``value``. For reading only,
/// ``TypedCollection/value(_:in:)`` returns the value itself.
@dynamicMemberLookup
public struct TypedDocument<Value: Codable & Sendable>: Sendable {
    /// The ID of the document, not a property of the value.
    public let id: String
    /// The value, to be read, changed or replaced.
    public var value: Value
    /// The state that was read; nil for a new document.
    var base: MutableDocument.Base?
    /// The body that the value was decoded from.
    var source: FleeceDocument?

    /// Creates a new document.
    ///
    /// - Parameters:
    ///   - id: its ID, 1 to 240 bytes of UTF-8; nil (default) to generate one. Checked by saving.
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

    /// A property of the value, such as `ada.name` for `ada.value.name`.
    public subscript<Property>(dynamicMember path: KeyPath<Value, Property>) -> Property {
        value[keyPath: path]
    }

    /// A mutable property of the value, such as `ada.age += 1`, which is changed in place.
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
