extension OONIStore {
    /// What a deletion has removed. The files are the caller's to remove, once the transaction is
    /// committed.
    public struct Deleted: Hashable, Sendable {
        /// The results.
        public internal(set) var results: [TestResult.ID] = []
        /// Their measurements.
        public internal(set) var measurements: [Measurement.ID] = []
        /// The networks that no result is left of.
        public internal(set) var networks: [Network.ID] = []
        /// The names of reports and logs in the app's directory, each once.
        public internal(set) var fileNames: [String] = []
    }
}
