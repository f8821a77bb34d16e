/// How saving handles a document that was changed after it was read.
///
/// Saving compares the document's revision with the stored one. If they differ, another writer has
/// saved, deleted or purged the document in the meantime, and the handler decides what to save:
///
/// ```swift
/// var mine = document.mutableCopy()
/// mine["visits"] = .int((mine["visits"]?.int ?? 0) + 1)
/// let result = try file.write { transaction in
///     try people.save(
///         &mine,
///         onConflict: .merge { mine, theirs in
///             guard var merged = theirs?.mutableCopy() else { return nil }
///             merged["visits"] = .int((merged["visits"]?.int ?? 0) + 1)
///             return merged
///         }, in: transaction)
/// }
/// ```
///
/// Conflicts with revisions of other databases, which arrive by replication, are resolved by
/// ``DocumentCollection/resolveConflicts(of:in:_:)`` instead. For typed documents see
/// ``TypedConflictHandler``.
public struct ConflictHandler {
    /// The strategy.
    enum Kind {
        case fail
        case overwrite
        case merge((MutableDocument, Document?) throws -> MutableDocument?)
    }

    let kind: Kind

    /// Saves nothing (default); the result is ``SaveResult/conflict(_:)`` with the stored document.
    ///
    /// To repeat the change until it is saved, read the document again:
    ///
    /// ```swift
    /// var result: SaveResult
    /// repeat {
    ///     guard var ada = try file.read({ try people.get("ada", in: $0) })?.mutableCopy()
    ///     else { return }
    ///     ada["age"] = 37
    ///     result = try file.write { try people.save(&ada, in: $0) }
    /// } while result.saved == nil
    /// ```
    public static var failOnConflict: ConflictHandler { ConflictHandler(kind: .fail) }

    /// Overwrites the stored document, whatever it is, also a tombstone.
    ///
    /// ```swift
    /// var ada = MutableDocument("ada", ["age": 37])
    /// _ = try file.write { try people.save(&ada, onConflict: .lastWriteWins, in: $0) }
    /// ```
    public static var lastWriteWins: ConflictHandler { ConflictHandler(kind: .overwrite) }

    /// Saves the document that a closure returns.
    ///
    /// ```swift
    /// let theirsFirst = ConflictHandler.merge { mine, theirs in
    ///     guard let theirs, !theirs.isDeleted else { return nil }
    ///     var merged = theirs.mutableCopy()
    ///     if merged["email"] == nil { merged["email"] = mine["email"] }
    ///     return merged
    /// }
    /// ```
    ///
    /// - Parameter resolve: called once, within the transaction, with the document being saved
    ///   (`mine`) and the stored one (`theirs`). `theirs` is nil if the document was purged, and
    ///   may be a tombstone. The common ancestor is `mine.properties.source`. Only the properties
    ///   of the result are used: the ID stays the same. Nil cancels the save, which then results in
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
/// A conflict is an expected outcome and therefore not an error:
///
/// ```swift
/// var ada = document.mutableCopy()
/// switch try file.write({ try people.save(&ada, in: $0) }) {
/// case .saved(let saved): show("saved", saved.revisionID)
/// case .conflict(let theirs?) where theirs.isDeleted: show("deleted by someone else")
/// case .conflict(let theirs): show("changed by someone else", theirs?["name"]?.string ?? "")
/// }
/// ```
///
/// A document that is read and saved within the same `write` has no conflict, since no other writer
/// runs in between. See ``ConflictHandler`` for what else can be done.
public enum SaveResult: Sendable {
    /// The operation succeeded.
    case saved(DocumentCollection.Saved)
    /// The document was changed after it was read: the stored document, nil if it was purged.
    /// Nothing was changed.
    case conflict(Document?)

    /// The saved revision; nil for a conflict.
    ///
    /// ```swift
    /// var ada = MutableDocument("ada")
    /// let isNew = try file.write { try people.save(&ada, in: $0) }.saved?.isNew ?? false
    /// ```
    public var saved: DocumentCollection.Saved? {
        if case .saved(let saved) = self { saved } else { nil }
    }
}
