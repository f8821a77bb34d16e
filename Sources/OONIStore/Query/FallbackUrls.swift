public import DocumentStore

extension OONIStore {
    /// Who needs websites to test when OONI's server cannot provide a list.
    public enum FallbackUse: Hashable, Sendable {
        /// The user has started the test.
        case manual
        /// The app has started it, while the device is charging or not.
        case automatic(isCharging: Bool)

        /// The maximum number of websites.
        public var limit: Int {
            switch self {
            case .manual: 1_000
            case .automatic(let isCharging): isCharging ? 100 : 20
            }
        }
    }
}

extension OONIStore.Urls {
    /// Websites relevant in all countries that were measured before, at random and without
    /// duplicates.
    public func fallback(
        _ use: OONIStore.FallbackUse, in snapshot: Snapshot
    ) throws -> [OONIStore.Url] {
        var generator = SystemRandomNumberGenerator()
        return try fallback(use, in: snapshot, using: &generator)
    }

    /// The variant with the caller's random number generator.
    public func fallback(
        _ use: OONIStore.FallbackUse, in snapshot: Snapshot,
        using generator: inout some RandomNumberGenerator
    ) throws -> [OONIStore.Url] {
        let measured = try Self.measured.rows(in: snapshot).all().compactMap { $0[0].string }
        var urls: [OONIStore.Url] = []
        for address in measured.sorted().shuffled(using: &generator) where urls.count < use.limit {
            guard let url = try get(address, in: snapshot), url.isGlobal else { continue }
            urls.append(url)
        }
        return urls
    }

    private static var measured: Query {
        get throws {
            try Query("SELECT DISTINCT m.url FROM ooni.measurements AS m WHERE m.url IS VALUED")
        }
    }
}
