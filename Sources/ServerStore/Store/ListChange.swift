/// The changes that writing a list of servers has made.
///
/// Unchanged servers are not written, so a list that is written again gives a change that
/// ``isEmpty`` and notifies no observer.
/// ```swift
/// let change = try repository.replaceList(servers)
/// if !change.isEmpty {
///     print("\(change.added.count) new, \(change.changed.count) changed")
///     print("removed: \(change.removed)")
/// }
/// ```
/// A server counts as changed if its properties, its endpoints, its load, its score or its status
/// differ from the stored ones.
public struct ListChange: Hashable, Sendable {
    /// The IDs of new servers, in the order of the list.
    public internal(set) var added: [String] = []
    /// The IDs of existing servers that were written because a property differs, in the order of
    /// the list.
    public internal(set) var changed: [String] = []
    /// The IDs of removed servers, sorted byte by byte; empty after `upsert`. A removed document
    /// that could not be read is listed by its key.
    public internal(set) var removed: [String] = []
    /// The number of servers of the list that were stored already and were not written.
    public internal(set) var unchanged = 0

    /// Creates a change, for tests; the store creates the others.
    ///
    /// - Parameters:
    ///   - added: the IDs of new servers.
    ///   - changed: the IDs of servers whose properties changed.
    ///   - removed: the IDs of removed servers.
    ///   - unchanged: the number of servers that were not written.
    public init(
        added: [String] = [], changed: [String] = [], removed: [String] = [], unchanged: Int = 0
    ) {
        (self.added, self.changed, self.removed) = (added, changed, removed)
        self.unchanged = unchanged
    }

    /// Whether no server was written or removed. Metadata can have been written nevertheless.
    public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}

/// The changes that writing loads has made.
///
/// IDs in ``unknown`` or ``ignored`` indicate that the list is older than the loads; the next list
/// resolves both.
/// ```swift
/// let change = try serverStore.update(loads: loads)
/// if !change.unknown.isEmpty { print("the list is outdated: request it again") }
/// ```
public struct LoadChange: Hashable, Sendable {
    /// The number of servers whose load, score or status changed; servers with the same values are
    /// not written.
    public internal(set) var updated = 0
    /// The IDs without a server in the store, in the order of the loads; nothing is stored for
    /// them.
    public internal(set) var unknown: [String] = []
    /// The IDs of servers that are under maintenance in the store but up in the loads: only the
    /// next list contains which endpoint is up again. Their stored values stay.
    public internal(set) var ignored: [String] = []

    /// Creates a change, for tests; the store creates the others.
    ///
    /// - Parameters:
    ///   - updated: the number of servers whose properties changed.
    ///   - unknown: the IDs without a server.
    ///   - ignored: the IDs of servers that stay under maintenance.
    public init(updated: Int = 0, unknown: [String] = [], ignored: [String] = []) {
        (self.updated, self.unknown, self.ignored) = (updated, unknown, ignored)
    }
}

/// The servers that a list covers; writing the list does not remove others.
///
/// A list of free servers, for example, must not remove those for paying users:
/// ```swift
/// let change = try repository.replaceList(
///     servers, scope: .maxTier(ServerTier.free), metadata: [.lastModifiedFree: "…"])
/// ```
/// With `maxTier` the tier that is stored decides: a server that is no longer free is removed by
/// the next list of free servers, and returns with the next full list. A document that cannot be
/// read is covered by `all` only.
public enum ListScope: Hashable, Sendable {
    /// All servers.
    case all
    /// Servers of a tier and lower ones.
    case maxTier(Int)
}
