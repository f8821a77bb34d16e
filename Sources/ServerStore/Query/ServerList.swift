internal import DocumentStore
internal import Synchronization

/// An immutable list of servers in memory that can be queried.
///
/// Servers without endpoints are in the list, but no query returns them.
public struct ServerList: Sendable {
    let storage: Storage

    var rows: [ServerRow] { storage.rows }

    /// The names of countries, for searches and for groups in the order of names.
    public var names: CountryNames { storage.names }

    /// Creates a list of servers; of those with the same id, the last one is used.
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

    /// - Parameter rows: sorted by id, each id once.
    init(rows: [ServerRow], names: CountryNames) {
        storage = Storage(rows: rows, names: names)
    }

    /// All servers, by id, as shown to users: under maintenance if no endpoint is up.
    public var servers: [VPNServer] { rows.map(\.server) }

    /// All servers, by id, as received from the API.
    public var originals: [VPNServer] { rows.map(\.original) }

    /// The number of servers.
    public var serverCount: Int { rows.count }

    /// The number of exit countries.
    public var countryCount: Int { storage.byExit.count }

    /// Whether the list is empty.
    public var isEmpty: Bool { rows.isEmpty }

    /// The server with an id; nil if there is none.
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

        /// The index of each server by its id.
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
