/// The flags of a document: the low 16 bits of a record's `flags` column.
///
/// They follow from the document's revisions and are stored beside them, so that queries and
/// enumerations can select documents without reading them.
///
/// ```swift
/// if document.flags.contains(.conflicted) { show("\(document.id) has a conflict") }
/// show(document.flags.names.joined(separator: ", "))
/// ```
///
/// Saving a document sets them. Bits without a name here are preserved.
public struct DocumentFlags: OptionSet, Hashable, Sendable {
    /// The bits, as in the file; some may be unknown to this version.
    public let rawValue: UInt16

    /// Wraps the file's bits, known and unknown ones.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The document is deleted: the record is a tombstone.
    ///
    /// Queries and reads of documents leave tombstones out; enumerations include them on request.
    public static let deleted = DocumentFlags(rawValue: 0x01)
    /// There are unmerged conflicting revisions.
    ///
    /// Select such documents with an enumeration that is limited to them. Resolving the conflict
    /// clears the flag.
    public static let conflicted = DocumentFlags(rawValue: 0x02)
    /// The body refers to blobs. An enumeration of records can select such documents without
    /// reading their bodies.
    public static let hasAttachments = DocumentFlags(rawValue: 0x04)
    /// The first remote has the current revision.
    ///
    /// A replicator sets it on a row instead of writing the revisions of remotes, with
    /// ``KeyStore/setFlags(_:of:sequence:in:)``.
    public static let synced = DocumentFlags(rawValue: 0x08)
    /// A remote rejected the current revision; see ``RevisionTree/reject(_:)``.
    public static let rejected = DocumentFlags(rawValue: 0x80)
}

extension DocumentFlags {
    /// The names of the flags that are set, in a fixed order; unknown bits have none.
    ///
    /// For example `["deleted", "attachments"]`.
    public var names: [String] {
        let all: [(DocumentFlags, String)] = [
            (.deleted, "deleted"), (.conflicted, "conflicted"),
            (.hasAttachments, "attachments"), (.synced, "synced"), (.rejected, "rejected"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}

extension DocumentFlags {
    /// The flags of a tree revision that correspond to the document's.
    package var ofRevision: RevisionTree.Flags {
        var flags: RevisionTree.Flags = []
        if contains(.deleted) { flags.insert(.deleted) }
        if contains(.hasAttachments) { flags.insert(.hasAttachments) }
        return flags
    }
}

extension RevisionTree.Flags {
    /// The flags of a document that correspond to the revision's.
    package var ofDocument: DocumentFlags {
        var flags: DocumentFlags = []
        if contains(.deleted) { flags.insert(.deleted) }
        if contains(.hasAttachments) { flags.insert(.hasAttachments) }
        return flags
    }
}
