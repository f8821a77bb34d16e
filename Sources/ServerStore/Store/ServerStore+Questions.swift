public import DocumentStore

// `list(in:)` answers what is about servers: reading all of them costs no more than a statement
// that finds all of them, and once they are read the next question costs a twentieth or less.
// Counts are statements: they need no list.
extension ServerStore {
    /// The servers that filters find, as lists show them; see `list(in:)`.
    public func servers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none,
        in snapshot: Snapshot
    ) throws -> [ServerInfo] {
        try list(in: snapshot).servers(filteredBy: filters, orderedBy: order)
    }

    /// The first server that filters find, with all its endpoints; nil if they find none. See
    /// `list(in:)`.
    public func firstServer(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none,
        in snapshot: Snapshot
    ) throws -> VPNServer? {
        try list(in: snapshot).firstServer(filteredBy: filters, orderedBy: order)
    }

    /// The groups of the servers that filters find; see `list(in:)`.
    public func groups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending,
        in snapshot: Snapshot
    ) throws -> [ServerGroupInfo] {
        try list(in: snapshot).groups(
            filteredBy: filters, groupedBy: grouping, orderedBy: order)
    }

    /// How many servers there are.
    public func serverCount(in snapshot: Snapshot) throws -> Int {
        try count("SELECT COUNT(*) FROM vpn.logicals", in: snapshot)
    }

    /// In how many countries traffic leaves.
    public func countryCount(in snapshot: Snapshot) throws -> Int {
        try count("SELECT COUNT(DISTINCT exitCountryCode) FROM vpn.logicals", in: snapshot)
    }

    /// Whether there are no servers.
    public func isEmpty(in snapshot: Snapshot) throws -> Bool {
        try serverCount(in: snapshot) == 0
    }

    private func count(_ text: String, in snapshot: Snapshot) throws -> Int {
        Int(try Query(text).rows(in: snapshot).next()?[0].int ?? 0)
    }
}
