public import DocumentStore

/// Decides what to request from the API next, and stores the response.
///
/// ```swift
/// let refresh = ServerRefresh(serverStore)
/// let change = try await refresh.refresh(isPaid: false) { request in
///     // GET /vpn/logicals, with Tier=0 unless request.isFull, and with If-Modified-Since
///     let (status, body, lastModified) = try await ServerClient.get(request)
///     if status == 304 { return .notModified }
///     let read = try ServerListJSON.read(body)
///     return .list(
///         read.servers, lastModified: lastModified, isComplete: read.problems.isEmpty)
/// }
/// ```
/// Free users mostly need only the free servers, which are a small list: every tenth refresh
/// requests the list of all servers. A response changes the list and its metadata in one
/// transaction.
///
/// The application decides when to refresh, for example after ``listInterval``, and how to send the
/// request. A refresh that fails leaves the store unchanged, so it can be repeated at any time. Two
/// refreshes at the same time are safe: the response that arrives last is rejected as outdated.
///
/// To send requests in a way that does not fit `refresh`, such as background downloads, call
/// ``next(isPaid:in:)`` and ``apply(_:to:in:)``.
public struct ServerRefresh: Sendable {
    /// The store whose list it refreshes.
    public let store: ServerStore

    /// The time after which the list of servers is due for a refresh: three hours. The application
    /// schedules refreshes itself.
    public static let listInterval: Duration = .seconds(3 * 60 * 60)
    /// The time after which loads are due for a refresh: 15 minutes.
    /// ``ServerStore/update(loads:in:)`` writes them.
    public static let loadInterval: Duration = .seconds(15 * 60)
    /// One of so many successful refreshes requests all servers: 10.
    public static let refreshesPerFullList = 10

    /// Creates the refreshes of a store. It reads nothing: the state of refreshes is in the store's
    /// metadata.
    ///
    /// - Parameter store: the store that responses are written to.
    public init(_ store: ServerStore) {
        self.store = store
    }

    /// A request to the API: which servers to ask for, and since when they must have changed.
    ///
    /// ```swift
    /// let request = try serverStore.read { snapshot in
    ///     try ServerRefresh(serverStore).next(isPaid: true, in: snapshot)
    /// }
    /// print(request.isFull, request.ifModifiedSince ?? "no header")
    /// ```
    /// It also notes how often lists had been written when it was created, so that
    /// ``ServerRefresh/apply(_:to:in:)`` can reject an outdated response.
    public struct Request: Hashable, Sendable {
        /// The requested servers: all, or the free ones.
        public let scope: ListScope
        /// The value of the header `If-Modified-Since`, as received from the API; nil to omit the
        /// header.
        public let ifModifiedSince: String?

        /// How many responses had been written, or removals of all servers made, when the request
        /// was created; nil to skip this check.
        let generation: Int64?

        /// Creates a request, for an application that decides itself what to request; `next`
        /// returns the one that is due.
        ///
        /// A response to it is never rejected as outdated.
        ///
        /// - Parameters:
        ///   - scope: the requested servers.
        ///   - ifModifiedSince: the value of the header; nil to omit it.
        public init(scope: ListScope, ifModifiedSince: String? = nil) {
            self.init(scope: scope, ifModifiedSince: ifModifiedSince, generation: nil)
        }

        init(scope: ListScope, ifModifiedSince: String?, generation: Int64?) {
            (self.scope, self.ifModifiedSince) = (scope, ifModifiedSince)
            self.generation = generation
        }

        /// Whether two requests have the same content, regardless of when they were created.
        public static func == (one: Self, other: Self) -> Bool {
            one.scope == other.scope && one.ifModifiedSince == other.ifModifiedSince
        }

        /// Hashes the scope and the header; equal requests have equal hashes.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(scope)
            hasher.combine(ifModifiedSince)
        }

        /// Whether it requests all servers, so that its response may remove any server.
        public var isFull: Bool { scope == .all }
    }

    /// A response of the API, as the caller has read it.
    ///
    /// ```swift
    /// let read = try ServerListJSON.read(responseData)
    /// let response = ServerRefresh.Response.list(
    ///     read.servers, lastModified: "Sat, 01 Aug 2026 08:00:00 GMT",
    ///     isComplete: read.problems.isEmpty)
    /// ```
    public enum Response: Sendable {
        /// The list is unchanged since `ifModifiedSince` (HTTP status 304).
        case notModified
        /// The requested servers, and the header `Last-Modified`. A list that could not be read
        /// completely removes no server, and the next refresh requests it again in full.
        case list([VPNServer], lastModified: String?, isComplete: Bool = true)
    }
}

extension ServerRefresh {
    /// Returns the request that is due.
    ///
    /// It requests all servers if the user has paid, if the store has no server or no count of
    /// refreshes, and once in ``refreshesPerFullList`` refreshes. If the store has no server, it
    /// omits `If-Modified-Since`. It changes nothing: a request that is not sent has no effect.
    ///
    /// - Parameters:
    ///   - isPaid: whether the user can use servers that are not free.
    ///   - snapshot: a snapshot or a transaction of the store's file.
    /// - Returns: the request, to be passed to ``apply(_:to:in:)`` with the response.
    /// - Throws: a `StoreError` if the file cannot be read.
    public func next(isPaid: Bool, in snapshot: Snapshot) throws -> Request {
        let generation = try store.generation(in: snapshot)
        guard try !store.isEmpty(in: snapshot) else {
            return Request(scope: .all, ifModifiedSince: nil, generation: generation)
        }
        let isFull = try isPaid || count(in: snapshot) == 0
        let key = isFull ? ServerMetadata.Key.lastModifiedAll : .lastModifiedFree
        return Request(
            scope: isFull ? .all : .maxTier(ServerTier.free),
            ifModifiedSince: try store.metadata(key, in: snapshot), generation: generation)
    }

