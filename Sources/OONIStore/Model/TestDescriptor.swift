extension OONIStore {
    /// What is tested and how it is presented: an OONI Run link, or one of the cards included in
    /// the app.
    ///
    /// The store retains all revisions, since old results show the revision that they ran under;
    /// only the highest revision has its nettests.
    public struct TestDescriptor: Codable, Hashable, Sendable, Identifiable {
        /// A descriptor and its revision.
        public struct Key: Codable, Hashable, Sendable {
            /// The number of the OONI Run link, such as `10004`.
            public var runID: String
            /// The revision.
            public var revision: Int

            /// A revision of a link.
            public init(_ runID: String, revision: Int) {
                self.runID = runID
                self.revision = revision
            }
        }

        /// The number of the OONI Run link; those of the default cards are in `DefaultCard`.
        public var runID: String
        /// The revision; the highest one is current.
        public var revision: Int
        /// The name in the language of the author.
        public var name: String
        /// A summary of one line.
        public var shortDescription: String?
        /// The description, in Markdown.
        public var description: String?
        /// The author.
        public var author: String?
        /// The tests to run; nil for a revision that is not the highest.
        public var nettests: [NetTest]?
        /// The name by language, such as `pt_BR`.
        public var nameByLanguage: [String: String]
        /// The summary by language.
        public var shortDescriptionByLanguage: [String: String]
        /// The description by language.
        public var descriptionByLanguage: [String: String]
        /// The name of a picture, such as `FaShield`.
        public var icon: String?
        /// `#rrggbb`
        public var color: String?
        /// The name of an animation's file.
        public var animation: String?
        /// The instant from which on it is not offered any more.
        public var expirationDate: Instant?
        /// When the link was created.
        public var dateCreated: Instant?
        /// When the link was changed.
        public var dateUpdated: Instant?
        /// When the first revision was installed in this store.
        public var dateInstalled: Instant?
        /// Whether newer revisions are installed without asking the user.
        public var isAutoUpdated: Bool
        /// The newer revision that the user has rejected.
        public var rejectedRevision: Int?
        /// The numbers of all revisions of the link as listed by OONI's server; nil if unknown. The
        /// app's databases of versions 10 and 11 have them.
        public var revisions: [Int]?

        /// A descriptor.
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
    /// The descriptor and its revision.
    public var key: Key { Key(runID, revision: revision) }

    /// The key.
    public var id: Key { key }

    /// The app's card that the descriptor represents; nil for an installed link.
    public var defaultCard: OONIStore.DefaultCard? { OONIStore.DefaultCard(runID: runID) }

    /// The key by which results are filtered: the name of the card, or the number of the link.
    public var filterKey: String { defaultCard?.rawValue ?? runID }

    /// Whether it has expired.
    public func isExpired(at now: OONIStore.Instant) -> Bool {
        expirationDate.map { $0 < now } ?? false
    }

    /// The name in a language, such as `pt_BR`, `pt-BR` or `pt`; otherwise the author's.
    public func name(in language: String) -> String {
        nameByLanguage.text(in: language) ?? name
    }
}

extension OONIStore {
    /// A test of a descriptor.
    public struct NetTest: Codable, Hashable, Sendable {
        /// The name of the test.
        public var testName: TestName
        /// The inputs, such as the addresses of websites; empty to let the test choose.
        public var inputs: [String]
        /// Other fields of the link's test, such as `options` and `targets_name`, as received JSON.
        public var otherJSON: String?

        /// A test with its inputs.
        public init(_ testName: TestName, inputs: [String] = [], otherJSON: String? = nil) {
            self.testName = testName
            self.inputs = inputs
            self.otherJSON = otherJSON
        }
    }

    /// The cards included in the app.
    public enum DefaultCard: String, Codable, CaseIterable, Hashable, Sendable {
        /// Websites.
        case websites
        /// Messengers.
        case instantMessaging = "instant_messaging"
        /// Tools of circumvention.
        case circumvention
        /// Speeds.
        case performance
        /// Experimental tests.
        case experimental

        /// The number of the OONI Run link under which the card is stored.
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
