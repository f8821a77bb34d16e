extension OONIStore {
    /// One run of a test with one input, such as a website, as part of a result.
    ///
    /// A measurement is inserted when its test starts, and updated with each event: when it is
    /// done, when it has found something, when it is uploaded. Its ``outcome`` follows from its
    /// flags. The result stores counts of its measurements, so all changes go through
    /// ``Measurements``, which maintains them:
    ///
    /// ```swift
    /// let measurement = try probe.write {
    ///     try probe.measurements.insert(.whatsapp, of: resultID, at: startTime, in: $0)
    /// }
    /// try probe.write { transaction in
    ///     try probe.measurements.update(measurement.id, in: transaction) {
    ///         $0.isDone = true
    ///         $0.isAnomaly = true
    ///         $0.runtimeSeconds = 4.2
    ///     }
    /// }
    /// ```
    ///
    /// The value is a copy: changing it does not change the store. The report of the test is not in
    /// the store but in a file of the app, ``reportFileName``, until it is uploaded.
    public struct Measurement: Codable, Hashable, Sendable, Identifiable {
        /// The result that a measurement belongs to, and the measurement's number, which is unique
        /// in the store and is never assigned again.
        ///
        /// Names of files contain only the number; ``Measurements/ids(of:in:)`` finds the IDs of
        /// numbers.
        public struct ID: Codable, Hashable, Comparable, Sendable {
            /// The result that the measurement belongs to.
            public var result: TestResult.ID
            /// The number of the measurement, 1 or more.
            public var number: Int64

            /// Creates an ID from the result that the measurement belongs to, and its number.
            public init(_ result: TestResult.ID, _ number: Int64) {
                self.result = result
                self.number = number
            }

            /// Sorts by result, then by number, which is the order of insertion within a result.
            public static func < (one: Self, other: Self) -> Bool {
                (one.result, one.number) < (other.result, other.number)
            }
        }

        /// The result that it belongs to, and its number. The store assigns both; an update does
        /// not change them.
        public internal(set) var id: ID
        /// The test that was run.
        public var testName: TestName
        /// When it began; lists of measurements are sorted by it.
        public var startTime: Instant
        /// How long it took, in seconds; nil until the test has ended, and for tests that do not
        /// report it.
        public var runtimeSeconds: Double?
        /// Whether it has finished. Only then it has an ``outcome``, and only then it is counted
        /// and uploaded.
        ///
        /// Set it with ``Measurements/update(_:in:_:)`` when the test has ended. The counts of the
        /// result follow in the same transaction.
        public var isDone = false
        /// Whether its report is uploaded to OONI.
        ///
        /// ``Measurements/noteUpload(_:of:in:)`` sets it. It is never reset by the outcome of
        /// another attempt.
        public var isUploaded = false
        /// Whether the test itself failed, so that it shows nothing about the network.
        ///
        /// A failed measurement does not count as an anomaly, even if ``isAnomaly`` is set, too.
        public var isFailed = false
        /// Why the test failed, as reported by OONI's engine; nil if it did not.
        public var failureMessage: String?
        /// Whether the last attempt to upload it failed. A later successful attempt resets it.
        public var isUploadFailed = false
        /// Why the upload failed; nil if it did not, or if the reason is unknown.
        public var uploadFailureMessage: String?
        /// Whether it repeats another measurement of the result;
        /// ``Measurements/rerun(_:in:at:in:)`` sets it.
        public var isRerun = false
        /// Whether it found signs of interference, such as a website that is blocked.
        public var isAnomaly = false
        /// The OONI report that it is part of; nil as long as OONI's server has not assigned one.
        public var reportID: String?
        /// Its identifier at OONI, by which it can be found on OONI's website; nil before the
        /// upload, and if the server did not return one.
        public var uid: String?
        /// The verification status at OONI; nil until the server has reported one.
        public var verificationStatus: VerificationStatus?
        /// The measured speeds; nil for other tests than performance tests, for which an update
        /// discards them.
        public var testKeys: TestKeys?
        /// The address of the tested website; nil for a test without input.
        ///
        /// The store registers it when the measurement is inserted. An update may change it only to
        /// the address of a website that the store has.
        public var url: String?
        /// The network in which it was repeated; nil if it is not a rerun, or if the network was
        /// unknown.
        public var rerunNetwork: NetworkDetails?

        /// Creates a started measurement, for example for a preview; `measurements.insert` creates
        /// the measurements of a store.
        ///
        /// - Parameters:
        ///   - id: the result and the number.
        ///   - testName: the test.
        ///   - startTime: when it began.
        public init(id: ID, testName: TestName, startTime: Instant) {
            (self.id, self.testName, self.startTime) = (id, testName, startTime)
        }
    }

    /// The results of a performance test, as shown in lists.
    ///
    /// They are the part of the report that the app shows: of `ndt` the ``summary``, of `dash` the
    /// ``simple`` results. Each speed may be missing. `measurements.testKeys` reads those of many
    /// measurements.
    ///
    /// ```swift
    /// try probe.write { transaction in
    ///     try probe.measurements.update(measurementID, in: transaction) {
    ///         $0.testKeys = .init(summary: .init(upload: 9_800, download: 48_000, ping: 21))
    ///     }
    /// }
    /// ```
    public struct TestKeys: Codable, Hashable, Sendable {
        /// The results of `ndt`: speeds of a network.
        public struct Summary: Codable, Hashable, Sendable {
            /// The speed of sending, in kbit/s; nil if it was not measured.
            public var upload: Double?
            /// The speed of receiving, in kbit/s; nil if it was not measured.
            public var download: Double?
            /// The latency, in milliseconds; nil if it was not measured.
            public var ping: Double?

            /// Creates the speeds of a network; nil for those that were not measured.
            ///
            /// - Parameters:
            ///   - upload: the speed of sending, in kbit/s.
            ///   - download: the speed of receiving, in kbit/s.
            ///   - ping: the latency, in milliseconds.
            public init(upload: Double? = nil, download: Double? = nil, ping: Double? = nil) {
                (self.upload, self.download, self.ping) = (upload, download, ping)
            }
        }

        /// The results of `dash`: speeds of a video.
        public struct Simple: Codable, Hashable, Sendable {
            /// The median of the bitrates at which the video would play, in kbit/s. In JSON it is
            /// `median_bitrate`.
            public var medianBitrate: Double?
            /// The speed of sending, in kbit/s; nil if it was not measured.
            public var upload: Double?
            /// The speed of receiving, in kbit/s; nil if it was not measured.
            public var download: Double?

            /// Creates the speeds of a video; nil for those that were not measured.
            ///
            /// - Parameters:
            ///   - medianBitrate: the median bitrate, in kbit/s.
            ///   - upload: the speed of sending, in kbit/s.
            ///   - download: the speed of receiving, in kbit/s.
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

        /// The results of `ndt`; nil for another test.
        public var summary: Summary?
        /// The results of `dash`; nil for another test.
        public var simple: Simple?

        /// Creates the results of one of the two tests.
        ///
        /// - Parameters:
        ///   - summary: the results of `ndt`.
        ///   - simple: the results of `dash`.
        public init(summary: Summary? = nil, simple: Simple? = nil) {
            (self.summary, self.simple) = (summary, simple)
        }
    }

    /// The outcome of a finished measurement, derived from its flags: see ``Measurement/outcome``.
    public enum Outcome: Hashable, Sendable {
        /// Nothing was found.
        case ok
        /// Signs of interference were found. It is not proof: websites also fail for other reasons.
        case anomaly
        /// The test itself failed, so that nothing is known about the network.
        case failed
    }
}

extension OONIStore.Measurement {
    /// The outcome; nil until the measurement is done.
    ///
    /// A failed measurement has the outcome ``Outcome/failed``, whether or not it is an anomaly, so
    /// that the three outcomes partition the done measurements.
    ///
    /// ```swift
    /// let shown = try probe.read { try probe.measurements.all(of: resultID, in: $0) }
    /// let blocked = shown.filter { $0.measurement.outcome == .anomaly }.compactMap(\.url)
    /// ```
    public var outcome: OONIStore.Outcome? {
        guard isDone else { return nil }
        return isFailed ? .failed : isAnomaly ? .anomaly : .ok
    }

    /// Whether it is done and still to be uploaded. ``Measurements/notUploaded(of:in:)`` lists such
    /// measurements.
    public var isMissingUpload: Bool { isDone && !isUploaded }

    /// The name of the report's file in the app's directory, such as `Measurement/7_signal.json`;
    /// the file exists until the report is uploaded.
    ///
    /// A slash, backslash or NUL in the test's name is replaced by `_`, so that the name of a test
    /// from a link does not lead to another directory.
    public var reportFileName: String { "Measurement/\(id.number)_\(testName.inFileName).json" }

    /// The name of the test's log file in the app's directory, such as `Measurement/3_signal.log`.
    ///
    /// The measurements of one test and result share it: the number is that of the result.
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
