internal import DataFileCore
internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// The live queries of this process.
final class LiveQueries: Sendable {
    static let ofProcess = LiveQueries()

    private let known = Locked<[LiveQuery.Key: LiveQuery]>([:])

    /// Adds an observer of a query; observers of the same query share it.
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

/// An observer of a query, until it is released.
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

    /// Waits for a result that differs from the previous one.
    func next() async throws -> QueryResults? {
        while let delivery = try await query.next(id) {
            if let results = delivery.version.results(after: delivery.previous) { return results }
        }
        return nil
    }
}

/// The changes of a live query's collections that were reported and not yet read.
struct LiveChanges: Sendable {
    private(set) var stores: [KeyStoreName: KeyStoreChanges] = [:]

    var isEmpty: Bool { stores.isEmpty }

    mutating func add(_ changes: KeyStoreChanges) {
        if stores[changes.store] == nil {
            stores[changes.store] = changes
        } else {
            stores[changes.store]?.add(changes)
        }
    }

    mutating func add(_ later: LiveChanges) {
        for changes in later.stores.values { add(changes) }
    }

    /// The changes that are newer than rows read at this progress of the stores.
    func after(_ progress: [KeyStoreName: ChangeNotifier.StorePosition]) -> LiveChanges {
        var news = LiveChanges()
        for (store, changes) in stores {
            guard let known = progress[store] else {
                news.stores[store] = changes
                continue
            }
            let left = changes.after(known.lastSequence)
            if !left.isEmpty { news.stores[store] = left }
        }
        return news
    }
}

extension KeyStoreChanges {
    /// The changes without those up to this sequence.
    fileprivate func after(_ sequence: Int64) -> KeyStoreChanges {
        let isKnown = { (change: RecordChange) in
            (change.kind == .saved || change.kind == .deleted) && change.sequence <= sequence
        }
        let isNewer = (sequences?.upperBound ?? .max) > sequence
        guard isComplete, !isNewer || changes.contains(where: isKnown) else { return self }
        var news = KeyStoreChanges(store)
        for change in changes where !isKnown(change) { news.add(change) }
        return news
    }
}
