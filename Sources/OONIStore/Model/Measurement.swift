extension OONIStore {
    /// One test with one input.
    public struct Measurement: Codable, Hashable, Sendable, Identifiable {
        /// The result that a measurement belongs to, and its number, which no other measurement of
        /// the store has or will have.
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
        /// Whether it has ended.
        public var isDone = false
        /// Whether its report is with OONI.
        public var isUploaded = false
        /// Whether the test itself failed.
        public var isFailed = false
        /// Why.
        public var failureMessage: String?
        /// Whether the last attempt to upload it failed.
        public var isUploadFailed = false
        /// Why.
        public var uploadFailureMessage: String?
        /// Whether it repeats another one.
        public var isRerun = false
        /// Whether it found signs of interference.
        public var isAnomaly = false
        /// The report at OONI that it is part of.
        public var reportID: String?
        /// Its own name at OONI.
        public var uid: String?
        /// What OONI says of it; nil as long as it has said nothing.
        public var verificationStatus: VerificationStatus?
        /// Speeds, of tests of performance only.
        public var testKeys: TestKeys?
        /// The website that was tested, by the address; nil for a test without input.
        public var url: String?
        /// The network in which it was repeated.
        public var rerunNetwork: NetworkDetails?

        /// A measurement that has begun, as a preview shows it; `measurements.insert` makes those
        /// of a store.
        public init(id: ID, testName: TestName, startTime: Instant) {
            (self.id, self.testName, self.startTime) = (id, testName, startTime)
        }
    }

    /// What a measurement of performance says.
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

        /// What one of the two tests says.
        public init(summary: Summary? = nil, simple: Simple? = nil) {
            (self.summary, self.simple) = (summary, simple)
        }
    }

    /// What a measurement that is done has come to.
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
    /// What it has come to; nil as long as it is not done.
    public var outcome: OONIStore.Outcome? {
        guard isDone else { return nil }
        return isFailed ? .failed : isAnomaly ? .anomaly : .ok
    }

    /// Whether it is done and still to be uploaded.
    public var isMissingUpload: Bool { isDone && !isUploaded }

    /// The file that its report is kept in until it is uploaded, in the app's directory.
    public var reportFileName: String { "Measurement/\(id.number)_\(testName.inFileName).json" }

    /// The file that the log of its test is kept in, which its result's others share.
    public var logFileName: String { "Measurement/\(id.result)_\(testName.inFileName).log" }
}

extension OONIStore.TestName {
    /// As a part of a file's name. Names of tests come from links that anybody can make; none may
    /// lead to another directory.
    var inFileName: String {
        String(
            String.UnicodeScalarView(
                rawValue.unicodeScalars.map { "/\\\0".unicodeScalars.contains($0) ? "_" : $0 }))
    }
}
