public import FleeceLite
public import StoreFormat

/// A revision in the list of all that are known of a document.
public struct RevisionListItem: Sendable {
    /// The revision.
    public let id: RevisionID
    /// What the document is in it: deleted, or with blobs.
    public let flags: DocumentFlags
    /// The place in the list of the revision that it replaced; nil for a first one, and where that
    /// is not known.
    public internal(set) var parent: Int?
    /// How many revisions of its branch stand before it.
    public internal(set) var depth = 0
    /// Whether it is what the document is now.
    public internal(set) var isCurrent = false
    /// Whether no revision replaced it.
    public internal(set) var isLeaf = true
    /// Whether its branch was ended when a conflict was resolved.
    public internal(set) var isClosed = false
    /// Whether it lost against another branch, or a remote has it and nobody has merged it yet.
    public internal(set) var isConflict = false
    /// Whether it is one of `DocumentHistory.conflicts()`: nobody has merged it yet.
    public internal(set) var isUnresolved = false
    /// Whether its body is to be kept although it was replaced.
    public internal(set) var keepsBody = false
    /// Whether a remote has refused it.
    public internal(set) var isRejected = false
    /// Whether it is the revision of a tree that the current one was before it became a version
    /// vector.
    public internal(set) var isLegacy = false
    /// The sequence that it was saved with; nil for a version vector, whose row alone has one.
    public internal(set) var sequence: UInt64?
    /// How many bytes its body has, by itself; nil if it is not kept.
    public internal(set) var bodySize: Int?
    /// Its properties; nil if it has none, or they are not kept.
    public internal(set) var properties: FleeceDictionary?
    /// The remotes that have it as their latest, by number.
    public internal(set) var remotes: [Int] = []

    init(id: RevisionID, flags: DocumentFlags) {
        self.id = id
        self.flags = flags
    }

    /// Whether the document is deleted in it.
    public var isDeleted: Bool { flags.contains(.deleted) }
    /// Whether its body refers to blobs.
    public var hasAttachments: Bool { flags.contains(.hasAttachments) }
}
