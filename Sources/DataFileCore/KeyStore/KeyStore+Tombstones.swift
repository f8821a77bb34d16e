extension KeyStore {
    /// Whether the store's table of tombstones is empty, so that an id need not be looked for there.
    func hasNoTombstones(in snapshot: Snapshot) throws -> Bool {
        guard let dead = try tables(in: snapshot).dead else { return true }
        return try snapshot.session().first("SELECT 1 FROM \(dead.name) LIMIT 1") { _ in true }
            == nil
    }
}
