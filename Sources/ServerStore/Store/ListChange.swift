/// The changes that writing a list of servers has made.
public struct ListChange: Hashable, Sendable {
    /// The ids of new servers, in the order of the list.
    public internal(set) var added: [String] = []
    /// The ids of existing servers whose properties changed.
    public internal(set) var changed: [String] = []
    /// The ids of removed servers.
    public internal(set) var removed: [String] = []
    /// The number of unchanged servers, which were not written.
    public internal(set) var unchanged = 0

    /// Creates a change, for tests.
    public init(
        added: [String] = [], changed: [String] = [], removed: [String] = [], unchanged: Int = 0
    ) {
        (self.added, self.changed, self.removed) = (added, changed, removed)
        self.unchanged = unchanged
    }

    /// Whether nothing was written.
    public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}

/// The changes that writing loads has made.
public struct LoadChange: Hashable, Sendable {
    /// The number of servers whose properties changed.
    public internal(set) var updated = 0
    /// The ids without a server.
    public internal(set) var unknown: [String] = []
    /// The ids of servers that are under maintenance in the store but up in the loads: only the
    /// next list contains which endpoint is up again.
    public internal(set) var ignored: [String] = []

    /// Creates a change, for tests.
    public init(updated: Int = 0, unknown: [String] = [], ignored: [String] = []) {
        (self.updated, self.unknown, self.ignored) = (updated, unknown, ignored)
    }
}

/// The servers that a list covers; writing the list does not remove others.
public enum ListScope: Hashable, Sendable {
    /// All servers.
    case all
    /// Servers of a tier and lower ones.
    case maxTier(Int)
}
