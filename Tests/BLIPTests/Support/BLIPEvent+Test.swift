@testable import BLIP

extension BLIPEvent {
    var request: BLIPRequest? {
        if case .request(let request) = self { request } else { nil }
    }

    var response: (number: UInt64, message: BLIPMessage)? {
        if case .response(let number, let message) = self { (number, message) } else { nil }
    }

    var failure: (number: UInt64, error: BLIPErrorResponse)? {
        if case .failure(let number, let error) = self { (number, error) } else { nil }
    }

    var part: BLIPPart? {
        if case .part(let part) = self { part } else { nil }
    }
}

/// Two connections of which one sent a request to the other, which received it.
struct ConnectionPair {
    let client: BLIPConnection
    let server: BLIPConnection

    struct NoRequest: Error {}

    init(
        client: BLIPConnection = BLIPConnection(), server: BLIPConnection = BLIPConnection()
    ) {
        self.client = client
        self.server = server
    }

    /// Sends a request from the client to the server; returns what the server received.
    func request(
        _ message: BLIPMessage = BLIPMessage(["Profile": "get"]),
        _ options: BLIPSendOptions = []
    ) throws -> BLIPRequest {
        client.send(message, options)
        guard let request = try client.deliver(to: server).last?.request else { throw NoRequest() }
        return request
    }

    /// Sends what both have to send until there is nothing; returns what each received.
    @discardableResult
    func exchange() throws -> (client: [BLIPEvent], server: [BLIPEvent]) {
        var received: (client: [BLIPEvent], server: [BLIPEvent]) = ([], [])
        while true {
            let (up, down) = (try client.frames(), try server.frames())
            guard !up.isEmpty || !down.isEmpty else { return received }
            for frame in up { received.server += try server.receive(frame) }
            for frame in down { received.client += try client.receive(frame) }
        }
    }
}
