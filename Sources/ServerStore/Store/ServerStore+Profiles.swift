public import DocumentStore

// Data that refers to servers by their IDs. It stays when a server is removed from the list: the
// server may return with the next list.
extension ServerStore {
    /// Returns all profiles, by name, then by ID.
    ///
    /// Names are compared as Swift compares strings, not in a language's collation. Profiles that
    /// cannot be decoded are left out; one with a protocol of a later version has none.
    ///
    /// - Parameter snapshot: a snapshot or a transaction of the store's file.
    /// - Returns: the profiles, including those of servers that have left the list.
    /// - Throws: a `StoreError` if the file cannot be read.
    public func profiles(in snapshot: Snapshot) throws -> [ServerProfile] {
        try values(ServerProfile.self, collections.profiles, in: snapshot)
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// Writes a profile, replacing the one with the same ID.
    ///
    /// ```swift
    /// var renamed = profile
    /// renamed.name = "At home"
    /// try serverStore.write { try serverStore.save(renamed, in: $0) }
    /// ```
    /// It does not check that the profile's server is in the list.
    ///
    /// - Parameters:
    ///   - profile: the profile to store.
    ///   - transaction: the transaction to write in.
    /// - Throws: ``ServerStoreError`` with ``ServerStoreError/Code/invalidID`` for one without an
    ///   ID; a `StoreError` if the file cannot be written.
    public func save(_ profile: ServerProfile, in transaction: Transaction) throws {
        guard !profile.id.isEmpty else {
            throw ServerStoreError(.invalidID, "the profile \"\(profile.name)\" has no id")
        }
        _ = try collections.profiles.of(ServerProfile.self)
            .save(profile, id: DocumentID.naming(profile.id), in: transaction)
    }

    /// Removes a profile permanently; the server and its entry in the recents stay.
    ///
    /// - Parameters:
    ///   - id: the ID of the profile.
    ///   - transaction: the transaction to write in.
    /// - Returns: whether it existed.
    /// - Throws: a `StoreError` if the file cannot be written.
    @discardableResult
    public func deleteProfile(_ id: String, in transaction: Transaction) throws -> Bool {
        try collections.profiles.purge(DocumentID.naming(id), in: transaction)
    }

    /// Returns the recently used servers: pinned ones first, then newest first, then by ID.
    ///
    /// It reads all of them, of which there are few. Entries that cannot be decoded are left out;
    /// those of servers that have left the list are not.
    ///
    /// - Parameter snapshot: a snapshot or a transaction of the store's file.
    /// - Returns: the entries; ``ServerList/server(_:)`` finds their servers.
    /// - Throws: a `StoreError` if the file cannot be read.
    public func recents(in snapshot: Snapshot) throws -> [RecentServer] {
        try values(RecentServer.self, collections.recents, in: snapshot).sorted { one, other in
            guard one.isPinned == other.isPinned else { return one.isPinned }
            guard one.lastUsed == other.lastUsed else { return one.lastUsed > other.lastUsed }
            return ServerOrdering.isLess(one.serverID, other.serverID)
        }
    }

    /// Records that a server was used, and removes the oldest entries.
    ///
    /// The time of an existing entry is replaced, and it stays pinned if it is.
    /// ```swift
    /// try serverStore.write { transaction in
    ///     try serverStore.noteUse(of: serverID, at: currentMilliseconds, in: transaction)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - serverID: the ID of a server in the current list.
    ///   - timestamp: milliseconds since 1970-01-01 00:00 UTC.
    ///   - limit: the number of unpinned entries to keep, 8 by default; a negative number counts as
    ///     0.
    ///   - transaction: the transaction to write in.
    /// - Throws: ``ServerStoreError`` with ``ServerStoreError/Code/unknownServer`` for a server
    ///   that is not in the list; a `StoreError` if the file cannot be written.
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
    /// Nothing is written if the server has that state already. An unpinned one stays until the
    /// next call of ``noteUse(of:at:keeping:in:)``, even if it is too old.
    /// ```swift
    /// try serverStore.write { try serverStore.setPinned(true, serverID, in: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - isPinned: the new state.
    ///   - serverID: the ID of a recently used server.
    ///   - transaction: the transaction to write in.
    /// - Throws: ``ServerStoreError`` with ``ServerStoreError/Code/unknownServer`` for a server
    ///   that was not used; a `StoreError` if the file cannot be written.
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

    /// Removes a server from the recently used ones, pinned or not; the server itself stays.
    ///
    /// - Parameters:
    ///   - serverID: the ID of the server.
    ///   - transaction: the transaction to write in.
    /// - Returns: whether it was one.
    /// - Throws: a `StoreError` if the file cannot be written.
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
