extension DocumentCollection {
    /// Begins an update of a lazy vector index.
    ///
    /// ```swift
    /// let updater = try file.read { try people.beginUpdate(of: "byMeaning", limit: 50, in: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - index: the name of the index.
    ///   - limit: the maximum number of documents.
    ///   - snapshot: the snapshot to read.
    /// - Returns: nil if the index is up to date.
    /// - Throws: ``StoreError/Code/notFound`` if the collection has no such index;
    ///   ``StoreError/Code/invalidParameter`` if it is not lazy.
    public func beginUpdate(
        of index: String, limit: Int, in snapshot: Snapshot
    ) throws -> VectorIndexUpdater? {
        try VectorIndexUpdater(
            index, keyStore.name, limit: limit, in: snapshot.connection())
    }
}
