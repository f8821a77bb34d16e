/// How saving handles a document that was changed after it was read.
///
/// Saving compares the document's revision with the stored one. If they differ, another writer has
/// saved, deleted or purged the document in the meantime, and the handler decides what to save.
public struct ConflictHandler {
    /// The strategy.
    enum Kind {
        case fail
        case overwrite
        case merge((MutableDocument, Document?) throws -> MutableDocument?)
    }

    let kind: Kind

    /// Saves nothing; the result is ``SaveResult/conflict(_:)`` with the stored document.
    public static var failOnConflict: ConflictHandler { ConflictHandler(kind: .fail) }

    /// Overwrites the stored document, whatever it is, also a tombstone.
    public static var lastWriteWins: ConflictHandler { ConflictHandler(kind: .overwrite) }

    /// Saves the document that a closure returns.
    ///
    /// - Parameter resolve: called once, within the transaction, with the document being saved
    ///   (`mine`) and the stored one (`theirs`). `theirs` is nil if the document was purged, and
    ///   may be a tombstone. The common ancestor is `mine.properties.source`. Only the properties
    ///   of the result are used: the id stays the same. Nil cancels the save, which then results in
    ///   ``SaveResult/conflict(_:)``; an error that it throws is thrown by the save. It must not
    ///   change the document in the database itself.
    public static func merge(
        _ resolve:
            @escaping (_ mine: MutableDocument, _ theirs: Document?) throws ->
            MutableDocument?
    ) -> ConflictHandler {
        ConflictHandler(kind: .merge(resolve))
    }
}

/// The result of saving or deleting a document.
///
/// A conflict is an expected outcome and therefore not an error.
public enum SaveResult: Sendable {
    /// The operation succeeded.
    case saved(DocumentCollection.Saved)
    /// The document was changed after it was read: the stored document, nil if it was purged.
    /// Nothing was changed.
    case conflict(Document?)

    /// The saved revision; nil for a conflict.
    public var saved: DocumentCollection.Saved? {
        if case .saved(let saved) = self { saved } else { nil }
    }
}
