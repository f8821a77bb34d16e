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
