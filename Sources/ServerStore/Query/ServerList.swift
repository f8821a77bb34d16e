internal import DocumentStore
internal import Synchronization

/// A list of servers in memory, which answers questions about them: a value, which does not change.
///
/// Servers without endpoints are in it, and are found by nothing.
public struct ServerList: Sendable {
    let storage: Storage

    var rows: [ServerRow] { storage.rows }

    /// The names of countries, for search and for groups in the order of names.
    public var names: CountryNames { storage.names }

    /// A list of servers; of those with one id the last one counts.
    public init(_ servers: [VPNServer], names: CountryNames = .current) {
        var places: [ExactString: Int] = [:]
        var rows: [ServerRow] = []
        for server in servers {
            if let place = places[ExactString(server.id)] {
                rows[place] = ServerRow(server)
            } else {
                places[ExactString(server.id)] = rows.count
                rows.append(ServerRow(server))
            }
        }
        rows.sort { ServerOrdering.isLess($0.id, $1.id) }
        self.init(rows: rows, names: names)
    }

    /// - Parameter rows: by id, each id once.
    init(rows: [ServerRow], names: CountryNames) {
        storage = Storage(rows: rows, names: names)
    }

    /// All servers, by id, as users see them: under maintenance if no endpoint is up.
    public var servers: [VPNServer] { rows.map(\.server) }

    /// All servers, by id, as the API has said them.
    public var originals: [VPNServer] { rows.map(\.original) }

    /// How many servers there are.
    public var serverCount: Int { rows.count }

    /// In how many countries traffic leaves.
    public var countryCount: Int { storage.byExit.count }

    /// Whether there are none.
    public var isEmpty: Bool { rows.isEmpty }

    /// The server of an id; nil if there is none.
    public func server(_ id: String) -> VPNServer? { row(id)?.server }

    func row(_ id: String) -> ServerRow? {
        storage.places[ExactString(id)].map { rows[$0] }
    }

    /// The rows with other loads, nil if these are not those of the same servers.
    func rows(with loads: [String: StatusRecord]) -> [ServerRow]? {
        guard loads.count == rows.count else { return nil }
        var updated = rows
        for index in updated.indices {
            guard let status = loads[storage.keys[index]] else { return nil }
            if updated[index].status != status { updated[index] = updated[index].with(status) }
        }
        return updated
    }

    /// The rows, and what is made of them when it is asked for.
    final class Storage: Sendable {
        let rows: [ServerRow]
        let names: CountryNames
        private let made = Mutex(Made())

        private struct Made {
            var places: [ExactString: Int]?
            var byExit: [ExactString: [Int]]?
            var byName: [Int]?
            var keys: [String]?
            var search: ServerSearch?
            var groups: [VPNServerGrouping: GroupAssignments] = [:]
        }

        init(rows: [ServerRow], names: CountryNames) {
            (self.rows, self.names) = (rows, names)
        }

        private func made<T: Sendable>(
            _ path: WritableKeyPath<Made, T?>, _ make: () -> T
        ) -> T {
            made.withLock { made in
                if let known = made[keyPath: path] { return known }
                let new = make()
                made[keyPath: path] = new
                return new
            }
        }

        /// Where the server of each id stands.
        var places: [ExactString: Int] {
            made(\.places) {
                var places = [ExactString: Int](minimumCapacity: rows.count)
                for (place, row) in rows.enumerated() { places[ExactString(row.id)] = place }
                return places
            }
        }

        /// Where the servers of each country stand.
        var byExit: [ExactString: [Int]] {
            made(\.byExit) {
                Dictionary(grouping: rows.indices) {
                    ExactString(rows[$0].server.logical.exitCountryCode)
                }
            }
        }

        /// All places in the order of names.
        var byName: [Int] {
            made(\.byName) {
                ServerComparison(.nameAscending).sorted(Array(rows.indices), of: rows) { $0 }
            }
        }

        /// The keys of the documents.
        var keys: [String] { made(\.keys) { rows.map { DocumentID.naming($0.id) } } }

        /// To which group each server belongs.
        func groups(_ grouping: VPNServerGrouping) -> GroupAssignments {
            made.withLock { made in
                if let known = made.groups[grouping] { return known }
                let new = GroupAssignments(rows, grouping)
                made.groups[grouping] = new
                return new
            }
        }

        /// What searches are answered with.
        var search: ServerSearch {
            made(\.search) { ServerSearch(servers: rows.map(\.server.logical), names: names) }
        }
    }
}

/// A server of a list, with what is asked of it again and again. An object, since a server has a
/// dozen texts that each copy of it would count.
final class ServerRow: Sendable {
    /// The server as users see it: under maintenance if no endpoint is up.
    let server: VPNServer
    /// What the API has said of it.
    let status: StatusRecord
    /// The protocols of each endpoint.
    let masks: [ProtocolSupport]
    /// Whether it says that it is somewhere else than it is.
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

    /// The server as the API has said it.
    var original: VPNServer {
        var original = server
        original.logical.status = status.status
        return original
    }

    /// The same with other loads.
    func with(_ status: StatusRecord) -> ServerRow {
        ServerRow(server, status, masks)
    }
}
