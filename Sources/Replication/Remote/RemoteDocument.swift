/// A revision to send to a remote.
public struct ProposedRevision: Sendable {
    /// The document.
    public var document: RemoteDocument
    /// The revision that the remote has as far as this database knows, and that the new one
    /// replaces; nil if it does not have the document.
    public var base: String?
    /// The sequence of the document in the file; 0 if it is unknown.
    public var sequence: Int64

    /// Creates a proposal.
    public init(_ document: RemoteDocument, base: String?, sequence: Int64 = 0) {
        self.document = document
        self.base = base
        self.sequence = sequence
    }
}

/// A document as remotes store it.
public struct RemoteDocument: Sendable, Equatable {
    /// The document's ID.
    public var id: String
    /// The ID of its revision: `TIME@SOURCE`, or `GENERATION-DIGEST`.
    public var revision: String
    /// The revisions before it: the text of the version vector, or the IDs in the revision tree
    /// from the revision on, newest first, separated by commas. Empty if there are none.
    public var history: String
    /// Whether the document is deleted.
    public var isDeleted: Bool
    /// Its properties as JSON in UTF-8; empty for a deletion.
    public var body: [UInt8]
    /// Its properties as Fleece, if JSON cannot represent all of them exactly.
    public var fleece: [UInt8]?

    /// Creates a document.
    public init(
        id: String, revision: String, history: String = "", isDeleted: Bool = false,
        body: [UInt8] = [], fleece: [UInt8]? = nil
    ) {
        self.id = id
        self.revision = revision
        self.history = history
        self.isDeleted = isDeleted
        self.body = body
        self.fleece = fleece
    }
}

/// What a remote did with a proposed revision.
public enum ProposalResult: Sendable {
    /// It is the remote's current revision now.
    case accepted
    /// The remote has another revision than the proposal's base: this one, whose `body` may be
    /// left out, or none.
    case refused(RemoteDocument?)
    /// The remote does not store the document, for a reason that only another revision changes.
    case rejected(String)
}

/// Changes of a remote collection.
public struct RemoteChanges: Sendable {
    /// The documents in the order of their changes, each once.
    public var documents: [RemoteDocument]
    /// The IDs of documents that this user may not read any more. The file removes them.
    public var removed: [String] = []
    /// Where the next call begins.
    public var position: String
    /// Whether there were no more changes.
    public var isLast: Bool
    /// Whether tombstones after the position that was passed are gone, so that all documents that
    /// the remote had have to be compared.
    public var isIncomplete: Bool
    /// The number of documents yet to come; nil if it is unknown.
    public var remaining: Int?

    /// Whether there is nothing in it.
    package var isEmpty: Bool { documents.isEmpty && removed.isEmpty }

    /// Creates a batch.
    public init(
        _ documents: [RemoteDocument], position: String, isLast: Bool, isIncomplete: Bool = false,
        remaining: Int? = nil
    ) {
        self.documents = documents
        self.position = position
        self.isLast = isLast
        self.isIncomplete = isIncomplete
        self.remaining = remaining
    }
}
