extension OONIStore {
    /// A category of the Citizen Lab's test lists, such as news media or gambling.
    ///
    /// It is stored as the code of the lists, such as `NEWS`. A code that this version does not
    /// know is retained unchanged. ``miscellaneous`` also means that the category is unknown:
    /// registering the website again replaces it by a more specific one.
    ///
    /// ```swift
    /// let news = try probe.read { try probe.urls.all(in: $0).filter { $0.category == .news } }
    /// ```
    public struct UrlCategory: OpenEnumeration {
        /// The code of the lists, as stored, such as `NEWS`.
        public let rawValue: String

        /// Creates a category from its code, known or not.
        ///
        /// - Parameter rawValue: the code of the test lists, such as `NEWS`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Anonymization and circumvention: VPNs, proxies and tools of encryption.
        ///
        /// Stored as `ANON`.
        public static let anonymization = Self(rawValue: "ANON")
        /// Communication tools: mail, chat and telephony.
        ///
        /// Stored as `COMT`.
        public static let communicationTools = Self(rawValue: "COMT")
        /// Control content, which no one blocks.
        ///
        /// Stored as `CTRL`. A failure of it is a failure of the network or of the test.
        public static let control = Self(rawValue: "CTRL")
        /// Culture: literature, music, film, history and satire.
        ///
        /// Stored as `CULTR`.
        public static let culture = Self(rawValue: "CULTR")
        /// Alcohol and drugs: their use and their sale.
        ///
        /// Stored as `ALDR`.
        public static let alcoholAndDrugs = Self(rawValue: "ALDR")
        /// E-commerce: services and products for sale.
        ///
        /// Stored as `COMM`.
        public static let commerce = Self(rawValue: "COMM")
        /// Economics: development, poverty and their agencies.
        ///
        /// Stored as `ECON`.
        public static let economics = Self(rawValue: "ECON")
        /// Environment: pollution, climate and treaties about them.
        ///
        /// Stored as `ENV`.
        public static let environment = Self(rawValue: "ENV")
        /// File-sharing: storage in the cloud, torrents and peer-to-peer services.
        ///
        /// Stored as `FILE`.
        public static let fileSharing = Self(rawValue: "FILE")
        /// Gambling: casinos, betting and lotteries.
        ///
        /// Stored as `GMB`.
        public static let gambling = Self(rawValue: "GMB")
        /// Gaming: games and their platforms, without gambling.
        ///
        /// Stored as `GAME`.
        public static let gaming = Self(rawValue: "GAME")
        /// Government: sites of states and their armed forces.
        ///
        /// Stored as `GOVT`.
        public static let government = Self(rawValue: "GOVT")
        /// Hacking tools, and news and tools of computer security.
        ///
        /// Stored as `HACK`.
        public static let hacking = Self(rawValue: "HACK")
        /// Hate speech: content that disparages groups of people.
        ///
        /// Stored as `HATE`.
        public static let hateSpeech = Self(rawValue: "HATE")
        /// Hosting and blogging: platforms on which people publish.
        ///
        /// Stored as `HOST`.
        public static let hosting = Self(rawValue: "HOST")
        /// Human rights: organizations, and discussion of violations.
        ///
        /// Stored as `HUMR`.
        public static let humanRights = Self(rawValue: "HUMR")
        /// Intergovernmental organizations, such as the United Nations.
        ///
        /// Stored as `IGO`.
        public static let intergovernmental = Self(rawValue: "IGO")
        /// LGBT: communities, information and support.
        ///
        /// Stored as `LGBT`.
        public static let lgbt = Self(rawValue: "LGBT")
        /// Media sharing: platforms for video, audio and photos.
        ///
        /// Stored as `MMED`.
        public static let media = Self(rawValue: "MMED")
        /// News media: newspapers, agencies and broadcasters.
        ///
        /// Stored as `NEWS`.
        public static let news = Self(rawValue: "NEWS")
        /// Online dating: services and sites for finding partners.
        ///
        /// Stored as `DATE`.
        public static let dating = Self(rawValue: "DATE")
        /// Political criticism: opposition, and views that are critical of a government.
        ///
        /// Stored as `POLR`.
        public static let politics = Self(rawValue: "POLR")
        /// Pornography, whether for money or not.
        ///
        /// Stored as `PORN`.
        public static let pornography = Self(rawValue: "PORN")
        /// Provocative attire: swimwear, lingerie and other clothing, without nudity.
        ///
        /// Stored as `PROV`.
        public static let provocativeAttire = Self(rawValue: "PROV")
        /// Public health: diseases, treatment and prevention.
        ///
        /// Stored as `PUBH`.
        public static let publicHealth = Self(rawValue: "PUBH")
        /// Religion: of any faith, with its minorities and its critics.
        ///
        /// Stored as `REL`.
        public static let religion = Self(rawValue: "REL")
        /// Search engines and portals.
        ///
        /// Stored as `SRCH`.
        public static let searchEngines = Self(rawValue: "SRCH")
        /// Sex education: contraception, abstinence and sexual health.
        ///
        /// Stored as `XED`.
        public static let sexEducation = Self(rawValue: "XED")
        /// Social networking: networks, forums and their tools.
        ///
        /// Stored as `GRP`.
        public static let socialNetworks = Self(rawValue: "GRP")
        /// Terrorism and militants: armed groups, separatists and extremists.
        ///
        /// Stored as `MILX`.
        public static let terrorism = Self(rawValue: "MILX")
        /// Anything else, or unknown.
        ///
        /// Stored as `MISC`; the default of a website, which a known category replaces.
        public static let miscellaneous = Self(rawValue: "MISC")

        /// The categories known to this version: those of the test lists.
        ///
        /// Use it for a screen on which categories are chosen. The store may contain other ones.
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
    ///
    /// Measurements refer to it by its address, byte by byte: `https://a.example` and
    /// `https://a.example/` are two websites.
    ///
    /// ```swift
    /// let url = OONIStore.Url("https://ooni.org/", category: .humanRights, countryCode: "XX")
    /// show(url.isGlobal)  // true: `XX` stands for no country
    /// try probe.write { try probe.urls.register(url, in: $0) }
    /// ```
    public struct Url: Codable, Hashable, Sendable, Identifiable {
        /// The address, by which measurements refer to it.
        public var url: String
        /// The category of its content; ``UrlCategory/miscellaneous`` if it is unknown.
        public var category: UrlCategory
        /// The country for which it is relevant, in two letters; nil for all countries.
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

        /// Whether it is relevant in all countries, so that it can be part of a list for any user.
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
