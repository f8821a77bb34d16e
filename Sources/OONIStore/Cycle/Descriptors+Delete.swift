public import DocumentStore

extension OONIStore.Descriptors {
    /// Removes all revisions of a link, and all its results.
    public func delete(
        _ runID: String, in transaction: Transaction
    ) throws -> OONIStore.Deleted {
        let card = OONIStore.DefaultCard(runID: runID)?.rawValue
        let keys = Set([runID] + (card.map { [$0] } ?? []))
        let deleted = try OONIStore.Results(store: store).delete(
            OONIStore.ResultFilter(descriptors: keys), in: transaction)
        try deleteKeepingResults(runID, in: transaction)
        return deleted
    }

    /// Removes all revisions of a link and keeps its results, which are shown with a placeholder
    /// from then on (`descriptor(of:in:)`), until a descriptor of the link is saved again.
    ///
    /// ```swift
    /// try store.write { try store.descriptors.deleteKeepingResults("10004", in: $0) }
    /// ```
    /// - Returns: the revisions that were removed, the lowest first; none if the store does not
    ///   have the link.
    @discardableResult
    public func deleteKeepingResults(
        _ runID: String, in transaction: Transaction
    ) throws -> [OONIStore.TestDescriptor.Key] {
        let keys = try revisions(runID, in: transaction).map(\.key)
        for key in keys { try entities.remove(key.documentID, in: transaction) }
        return keys
    }
}
