internal import DocumentStore
internal import Synchronization

/// An immutable list of servers in memory that can be queried.
///
/// `ServerStore.currentList()` returns the list of a file, and ``init(_:names:)`` creates one from
/// an array, for tests and for lists that are not stored. Filters, orders, groups, searches and
/// selections are all defined on lists; the members of ``ServerRepository`` and ``ServerStore``
/// call them.
/// ```swift
/// let list = try serverStore.currentList()
/// let swiss = list.servers(filteredBy: [.kind(.country("CH"))], orderedBy: .nameAscending)
/// let best = list.firstServer(filteredBy: [.isNotUnderMaintenance], orderedBy: .fastest)
/// let matches = list.search("zur", limit: 20)
/// ```
/// Queries cannot fail, and do not wait for the disk. One over all 1,900 servers of a list takes
/// less than half a millisecond; those for one ID or one country visit only these servers. What
/// queries need in common, such as the order of names or the search index, is computed by the first
/// query that needs it. Copies share it, and a list can be used from several threads.
///
/// A list does not change: read another one after a change. Servers without endpoints are in the
/// list, but no query returns them.
public struct ServerList: Sendable {
    let storage: Storage

    var rows: [ServerRow] { storage.rows }

    /// The names of countries, for searches and for groups in the order of names.
    public var names: CountryNames { storage.names }

    /// Creates a list of servers; of those with the same ID, the last one is used.
    ///
    /// ```swift
    /// let list = ServerList(servers, names: CountryNames(["CH": "Switzerland"]))
    /// print(list.serverCount, list.countryCount)
    /// ```
    /// It sorts the servers by ID, and does not check them as the store does. Loads are limited to
    /// 0 to 100.
    ///
    /// - Parameters:
    ///   - servers: the servers, in any order.
    ///   - names: the names of countries; by default those of the current locale.
    public init(_ servers: [VPNServer], names: CountryNames = .current) {
        var indices: [ExactString: Int] = [:]
        var rows: [ServerRow] = []
        for server in servers {
            if let index = indices[ExactString(server.id)] {
                rows[index] = ServerRow(server)
            } else {
                indices[ExactString(server.id)] = rows.count
                rows.append(ServerRow(server))
            }
        }
        rows.sort { ServerOrdering.isLess($0.id, $1.id) }
        self.init(rows: rows, names: names)
    }

    /// - Parameter rows: sorted by ID, each ID once.
    init(rows: [ServerRow], names: CountryNames) {
        storage = Storage(rows: rows, names: names)
    }

    /// All servers, sorted by ID byte by byte, as shown to users: under maintenance if no endpoint
    /// is up. It includes servers without endpoints.
    public var servers: [VPNServer] { rows.map(\.server) }

    /// All servers, sorted by ID, as received from the API: with the status that the API has sent.
    /// Use it to export the list or to compare it with another one; loads are limited to 0 to 100.
    public var originals: [VPNServer] { rows.map(\.original) }

    /// The number of servers, including those that no query returns because they have no endpoint.
    public var serverCount: Int { rows.count }

    /// The number of countries where traffic of the servers exits, including those of gateways.
    public var countryCount: Int { storage.byExit.count }

    /// Whether the list has no server.
    public var isEmpty: Bool { rows.isEmpty }

    /// Returns the server with an ID, by one lookup.
    ///
    /// ```swift
    /// if let server = serverList.server(serverID), !server.isUnderMaintenance {
    ///     print(server.logical.name)
    /// }
    /// ```
    ///
    /// - Parameter id: the ID, compared byte by byte.
    /// - Returns: the server with all its endpoints; nil if the list does not have it.
    public func server(_ id: String) -> VPNServer? { row(id)?.server }

    func row(_ id: String) -> ServerRow? {
        storage.indices[ExactString(id)].map { rows[$0] }
    }

