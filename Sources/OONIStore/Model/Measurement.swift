extension OONIStore {
    /// One run of a test with one input.
    public struct Measurement: Codable, Hashable, Sendable, Identifiable {
        /// The result that a measurement belongs to, and the measurement's number, which is unique
        /// in the store and is never assigned again.
        public struct ID: Codable, Hashable, Comparable, Sendable {
            /// The result.
            public var result: TestResult.ID
            /// The number of the measurement.
            public var number: Int64

            /// A measurement of a result.
            public init(_ result: TestResult.ID, _ number: Int64) {
                self.result = result
                self.number = number
            }

            /// By result, then by number.
            public static func < (one: Self, other: Self) -> Bool {
                (one.result, one.number) < (other.result, other.number)
            }
        }

        /// The result that it belongs to, and its number.
        public internal(set) var id: ID
        /// What was run.
        public var testName: TestName
        /// When it began.
        public var startTime: Instant
        /// How long it took, in seconds.
        public var runtimeSeconds: Double?
        /// Whether it has finished.
        public var isDone = false
        /// Whether its report is uploaded to OONI.
        public var isUploaded = false
        /// Whether the test itself failed.
        public var isFailed = false
        /// Why the test failed.
        public var failureMessage: String?
        /// Whether the last attempt to upload it failed.
        public var isUploadFailed = false
        /// Why the upload failed.
        public var uploadFailureMessage: String?
        /// Whether it repeats another measurement.
        public var isRerun = false
        /// Whether it found signs of interference.
        public var isAnomaly = false
        /// The OONI report that it is part of.
        public var reportID: String?
        /// Its identifier at OONI.
        public var uid: String?
        /// The verification status at OONI; nil as long as it is unknown.
        public var verificationStatus: VerificationStatus?
        /// Speeds; performance tests only.
        public var testKeys: TestKeys?
        /// The address of the tested website; nil for a test without input.
        public var url: String?
        /// The network in which it was repeated.
        public var rerunNetwork: NetworkDetails?

        /// Creates a started measurement, for example for a preview; `measurements.insert` creates
        /// the measurements of a store.
        public init(id: ID, testName: TestName, startTime: Instant) {
            (self.id, self.testName, self.startTime) = (id, testName, startTime)
        }
    }

    /// The results of a performance test.
    public struct TestKeys: Codable, Hashable, Sendable {
        /// Of `ndt`.
        public struct Summary: Codable, Hashable, Sendable {
            /// kbit/s
            public var upload: Double?
            /// kbit/s
            public var download: Double?
            /// Milliseconds.
            public var ping: Double?

            /// Speeds of a network.
            public init(upload: Double? = nil, download: Double? = nil, ping: Double? = nil) {
                (self.upload, self.download, self.ping) = (upload, download, ping)
            }
        }

        /// Of `dash`.
        public struct Simple: Codable, Hashable, Sendable {
            /// kbit/s
            public var medianBitrate: Double?
            /// kbit/s
            public var upload: Double?
            /// kbit/s
            public var download: Double?

            /// Speeds of a video.
            public init(
                medianBitrate: Double? = nil, upload: Double? = nil, download: Double? = nil
            ) {
                (self.upload, self.download) = (upload, download)
                self.medianBitrate = medianBitrate
            }

            private enum CodingKeys: String, CodingKey {
                case medianBitrate = "median_bitrate"
                case upload, download
            }
        }

        /// Of `ndt`.
        public var summary: Summary?
        /// Of `dash`.
        public var simple: Simple?

        /// Creates the results of one of the two tests.
        public init(summary: Summary? = nil, simple: Simple? = nil) {
            (self.summary, self.simple) = (summary, simple)
        }
    }

    /// The outcome of a finished measurement.
    public enum Outcome: Hashable, Sendable {
        /// Nothing was found.
        case ok
        /// Signs of interference were found.
        case anomaly
        /// The test itself failed.
        case failed
    }
}

extension OONIStore.Measurement {
    /// The outcome; nil as long as it is not done.
    public var outcome: OONIStore.Outcome? {
        guard isDone else { return nil }
        return isFailed ? .failed : isAnomaly ? .anomaly : .ok
    }

    /// Whether it is done and still to be uploaded.
    public var isMissingUpload: Bool { isDone && !isUploaded }

    /// The name of the report's file in the app's directory; the file exists until the report is
    /// uploaded.
    public var reportFileName: String { "Measurement/\(id.number)_\(testName.inFileName).json" }

    /// The name of the test's log file in the app's directory, shared by the measurements of one
    /// test and result.
    public var logFileName: String { "Measurement/\(id.result)_\(testName.inFileName).log" }
}

extension OONIStore.TestName {
    /// The name as part of a file name. Names of tests come from links, which anyone can publish;
    /// none may lead to another directory.
    var inFileName: String {
        String(
            String.UnicodeScalarView(
                rawValue.unicodeScalars.map { "/\\\0".unicodeScalars.contains($0) ? "_" : $0 }))
    }
}
