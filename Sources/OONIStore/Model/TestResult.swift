extension OONIStore {
    /// One run of a descriptor: a result of the app's list, with its measurements.
    ///
    /// A result is inserted when a run starts, gets measurements, and is marked as done at its end.
    /// It stores the counts of its measurements, so that a list does not read them. Create and
    /// change results with ``Results``:
    ///
    /// ```swift
    /// let result = try probe.write {
    ///     try probe.results.insert(.init(link), at: startTime, taskOrigin: .autorun, in: $0)
    /// }
    /// try probe.write { transaction in
    ///     try probe.results.update(result.id, in: transaction) { $0.dataUsageUpKiB = 120 }
    ///     try probe.results.markAsDone(result.id, in: transaction)
    /// }
    /// ```
    ///
    /// The value is a copy: changing it does not change the store. Properties that only the store
    /// sets, such as ``counts``, are read-only.
    public struct TestResult: Codable, Hashable, Sendable, Identifiable {
        /// The number of a result, unique in the store and never assigned again.
        ///
        /// The names of log files contain it: see ``Measurement/logFileName``.
        public struct ID: NumberID {
            /// The number, 1 or more.
            public var number: Int64

            /// Creates the ID with a number, for example one from a link of a notification. Whether
            /// the store has such a result is found when it is used.
            public init(_ number: Int64) {
                self.number = number
            }
        }

        /// The number of the result, assigned by the store in the order of insertion.
        public internal(set) var id: ID
        /// The descriptor that was run, in its revision. ``Descriptors/descriptor(of:in:)`` reads
        /// it.
        public var descriptor: DescriptorReference
        /// When it began; the list of results is sorted by it.
        public var startTime: Instant
        /// Whether the user has viewed it; ``Results/markAsViewed(_:in:)`` sets it.
        public internal(set) var isViewed = false
        /// Whether it has finished; ``Results/markAsDone(_:in:)`` sets it.
        ///
        /// A run that is interrupted, for example because the app was terminated, stays undone
        /// until ``Results/markAllAsDone(in:)`` is called.
        public internal(set) var isDone = false
        /// The data sent, in KiB; 0 until it is set.
        public var dataUsageUpKiB: Int64 = 0
        /// The data received, in KiB; 0 until it is set.
        public var dataUsageDownKiB: Int64 = 0
        /// The failures at the start of the run, one per line; nil if there were none.
        public var failureMessage: String?
        /// The network in which it ran; nil as long as it is unknown. Set it with
        /// ``Results/update(_:in:_:)`` when it is known.
        public var networkID: Network.ID?
        /// Who started it; the user by default.
        public var taskOrigin = TaskOrigin.ooniRun
        /// The identifier shared by all results of one tap on "Run", chosen by the app; nil for a
        /// result that is not part of a run.
        ///
        /// It is not the number of an OONI Run link, which is in ``descriptor``.
        public var runID: String?
        /// When it expires, with its measurements; nil for never.
        /// ``Results/setExpiration(_:of:in:)`` sets it.
        public internal(set) var expirationDate: Instant?
        /// The counts of its measurements, as of the snapshot in which it was read; maintained by
        /// the store.
        public internal(set) var counts = Counts()

        /// Creates a started result, for example for a preview; `results.insert` creates the
        /// results of a store.
        ///
        /// - Parameters:
        ///   - id: the number.
        ///   - descriptor: the descriptor that is run.
        ///   - startTime: when it began.
        public init(id: ID, descriptor: DescriptorReference, startTime: Instant) {
            (self.id, self.descriptor, self.startTime) = (id, descriptor, startTime)
        }
    }

    /// The reference of a result to its descriptor.
    ///
    /// It has a ``name`` for one of the app's cards, a ``key`` for an OONI Run link in one
    /// revision, or both for a card that the store has as a descriptor. The store sets the name
    /// that belongs to a key.
    ///
    /// ```swift
    /// let card = OONIStore.DescriptorReference(name: "websites")
    /// let installed = OONIStore.DescriptorReference(link)
    /// let old = OONIStore.DescriptorReference(key: .init("10004", revision: 2))
    /// ```
    ///
    /// Inserting a result throws ``OONIStoreError/Code/unknownDescriptor`` for any other name, and
    /// for a revision that the store does not have.
    public struct DescriptorReference: Codable, Hashable, Sendable {
        /// The name of a default card, as in `DefaultCard`; otherwise nil. The store sets it if
        /// there is a key.
        public var name: String?
        /// The descriptor and its revision; nil in old results of default cards.
        public var key: TestDescriptor.Key?

        /// Creates a reference from a name, a number and revision, or both.
        ///
        /// - Parameters:
        ///   - name: the name of a default card, such as `websites`; nil for a link.
        ///   - key: the number and revision of a descriptor in the store; nil for a card that is
        ///     not in it.
        public init(name: String? = nil, key: TestDescriptor.Key? = nil) {
            self.name = name
            self.key = key
        }

        /// Creates a reference to a descriptor in its revision; for a default card it includes the
        /// name.
        public init(_ descriptor: TestDescriptor) {
            self.init(name: descriptor.defaultCard?.rawValue, key: descriptor.key)
        }

        /// A copy with the name that belongs to the key, if there is one.
        var named: Self {
            guard let key else { return self }
            return Self(name: DefaultCard(runID: key.runID)?.rawValue, key: key)
        }

        /// The key by which results are filtered: the name of the card, or the number of the link;
        /// nil for an empty reference.
        public var filterKey: String? { name ?? key?.runID }
    }

    /// The number of a result's measurements by state.
    ///
    /// ``ok``, ``failed`` and ``anomalies`` partition those that are ``done``. The store updates
    /// the counts in the transaction that changes a measurement, so reading them costs nothing.
    /// ``OONIStore/verify(in:)`` compares them with the measurements, and
    /// ``OONIStore/recount(in:)`` recomputes them.
    ///
    /// ```swift
    /// let result = try probe.read { try probe.results.latest(in: $0) }
    /// if let counts = result?.counts, counts.anomalies > 0 {
    ///     show("\(counts.anomalies) of \(counts.done) measurements have anomalies")
    /// }
    /// ```
    public struct Counts: Codable, Hashable, Sendable {
        /// All measurements, done or not.
        public internal(set) var measurements = 0
        /// Finished measurements: the sum of ``ok``, ``failed`` and ``anomalies``.
        public internal(set) var done = 0
        /// Done measurements with which nothing was found.
        public internal(set) var ok = 0
        /// Done measurements whose test itself failed, whether or not it also found something.
        public internal(set) var failed = 0
        /// Done measurements that found signs of interference, and did not fail.
        public internal(set) var anomalies = 0
        /// Done measurements that are not uploaded, including failed ones.
        public internal(set) var notUploaded = 0
        /// Measurements that are not uploaded because the last attempt failed; a part of
        /// ``notUploaded``.
        public internal(set) var uploadFailed = 0

        /// Creates counts of 0, those of a result without measurements.
        public init() {}
    }
}