    /// The rows with other loads; nil if the loads are not those of the same servers.
    func rows(with loads: [String: StatusRecord]) -> [ServerRow]? {
        guard loads.count == rows.count else { return nil }
        var updated = rows
        for index in updated.indices {
            guard let status = loads[storage.keys[index]] else { return nil }
            if updated[index].status != status { updated[index] = updated[index].with(status) }
        }
        return updated
    }

    /// The rows, and lazily computed tables of them.
    final class Storage: Sendable {
        let rows: [ServerRow]
        let names: CountryNames
        private let cached = Mutex(Cache())

        private struct Cache {
            var indices: [ExactString: Int]?
            var byExit: [ExactString: [Int]]?
            var byName: [Int]?
            var keys: [String]?
            var search: ServerSearch?
            var groups: [VPNServerGrouping: GroupAssignments] = [:]
        }

        init(rows: [ServerRow], names: CountryNames) {
            (self.rows, self.names) = (rows, names)
        }

        private func cached<T: Sendable>(
            _ path: WritableKeyPath<Cache, T?>, _ make: () -> T
        ) -> T {
            cached.withLock { cached in
                if let known = cached[keyPath: path] { return known }
                let new = make()
                cached[keyPath: path] = new
                return new
            }
        }

        /// The index of each server by its ID.
        var indices: [ExactString: Int] {
            cached(\.indices) {
                var indices = [ExactString: Int](minimumCapacity: rows.count)
                for (index, row) in rows.enumerated() { indices[ExactString(row.id)] = index }
                return indices
            }
        }

        /// The indices of the servers of each country.
        var byExit: [ExactString: [Int]] {
            cached(\.byExit) {
                Dictionary(grouping: rows.indices) {
                    ExactString(rows[$0].server.logical.exitCountryCode)
                }
            }
        }

        /// All indices in the order of names.
        var byName: [Int] {
            cached(\.byName) {
                ServerComparison(.nameAscending).sorted(Array(rows.indices), of: rows) { $0 }
            }
        }

        /// The keys of the documents.
        var keys: [String] { cached(\.keys) { rows.map { DocumentID.naming($0.id) } } }

        /// The group assignments of a grouping.
        func groups(_ grouping: VPNServerGrouping) -> GroupAssignments {
            cached.withLock { cached in
                if let known = cached.groups[grouping] { return known }
                let new = GroupAssignments(rows, grouping)
                cached.groups[grouping] = new
                return new
            }
        }

        /// The search index.
        var search: ServerSearch {
            cached(\.search) { ServerSearch(servers: rows.map(\.server.logical), names: names) }
        }
    }
}

/// A server of a list, with precomputed values for queries. It is an object, since a copy of a
/// server would retain and release a dozen strings.
final class ServerRow: Sendable {
    /// The server as shown to users: under maintenance if no endpoint is up.
    let server: VPNServer
    /// The status as received from the API.
    let status: StatusRecord
    /// The supported protocols of each endpoint.
    let masks: [ProtocolSupport]
    /// Whether it uses smart routing.
    let isVirtual: Bool

    convenience init(_ record: LogicalRecord, _ status: StatusRecord) {
        self.init(record.server(status))
    }

    convenience init(_ server: VPNServer) {
        self.init(
            server, StatusRecord(server.logical),
            server.endpoints.map(\.supportedProtocols))
    }

    private init(
        _ server: VPNServer, _ status: StatusRecord, _ masks: [ProtocolSupport]
    ) {
        var shown = server
        let isUp = server.endpoints.contains { $0.status != 0 }
        shown.logical.status = isUp ? status.status : 0
        shown.logical.load = status.load
        shown.logical.score = status.score
        self.server = shown
        (self.status, self.masks) = (status, masks)
        isVirtual = server.logical.isVirtual
    }

    var id: String { server.logical.id }

    var isUnderMaintenance: Bool { server.logical.status == 0 }

    /// The server as received from the API.
    var original: VPNServer {
        var original = server
        original.logical.status = status.status
        return original
    }

    /// A copy with another load.
    func with(_ status: StatusRecord) -> ServerRow {
        ServerRow(server, status, masks)
    }
}
