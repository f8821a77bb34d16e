public import FleeceLite

/// The latest revision of a document that a remote is known to have (Couchbase Lite 4).
public struct RemoteRevision: Sendable {
    /// The remote's number, from 1 on.
    public let remote: Int
    /// The revision; that of a tree if the remote has none since the upgrade.
    public let revisionID: RevisionID
    /// What the document is there: deleted, with attachments, or in conflict with the current one.
    public var flags: DocumentFlags
    /// Its properties, nil if they are not kept.
    public let properties: FleeceDictionary?
    /// What later versions may have noted beside these.
    package let others: [RemoteProperty]

    /// The flags that say what a revision itself is, not how it stands to others.
    package static let ownFlags: DocumentFlags = [.deleted, .hasAttachments]

    /// The latest revision of a remote.
    public init(
        remote: Int, revisionID: RevisionID, flags: DocumentFlags, properties: FleeceDictionary?
    ) {
        self.init(
            remote: remote, revisionID: revisionID, flags: flags, properties: properties,
            others: [])
    }

    package init(
        remote: Int, revisionID: RevisionID, flags: DocumentFlags, properties: FleeceDictionary?,
        others: [RemoteProperty]
    ) {
        self.remote = remote
        self.revisionID = revisionID
        self.flags = flags
        self.properties = properties
        self.others = others
    }
}

/// A pair of a remote's dictionary whose meaning is not known; it is carried on.
package struct RemoteProperty: Sendable {
    let key: String
    let value: FleeceValue
}
