extension OONIStore {
    /// What is tested and how it is presented: an OONI Run link, or one of the cards included in
    /// the app.
    ///
    /// A link has a number and revisions. The store retains all revisions, since old results show
    /// the revision that they ran under; only the highest revision has its nettests. Descriptors
    /// come from OONI's server or from files of the app as JSON:
    ///
    /// ```swift
    /// let (descriptors, problems) = try OONIStore.TestDescriptor.read(json: json)
    /// try probe.write { transaction in
    ///     for descriptor in descriptors {
    ///         try probe.descriptors.install(descriptor, at: .init(Date()), in: transaction)
    ///     }
    /// }
    /// show(problems)
    /// ```
    ///
    /// The app's cards are stored under reserved numbers, those of ``DefaultCard``. Most properties
    /// are those of OONI's API; the store's own are ``dateInstalled``, ``isAutoUpdated`` and
    /// ``rejectedRevision``, which an update preserves.
    public struct TestDescriptor: Codable, Hashable, Sendable, Identifiable {
        /// A descriptor and its revision, by which results refer to it.
        ///
        /// ```swift
        /// let key = OONIStore.TestDescriptor.Key("10004", revision: 2)
        /// let revision = try probe.read { try probe.descriptors.get(key, in: $0) }
        /// ```
        public struct Key: Codable, Hashable, Sendable {
            /// The number of the OONI Run link, such as `10004`.
            public var runID: String
            /// The revision, 0 or more.
            public var revision: Int

            /// Creates the key of a revision of a link. Whether the store has it is found when it
            /// is used.
            ///
            /// - Parameters:
            ///   - runID: the number of the link.
            ///   - revision: the revision.
            public init(_ runID: String, revision: Int) {
                self.runID = runID
                self.revision = revision
            }
        }

        /// The number of the OONI Run link; those of the default cards are in `DefaultCard`.
        ///
        /// It is a string of 1 to 100 visible ASCII characters without a slash, which does not
        /// begin with `_`; usually of digits. Saving another one throws
        /// ``OONIStoreError/Code/invalidDescriptor``.
        public var runID: String
        /// The revision, 0 or more; the highest one is current.
        public var revision: Int
        /// The name in the language of the author. Use ``name(in:)`` for the user's language.
        public var name: String
        /// A summary of one line, in the language of the author; nil if there is none.
        public var shortDescription: String?
        /// The description, in Markdown and in the language of the author; nil if there is none.
        public var description: String?
        /// The author, as published with the link; nil if there is none.
        public var author: String?
        /// The tests to run; nil for a revision that is not the highest.
        ///
        /// The store removes them from old revisions, which are not run again.
        public var nettests: [NetTest]?
        /// The name by language, such as `pt_BR` or `pt`; empty without translations.
        public var nameByLanguage: [String: String]
        /// The summary by language, such as `pt_BR` or `pt`.
        public var shortDescriptionByLanguage: [String: String]
        /// The description by language, such as `pt_BR` or `pt`.
        public var descriptionByLanguage: [String: String]
        /// The name of a picture, such as `FaShield`; nil if the author has not chosen one.
        public var icon: String?
        /// The color in the form `#rrggbb`; nil if the author has not chosen one. The store does
        /// not check it.
        public var color: String?
        /// The name of an animation's file, which the app has; nil for none.
        public var animation: String?
        /// The instant from which on it is not offered any more; nil for never. Its results stay:
        /// see ``isExpired(at:)``.
        public var expirationDate: Instant?
        /// When the link was created; nil if it is unknown.
        public var dateCreated: Instant?
        /// When the link was changed, on OONI's server; nil if it is unknown.
        ///
        /// ``Descriptors/update(with:in:)`` compares it to find whether a fetched descriptor is
        /// newer.
        public var dateUpdated: Instant?
        /// When the first revision was installed in this store; nil for a descriptor that was saved
        /// without installing it.
        public var dateInstalled: Instant?
        /// Whether newer revisions are installed without asking the user; true for a new
        /// descriptor. ``Descriptors/setAutoUpdate(_:_:in:)`` changes it.
        public var isAutoUpdated: Bool
        /// The newer revision that the user has rejected; nil for none. It is not offered again.
        public var rejectedRevision: Int?
        /// The numbers of all revisions of the link as listed by OONI's server; nil if unknown. The
        /// app's databases of versions 10 and 11 have them.
        public var revisions: [Int]?

        /// Creates a descriptor that updates automatically and has no translations.
        ///
        /// - Parameters:
        ///   - runID: the number of the link, or of a default card.
        ///   - revision: the revision, 0 or more.
        ///   - name: the name in the language of the author.
        ///   - nettests: the tests to run; none by default.
        public init(runID: String, revision: Int, name: String, nettests: [NetTest]? = []) {
            self.runID = runID
            self.revision = revision
            self.name = name
            self.nettests = nettests
            nameByLanguage = [:]
            shortDescriptionByLanguage = [:]
            descriptionByLanguage = [:]
            isAutoUpdated = true
        }
    }
}

