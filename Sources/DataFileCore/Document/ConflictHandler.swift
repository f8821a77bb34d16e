/// What saving does if the document has been changed since it was read.
public struct ConflictHandler {
    /// What is to be done.
    enum Kind {
        case fail
        case overwrite
        case merge((MutableDocument, Document?) throws -> MutableDocument?)
    }

    let kind: Kind

    /// Nothing is saved, and the result says so.
    public static var failOnConflict: ConflictHandler { ConflictHandler(kind: .fail) }

    /// The document that is saved replaces what is there.
    public static var lastWriteWins: ConflictHandler { ConflictHandler(kind: .overwrite) }

    /// `resolve` makes one of the two: the one that is being saved, and the one that is there,
    /// which is nil if it has been purged and may be a tombstone. It returns what is to be saved,
    /// or nil to give up; the id stays, whatever the result has. What both came from is
    /// `properties.source` of the first.
    public static func merge(
        _ resolve:
            @escaping (_ mine: MutableDocument, _ theirs: Document?) throws ->
            MutableDocument?
    ) -> ConflictHandler {
        ConflictHandler(kind: .merge(resolve))
    }
}

/// What became of a document that was to be saved or deleted.
public enum SaveResult: Sendable {
    /// It is done.
    case saved(DocumentCollection.Saved)
    /// The document has been changed since it was read: what is there now, nil if it has been
    /// purged. Nothing was changed.
    case conflict(Document?)

    /// What was saved, nil for a conflict.
    public var saved: DocumentCollection.Saved? {
        if case .saved(let saved) = self { saved } else { nil }
    }
}
