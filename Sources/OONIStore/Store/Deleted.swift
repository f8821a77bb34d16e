extension OONIStore {
    /// What a deletion has removed. The caller removes the files after the transaction is
    /// committed.
    public struct Deleted: Hashable, Sendable {
        /// The removed results.
        public internal(set) var results: [TestResult.ID] = []
        /// The removed measurements.
        public internal(set) var measurements: [Measurement.ID] = []
        /// The removed networks, which no result uses any more.
        public internal(set) var networks: [Network.ID] = []
        /// The names of report and log files in the app's directory, without duplicates.
        public internal(set) var fileNames: [String] = []
    }
}
