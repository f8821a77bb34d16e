internal import DataFileCore
internal import StoreFormat

/// What was told of the collections that a live query asks, and was not looked at yet.
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

    /// What is newer than rows of which is known how far the stores were.
    func after(_ progress: [KeyStoreName: ChangeHub.Known]) -> LiveChanges {
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
    /// Without what has a sequence up to this one.
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
