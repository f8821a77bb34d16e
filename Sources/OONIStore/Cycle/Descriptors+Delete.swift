public import DataFileCore

extension OONIStore.Descriptors {
    /// Removes all revisions of a link, and all its results.
    public func delete(
        _ runID: String, in transaction: Transaction
    ) throws -> OONIStore.Deleted {
        let card = OONIStore.DefaultCard(runID: runID)?.rawValue
        let keys = Set([runID] + (card.map { [$0] } ?? []))
        let deleted = try OONIStore.Results(store: store).delete(
            OONIStore.ResultFilter(descriptors: keys), in: transaction)
        for descriptor in try revisions(runID, in: transaction) {
            try entities.remove(descriptor.key.documentID, in: transaction)
        }
        return deleted
    }
}
