internal import FleeceLite

// The `extra` column of a row with a version vector:
//
//   00 00 00 00 | a Fleece array, with extern pointers into `body`
//
// The zeros keep it from being taken for a revision tree, and belong to the bytes that pointers
// count. An element's index is the number of a remote; it is null, or a dictionary:
//
//   "."  the properties
//   "@"  the revision, the bytes of a `version` column
//   "&"  the flags, as in the column; left out if there are none
//
// Element 0 is the current revision: "." is a pointer to the root of `body`, and "~" the revision
// of a tree that it was before, if it was. None of these keys can be a shared one.

/// What the remotes are known to have of a document: the `extra` column of Couchbase Lite 4.
///
/// Its bytes point into the body, so they have to be `encoded` again when the body changes.
public struct RemoteRevisions: Sendable {
    /// The revisions by remote, the lowest number first.
    public private(set) var all: [RemoteRevision] = []
    /// The revision of a tree that the current one was before.
    var legacy: Legacy?
    /// What element 0 has beside that.
    let others: [RemoteProperty]

    /// A revision of a tree.
    enum Legacy: Sendable {
        case id(RevisionID)
        /// As it stands in the file.
        case stored(FleeceValue)
    }

    /// The highest number that a remote can have.
    public static let maximumRemote = 65_535

    /// Checks a remote's number.
    ///
    /// Throws `.invalidParameter`.
    package static func requireNumber(_ remote: Int) throws {
        guard (1...maximumRemote).contains(remote) else {
            throw StoreError(
                .invalidParameter, "remotes have numbers from 1 to \(maximumRemote), not \(remote)")
        }
    }

    /// No remotes are known.
    public init() {
        others = []
    }

    /// What was read; `all` must be sorted.
    init(all: [RemoteRevision], legacy: Legacy?, others: [RemoteProperty]) {
        self.all = all
        self.legacy = legacy
        self.others = others
    }

    /// Whether there is nothing to keep.
    public var isEmpty: Bool { all.isEmpty && legacy == nil && others.isEmpty }

    /// Whether a remote has a revision that nobody has merged with the current one.
    public var isConflicted: Bool { all.contains { $0.flags.contains(.conflicted) } }

    /// The latest revision of a remote, nil if none is known.
    public func revision(ofRemote remote: Int) -> RemoteRevision? {
        all.first { $0.remote == remote }
    }

    /// Sets the latest revision of a remote, whatever number is in `revision`.
    ///
    /// A number that is not from 1 to `maximumRemote` is an error of `encoded`.
    public mutating func setRemote(_ remote: Int, to revision: RemoteRevision) {
        let revision = RemoteRevision(
            remote: remote, revisionID: revision.revisionID, flags: revision.flags,
            properties: revision.properties, others: revision.others)
        let index = all.firstIndex { $0.remote >= remote } ?? all.endIndex
        if index < all.endIndex, all[index].remote == remote {
            all[index] = revision
        } else {
            all.insert(revision, at: index)
        }
    }

    /// Forgets a remote; returns whether something was known of it.
    @discardableResult
    public mutating func removeRemote(_ remote: Int) -> Bool {
        guard let index = all.firstIndex(where: { $0.remote == remote }) else { return false }
        all.remove(at: index)
        return true
    }

    /// The revision of a tree that the current one was before, nil if it was none, or it is kept
    /// in another form than bytes.
    public var legacyRevisionID: RevisionID? {
        switch legacy {
        case .id(let id): id
        case .stored(let value): value.data.flatMap { try? RevisionID(binary: $0) }
        case nil: nil
        }
    }

    /// Sets the revision of a tree that the current one was before.
    public mutating func setLegacy(_ id: RevisionID?) {
        legacy = id.map { .id($0) }
    }
}

/// The keys of a remote's dictionary.
enum RemoteKey {
    static let properties = "."
    static let revision = "@"
    static let flags = "&"
    static let legacy = "~"
    /// The bytes before the array.
    static let zeros = 4
}
