public import DocumentStore

// Data that refers to servers by their ids. It stays when a server is removed from the list: the
// server may return with the next list.
extension ServerStore {
    /// All profiles, by name, then by id.
    public func profiles(in snapshot: Snapshot) throws -> [ServerProfile] {
        try values(ServerProfile.self, collections.profiles, in: snapshot)
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// Writes a profile, replacing the one with the same id.
    ///
    /// Throws `.invalidID` for one without an id.
    public func save(_ profile: ServerProfile, in transaction: Transaction) throws {
        guard !profile.id.isEmpty else {
            throw ServerStoreError(.invalidID, "the profile \"\(profile.name)\" has no id")
        }
        _ = try collections.profiles.of(ServerProfile.self)
            .save(profile, id: DocumentID.naming(profile.id), in: transaction)
    }

    /// Removes a profile.
    ///
    /// - Returns: whether it existed.
    @discardableResult
    public func deleteProfile(_ id: String, in transaction: Transaction) throws -> Bool {
        try collections.profiles.purge(DocumentID.naming(id), in: transaction)
    }

    /// The recently used servers: pinned ones first, then newest first.
    public func recents(in snapshot: Snapshot) throws -> [RecentServer] {
        try values(RecentServer.self, collections.recents, in: snapshot).sorted { one, other in
            guard one.isPinned == other.isPinned else { return one.isPinned }
            guard one.lastUsed == other.lastUsed else { return one.lastUsed > other.lastUsed }
            return ServerOrdering.isLess(one.serverID, other.serverID)
        }
    }

    /// Records that a server was used, and removes the oldest entries.
    ///
    /// - Parameters:
    ///   - timestamp: milliseconds since 1970-01-01 00:00 UTC.
    ///   - limit: the number of unpinned entries to keep.
    ///
    /// Throws `.unknownServer` for a server that is not in the list.
    public func noteUse(
        of serverID: String, at timestamp: Int64, keeping limit: Int = 8,
        in transaction: Transaction
    ) throws {
        guard try collections.logicals.get(DocumentID.naming(serverID), in: transaction) != nil
        else {
            throw ServerStoreError(
                .unknownServer, "there is no server \"\(serverID)\" in the current list")
        }
        let isPinned = try recent(serverID, in: transaction)?.isPinned ?? false
        try put(
            RecentServer(serverID: serverID, lastUsed: timestamp, isPinned: isPinned),
            in: transaction)
        let old = try recents(in: transaction).filter { !$0.isPinned }.dropFirst(max(limit, 0))
        for recent in old { try forget(recent.serverID, in: transaction) }
    }

    /// Pins or unpins a recently used server; a pinned one is not removed by age.
    ///
    /// Throws `.unknownServer` for a server that was not used.
    public func setPinned(
        _ isPinned: Bool, _ serverID: String, in transaction: Transaction
    ) throws {
        guard var recent = try recent(serverID, in: transaction) else {
            throw ServerStoreError(.unknownServer, "the server \"\(serverID)\" was not used")
        }
        guard recent.isPinned != isPinned else { return }
        recent.isPinned = isPinned
        try put(recent, in: transaction)
    }

    /// Removes a server from the recently used ones.
    ///
    /// - Returns: whether it was one.
    @discardableResult
    public func forget(_ serverID: String, in transaction: Transaction) throws -> Bool {
        try collections.recents.purge(DocumentID.naming(serverID), in: transaction)
    }

    private func recent(_ serverID: String, in snapshot: Snapshot) throws -> RecentServer? {
        try collections.recents.of(RecentServer.self)
            .value(DocumentID.naming(serverID), in: snapshot)
    }

    private func put(_ recent: RecentServer, in transaction: Transaction) throws {
        _ = try collections.recents.of(RecentServer.self)
            .save(recent, id: DocumentID.naming(recent.serverID), in: transaction)
    }

    private func values<Value: Codable & Sendable>(
        _ type: Value.Type, _ collection: DocumentCollection, in snapshot: Snapshot
    ) throws -> [Value] {
        var values: [Value] = []
        try collection.of(type).forEach(in: snapshot) { _, value in
            if case .success(let value) = value { values.append(value) }
        }
        return values
    }
}
