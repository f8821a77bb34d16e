internal import StoreFormat

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

    /// What a vector index contains, and which documents it leaves out.
    ///
    /// ```swift
    /// let statistics = try file.read { try people.vectorIndexStatistics("byMeaning", in: $0) }
    /// print(statistics.vectors, "vectors in", statistics.cells, "cells")
    /// ```
    ///
    /// Reads the tables of the index, and the documents that are not in it.
    ///
    /// - Parameters:
    ///   - name: the name of the index.
    ///   - snapshot: the snapshot to read.
    /// - Throws: ``StoreError/Code/notFound`` if the collection has no such index;
    ///   ``StoreError/Code/corruptData`` if its tables are missing or damaged.
    public func vectorIndexStatistics(
        _ name: String, in snapshot: Snapshot
    ) throws -> VectorIndexStatistics {
        try vectorIndex(name, in: snapshot).statistics()
    }

    /// The documents whose vectors are nearest to that of another document, nearest first.
    ///
    /// ```swift
    /// let similar = try file.read {
    ///     try people.documents(similarTo: "ada", by: "byMeaning", in: $0)
    /// }
    /// for document in similar { print(document.id, document.distance) }
    /// ```
    ///
    /// The distances are those of `APPROX_VECTOR_DISTANCE`. With a lazy index, they are distances
    /// from the vector that the application has set.
    ///
    /// - Parameters:
    ///   - id: the ID of the document, which is not in the result.
    ///   - index: the name of a vector index.
    ///   - limit: the maximum number of documents.
    ///   - snapshot: the snapshot to read.
    /// - Throws: ``StoreError/Code/notFound`` if the collection has no such index, the document
    ///   does not exist, or has no vector; ``StoreError/Code/corruptData`` if the tables of the
    ///   index are missing or damaged.
    public func documents(
        similarTo id: String, by index: String, limit: Int = 10, in snapshot: Snapshot
    ) throws -> [SimilarDocument] {
        let open = try vectorIndex(index, in: snapshot)
        guard let docid = try open.docid(of: id) else {
            throw StoreError(
                .notFound, "the document \"\(id)\" is not in \(self.name)")
        }
        guard let found = try open.similar(to: docid, limit: max(0, limit)) else {
            throw StoreError(
                .notFound, "the vector index \(index) has no vector of the document \"\(id)\"")
        }
        return found
    }

    private func vectorIndex(_ name: String, in snapshot: Snapshot) throws -> OpenVectorIndex {
        guard let open = try snapshot.connection().vectorIndex(name),
            open.row.store == keyStore.name
        else {
            throw StoreError(
                .notFound, "there is no vector index \(name) of \(self.name)")
        }
        return open
    }
}
