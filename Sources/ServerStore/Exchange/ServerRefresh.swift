public import DocumentStore

/// Decides what to request from the API next, and stores the response.
///
/// ```swift
/// let change = try await ServerRefresh(store).refresh(isPaid: false) { request in
///     // GET /vpn/logicals, with Tier=0 unless request.isFull, and with If-Modified-Since
///     let (status, body, lastModified) = try await client.get(request)
///     if status == 304 { return .notModified }
///     let read = try ServerListJSON.read(body)
///     return .list(
///         read.servers, lastModified: lastModified, isComplete: read.problems.isEmpty)
/// }
/// ```
/// Free users mostly need only the free servers, which are a small list: every tenth refresh
/// requests the list of all servers. A response changes the list and its metadata in one
/// transaction.
public struct ServerRefresh: Sendable {
    /// The store to refresh.
    public let store: ServerStore

    /// The time after which the list of servers is due for a refresh.
    public static let listInterval: Duration = .seconds(3 * 60 * 60)
    /// The time after which loads are due for a refresh.
    public static let loadInterval: Duration = .seconds(15 * 60)
    /// One of so many refreshes requests all servers.
    public static let refreshesPerFullList = 10

    /// Creates the refreshes of a store.
    public init(_ store: ServerStore) {
        self.store = store
    }

    /// A request to the API.
    public struct Request: Hashable, Sendable {
        /// The requested servers: all, or the free ones.
        public let scope: ListScope
        /// The value of the header `If-Modified-Since`, as received from the API; nil to omit it.
        public let ifModifiedSince: String?

        /// How many responses had been written, or removals of all servers made, when the request
        /// was created; nil to skip this check.
        let generation: Int64?

        /// Creates a request; `next` returns the one that is due.
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

        /// Equal requests have equal hashes.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(scope)
            hasher.combine(ifModifiedSince)
        }

        /// Whether it requests all servers.
        public var isFull: Bool { scope == .all }
    }

    /// A response of the API.
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
    /// refreshes, and once in `refreshesPerFullList` refreshes. If the store has no server, it
    /// omits `If-Modified-Since`.
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

    /// Writes a response: the list, the number of refreshes, and when the list was modified. The
    /// modification time applies to the free servers and, for a full list, to all. Metadata missing
    /// in the response stays unchanged.
    ///
    /// Throws `ServerStoreError` with `.emptyList` if a list without servers would replace some;
    /// with `.outdatedResponse` if another response was written, or all servers were removed, since
    /// `next` returned the request; otherwise as `ServerStore.replaceList` does. Nothing is written
    /// then.
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
    /// - Parameter fetch: sends the request to the API; it runs outside of transactions.
    ///
    /// Throws errors of `fetch`, after which nothing is written, and as `apply` does.
    @discardableResult
    public func refresh(
        isPaid: Bool, fetch: (Request) async throws -> Response
    ) async throws -> ListChange {
        let request = try await store.read { try next(isPaid: isPaid, in: $0) }
        let response = try await fetch(request)
        return try await store.write { try apply(response, to: request, in: $0) }
    }

    /// Removes all servers and the metadata of the list, for example when another user signs in:
    /// gateways belong to users. The next refresh requests all servers. Profiles and recents stay;
    /// the application decides whether they belong to the next user.
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
