public import DocumentStore

// Writes servers in one transaction that does not write unchanged documents. Readers see the
// previous list until it is committed.
extension ServerStore {
    /// Replaces the store's servers with a list, in the caller's transaction.
    ///
    /// Servers whose encoding is unchanged are not written, so storing the same list again costs a
    /// comparison of all documents and does not notify observers. Readers see the previous list
    /// until the transaction is committed.
    /// ```swift
    /// let read = try ServerListJSON.read(responseData)
    /// let change = try serverStore.write { transaction in
    ///     try serverStore.replaceList(
    ///         read.servers, metadata: [.lastModifiedAll: "Sat, 01 Aug 2026 08:00:00 GMT"],
    ///         in: transaction)
    /// }
    /// ```
    /// A list with ``ServerListJSON/Servers`` problems is incomplete and would remove the servers
    /// that could not be read: write it with ``upsert(_:in:)``, as ``ServerRefresh`` does.
    ///
    /// - Parameters:
    ///   - servers: the list. Loads are limited to 0 to 100.
    ///   - scope: the servers that the list covers; covered servers that are not in the list are
    ///     removed, and by a list of all servers also documents that cannot be read.
    ///   - metadata: the metadata of the list, written with it; nil removes a value.
    ///   - allowsEmpty: whether a list without servers may remove servers, which is otherwise
    ///     treated as an error of the API.
    ///   - transaction: the transaction to write in.
    /// - Returns: the IDs of added, changed and removed servers, and the number of unchanged ones.
    /// - Throws: ``ServerStoreError``, and nothing is written then:
    ///   ``ServerStoreError/Code/duplicateID`` for two servers with one ID, or two endpoints of a
    ///   server; ``ServerStoreError/Code/invalidID`` for a server without an ID;
    ///   ``ServerStoreError/Code/invalidNumber`` for a score or coordinates that are not finite, or
    ///   negative features; ``ServerStoreError/Code/emptyList``. A `StoreError` if the file cannot
    ///   be written.
    @discardableResult
    public func replaceList(
        _ servers: [VPNServer], scope: ListScope = .all,
        metadata: [ServerMetadata.Key: String?] = [:], allowsEmpty: Bool = false,
        in transaction: Transaction
    ) throws -> ListChange {
        try Self.requireIDs(servers)
        let comparison = try ListComparison(servers, scope: scope, collections, in: transaction)
        guard !servers.isEmpty || allowsEmpty || comparison.stale.isEmpty else {
            throw ServerStoreError(
                .emptyList,
                "a list without servers would remove \(comparison.stale.count) of them; pass "
                    + "allowsEmpty to allow it")
        }
        var change = try write(servers, comparison, in: transaction)
        change.removed = try remove(comparison.stale, in: transaction)
        for (key, value) in metadata { try setMetadata(value, for: key, in: transaction) }
        return change
    }

    /// Replaces the store's servers in a transaction of its own; it blocks the calling thread.
    ///
    /// ```swift
    /// let change = try serverStore.replaceList(servers)
    /// print("\(change.unchanged) of \(servers.count) servers were stored already")
    /// ```
    ///
    /// - Parameters:
    ///   - servers: the list.
    ///   - scope: the servers that the list covers.
    ///   - metadata: the metadata of the list; nil removes a value.
    ///   - allowsEmpty: whether a list without servers may remove servers.
    /// - Returns: the changes.
    /// - Throws: as ``replaceList(_:scope:metadata:allowsEmpty:in:)``.
    @discardableResult
    public func replaceList(
        _ servers: [VPNServer], scope: ListScope = .all,
        metadata: [ServerMetadata.Key: String?] = [:], allowsEmpty: Bool = false
    ) throws -> ListChange {
        try write {
            try replaceList(
                servers, scope: scope, metadata: metadata, allowsEmpty: allowsEmpty, in: $0)
        }
    }

    /// Writes servers, replacing those with the same IDs; other servers stay.
    ///
    /// Use it for a list that is incomplete. It compares the servers with all documents, so write
    /// many servers with one call rather than each with its own.
    /// ```swift
    /// try serverStore.write { try serverStore.upsert([server], in: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - servers: the servers to store; none writes nothing.
    ///   - transaction: the transaction to write in.
    /// - Returns: the IDs of added and changed servers, and the number of unchanged ones.
    /// - Throws: as ``replaceList(_:scope:metadata:allowsEmpty:in:)``, except
    ///   ``ServerStoreError/Code/emptyList``.
    @discardableResult
    public func upsert(
        _ servers: [VPNServer], in transaction: Transaction
    ) throws -> ListChange {
        try Self.requireIDs(servers)
        let comparison = try ListComparison(servers, scope: nil, collections, in: transaction)
        return try write(servers, comparison, in: transaction)
    }

