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
        let mailbox: ChangeMailbox = try read { snapshot in
            let known = ChangeHub.Known(
                lastSequence: try store.lastSequence(in: snapshot),
                purgeCount: try store.purgeCount(in: snapshot))
            var catchUp: KeyStoreChanges?
            if let sequence, sequence < known.lastSequence {
                let past = ChangeHub.Known(lastSequence: sequence, purgeCount: known.purgeCount)
                catchUp = try ExternalChanges.changes(of: store, since: past, known, snapshot)
            }
            return snapshot.state.changes.subscribe(store.name, known, catchUp: catchUp)
        }
        return KeyStoreChangeStream(mailbox)
    }
}
