extension OONIStore {
    /// A website that is tested; the store has each address once.
    public struct Url: Codable, Hashable, Sendable, Identifiable {
        /// The address, by which measurements refer to it.
        public var url: String
        /// What it is about.
        public var category: UrlCategory
        /// The country that it is of interest in, in two letters; nil for all.
        public var countryCode: String?

        /// The address.
        public var id: String { url }

        /// A website; empty, `XX` and `ZZ` are no countries.
        public init(
            _ url: String, category: UrlCategory = .miscellaneous, countryCode: String? = nil
        ) {
            self.url = url
            self.category = category.rawValue.isEmpty ? .miscellaneous : category
            self.countryCode = countryCode.flatMap { ["", "XX", "ZZ"].contains($0) ? nil : $0 }
        }

        /// Whether it is of interest everywhere.
        public var isGlobal: Bool { countryCode == nil }
    }
}

extension OONIStore.Url {
    /// What is known of the website by both: what says more wins, of two that say as much the
    /// newer one.
    func merged(with newer: Self) -> Self {
        var merged = self
        if newer.category != .miscellaneous { merged.category = newer.category }
        if let countryCode = newer.countryCode { merged.countryCode = countryCode }
        return merged
    }
}