    private func write(
        _ servers: [VPNServer], _ comparison: ListComparison, in transaction: Transaction
    ) throws -> ListChange {
        var change = ListChange()
        for (index, server) in servers.enumerated() {
            let (difference, key) = (comparison.differences[index], comparison.keys[index])
            if difference.isOther { try write(server, key, in: transaction) }
            if difference.hasOtherLoad {
                try write(StatusRecord(server.logical), key, in: transaction)
            }
            if !difference.isStored {
                change.added.append(server.id)
            } else if difference.isOther || difference.hasOtherLoad {
                change.changed.append(server.id)
            } else {
                change.unchanged += 1
            }
        }
        return change
    }

    private static func requireIDs(_ servers: [VPNServer]) throws {
        var ids: Set<ExactString> = []
        ids.reserveCapacity(servers.count)
        for server in servers {
            guard !server.id.isEmpty else {
                throw ServerStoreError(
                    .invalidID, "the server \"\(server.logical.name)\" has no id")
            }
            guard ids.insert(ExactString(server.id)).inserted else {
                throw ServerStoreError(
                    .duplicateID, "two servers of the list have the id \"\(server.id)\"")
            }
            try requireNumbers(server.logical)
            guard server.endpoints.count > 1 else { continue }
            var endpoints: Set<ExactString> = []
            for endpoint in server.endpoints
            where !endpoints.insert(ExactString(endpoint.id)).inserted {
                throw ServerStoreError(
                    .duplicateID,
                    "two endpoints of the server \"\(server.id)\" have the id \"\(endpoint.id)\"")
            }
        }
    }

    private static func requireNumbers(_ logical: LogicalServer) throws {
        let numbers = [logical.score, logical.latitude, logical.longitude]
        guard numbers.allSatisfy(\.isFinite), logical.feature.rawValue >= 0 else {
            throw ServerStoreError(
                .invalidNumber,
                "the score, the coordinates or the features of the server \"\(logical.id)\" are "
                    + "not valid: \(numbers), \(logical.feature.rawValue)")
        }
    }

    private func write(_ server: VPNServer, _ key: String, in transaction: Transaction) throws {
        let record = LogicalRecord(server)
        _ = try collections.logicals.save(key, in: transaction) { try record.write(to: &$0) }
    }

    private func write(_ status: StatusRecord, _ key: String, in transaction: Transaction) throws {
        _ = try collections.loads.save(key, in: transaction) { try status.write(to: &$0) }
    }

    /// Removes servers of some tiers that are not among some IDs; without IDs, all of those tiers.
    ///
    /// Documents are removed permanently, with their loads. Profiles and recents of the servers
    /// stay, and so do documents that cannot be read. It reads all servers.
    /// ```swift
    /// let current: Set<String> = Set(servers.map(\.id))
    /// let removed = try serverStore.write { transaction in
    ///     try serverStore.deleteServers(
    ///         withIDsNotIn: current, maxTier: ServerTier.free, in: transaction)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - ids: the IDs of servers to keep.
    ///   - maxTier: the highest tier to remove; servers of higher tiers stay. By default all tiers.
    ///   - transaction: the transaction to write in.
    /// - Returns: the IDs of the removed servers, sorted byte by byte.
    /// - Throws: a `StoreError` if the file cannot be written.
    @discardableResult
    public func deleteServers(
        withIDsNotIn ids: Set<String>, maxTier: Int = .max, in transaction: Transaction
    ) throws -> [String] {
        let kept = Set(ids.map { ExactString($0) })
        var reader = RecordReader()
        var stale: [ListComparison.Stale] = []
        try collections.logicals.records(.unsorted, in: transaction).forEachRow { row in
            let record = try row.withProperties { $0.flatMap { reader.logical($0) } }
            if let record, record.tier <= maxTier, !kept.contains(ExactString(record.id)) {
                stale.append(ListComparison.Stale(key: row.key, id: record.id))
            }
            return true
        }
        stale.sort { ServerOrdering.isLess($0.id, $1.id) }
        return try remove(stale, in: transaction)
    }

    /// Purges documents: nothing is replicated, so tombstones are not needed.
    private func remove(
        _ servers: [ListComparison.Stale], in transaction: Transaction
    ) throws -> [String] {
        for server in servers {
            _ = try collections.logicals.purge(server.key, in: transaction)
            _ = try collections.loads.purge(server.key, in: transaction)
        }
        return servers.map(\.id)
    }
}