extension OONIStore.Counts {
    /// The counts of results, computed from all measurements.
    struct ByResult {
        private var counts: [OONIStore.TestResult.ID: OONIStore.Counts] = [:]

        mutating func add(_ measurement: OONIStore.Measurement) {
            counts[measurement.id.result, default: .init()].add(measurement)
        }

        /// Removes and returns the counts of a result.
        mutating func take(_ id: OONIStore.TestResult.ID) -> OONIStore.Counts {
            counts.removeValue(forKey: id) ?? .init()
        }

        /// The results whose counts were not taken.
        var left: [OONIStore.TestResult.ID] { counts.keys.sorted() }
    }

    /// Whether nothing is left to upload; also true without any measurement.
    public var isAllUploaded: Bool { notUploaded == 0 }

    /// Whether an upload has failed and has not succeeded since.
    public var hasUploadFailure: Bool { uploadFailed > 0 }

    /// Adds a measurement to the counts or, with `-1`, subtracts it.
    mutating func add(_ measurement: OONIStore.Measurement, _ count: Int = 1) {
        measurements += count
        guard measurement.isDone else { return }
        done += count
        switch measurement.outcome {
        case .failed: failed += count
        case .anomaly: anomalies += count
        case .ok, nil: ok += count
        }
        guard measurement.isMissingUpload else { return }
        notUploaded += count
        if measurement.isUploadFailed { uploadFailed += count }
    }
}
