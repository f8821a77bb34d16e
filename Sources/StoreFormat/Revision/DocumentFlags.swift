/// The flags of a document: the low 16 bits of a record's `flags` column.
public struct DocumentFlags: OptionSet, Hashable, Sendable {
    /// The bits, as in the file.
    public let rawValue: UInt16

    /// Wraps the file's bits, known and unknown ones.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The document is deleted: the record is a tombstone.
    public static let deleted = DocumentFlags(rawValue: 0x01)
    /// There are unmerged conflicting revisions.
    public static let conflicted = DocumentFlags(rawValue: 0x02)
    /// The body refers to blobs.
    public static let hasAttachments = DocumentFlags(rawValue: 0x04)
    /// The first remote has the current revision.
    public static let synced = DocumentFlags(rawValue: 0x08)
    /// A remote rejected the current revision.
    public static let rejected = DocumentFlags(rawValue: 0x80)
}

extension DocumentFlags {
    /// The names of the flags that are set.
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
