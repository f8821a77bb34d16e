public import FleeceLite
public import StoreFormat

/// A new or changed document, to be saved in a collection.
///
/// ```swift
/// var ada = try people.get("ada", in: transaction)?.mutableCopy() ?? MutableDocument("ada")
/// ada["age"] = 37
/// ada["address"]?["city"] = "London"
/// _ = try people.save(&ada, in: transaction)
/// ```
/// It stores the revision that it is based on, so that saving detects whether the document was
/// changed since. Copies are independent.
public struct MutableDocument: Sendable {
    /// The id.
    public let id: String
    /// The properties.
    public var properties: MutableFleeceDictionary
    /// The state that was read; nil for a new document.
    var base: Base?

    /// The state of a document when it was read or saved.
    struct Base: Sendable {
        var sequence: Int64
        var subsequence: Int
        var revisionID: RevisionID?
        /// Whether its row only has a body and a version vector.
        var isPlain: Bool
        /// Whether it is a tombstone.
        var isDeleted: Bool
    }

    /// Creates a new document.
    ///
    /// - Parameters:
    ///   - id: its id; nil to generate one.
    ///   - properties: its properties.
    public init(_ id: String? = nil, _ properties: MutableFleeceDictionary = [:]) {
        self.id = id ?? DocumentID.generate()
        self.properties = properties
    }

    /// Creates a new document with the properties of a JSON object.
    ///
    /// Throws `FleeceError` if `json` is not an object.
    public init(_ id: String? = nil, json: String) throws {
        self.init(id, try MutableFleeceDictionary(json: json))
    }

    /// Creates a mutable copy of a document.
    public init(_ document: Document) {
        id = document.id
        properties = document.properties.map { MutableFleeceDictionary($0) } ?? [:]
        base = Base(document)
    }

    /// The revision that was read or saved last; nil for a new document.
    public var revisionID: RevisionID? { base?.revisionID }

    /// A top-level property; setting nil removes it.
    public subscript(key: String) -> MutableFleeceValue? {
        get { properties[key] }
        _modify { yield &properties[key] }
    }

    /// A property at a path, such as `address.city`; setting nil removes it.
    public subscript(path: PropertyPath) -> MutableFleeceValue? {
        get { properties[path] }
        set { properties[path] = newValue }
    }
}

extension Document {
    /// A copy that can be changed and saved.
    public func mutableCopy() -> MutableDocument { MutableDocument(self) }
}

extension MutableDocument.Base {
    /// The state of a document that was read.
    init(_ document: Document) {
        let isPlain = if case .vector = document.revisionID { true } else { false }
        self.init(
            sequence: document.sequence, subsequence: document.subsequence,
            revisionID: document.revisionID,
            isPlain: isPlain && !document.hasHistory && !document.flags.contains(.synced),
            isDeleted: document.isDeleted)
    }

    /// The version vector, if the row has no other history.
    var plainVector: VersionVector? {
        guard isPlain, case .vector(let vector) = revisionID else { return nil }
        return vector
    }

    /// The condition that the row is unchanged.
    var expectation: RecordUpdate.Expectation {
        .revision(sequence: sequence, subsequence: subsequence)
    }
}
