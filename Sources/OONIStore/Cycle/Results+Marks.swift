public import DocumentStore

// Marks results as done or viewed. A result that has the mark already is not written again, so that
// observers are not notified without a change.
extension OONIStore.Results {
    /// Marks a result as viewed. One that is viewed already is not written again.
    ///
    /// - Parameters:
    ///   - id: the number of the result.
    ///   - transaction: the transaction in which it is written.
    /// - Returns: whether it was not viewed before.
    /// - Throws: ``OONIStoreError/Code/unknownResult``.
    @discardableResult
    public func markAsViewed(
        _ id: OONIStore.TestResult.ID, in transaction: Transaction
    ) throws -> Bool {
        try mark(id, \.isViewed, in: transaction)
    }

    /// Marks all results that match a filter as viewed.
    ///
    /// ```swift
    /// let filter = OONIStore.ResultFilter(descriptors: ["websites"])
    /// let count = try probe.write { try probe.results.markAllAsViewed(filter, in: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - filter: the filter; all results by default.
    ///   - transaction: the transaction in which they are written.
    /// - Returns: how many were not viewed before.
    @discardableResult
    public func markAllAsViewed(
        _ filter: OONIStore.ResultFilter = .all, in transaction: Transaction
    ) throws -> Int {
        try markAll(filter, "r.isViewed = FALSE", \.isViewed, in: transaction)
    }

    /// Marks a result as done, at the end of its run. One that is done already is not written
    /// again.
    ///
    /// - Parameters:
    ///   - id: the number of the result.
    ///   - transaction: the transaction in which it is written.
    /// - Returns: whether it was not done before.
    /// - Throws: ``OONIStoreError/Code/unknownResult``.
    @discardableResult
    public func markAsDone(
        _ id: OONIStore.TestResult.ID, in transaction: Transaction
    ) throws -> Bool {
        try mark(id, \.isDone, in: transaction)
    }

    /// Marks all results as done. Call it at the start of the app: runs that are not done were
    /// interrupted.
    ///
    /// ```swift
    /// let interrupted = try probe.write { try probe.results.markAllAsDone(in: $0) }
    /// ```
    ///
    /// - Parameter transaction: the transaction in which they are written.
    /// - Returns: how many were not done before.
    @discardableResult
    public func markAllAsDone(in transaction: Transaction) throws -> Int {
        try markAll(.all, "r.isDone = FALSE", \.isDone, in: transaction)
    }

    private func mark(
        _ id: OONIStore.TestResult.ID, _ flag: WritableKeyPath<OONIStore.TestResult, Bool>,
        in transaction: Transaction
    ) throws -> Bool {
        var document = try requireDocument(id, in: transaction)
        guard !document.value[keyPath: flag] else { return false }
        document.value[keyPath: flag] = true
        try entities.save(document, in: transaction)
        return true
    }

    private func markAll(
        _ filter: OONIStore.ResultFilter, _ condition: String,
        _ flag: WritableKeyPath<OONIStore.TestResult, Bool>, in transaction: Transaction
    ) throws -> Int {
        var parameters = QueryParameters()
        let conditions = try filter.conditions(&parameters)
        let query = try Query("SELECT r FROM ooni.results AS r WHERE \(condition)\(conditions)")
        let results = try entities.values(query, parameters, in: transaction)
        for var result in results {
            result[keyPath: flag] = true
            try entities.replace(result, result.id.key, in: transaction)
        }
        return results.count
    }
}
