extension OONIStore {
    /// What a deletion has removed.
    ///
    /// Reports and logs are files of the app, which a transaction does not remove: the caller
    /// removes them after it is committed. If the app is terminated in between,
    /// ``OONIStore/unusedFileNames(among:in:)`` finds them later.
    ///
    /// ```swift
    /// let deleted = try probe.write { try probe.results.delete([resultID], in: $0) }
    /// try removeFiles(deleted.fileNames)
    /// show("\(deleted.results.count) results, \(deleted.measurements.count) measurements")
    /// ```
    public struct Deleted: Hashable, Sendable {
        /// The removed results, in the order in which they were specified.
        public internal(set) var results: [TestResult.ID] = []
        /// The removed measurements: result by result, and by number.
        public internal(set) var measurements: [Measurement.ID] = []
        /// The removed networks, which no result uses any more.
        public internal(set) var networks: [Network.ID] = []
        /// The names of report and log files in the app's directory, without duplicates. Not each
        /// of them exists: a report that was uploaded is gone already.
        public internal(set) var fileNames: [String] = []
    }
}
