internal import DataFileCore
internal import SQLCore
internal import StorePlatform

/// The live queries of this process.
final class LiveQueries: Sendable {
    static let ofProcess = LiveQueries()

    private let known = Locked<[LiveQuery.Key: LiveQuery]>([:])

    /// One who observes a query, together with those who do already.
    func observe(_ key: LiveQuery.Key, _ file: SharedFile) -> LiveObserver {
        while true {
            let query = known.withLock { known in
                if let query = known[key] { return query }
                let query = LiveQuery(key, file) { [weak self] in self?.remove($0) }
                known[key] = query
                return query
            }
            if let id = query.join() { return LiveObserver(query, id) }
            remove(query)
        }
    }

    private func remove(_ query: LiveQuery) {
        known.withLock { known in
            if known[query.key] === query { known[query.key] = nil }
        }
    }

    /// The live queries of a file.
    func queries(of file: SharedFile) -> [LiveQuery] {
        known.withLock { $0.values.filter { $0.key.file == ObjectIdentifier(file) } }
    }
}

/// One who observes a query, until it is let go.
final class LiveObserver: Sendable {
    private let query: LiveQuery
    private let id: Int

    init(_ query: LiveQuery, _ id: Int) {
        self.query = query
        self.id = id
    }

    deinit {
        query.leave(id)
    }

    /// Waits for a result that differs from the one before.
    func next() async throws -> QueryResults? {
        while let delivery = try await query.next(id) {
            if let results = delivery.version.results(after: delivery.previous) { return results }
        }
        return nil
    }
}
