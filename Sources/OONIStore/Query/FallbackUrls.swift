public import DocumentStore

extension OONIStore {
    /// Who needs websites to test when OONI's server cannot provide a list: it determines their
    /// number.
    ///
    /// The store then chooses among the websites that were measured before: see
    /// ``Urls/fallback(_:in:)``.
    public enum FallbackUse: Hashable, Sendable {
        /// The user has started the test: at most 1,000 websites.
        case manual
        /// The app has started it, while the device is charging (at most 100 websites) or not (at
        /// most 20).
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
    ///
    /// ```swift
    /// let urls = try probe.read { try probe.urls.fallback(.automatic(isCharging: true), in: $0) }
    /// ```
    ///
    /// It reads the addresses of all measurements, and each chosen website by its key.
    ///
    /// - Parameters:
    ///   - use: who needs the websites, which limits their number.
    ///   - snapshot: the snapshot in which they are read.
    /// - Returns: up to ``FallbackUse/limit`` websites; empty if nothing was measured yet.
    /// - Throws: a `StoreError`.
    public func fallback(
        _ use: OONIStore.FallbackUse, in snapshot: Snapshot
    ) throws -> [OONIStore.Url] {
        var generator = SystemRandomNumberGenerator()
        return try fallback(use, in: snapshot, using: &generator)
    }

    /// The same with the caller's random number generator, for tests.
    ///
    /// - Parameters:
    ///   - use: who needs the websites, which limits their number.
    ///   - snapshot: the snapshot in which they are read.
    ///   - generator: determines the order; the same numbers choose the same websites.
    /// - Returns: up to ``FallbackUse/limit`` websites.
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
