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
//   "^"  of a revision that conflicts with the current one: the one that the remote had before, a
//        dictionary of the same form. Other software does not write it, and ignores it
//
// Element 0 is the current revision: "." is a pointer to the root of `body`, and "~" the tree
// revision that it was before the upgrade, if any. None of these keys can be a shared key.

/// The revisions of a document that remotes are known to have: the `extra` column of Couchbase Lite
/// 4.
///
/// A replicator needs them to find out what a remote lacks, and to merge conflicting changes with
/// their common ancestor. It is a value type: read it from a record, change it, and encode it
/// again.
///
/// ```swift
/// let body = try storedRecord.body.map {
///     try FleeceDocument(trusted: $0, sharedKeys: sharedKeys)
/// }
/// var remotes = try RemoteRevisions(
///     extra: storedRecord.extra ?? [], body: body, sharedKeys: sharedKeys)
/// remotes.removeRemote(2)
/// let extra = try body.flatMap { try remotes.encoded(body: $0) }
/// ```
///
/// Its bytes contain pointers into the body, so they must be encoded again when the body changes:
/// see ``encoded(body:sharedKeys:)``. Pairs of unknown meaning, which other versions of the
/// software wrote, are preserved.
public struct RemoteRevisions: Sendable {
    /// The revisions by remote, in ascending order of number.
    ///
    /// ```swift
    /// for revision in remoteRevisions.all {
    ///     show(revision.remote, revision.revisionID, revision.flags.names)
    /// }
    /// ```
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

    /// The maximum number of a remote: 65,535.
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

    /// Creates a value without remotes, to which ``setRemote(_:to:)`` adds some.
    public init() {
        others = []
    }

    /// Wraps revisions that were read; `all` must be sorted.
    init(all: [RemoteRevision], legacy: Legacy?, others: [RemoteProperty]) {
        self.all = all
        self.legacy = legacy
        self.others = others
    }

    /// Whether there is nothing to store: no remote, no revision from before the upgrade, no
    /// unknown pairs.
    public var isEmpty: Bool { all.isEmpty && legacy == nil && others.isEmpty }

    /// Whether a remote has a revision that conflicts with the current one and is not merged.
    ///
    /// The document then has the flag ``DocumentFlags/conflicted``.
    public var isConflicted: Bool { all.contains { $0.flags.contains(.conflicted) } }

    /// The latest revision of a remote; nil if none is known.
    ///
    /// - Parameter remote: the remote's number, from 1.
    public func revision(ofRemote remote: Int) -> RemoteRevision? {
        all.first { $0.remote == remote }
    }

    /// Sets the latest revision of a remote; the number in `revision` is ignored.
    ///
    /// ```swift
    /// var remotes = RemoteRevisions()
    /// remotes.setRemote(
    ///     1,
    ///     to: RemoteRevision(
    ///         remote: 1, revisionID: .vector(remoteVector), flags: [],
    ///         properties: document.properties))
    /// ```
    ///
    /// - Parameters:
    ///   - remote: the remote's number. ``encoded(body:sharedKeys:)`` fails if it is not from 1 to
    ///     ``maximumRemote``.
    ///   - revision: the revision, which replaces the remote's former one.
    public mutating func setRemote(_ remote: Int, to revision: RemoteRevision) {
        let revision = RemoteRevision(
            remote: remote, revisionID: revision.revisionID, flags: revision.flags,
            properties: revision.properties, base: revision.base, others: revision.others)
        let index = all.firstIndex { $0.remote >= remote } ?? all.endIndex
        if index < all.endIndex, all[index].remote == remote {
            all[index] = revision
        } else {
            all.insert(revision, at: index)
        }
    }

    /// Removes a remote; returns whether it had a revision.
    ///
    /// - Parameter remote: the remote's number, from 1.
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
    ///
    /// - Parameter id: the revision, a digest; nil to remove it, as after a change of the document.
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
    static let base = "^"
    /// The bytes before the array.
    static let zeros = 4
}
