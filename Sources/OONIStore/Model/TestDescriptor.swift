extension OONIStore {
    /// What is tested, and how it is presented: an OONI Run link, or one of the cards that come
    /// with the app.
    ///
    /// All revisions are kept, since old results show the one that they ran under; only the highest
    /// has its nettests.
    public struct TestDescriptor: Codable, Hashable, Sendable, Identifiable {
        /// Which descriptor, in which revision.
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
        /// The revision; that of the highest number is current.
        public var revision: Int
        /// Texts in the language of the author.
        public var name: String
        /// One line.
        public var shortDescription: String?
        /// In Markdown.
        public var description: String?
        /// Who made it.
        public var author: String?
        /// What is run; nil for a revision that is not the highest.
        public var nettests: [NetTest]?
        /// The name by language, such as `pt_BR`.
        public var nameByLanguage: [String: String]
        /// The line by language.
        public var shortDescriptionByLanguage: [String: String]
        /// The description by language.
        public var descriptionByLanguage: [String: String]
        /// The name of a picture, such as `FaShield`.
        public var icon: String?
        /// `#rrggbb`
        public var color: String?
        /// The name of a file.
        public var animation: String?
        /// When it is not offered any more.
        public var expirationDate: Instant?
        /// When the link was made.
        public var dateCreated: Instant?
        /// When the link was changed.
        public var dateUpdated: Instant?
        /// When the first revision was installed here.
        public var dateInstalled: Instant?
        /// Whether newer revisions are installed without a question.
        public var isAutoUpdated: Bool
        /// The newer revision that was refused.
        public var rejectedRevision: Int?
        /// The numbers of all revisions of the link as OONI's server lists them; nil if nothing
        /// says. The app's databases of versions 10 and 11 have them.
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
    /// Which descriptor in which revision this is.
    public var key: Key { Key(runID, revision: revision) }

    /// The key.
    public var id: Key { key }

    /// The card of the app that it is; nil for an installed link.
    public var defaultCard: OONIStore.DefaultCard? { OONIStore.DefaultCard(runID: runID) }

    /// What results are filtered by: the name of the card, or the number of the link.
    public var filterKey: String { defaultCard?.rawValue ?? runID }

    /// Whether it is not offered any more.
    public func isExpired(at now: OONIStore.Instant) -> Bool {
        expirationDate.map { $0 < now } ?? false
    }

    /// The name in a language, such as `pt_BR`, `pt-BR` or `pt`; else the author's.
    public func name(in language: String) -> String {
        nameByLanguage.text(in: language) ?? name
    }
}

extension OONIStore {
    /// A test of a descriptor.
    public struct NetTest: Codable, Hashable, Sendable {
        /// What is run.
        public var testName: TestName
        /// What it is run with, as the addresses of websites; empty for its own choice.
        public var inputs: [String]
        /// What else the link says of it, such as `options` and `targets_name`: JSON as it came.
        public var otherJSON: String?

        /// A test with its inputs.
        public init(_ testName: TestName, inputs: [String] = [], otherJSON: String? = nil) {
            self.testName = testName
            self.inputs = inputs
            self.otherJSON = otherJSON
        }
    }

    /// The cards that come with the app.
    public enum DefaultCard: String, Codable, CaseIterable, Hashable, Sendable {
        /// Websites.
        case websites
        /// Messengers.
        case instantMessaging = "instant_messaging"
        /// Tools of circumvention.
        case circumvention
        /// Speeds.
        case performance
        /// What is being tried out.
        case experimental

        /// The number of the OONI Run link that the card is stored as.
        public var runID: String {
            switch self {
            case .websites: "00104"
            case .instantMessaging: "00105"
            case .circumvention: "00106"
            case .performance: "00107"
            case .experimental: "00108"
            }
        }

        /// The card that is stored as a link; nil for others.
        public init?(runID: String) {
            guard let card = Self.allCases.first(where: { $0.runID == runID }) else { return nil }
            self = card
        }
    }
}

extension [String: String] {
    /// The text of a language or, if there is none, of the language without its region.
    fileprivate func text(in language: String) -> String? {
        let tag = language.replacing("-", with: "_")
        return self[tag] ?? self[String(tag.prefix { $0 != "_" })]
    }
}
