/// Why a WebSocket was not opened, or was closed.
package enum WebSocketError: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no connection, or it was lost: it was refused, the host is not known, TLS failed.
    case unreachable(String)
    /// The certificate of the other side is not valid, or not trusted.
    case untrusted(String)
    /// The other side did not answer in time.
    case timeout(String)
    /// The server answered the request for a WebSocket with this status of HTTP.
    case refused(status: Int, String)
    /// The other side's answer to the request is not one of WebSockets.
    case incompatible(String)
    /// The WebSocket was closed with this status (RFC 6455, section 7.4).
    case closed(code: UInt16, String)

    /// What happened.
    package var description: String {
        switch self {
        case .unreachable(let reason), .untrusted(let reason): reason
        case .timeout(let what): "no answer in time: \(what)"
        case .refused(let status, let reason):
            "the server answered with the status \(status)\(reason.isEmpty ? "" : ": \(reason)")"
        case .incompatible(let reason): reason
        case .closed(let code, let reason):
            "the connection was closed with the status \(code)"
                + (reason.isEmpty ? "" : ": \(reason)")
        }
    }
}
