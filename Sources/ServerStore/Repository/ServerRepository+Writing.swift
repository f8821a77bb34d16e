extension ServerRepository {
    /// Stores servers; others stay. Nothing is written that is as it was.
    @discardableResult
    public func upsert(servers: [VPNServer]) throws -> ListChange {
        try upsertServers(servers)
    }

    /// Stores what changes of servers from minute to minute.
    @discardableResult
    public func upsert(loads: [ContinuousServerProperties]) throws -> LoadChange {
        try upsertLoads(loads)
    }

    /// Stores a list with what is known of it besides, and removes what is not in it: all of it at
    /// once, or nothing.
    ///
    /// Throws `ServerStoreError` with `.emptyList` for one without servers, unless `allowsEmpty`.
    @discardableResult
    public func replaceList(
        _ servers: [VPNServer], scope: ListScope = .all,
        metadata: [ServerMetadata.Key: String?] = [:], allowsEmpty: Bool = false
    ) throws -> ListChange {
        try replaceList(servers, scope, metadata, allowsEmpty)
    }

    /// Removes the servers up to a tier whose ids are not among some; returns theirs.
    @discardableResult
    public func delete(
        serversWithIDsNotIn ids: Set<String>, maxTier: Int
    ) throws -> [String] {
        try deleteServers(ids, maxTier)
    }

    /// Stores what is known of a list besides its servers; nil removes it.
    public func setMetadata(_ value: String?, for key: ServerMetadata.Key) throws {
        try setMetadata(value, key)
    }

    /// Removes what is known of a list besides its servers.
    public func deleteMetadata(_ key: ServerMetadata.Key) throws {
        try setMetadata(nil, key)
    }
}
