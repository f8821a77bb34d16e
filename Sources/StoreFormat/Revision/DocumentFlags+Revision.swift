extension DocumentFlags {
    /// What a revision of a tree says of it.
    package var ofRevision: RevisionTree.Flags {
        var flags: RevisionTree.Flags = []
        if contains(.deleted) { flags.insert(.deleted) }
        if contains(.hasAttachments) { flags.insert(.hasAttachments) }
        return flags
    }
}

extension RevisionTree.Flags {
    /// What they say of the document.
    package var ofDocument: DocumentFlags {
        var flags: DocumentFlags = []
        if contains(.deleted) { flags.insert(.deleted) }
        if contains(.hasAttachments) { flags.insert(.hasAttachments) }
        return flags
    }
}
