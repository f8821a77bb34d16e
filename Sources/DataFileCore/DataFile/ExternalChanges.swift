internal import StoreFormat

/// Finds out what was committed by others, by comparing with what is known.
enum ExternalChanges {
    /// What others have committed in the stores that are observed, before this snapshot.
    static func found(in snapshot: Snapshot) throws -> FoundChanges {
        let session = try snapshot.session()
        let hub = snapshot.state.changes
        guard hub.isObserved, session.othersHaveCommitted || hub.isBehind else {
            return FoundChanges(observer: hub.comparedObserver)
        }
        let found = try compare(snapshot)
        session.othersHaveCommitted = false
        return found
    }

    /// Tells of what this transaction has committed, after what others had before it.
    static func publish(
        _ transaction: Transaction, _ others: FoundChanges
    ) {
        let hub = transaction.state.changes
        guard transaction.log.isRecording else {
            // Somebody began to observe while it was under way: its rows tell.
            defer { hub.tellOfUnrecorded() }
            guard let found = try? compare(transaction) else { return hub.fallBehind() }
            return hub.publish(found)
        }
        var changes = others.changes
        for (store, own) in transaction.log.stores {
            changes[store, default: KeyStoreChanges(store)].add(own)
        }
        for store in transaction.deletedStores {
            changes[store, default: KeyStoreChanges(store)].addUnnamed()
        }
        var known: [KeyStoreName: ChangeHub.Known] = [:]
        for store in changes.keys { known[store] = try? progress(of: store, transaction) }
        hub.publish(FoundChanges(changes: changes, known: known, observer: others.observer))
    }

    /// Looks for commits of others and tells of them. Called every now and then.
    static func publishFound(in snapshot: Snapshot) throws {
        let session = try snapshot.session()
        let hub = snapshot.state.changes
        guard hub.isObserved, session.othersHaveCommitted || hub.isBehind else { return }
        hub.publish(try compare(snapshot))
        session.othersHaveCommitted = false
    }

    private static func compare(_ snapshot: Snapshot) throws -> FoundChanges {
        let (stores, observer) = snapshot.state.changes.known
        var result = FoundChanges(observer: observer)
        for (name, before) in stores {
            let isGone = try snapshot.session().storeTables(name) == nil
            let now = isGone ? .gone : try progress(of: name, snapshot)
            guard now != before else { continue }
            guard !isGone else {
                // Of its records there is nothing to tell, but that there are none any more.
                result.changes[name, default: KeyStoreChanges(name)].addUnnamed()
                result.known[name] = now
                continue
            }
            let found = try self.changes(of: KeyStore(name), since: before, now, snapshot)
            if !found.isEmpty { result.changes[name] = found }
            result.known[name] = now
        }
        return result
    }

    private static func progress(
        of name: KeyStoreName, _ snapshot: Snapshot
    ) throws -> ChangeHub.Known {
        let store = KeyStore(name)
        return ChangeHub.Known(
            lastSequence: try store.lastSequence(in: snapshot),
            purgeCount: try store.purgeCount(in: snapshot))
    }

    /// The records that were saved or deleted since then; of purges only that there were some.
    static func changes(
        of store: KeyStore, since before: ChangeHub.Known, _ now: ChangeHub.Known,
        _ snapshot: Snapshot
    ) throws -> KeyStoreChanges {
        var changes = KeyStoreChanges(store.name)
        // A lower sequence than before: the store was deleted and made anew.
        let isNew = now.lastSequence < before.lastSequence
        if isNew || now.purgeCount != before.purgeCount { changes.addUnnamed() }
        let last = isNew ? 0 : max(before.lastSequence, 0)
        guard now.lastSequence > last else { return changes }
        var options = RecordEnumerator.Options()
        options.order = .sequence
        options.sequences = last + 1...now.lastSequence
        options.includesDeleted = true
        options.content = .metadata
        options.limit = KeyStoreChanges.largestCount + 1
        try store.records(options, in: snapshot).forEachRow { row in
            let kind: RecordChange.Kind = row.flags.contains(.deleted) ? .deleted : .saved
            changes.add(RecordChange(key: row.key, kind: kind, sequence: row.sequence))
            return true
        }
        changes.extend(to: now.lastSequence)
        return changes
    }
}
