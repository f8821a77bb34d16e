public import DataFileCore
internal import FleeceLite

// Writing servers: one transaction, in which nothing is written that is as it was. Readers have the
// list as it was until it is committed.
extension ServerStore {
    /// Makes the store's servers those of a list.
    ///
    /// - Parameters:
    ///   - servers: the list.
    ///   - scope: what it is a list of; servers of it that are not in the list are removed.
    ///   - metadata: what is known of the list, written with it; nil removes a value.
    ///   - allowsEmpty: whether a list without servers may replace one that has some, which is
    ///     otherwise taken for a mistake of the server.
    /// - Returns: what has become of the servers.
    ///
    /// Throws `.duplicateID` for two servers with one id, or two endpoints of a server;
    /// `.invalidID` for a server without an id; `.emptyList`. Nothing is written then.
    @discardableResult
    public func replaceList(
        _ servers: [VPNServer], scope: ListScope = .all,
        metadata: [ServerMetadata.Key: String?] = [:], allowsEmpty: Bool = false,
        in transaction: Transaction
    ) throws -> ListChange {
        let old = try list(in: transaction)
        let stale = old.rows.filter { scope.contains($0.server.logical.tier) }
        guard !servers.isEmpty || allowsEmpty || stale.isEmpty else {
            throw ServerStoreError(
                .emptyList,
                "a list without servers would remove \(stale.count) of them; say that it may")
        }
        var change = try upsert(servers, over: old, in: transaction)
        let kept = Set(servers.map { ExactText($0.id) })
        for row in stale where !kept.contains(ExactText(row.id)) {
            try remove(row.id, in: transaction)
            change.removed.append(row.id)
        }
        for (key, value) in metadata { try setMetadata(value, for: key, in: transaction) }
        return change
    }

    /// The same in a transaction of its own. What is there is read before, so that nobody who
    /// writes waits for that.
    @discardableResult
    public func replaceList(
        _ servers: [VPNServer], scope: ListScope = .all,
        metadata: [ServerMetadata.Key: String?] = [:], allowsEmpty: Bool = false
    ) throws -> ListChange {
        _ = try read { try list(in: $0) }
        return try write {
            try replaceList(
                servers, scope: scope, metadata: metadata, allowsEmpty: allowsEmpty, in: $0)
        }
    }

    /// Writes servers over those of the same ids, or as new ones; others stay.
    ///
    /// Throws as `replaceList` does, but for `.emptyList`.
    @discardableResult
    public func upsert(
        _ servers: [VPNServer], in transaction: Transaction
    ) throws -> ListChange {
        try upsert(servers, over: try list(in: transaction), in: transaction)
    }

    private func upsert(
        _ servers: [VPNServer], over old: ServerList, in transaction: Transaction
    ) throws -> ListChange {
        try Self.requireIDs(servers)
        var change = ListChange()
        for server in servers {
            let key = DocumentID.naming(server.id)
            guard let known = old.row(server.id) else {
                try write(server, key, in: transaction)
                try write(LogicalStatus(server.logical), key, in: transaction)
                change.added.append(server.id)
                continue
            }
            let isSame = known.hasSameProperties(as: server)
            let status = LogicalStatus(server.logical)
            if !isSame { try write(server, key, in: transaction) }
            if status != known.status { try write(status, key, in: transaction) }
            if isSame, status == known.status {
                change.unchanged += 1
            } else {
                change.changed.append(server.id)
            }
        }
        return change
    }

    private static func requireIDs(_ servers: [VPNServer]) throws {
        var ids: Set<ExactText> = []
        ids.reserveCapacity(servers.count)
        for server in servers {
            guard !server.id.isEmpty else {
                throw ServerStoreError(
                    .invalidID, "the server \"\(server.logical.name)\" has no id")
            }
            guard ids.insert(ExactText(server.id)).inserted else {
                throw ServerStoreError(
                    .duplicateID, "two servers of the list have the id \"\(server.id)\"")
            }
            guard server.endpoints.count > 1 else { continue }
            var endpoints: Set<ExactText> = []
            for endpoint in server.endpoints
            where !endpoints.insert(ExactText(endpoint.id)).inserted {
                throw ServerStoreError(
                    .duplicateID,
                    "two endpoints of the server \"\(server.id)\" have the id \"\(endpoint.id)\"")
            }
        }
    }

    private func write(_ server: VPNServer, _ key: String, in transaction: Transaction) throws {
        let record = Logical(server)
        _ = try collections.logicals.save(key, in: transaction) { try record.write(to: &$0) }
    }

    func write(_ status: LogicalStatus, _ key: String, in transaction: Transaction) throws {
        _ = try collections.loads.save(key, in: transaction) { try status.write(to: &$0) }
    }

    /// Without a trace: nothing is replicated, so nobody asks for tombstones.
    private func remove(_ id: String, in transaction: Transaction) throws {
        let key = DocumentID.naming(id)
        _ = try collections.logicals.purge(key, in: transaction)
        _ = try collections.loads.purge(key, in: transaction)
    }

    /// Removes servers of some tiers that are not among some ids.
    ///
    /// - Returns: the ids of those that are gone.
    @discardableResult
    public func deleteServers(
        withIDsNotIn ids: Set<String>, maxTier: Int = .max, in transaction: Transaction
    ) throws -> [String] {
        let scope = ListScope.maxTier(maxTier)
        let kept = Set(ids.map { ExactText($0) })
        let stale = try list(in: transaction).rows.filter {
            scope.contains($0.server.logical.tier) && !kept.contains(ExactText($0.id))
        }
        for row in stale { try remove(row.id, in: transaction) }
        return stale.map(\.id)
    }
}

extension ListScope {
    func contains(_ tier: Int) -> Bool {
        switch self {
        case .all: true
        case .maxTier(let highest): tier <= highest
        }
    }
}
