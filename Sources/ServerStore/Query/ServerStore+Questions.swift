public import DocumentStore

// Each of these is one statement. `currentList()` answers the same in memory.
extension ServerStore {
    /// The servers that filters find, as lists show them.
    public func servers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none,
        in snapshot: Snapshot
    ) throws -> [ServerInfo] {
        var found: [(row: ServerRow, passing: PassingServer)] = []
        try forEach(filters, order, in: snapshot) { row, passing in
            found.append((row, passing))
            return true
        }
        if order == .random { found.shuffle { $0.row } }
        return found.map {
            ServerInfo(logical: $0.row.server.logical, protocolSupport: $0.passing.protocolSupport)
        }
    }

    /// The first server that filters find, with all its endpoints; nil if they find none.
    public func firstServer(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none,
        in snapshot: Snapshot
    ) throws -> VPNServer? {
        var found: [(row: ServerRow, passing: PassingServer)] = []
        try forEach(filters, order, in: snapshot) { row, passing in
            found.append((row, passing))
            return order == .random
        }
        if order == .random { found.shuffle { $0.row } }
        return found.first?.row.server
    }

    /// The groups of the servers that filters find.
    public func groups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending,
        in snapshot: Snapshot
    ) throws -> [ServerGroupInfo] {
        var found: [(row: ServerRow, passing: PassingServer)] = []
        try forEach(filters, .none, in: snapshot) { row, passing in
            found.append((row, passing))
            return true
        }
        var groups = GroupFold(GroupPlaces(found.map(\.row), grouping))
        for (place, found) in found.enumerated() {
            groups.add(found.row, at: place, found.passing)
        }
        return groups.sorted(order, names)
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

    /// The servers that filters find, until `body` returns false.
    private func forEach(
        _ filters: [VPNServerFilter], _ order: VPNServerOrder, in snapshot: Snapshot,
        _ body: (ServerRow, PassingServer) -> Bool
    ) throws {
        let query = try ServerQuery(filters, order)
        var evaluator = FilterEvaluator(filters, names: names)
        let rows = try Query(query.text).rows(in: snapshot, query.parameters)
        var reader = RecordReader()
        while let row = try rows.next() {
            guard let server = row[0].dictionary?.value, let status = row[1].dictionary?.value,
                let record = server.withUnsafeValue({ $0.dictionary.flatMap { reader.logical($0) } }
                ),
                let load = status.withUnsafeValue({ $0.dictionary.flatMap { reader.status($0) } })
            else { continue }
            let found = ServerRow(record, load)
            guard let passing = evaluator.passingRest(found) else { continue }
            guard body(found, passing) else { return }
        }
    }
}
