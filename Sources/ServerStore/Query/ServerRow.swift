/// A server of a list, with what is asked of it again and again.
struct ServerRow: Sendable {
    /// The server as users see it: under maintenance if no endpoint is up.
    var server: VPNServer
    /// What the API has said of it.
    var status: ServerStore.LogicalStatus
    /// The protocols of each endpoint.
    let masks: [ProtocolSupport]

    init(_ record: ServerStore.Logical, _ status: ServerStore.LogicalStatus) {
        self.init(record.server(status))
    }

    init(_ server: VPNServer) {
        self.server = server
        status = ServerStore.LogicalStatus(server.logical)
        masks = server.endpoints.map(\.supportedProtocols)
        applyStatus()
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
    func with(_ status: ServerStore.LogicalStatus) -> Self {
        var row = self
        row.status = status
        row.applyStatus()
        return row
    }

    private mutating func applyStatus() {
        let isUp = server.endpoints.contains { $0.status != 0 }
        server.logical.status = isUp ? status.status : 0
        server.logical.load = status.load
        server.logical.score = status.score
    }

    /// Whether nothing but what changes from minute to minute is different.
    func hasSameProperties(as other: VPNServer) -> Bool {
        guard server.endpoints == other.endpoints else { return false }
        var logical = other.logical
        logical.status = server.logical.status
        logical.load = server.logical.load
        logical.score = server.logical.score
        return logical == server.logical
    }
}