extension OONIStore.TestDescriptor {
    /// The descriptor and its revision, by which results refer to it.
    public var key: Key { Key(runID, revision: revision) }

    /// The key.
    public var id: Key { key }

    /// The app's card that the descriptor represents; nil for an installed link.
    public var defaultCard: OONIStore.DefaultCard? { OONIStore.DefaultCard(runID: runID) }

    /// The key by which results are filtered: the name of the card, or the number of the link.
    ///
    /// ```swift
    /// let filter = OONIStore.ResultFilter(descriptors: [link.filterKey])
    /// let page = try probe.read { try probe.results.page(filter, in: $0) }
    /// ```
    public var filterKey: String { defaultCard?.rawValue ?? runID }

    /// Whether it has expired, so that it is not offered any more.
    ///
    /// - Parameter now: the current time.
    /// - Returns: whether the expiration is before it; false without an expiration.
    public func isExpired(at now: OONIStore.Instant) -> Bool {
        expirationDate.map { $0 < now } ?? false
    }

    /// The name in a language; without a translation, the author's name.
    ///
    /// ```swift
    /// let name = link.name(in: Locale.current.identifier)
    /// ```
    ///
    /// - Parameter language: the language with or without a region, such as `pt_BR`, `pt-BR` or
    ///   `pt`. Without a translation for the region, that for the language is used.
    /// - Returns: the name.
    public func name(in language: String) -> String {
        nameByLanguage.text(in: language) ?? name
    }
}

extension OONIStore {
    /// A test of a descriptor, with its inputs.
    ///
    /// ```swift
    /// let test = OONIStore.NetTest(.webConnectivity, inputs: ["https://ooni.org/"])
    /// let link = OONIStore.TestDescriptor(
    ///     runID: "10004", revision: 1, name: "Mine", nettests: [test])
    /// try probe.write { try probe.descriptors.install(link, at: startTime, in: $0) }
    /// ```
    public struct NetTest: Codable, Hashable, Sendable {
        /// The name of the test.
        public var testName: TestName
        /// The inputs, such as the addresses of websites; empty to let the test choose.
        public var inputs: [String]
        /// Other fields of the link's test, such as `options` and `targets_name`, as one JSON
        /// object with sorted names; nil if there are none.
        ///
        /// The store does not interpret them; pass them to OONI's engine.
        public var otherJSON: String?

        /// Creates a test with its inputs.
        ///
        /// - Parameters:
        ///   - testName: the name of the test.
        ///   - inputs: the inputs; empty to let the test choose (default).
        ///   - otherJSON: other fields as a JSON object.
        public init(_ testName: TestName, inputs: [String] = [], otherJSON: String? = nil) {
            self.testName = testName
            self.inputs = inputs
            self.otherJSON = otherJSON
        }
    }

    /// The cards included in the app, which are descriptors under reserved numbers.
    ///
    /// The raw value is the name by which results of a card are referenced and filtered. ``runID``
    /// is the number under which its descriptor is stored, once the app has saved it.
    ///
    /// ```swift
    /// let websites = try probe.read {
    ///     try probe.descriptors.latest(OONIStore.DefaultCard.websites.runID, in: $0)
    /// }
    /// ```
    public enum DefaultCard: String, Codable, CaseIterable, Hashable, Sendable {
        /// Websites: `websites`, stored under the number 00104.
        case websites
        /// Messengers: `instant_messaging`, stored under the number 00105.
        case instantMessaging = "instant_messaging"
        /// Tools of circumvention: `circumvention`, stored under the number 00106.
        case circumvention
        /// Speeds: `performance`, stored under the number 00107.
        case performance
        /// Experimental tests: `experimental`, stored under the number 00108.
        case experimental

        /// The number of the OONI Run link under which the card is stored, such as `00104`.
        public var runID: String {
            switch self {
            case .websites: "00104"
            case .instantMessaging: "00105"
            case .circumvention: "00106"
            case .performance: "00107"
            case .experimental: "00108"
            }
        }

        /// The card that is stored under a link's number; nil for other links.
        public init?(runID: String) {
            guard let card = Self.allCases.first(where: { $0.runID == runID }) else { return nil }
            self = card
        }
    }
}

extension [String: String] {
    /// The string of a language or, without one, of the language without its region.
    fileprivate func text(in language: String) -> String? {
        let tag = language.replacing("-", with: "_")
        return self[tag] ?? self[String(tag.prefix { $0 != "_" })]
    }
}
