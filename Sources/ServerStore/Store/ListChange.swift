/// What has become of a list of servers that was written.
public struct ListChange: Hashable, Sendable {
    /// The ids of servers that are new, in the order of the list.
    public internal(set) var added: [String] = []
    /// The ids of servers that were there, with other properties.
    public internal(set) var changed: [String] = []
    /// The ids of servers that are gone.
    public internal(set) var removed: [String] = []
    /// How many servers are as they were; nothing was written of them.
    public internal(set) var unchanged = 0

    /// A change, as a test gives one.
    public init(
        added: [String] = [], changed: [String] = [], removed: [String] = [], unchanged: Int = 0
    ) {
        (self.added, self.changed, self.removed) = (added, changed, removed)
        self.unchanged = unchanged
    }

    /// Whether nothing was written.
    public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}

/// What has become of loads that were written.
public struct LoadChange: Hashable, Sendable {
    /// How many servers have other properties than before.
    public internal(set) var updated = 0
    /// The ids that no server has.
    public internal(set) var unknown: [String] = []
    /// The ids of servers that are under maintenance here, and up by the loads: which endpoint is
    /// up again only the next list says.
    public internal(set) var ignored: [String] = []

    /// A change, as a test gives one.
    public init(updated: Int = 0, unknown: [String] = [], ignored: [String] = []) {
        (self.updated, self.unknown, self.ignored) = (updated, unknown, ignored)
    }
}

/// What a list of servers is a list of; others are not removed for not being in it.
public enum ListScope: Hashable, Sendable {
    /// All servers.
    case all
    /// Servers of a tier and those below it.
    case maxTier(Int)
}
