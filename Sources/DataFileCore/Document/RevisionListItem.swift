public import FleeceLite
public import StoreFormat

/// An item in the list of a document's known revisions, for tools that show histories.
///
/// ``DocumentHistory/revisionList()`` returns the list. Items refer to each other by their index in
/// it:
///
/// ```swift
/// let list = try history.revisionList()
/// let replaced = list.compactMap(\.parent).map { list[$0].id }
/// let leaves = list.filter(\.isLeaf)
/// ```
public struct RevisionListItem: Sendable {
    /// The revision's ID.
    public let id: RevisionID
    /// The document's flags in this revision: deleted, or with blobs.
    public let flags: DocumentFlags
    /// The list index of the revision that it replaced; nil for a first revision, and if unknown.
    public internal(set) var parent: Int?
    /// The number of its ancestors in the list; 0 for the first one of a branch.
    public internal(set) var depth = 0
    /// Whether it is the current revision.
    public internal(set) var isCurrent = false
    /// Whether no revision replaced it: the end of a branch.
    public internal(set) var isLeaf = true
    /// Whether its branch was closed when a conflict was resolved.
    public internal(set) var isClosed = false
    /// Whether it lost against another branch, or is a remote's revision that is not merged.
    public internal(set) var isConflict = false
    /// Whether it is one of ``DocumentHistory/conflicts()``: it is not merged.
    public internal(set) var isUnresolved = false
    /// Whether its body is retained although it was replaced, as requested by a flag in a tree.
    public internal(set) var keepsBody = false
    /// Whether a remote rejected it.
    public internal(set) var isRejected = false
    /// Whether it is the tree revision that the current one was before the upgrade to version
    /// vectors.
    public internal(set) var isLegacy = false
    /// The sequence that it was saved with; nil for a version vector, whose row alone has one.
    public internal(set) var sequence: UInt64?
    /// The length of its own body in bytes; nil if it is not stored. Strings of shared keys are not
    /// included.
    public internal(set) var bodySize: Int?
    /// Its properties; nil if it has none or they are not stored.
    public internal(set) var properties: FleeceDictionary?
    /// The numbers of the remotes whose latest revision it is; ``Snapshot/remotes()`` has their
    /// addresses.
    public internal(set) var remotes: [Int] = []

    init(id: RevisionID, flags: DocumentFlags) {
        self.id = id
        self.flags = flags
    }

    /// Whether the revision deletes the document.
    public var isDeleted: Bool { flags.contains(.deleted) }
    /// Whether its body refers to blobs.
    public var hasAttachments: Bool { flags.contains(.hasAttachments) }
}