    /// Writes a response: the list, the number of refreshes, and when the list was modified.
    ///
    /// The modification time applies to the free servers and, for a full list, to all. Metadata
    /// missing in the response stays unchanged. A list that is not complete is written without
    /// removing servers and without its modification time, so that the API sends it again on the
    /// next request of that scope.
    /// ```swift
    /// let refresh = ServerRefresh(serverStore)
    /// let request = try serverStore.read { try refresh.next(isPaid: false, in: $0) }
    /// let response = ServerRefresh.Response.list(servers, lastModified: nil)  // fetched
    /// try serverStore.write { try refresh.apply(response, to: request, in: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - response: what the API has returned.
    ///   - request: the request that it was the response to.
    ///   - transaction: the transaction to write in.
    /// - Returns: the changes of the list; empty for a list that is not modified.
    /// - Throws: ``ServerStoreError``, and nothing is written then:
    ///   ``ServerStoreError/Code/emptyList`` if a list without servers would replace some;
    ///   ``ServerStoreError/Code/outdatedResponse`` if another response was written, or all servers
    ///   were removed, since `next` returned the request; others as
    ///   ``ServerStore/replaceList(_:scope:metadata:allowsEmpty:in:)`` throws.
    @discardableResult
    public func apply(
        _ response: Response, to request: Request, in transaction: Transaction
    ) throws -> ListChange {
        let generation = try store.generation(in: transaction)
        guard request.generation ?? generation == generation else {
            throw ServerStoreError(
                .outdatedResponse,
                "another list was written since this one was requested: refresh again")
        }
        try store.setGeneration(generation + 1, in: transaction)
        let count = try (count(in: transaction) + 1) % Self.refreshesPerFullList
        switch response {
        case .notModified:
            try store.setMetadata(
                String(count), for: .consecutiveSuccessfulRefreshes, in: transaction)
            return ListChange()
        case .list(let servers, _, isComplete: false):
            try store.setMetadata(
                String(count), for: .consecutiveSuccessfulRefreshes, in: transaction)
            return try store.upsert(servers, in: transaction)
        case .list(let servers, let lastModified, isComplete: true):
            var metadata: [ServerMetadata.Key: String?] = [
                .consecutiveSuccessfulRefreshes: String(count)
            ]
            if let lastModified {
                metadata[.lastModifiedFree] = lastModified
                if request.isFull { metadata[.lastModifiedAll] = lastModified }
            }
            return try store.replaceList(
                servers, scope: request.scope, metadata: metadata, in: transaction)
        }
    }

    /// Fetches the list that is due, and writes the response.
    ///
    /// It reads the request in a snapshot, calls `fetch` outside of transactions, and writes the
    /// response in a transaction, so a slow network delays no writer.
    ///
    /// - Parameters:
    ///   - isPaid: whether the user can use servers that are not free.
    ///   - fetch: sends the request to the API and reads the response.
    /// - Returns: the changes of the list.
    /// - Throws: errors of `fetch`, after which nothing is written; otherwise as
    ///   ``apply(_:to:in:)``.
    @discardableResult
    public func refresh(
        isPaid: Bool, fetch: (Request) async throws -> Response
    ) async throws -> ListChange {
        let request = try await store.read { try next(isPaid: isPaid, in: $0) }
        let response = try await fetch(request)
        return try await store.write { try apply(response, to: request, in: $0) }
    }

    /// Removes all servers and the metadata of the list, for example when another user signs in:
    /// gateways belong to users.
    ///
    /// The next refresh requests all servers; a response to an earlier request is rejected as
    /// outdated. Profiles and recents stay; the application decides whether they belong to the next
    /// user.
    /// ```swift
    /// try serverStore.write { transaction in
    ///     try ServerRefresh(serverStore).removeAll(in: transaction)
    ///     for recent in try serverStore.recents(in: transaction) {
    ///         try serverStore.forget(recent.serverID, in: transaction)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter transaction: the transaction to write in.
    /// - Throws: a `StoreError` if the file cannot be written.
    public func removeAll(in transaction: Transaction) throws {
        try store.setGeneration(store.generation(in: transaction) + 1, in: transaction)
        _ = try store.replaceList([], scope: .all, allowsEmpty: true, in: transaction)
        for key in ServerMetadata.Key.allCases {
            try store.setMetadata(nil, for: key, in: transaction)
        }
    }

    /// The number of refreshes since the last full list; 0 if unknown, as in a new store.
    private func count(in snapshot: Snapshot) throws -> Int {
        let text = try store.metadata(.consecutiveSuccessfulRefreshes, in: snapshot)
        guard let count = text.flatMap({ Int($0) }), count > 0 else { return 0 }
        return count % Self.refreshesPerFullList
    }
}
