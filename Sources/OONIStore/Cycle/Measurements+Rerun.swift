public import DocumentStore

extension OONIStore.Measurements {
    /// Begins a measurement once more: a new one of the same test and website, in the same result,
    /// that says in which network it is repeated. The first one stays as it is.
    ///
    /// Throws `.unknownMeasurement`, and `.unknownResult` if the result has expired.
    public func rerun(
        _ id: OONIStore.Measurement.ID, in network: OONIStore.NetworkDetails?,
        at startTime: OONIStore.Instant, in transaction: Transaction
    ) throws -> OONIStore.Measurement {
        let first = try require(id, in: transaction)
        let again = try insert(
            first.testName, of: id.result, url: first.url, at: startTime, in: transaction)
        return try update(again.id, in: transaction) {
            ($0.isRerun, $0.rerunNetwork) = (true, network)
        }
    }
}
