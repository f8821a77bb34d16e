public import DocumentStore

extension OONIStore {
    /// Checks the whole store for inconsistencies.
    ///
    /// It checks whether the counts of results match their measurements, whether references to
    /// results, networks and websites resolve, whether only the highest revision of a descriptor
    /// has nettests, and whether the next numbers to be assigned are unused. A document that cannot
    /// be read is a finding; the check continues without it.
    ///
    /// ```swift
    /// let findings = try probe.read { try probe.verify(in: $0) }
    /// for finding in findings { show(finding) }
    /// ```
    ///
    /// It takes as long as reading the whole store. A reference to a descriptor is not checked,
    /// since a descriptor may be deleted without its results.
    ///
    /// - Parameter snapshot: the snapshot that is checked.
    /// - Returns: the inconsistencies; empty for an intact store. ``recount(in:)`` fixes wrong
    ///   counts.
    /// - Throws: a `StoreError` if the file is damaged.
    public func verify(in snapshot: Snapshot) throws -> [Finding] {
        var verification = Verification(collections: collections, snapshot: snapshot)
        try verification.lookAtEverything()
        return verification.findings
    }

    /// Recomputes the counts of all results; documents that cannot be read are skipped.
    ///
    /// ```swift
    /// let fixed = try probe.write { try probe.recount(in: $0) }
    /// ```
    ///
    /// It reads all measurements and results, and writes only the results whose counts were wrong.
    ///
    /// - Parameter transaction: the transaction in which they are written.
    /// - Returns: the results whose counts were wrong.
    /// - Throws: a `StoreError`.
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
