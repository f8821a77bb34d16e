public import DocumentStore

extension OONIStore {
    /// Looks at everything: whether the counts of results are those of their measurements, whether
    /// what refers to another thing finds it, whether only the highest revision of a descriptor has
    /// nettests, and whether new things get numbers that nothing has. A document that cannot be
    /// read is found too, and the rest is looked at without it. It takes as long as reading the
    /// file.
    public func verify(in snapshot: Snapshot) throws -> [Finding] {
        var verification = Verification(collections: collections, snapshot: snapshot)
        try verification.lookAtEverything()
        return verification.findings
    }

    /// Counts the measurements of all results again; documents that cannot be read are left out.
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
