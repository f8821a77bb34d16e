public import FleeceLite
public import StoreFormat

/// A document that is being written or changed, to be saved in a collection.
///
/// ```swift
/// var ada = try people.get("ada", in: transaction)?.mutableCopy() ?? MutableDocument("ada")
/// ada["age"] = 37
/// ada["address"]?["city"] = "London"
/// _ = try people.save(&ada, in: transaction)
/// ```
/// It remembers the revision that it began with, so that saving it finds out whether somebody else
/// has changed the document since. A copy is independent of it.
public struct MutableDocument: Sendable {
    /// The id.
    public let id: String
    /// The properties.
    public var properties: MutableFleeceDictionary
    /// What was read, nil for a document that is to be new.
    var base: Base?

    /// The state of a document that was read or saved.
    struct Base: Sendable {
        var sequence: Int64
        var subsequence: Int
        var revisionID: RevisionID?
        /// Whether its row has nothing more to it than a body and a version vector.
        var isPlain: Bool
        /// Whether it is a tombstone.
        var isDeleted: Bool
    }

    /// A new document.
    ///
    /// - Parameters:
    ///   - id: its id; made up if nil.
    ///   - properties: its properties.
    public init(_ id: String? = nil, _ properties: MutableFleeceDictionary = [:]) {
        self.id = id ?? DocumentID.generate()
        self.properties = properties
    }

    /// A new document with the properties of a JSON object.
    ///
    /// Throws `FleeceError` if it is none.
    public init(_ id: String? = nil, json: String) throws {
        self.init(id, try MutableFleeceDictionary(json: json))
    }

    /// A document that is to be changed.
    public init(_ document: Document) {
        id = document.id
        properties = document.properties.map { MutableFleeceDictionary($0) } ?? [:]
        base = Base(document)
    }

    /// The revision that was read or saved last; nil for a document that is to be new.
    public var revisionID: RevisionID? { base?.revisionID }

    /// A property of the outermost level; setting nil removes it.
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
    /// What a document that was read is.
    init(_ document: Document) {
        let isPlain = if case .vector = document.revisionID { true } else { false }
        self.init(
            sequence: document.sequence, subsequence: document.subsequence,
            revisionID: document.revisionID,
            isPlain: isPlain && !document.hasHistory && !document.flags.contains(.synced),
            isDeleted: document.isDeleted)
    }

    /// The version vector of a row that has nothing else to carry on.
    var plainVector: VersionVector? {
        guard isPlain, case .vector(let vector) = revisionID else { return nil }
        return vector
    }

    /// The condition that the row is still as it was.
    var expectation: RecordUpdate.Expectation {
        .revision(sequence: sequence, subsequence: subsequence)
    }
}
