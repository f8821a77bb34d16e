public import FleeceLite
public import StoreFormat

/// A new or changed document, to be saved in a collection.
///
/// Create one, or make a mutable copy of a document; change it; save it:
///
/// ```swift
/// var ada = MutableDocument("ada", ["name": "Ada", "likes": ["mathematics"]])
/// ada["age"] = 36
/// _ = try file.write { try people.save(&ada, in: $0) }
/// ```
///
/// Properties are set like those of a dictionary, also nested ones, and nil removes them:
///
/// ```swift
/// var ada = try people.get("ada", in: transaction)?.mutableCopy() ?? MutableDocument("ada")
/// ada["age"] = 37
/// ada["address"]?["city"] = "London"
/// ada["likes"]?.array?.append("engines")
/// ada["nickname"] = nil
/// _ = try people.save(&ada, in: transaction)
/// ```
///
/// It stores the revision that it is based on, so that saving detects whether the document was
/// changed since, however long ago it was read. The result is a conflict then; a handler can
/// resolve the conflict:
///
/// ```swift
/// var mine = document.mutableCopy()
/// mine["age"] = 37
/// let result = try file.write { transaction in
///     try people.save(
///         &mine,
///         onConflict: .merge { mine, theirs in
///             var merged = theirs?.mutableCopy() ?? mine
///             merged["age"] = mine["age"]
///             return merged
///         }, in: transaction)
/// }
/// ```
///
/// After a save it is based on the saved revision, and can be changed and saved again. If the
/// transaction is then rolled back, saving it again is a conflict: save a copy that was made
/// before, or read it again.
///
/// **Cost.** A copy refers to the body of the original, and stores only the changes. Saving encodes
/// the whole document. Copies of the value are independent.
///
/// Nothing is validated before saving: ``DocumentCollection/save(_:onConflict:in:)`` lists the
/// errors. For types of a program see ``TypedDocument``.
public struct MutableDocument: Sendable {
    /// The ID: given, generated, or that of the document it is a copy of.
    public let id: String
    /// The properties. Their `source` is the dictionary of the document that was copied, unchanged.
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

    /// Creates a new document. Saving it is a conflict if the ID is taken.
    ///
    /// ```swift
    /// let ada = MutableDocument("ada", ["name": "Ada", "age": 36])
    /// let unnamed = MutableDocument()
    /// show(unnamed.id)  // ~ and 22 random characters
    /// ```
    ///
    /// - Parameters:
    ///   - id: its ID, 1 to 240 bytes of UTF-8; nil (default) to generate one. Checked by saving.
    ///   - properties: its properties; none by default.
    public init(_ id: String? = nil, _ properties: MutableFleeceDictionary = [:]) {
        self.id = id ?? DocumentID.generate()
        self.properties = properties
    }

    /// Creates a new document with the properties of a JSON object.
    ///
    /// ```swift
    /// let ada = try MutableDocument("ada", json: #"{"name": "Ada", "age": 36}"#)
    /// ```
    ///
    /// To store JSON that is not changed, ``DocumentCollection/save(_:in:_:)`` with `writeJSON` is
    /// faster.
    ///
    /// - Parameters:
    ///   - id: its ID; nil (default) to generate one. A property `_id` in the JSON is not used as
    ///     the ID, and is rejected by saving.
    ///   - json: an object.
    /// - Throws: ``FleeceError`` if `json` is not an object.
    public init(_ id: String? = nil, json: String) throws {
        self.init(id, try MutableFleeceDictionary(json: json))
    }

    /// Creates a mutable copy of a document, like ``Document/mutableCopy()``. That of a tombstone
    /// has no properties, and saving it restores the document.
    public init(_ document: Document) {
        id = document.id
        properties = document.properties.map { MutableFleeceDictionary($0) } ?? [:]
        base = Base(document)
    }

    /// The revision that was read or saved last; nil for a new document.
    public var revisionID: RevisionID? { base?.revisionID }

    /// A top-level property; setting nil removes it. Nested values are changed in place.
    ///
    /// ```swift
    /// var ada = document.mutableCopy()
    /// ada["address"] = ["city": "London"]
    /// ada["address"]?["street"] = "St James's Square"
    /// ```
    public subscript(key: String) -> MutableFleeceValue? {
        get { properties[key] }
        _modify { yield &properties[key] }
    }

    /// A property at a path, such as `address.city`; setting nil removes it.
    ///
    /// ```swift
    /// var ada = document.mutableCopy()
    /// ada[try PropertyPath(parsing: "address.city")] = "London"
    /// ```
    ///
    /// Setting creates the dictionaries that are missing on the path. It has no effect if an array
    /// on the path has no such element, or if the path does not begin with a key.
    public subscript(path: PropertyPath) -> MutableFleeceValue? {
        get { properties[path] }
        set { properties[path] = newValue }
    }
}

extension Document {
    /// A copy that can be changed and saved. Costs little: it refers to the body of the original.
    ///
    /// ```swift
    /// var ada = document.mutableCopy()
    /// ada["age"] = 37
    /// _ = try file.write { try people.save(&ada, in: $0) }
    /// ```
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
