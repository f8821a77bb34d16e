public import DocumentStore

extension OONIStore {
    /// Why websites are looked for when OONI's server cannot say which ones to test.
    public enum FallbackUse: Hashable, Sendable {
        /// The user has begun the test.
        case manual
        /// The app has begun it, while the device charges or not.
        case automatic(isCharging: Bool)

        /// The most websites.
        public var limit: Int {
            switch self {
            case .manual: 1_000
            case .automatic(let isCharging): isCharging ? 100 : 20
            }
        }
    }
}

extension OONIStore.Urls {
    /// Websites of interest everywhere that were measured before, at random and each once.
    public func fallback(
        _ use: OONIStore.FallbackUse, in snapshot: Snapshot
    ) throws -> [OONIStore.Url] {
        var generator = SystemRandomNumberGenerator()
        return try fallback(use, in: snapshot, using: &generator)
    }

    /// The same with chance of the caller's.
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
