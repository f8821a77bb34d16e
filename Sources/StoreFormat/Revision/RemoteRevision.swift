public import FleeceLite

/// The latest revision of a document that a remote is known to have (Couchbase Lite 4).
///
/// It is an element of ``RemoteRevisions``. In files of Couchbase Lite 2 and 3,
/// ``RevisionTree/Remote`` has this function.
///
/// ```swift
/// if let revision = remoteRevisions.revision(ofRemote: 1) {
///     show(revision.revisionID, revision.properties?.keys ?? [])
/// }
/// ```
public struct RemoteRevision: Sendable {
    /// The remote's number, from 1 to ``RemoteRevisions/maximumRemote``.
    public let remote: Int
    /// The revision; a tree revision if the remote has none newer than the upgrade.
    public let revisionID: RevisionID
    /// The document's flags there: deleted, with attachments, or conflicting with the current one.
    ///
    /// The last one is ``DocumentFlags/conflicted``; see ``RemoteRevisions/isConflicted``.
    public var flags: DocumentFlags
    /// Its properties; nil if they are not stored, as for a deletion.
    ///
    /// They retain the bytes of the row from which they were read.
    public let properties: FleeceDictionary?
    /// The revision that the remote had before one that conflicts with the current one, which
    /// descends from it, too; nil if it is not known, and without a conflict.
    package var base: Base?
    /// Further pairs written by other versions of the software.
    package let others: [RemoteProperty]

    /// A revision from which both sides of a conflict descend.
    package struct Base: Sendable {
        package let revisionID: RevisionID
        package let flags: DocumentFlags
        package let properties: FleeceDictionary?

        package init(
            revisionID: RevisionID, flags: DocumentFlags, properties: FleeceDictionary?
        ) {
            self.revisionID = revisionID
            self.flags = flags
            self.properties = properties
        }
    }

    /// The flags that describe a revision itself, not its relation to others.
    package static let ownFlags: DocumentFlags = [.deleted, .hasAttachments]

    /// Creates the latest revision of a remote.
    ///
    /// - Parameters:
    ///   - remote: the remote's number, from 1 to ``RemoteRevisions/maximumRemote``.
    ///   - revisionID: the revision.
    ///   - flags: ``DocumentFlags/deleted``, ``DocumentFlags/hasAttachments`` and
    ///     ``DocumentFlags/conflicted``, as they apply to it.
    ///   - properties: its properties, of any document; nil if they are not to be stored.
    public init(
        remote: Int, revisionID: RevisionID, flags: DocumentFlags, properties: FleeceDictionary?
    ) {
        self.init(
            remote: remote, revisionID: revisionID, flags: flags, properties: properties,
            others: [])
    }

    package init(
        remote: Int, revisionID: RevisionID, flags: DocumentFlags, properties: FleeceDictionary?,
        base: Base? = nil, others: [RemoteProperty]
    ) {
        self.remote = remote
        self.revisionID = revisionID
        self.flags = flags
        self.properties = properties
        self.base = base
        self.others = others
    }

    /// Whether its body, or that of its base, refers to blobs.
    package var hasAttachments: Bool {
        flags.contains(.hasAttachments) || base?.flags.contains(.hasAttachments) == true
    }

    /// It as the base of a conflict, or that of the conflict that it has.
    package var ancestor: Base? {
        if flags.contains(.conflicted) { return base }
        return Base(
            revisionID: revisionID, flags: flags.intersection(Self.ownFlags),
            properties: properties)
    }

    /// The same revision after the end of its conflict.
    package var resolved: RemoteRevision {
        var revision = self
        revision.flags.remove(.conflicted)
        revision.base = nil
        return revision
    }
}

/// A pair of unknown meaning in a remote's dictionary; it is preserved.
package struct RemoteProperty: Sendable {
    let key: String
    let value: FleeceValue
}
