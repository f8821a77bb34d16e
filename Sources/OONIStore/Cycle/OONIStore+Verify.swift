public import DocumentStore

extension OONIStore {
    /// Checks the whole store: whether the counts of results match their measurements, whether
    /// every reference resolves, whether only the highest revision of a descriptor has nettests,
    /// and whether the next numbers to be assigned are unused. A document that cannot be read is a
    /// finding; the check continues without it. It takes as long as reading the whole file.
    public func verify(in snapshot: Snapshot) throws -> [Finding] {
        var verification = Verification(collections: collections, snapshot: snapshot)
        try verification.lookAtEverything()
        return verification.findings
    }

    /// Recomputes the counts of all results; documents that cannot be read are skipped.
    ///
    /// - Returns: the results whose counts were wrong.
    public func recount(in transaction: Transaction) throws -> [TestResult.ID] {
        var counts = Counts.ByResult()
        try collections.measurements.forEach(in: transaction) { _, measurement in
            guard case .success(let measurement) = measurement else { return }
            counts.add(measurement)
        }
        var wrong: [TestResult] = []
        try collections.results.forEach(in: transaction) { _, result in
            guard case .success(var result) = result else { return }
            let right = counts.take(result.id)
            guard result.counts != right else { return }
            result.counts = right
            wrong.append(result)
        }
        for result in wrong {
            try collections.results.replace(result, result.id.key, in: transaction)
        }
        return wrong.map(\.id)
    }
}
