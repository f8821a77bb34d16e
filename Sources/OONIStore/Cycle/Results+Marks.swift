public import DocumentStore

// What has ended and what was looked at. A result that is so already is not written again, so that
// nobody is told of a change that is none.
extension OONIStore.Results {
    /// Says that a result was looked at.
    ///
    /// - Returns: whether it was not before.
    @discardableResult
    public func markAsViewed(
        _ id: OONIStore.TestResult.ID, in transaction: Transaction
    ) throws -> Bool {
        try mark(id, \.isViewed, in: transaction)
    }

    /// Says that all results that a filter finds were looked at.
    ///
    /// - Returns: how many were not before.
    @discardableResult
    public func markAllAsViewed(
        _ filter: OONIStore.ResultFilter = .all, in transaction: Transaction
    ) throws -> Int {
        try markAll(filter, "r.isViewed = FALSE", \.isViewed, in: transaction)
    }

    /// Says that a result has ended.
    ///
    /// - Returns: whether it had not before.
    @discardableResult
    public func markAsDone(
        _ id: OONIStore.TestResult.ID, in transaction: Transaction
    ) throws -> Bool {
        try mark(id, \.isDone, in: transaction)
    }

    /// Says that all results have ended, as at the start of a program: what ran before it was
    /// interrupted.
    ///
    /// - Returns: how many had not before.
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
