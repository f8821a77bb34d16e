internal import SQLCore

/// Finds out what was committed by others, by comparing with what is known.
enum ExternalChanges {
    /// What others have committed in the stores that are observed, before this snapshot.
    static func found(in snapshot: Snapshot) throws -> [KeyStoreName: KeyStoreChanges] {
        let session = try snapshot.session()
        guard snapshot.state.changes.isObserved, session.othersHaveCommitted else { return [:] }
        session.othersHaveCommitted = false
        return try compare(snapshot).changes
    }

    /// Tells of what this transaction has committed, after what others had before it.
    static func publish(
        _ transaction: Transaction, _ others: [KeyStoreName: KeyStoreChanges]
    ) {
        guard transaction.log.isRecording else {
            // Somebody began to observe while it was under way: its rows tell.
            guard let found = try? compare(transaction) else { return }
            return transaction.state.changes.publish(found.changes, found.known)
        }
        var changes = others
        for (store, own) in transaction.log.stores {
            changes[store, default: KeyStoreChanges(store)].add(own)
        }
        var known: [KeyStoreName: ChangeHub.Known] = [:]
        for store in changes.keys { known[store] = try? progress(of: store, transaction) }
        transaction.state.changes.publish(changes, known)
    }

    /// Looks for commits of others and tells of them. Called every now and then.
    static func publishFound(in snapshot: Snapshot) throws {
        let session = try snapshot.session()
        guard snapshot.state.changes.isObserved, session.othersHaveCommitted else { return }
        session.othersHaveCommitted = false
        let found = try compare(snapshot)
        snapshot.state.changes.publish(found.changes, found.known)
    }

    private static func compare(
        _ snapshot: Snapshot
    ) throws -> (changes: [KeyStoreName: KeyStoreChanges], known: [KeyStoreName: ChangeHub.Known]) {
        var changes: [KeyStoreName: KeyStoreChanges] = [:]
        var known: [KeyStoreName: ChangeHub.Known] = [:]
        for (name, before) in snapshot.state.changes.known {
            // A store that is gone has nothing to tell.
            guard try snapshot.session().storeTables(name) != nil else { continue }
            let now = try progress(of: name, snapshot)
            guard now != before else { continue }
            let found = try self.changes(of: KeyStore(name), since: before, now, snapshot)
            if !found.isEmpty { changes[name] = found }
            known[name] = now
        }
        return (changes, known)
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
        if now.purgeCount != before.purgeCount { changes.addUnnamed() }
        guard now.lastSequence > before.lastSequence else { return changes }
        var options = RecordEnumerator.Options()
        options.order = .sequence
        options.sequences = before.lastSequence + 1...now.lastSequence
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
