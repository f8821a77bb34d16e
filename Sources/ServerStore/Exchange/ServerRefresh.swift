public import DocumentStore

/// What to ask the API for next, and what to do with its answer.
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
/// Users who have not paid mostly need the free servers alone, which are a small list: they get
/// the list of all servers once in ten times. What an answer changes, the list and what is known
/// of it, changes in one transaction.
public struct ServerRefresh: Sendable {
    /// The servers.
    public let store: ServerStore

    /// How long a list of servers is good for.
    public static let listInterval: Duration = .seconds(3 * 60 * 60)
    /// How long loads are good for.
    public static let loadInterval: Duration = .seconds(15 * 60)
    /// Of so many refreshes one is of all servers.
    public static let refreshesPerFullList = 10

    /// The refreshes of a store.
    public init(_ store: ServerStore) {
        self.store = store
    }

    /// What the API is asked for.
    public struct Request: Hashable, Sendable {
        /// Which servers: all, or the free ones.
        public let scope: ListScope
        /// What goes into the header `If-Modified-Since`, as the API sent it; nil for none.
        public let ifModifiedSince: String?

        /// How often answers were written, or all servers removed, before; nil if that is not to
        /// be looked at.
        let generation: Int64?

        /// A request; those of `next` are what is due.
        public init(scope: ListScope, ifModifiedSince: String? = nil) {
            self.init(scope: scope, ifModifiedSince: ifModifiedSince, generation: nil)
        }

        init(scope: ListScope, ifModifiedSince: String?, generation: Int64?) {
            (self.scope, self.ifModifiedSince) = (scope, ifModifiedSince)
            self.generation = generation
        }

        /// Whether two ask for the same, whenever that was.
        public static func == (one: Self, other: Self) -> Bool {
            one.scope == other.scope && one.ifModifiedSince == other.ifModifiedSince
        }

        /// Equal requests have equal hashes.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(scope)
            hasher.combine(ifModifiedSince)
        }

        /// Whether it is for all servers.
        public var isFull: Bool { scope == .all }
    }

    /// What the API answers.
    public enum Answer: Sendable {
        /// The list is as it was at `ifModifiedSince` (HTTP's status 304).
        case notModified
        /// The servers that were asked for, and the header `Last-Modified`. A list of which not
        /// all could be read removes no server, and is asked for again in whole.
        case list([VPNServer], lastModified: String?, isComplete: Bool = true)
    }
}

extension ServerRefresh {
    /// What to ask for now.
    ///
    /// It is all servers if the user has paid, if the store has no server or does not know how
    /// often it was refreshed, and once in `refreshesPerFullList` times. Without a server nothing
    /// is asked to be newer than what the store had.
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

    /// Writes what an answer says: the list, how often the store was refreshed, and when the list
    /// was modified. The latter holds for the free servers, and with a full list for all; what the
    /// API does not say stays as it was.
    ///
    /// Throws `ServerStoreError` with `.emptyList` for a list without servers in place of some;
    /// with `.outdatedResponse` if another answer was written since `next` gave the request, or if
    /// all servers were removed; otherwise as `ServerStore.replaceList` does. Nothing is written
    /// then.
    @discardableResult
    public func apply(
        _ answer: Answer, to request: Request, in transaction: Transaction
    ) throws -> ListChange {
        let generation = try store.generation(in: transaction)
        guard request.generation ?? generation == generation else {
            throw ServerStoreError(
                .outdatedResponse,
                "another list was written since this answer was asked for: ask again")
        }
        try store.setGeneration(generation + 1, in: transaction)
        let count = try (count(in: transaction) + 1) % Self.refreshesPerFullList
        switch answer {
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

    /// Asks for what is due, and writes what the answer says.
    ///
    /// - Parameter fetch: asks the API; no transaction is open meanwhile.
    ///
    /// Throws what `fetch` throws, of which nothing is written, and as `apply` does.
    @discardableResult
    public func refresh(
        isPaid: Bool, fetch: (Request) async throws -> Answer
    ) async throws -> ListChange {
        let request = try await store.read { try next(isPaid: isPaid, in: $0) }
        let answer = try await fetch(request)
        return try await store.write { try apply(answer, to: request, in: $0) }
    }

    /// Removes all servers and what is known of the list, as for another user: gateways are not
    /// everyone's. The next refresh is of all servers. Profiles and recents stay: whether those
    /// are the next user's, the application knows.
    public func removeAll(in transaction: Transaction) throws {
        try store.setGeneration(store.generation(in: transaction) + 1, in: transaction)
        _ = try store.replaceList([], scope: .all, allowsEmpty: true, in: transaction)
        for key in ServerMetadata.Key.allCases {
            try store.setMetadata(nil, for: key, in: transaction)
        }
    }

    /// How many refreshes there have been since the one that the count began with; 0 if that is
    /// not known, as in a new store.
    private func count(in snapshot: Snapshot) throws -> Int {
        let text = try store.metadata(.consecutiveSuccessfulRefreshes, in: snapshot)
        guard let count = text.flatMap({ Int($0) }), count > 0 else { return 0 }
        return count % Self.refreshesPerFullList
    }
}
