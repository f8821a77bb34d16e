extension DataFile {
    /// The changes of a store from now on, told after each commit: of this process, and of others
    /// within `DataFileOptions.externalChangeMilliseconds`.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - sequence: what was saved after this sequence comes first, as one event; nil for nothing.
    ///
    /// Throws `.notFound` if the file does not have this store.
    public func changes(
        of store: KeyStore, since sequence: Int64? = nil
    ) throws -> KeyStoreChangeStream {
        try read { try store.subscribe(since: sequence, in: $0) }
    }

    /// The changes of several stores from one moment on, in the order of the stores. While the task
    /// waits for a connection, nothing is blocked.
    ///
    /// Throws `.notFound` if the file does not have one of them, and `CancellationError`.
    public func changes(of stores: [KeyStore]) async throws -> [KeyStoreChangeStream] {
        try await read { snapshot in
            try stores.map { try $0.subscribe(in: snapshot) }
        }
    }
}

extension KeyStore {
    fileprivate func subscribe(
        since sequence: Int64? = nil, in snapshot: Snapshot
    ) throws -> KeyStoreChangeStream {
        let known = ChangeHub.Known(
            lastSequence: try lastSequence(in: snapshot),
            purgeCount: try purgeCount(in: snapshot))
        var catchUp: KeyStoreChanges?
        if let sequence, sequence < known.lastSequence {
            let past = ChangeHub.Known(lastSequence: sequence, purgeCount: known.purgeCount)
            catchUp = try ExternalChanges.changes(of: self, since: past, known, snapshot)
        }
        return KeyStoreChangeStream(
            snapshot.state.changes.subscribe(name, known, catchUp: catchUp))
    }
}
