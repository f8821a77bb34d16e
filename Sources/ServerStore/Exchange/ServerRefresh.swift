public import DataFileCore

/// What to ask the API for next, and what to do with its answer.
///
/// ```swift
/// let change = try await ServerRefresh(store).refresh(isPaid: false) { request in
///     // GET /vpn/logicals, with Tier=0 unless request.isFull, and with If-Modified-Since
///     let (status, body, lastModified) = try await client.get(request)
///     if status == 304 { return .notModified }
///     return .list(try ServerListJSON.read(body).servers, lastModified: lastModified)
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

        /// A request; those of `next` are what is due.
        public init(scope: ListScope, ifModifiedSince: String? = nil) {
            (self.scope, self.ifModifiedSince) = (scope, ifModifiedSince)
        }

        /// Whether it is for all servers.
        public var isFull: Bool { scope == .all }
    }

    /// What the API answers.
    public enum Answer: Sendable {
        /// The list is as it was at `ifModifiedSince` (HTTP's status 304).
        case notModified
        /// The servers that were asked for, and the header `Last-Modified`.
        case list([VPNServer], lastModified: String?)
    }
}

extension ServerRefresh {
    /// What to ask for now.
    ///
    /// It is all servers if the user has paid, if the store has no server or does not know how
    /// often it was refreshed, and once in `refreshesPerFullList` times. Without a server nothing
    /// is asked to be newer than what the store had.
    public func next(isPaid: Bool, in snapshot: Snapshot) throws -> Request {
        guard try !store.isEmpty(in: snapshot) else { return Request(scope: .all) }
        let isFull = try isPaid || count(in: snapshot) == 0
        let key = isFull ? ServerMetadata.Key.lastModifiedAll : .lastModifiedFree
        return Request(
            scope: isFull ? .all : .maxTier(ServerTier.free),
            ifModifiedSince: try store.metadata(key, in: snapshot))
    }

    /// Writes what an answer says: the list, how often the store was refreshed, and when the list
    /// was modified. The latter holds for the free servers, and with a full list for all; what the
    /// API does not say stays as it was.
    ///
    /// Throws `ServerStoreError` with `.emptyList` for a list without servers in place of some, and
    /// otherwise as `ServerStore.replaceList` does. Nothing is written then.
    @discardableResult
    public func apply(
        _ answer: Answer, to request: Request, in transaction: Transaction
    ) throws -> ListChange {
        let count = try (count(in: transaction) + 1) % Self.refreshesPerFullList
        switch answer {
        case .notModified:
            try store.setMetadata(
                String(count), for: .consecutiveSuccessfulRefreshes, in: transaction)
            return ListChange()
        case .list(let servers, let lastModified):
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
    /// everyone's. The next refresh is of all servers.
    public func removeAll(in transaction: Transaction) throws {
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
