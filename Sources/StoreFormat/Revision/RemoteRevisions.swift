internal import FleeceLite

// The `extra` column of a row with a version vector:
//
//   00 00 00 00 | a Fleece array, with extern pointers into `body`
//
// The zeros distinguish it from a revision tree, and count in the offsets of pointers. An element's
// index is the number of a remote; the element is null or a dictionary:
//
//   "."  the properties
//   "@"  the revision, the bytes of a `version` column
//   "&"  the flags, as in the column; omitted if there are none
//
// Element 0 is the current revision: "." is a pointer to the root of `body`, and "~" the tree
// revision that it was before the upgrade, if any. None of these keys can be a shared key.

/// The revisions of a document that remotes are known to have: the `extra` column of Couchbase
/// Lite 4.
///
/// Its bytes contain pointers into the body, so they must be `encoded` again when the body changes.
public struct RemoteRevisions: Sendable {
    /// The revisions by remote, in ascending order of number.
    public private(set) var all: [RemoteRevision] = []
    /// The tree revision that the current one was before the upgrade.
    var legacy: Legacy?
    /// The other pairs of element 0.
    let others: [RemoteProperty]

    /// A tree revision.
    enum Legacy: Sendable {
        case id(RevisionID)
        /// The value as stored in the file.
        case stored(FleeceValue)
    }

    /// The maximum number of a remote.
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

    /// Creates a value without remotes.
    public init() {
        others = []
    }

    /// Wraps revisions that were read; `all` must be sorted.
    init(all: [RemoteRevision], legacy: Legacy?, others: [RemoteProperty]) {
        self.all = all
        self.legacy = legacy
        self.others = others
    }

    /// Whether there is nothing to store.
    public var isEmpty: Bool { all.isEmpty && legacy == nil && others.isEmpty }

    /// Whether a remote has a revision that conflicts with the current one and is not merged.
    public var isConflicted: Bool { all.contains { $0.flags.contains(.conflicted) } }

    /// The latest revision of a remote; nil if none is known.
    public func revision(ofRemote remote: Int) -> RemoteRevision? {
        all.first { $0.remote == remote }
    }

    /// Sets the latest revision of a remote; the number in `revision` is ignored.
    ///
    /// `encoded` fails if the number is not from 1 to `maximumRemote`.
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

    /// Removes a remote; returns whether it had a revision.
    @discardableResult
    public mutating func removeRemote(_ remote: Int) -> Bool {
        guard let index = all.firstIndex(where: { $0.remote == remote }) else { return false }
        all.remove(at: index)
        return true
    }

    /// The tree revision that the current one was before the upgrade; nil if it was not one, or is
    /// not stored as bytes.
    public var legacyRevisionID: RevisionID? {
        switch legacy {
        case .id(let id): id
        case .stored(let value): value.data.flatMap { try? RevisionID(binary: $0) }
        case nil: nil
        }
    }

    /// Sets the tree revision that the current one was before the upgrade.
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
