extension OONIStore {
    /// The categories of the Citizen Lab's test lists.
    public struct UrlCategory: OpenEnumeration {
        /// The string as stored.
        public let rawValue: String

        /// Creates a value from its string, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Anonymization and circumvention.
        public static let anonymization = Self(rawValue: "ANON")
        /// Communication tools.
        public static let communicationTools = Self(rawValue: "COMT")
        /// Control content, which no one blocks.
        public static let control = Self(rawValue: "CTRL")
        /// Culture.
        public static let culture = Self(rawValue: "CULTR")
        /// Alcohol and drugs.
        public static let alcoholAndDrugs = Self(rawValue: "ALDR")
        /// E-commerce.
        public static let commerce = Self(rawValue: "COMM")
        /// Economics.
        public static let economics = Self(rawValue: "ECON")
        /// Environment.
        public static let environment = Self(rawValue: "ENV")
        /// File-sharing.
        public static let fileSharing = Self(rawValue: "FILE")
        /// Gambling.
        public static let gambling = Self(rawValue: "GMB")
        /// Gaming.
        public static let gaming = Self(rawValue: "GAME")
        /// Government.
        public static let government = Self(rawValue: "GOVT")
        /// Hacking tools.
        public static let hacking = Self(rawValue: "HACK")
        /// Hate speech.
        public static let hateSpeech = Self(rawValue: "HATE")
        /// Hosting and blogging.
        public static let hosting = Self(rawValue: "HOST")
        /// Human rights.
        public static let humanRights = Self(rawValue: "HUMR")
        /// Intergovernmental organizations.
        public static let intergovernmental = Self(rawValue: "IGO")
        /// LGBT.
        public static let lgbt = Self(rawValue: "LGBT")
        /// Media sharing.
        public static let media = Self(rawValue: "MMED")
        /// News media.
        public static let news = Self(rawValue: "NEWS")
        /// Online dating.
        public static let dating = Self(rawValue: "DATE")
        /// Political criticism.
        public static let politics = Self(rawValue: "POLR")
        /// Pornography.
        public static let pornography = Self(rawValue: "PORN")
        /// Provocative attire.
        public static let provocativeAttire = Self(rawValue: "PROV")
        /// Public health.
        public static let publicHealth = Self(rawValue: "PUBH")
        /// Religion.
        public static let religion = Self(rawValue: "REL")
        /// Search engines.
        public static let searchEngines = Self(rawValue: "SRCH")
        /// Sex education.
        public static let sexEducation = Self(rawValue: "XED")
        /// Social networking.
        public static let socialNetworks = Self(rawValue: "GRP")
        /// Terrorism and militants.
        public static let terrorism = Self(rawValue: "MILX")
        /// Anything else.
        public static let miscellaneous = Self(rawValue: "MISC")

        /// The values known to this version.
        public static let known: [Self] = [
            .anonymization, .communicationTools, .control, .culture, .alcoholAndDrugs,
            .commerce, .economics, .environment, .fileSharing, .gambling, .gaming, .government,
            .hacking, .hateSpeech, .hosting, .humanRights, .intergovernmental, .lgbt, .media,
            .news, .dating, .politics, .pornography, .provocativeAttire, .publicHealth,
            .religion, .searchEngines, .sexEducation, .socialNetworks, .terrorism,
            .miscellaneous,
        ]
    }
}

extension OONIStore {
    /// A website that is tested; the store has each address once.
    public struct Url: Codable, Hashable, Sendable, Identifiable {
        /// The address, by which measurements refer to it.
        public var url: String
        /// The category of its content.
        public var category: UrlCategory
        /// The country for which it is relevant, in two letters; nil for all.
        public var countryCode: String?

        /// The address.
        public var id: String { url }

        /// Creates a website; an empty country, `XX` and `ZZ` become nil.
        public init(
            _ url: String, category: UrlCategory = .miscellaneous, countryCode: String? = nil
        ) {
            self.url = url
            self.category = category.rawValue.isEmpty ? .miscellaneous : category
            self.countryCode = countryCode.flatMap { ["", "XX", "ZZ"].contains($0) ? nil : $0 }
        }

        /// Whether it is relevant in all countries.
        public var isGlobal: Bool { countryCode == nil }
    }
}

extension OONIStore.Url {
    /// Merges two records of the website: the more specific value wins; of two equally specific
    /// ones, the newer one.
    func merged(with newer: Self) -> Self {
        var merged = self
        if newer.category != .miscellaneous { merged.category = newer.category }
        if let countryCode = newer.countryCode { merged.countryCode = countryCode }
        return merged
    }
}
