/// A client's request to open a WebSocket.
package struct BLIPUpgrade: Sendable {
    /// The path and the query of the request.
    package let path: String
    /// The protocols that the client offers, the best first.
    package let subprotocols: [String]
    /// The headers.
    package let headers: [(name: String, value: String)]
    /// The address of the client, for logs.
    package let client: String

    /// The value of a header, whose name is compared without regard to case; nil if it is missing.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// What a ``BLIPServer`` answers to a request for a WebSocket.
package enum BLIPUpgradeAnswer: Sendable {
    /// The WebSocket is opened with one of the offered protocols; `serve` uses it, after which it
    /// is closed.
    case accept(subprotocol: String, serve: @Sendable (BLIPSocket) async -> Void)
    /// It is not: a status of HTTP, further headers, and the reason.
    case refuse(status: Int, headers: [(name: String, value: String)] = [], reason: String)
}
