internal import BLIP
internal import BLIPWebSocket
internal import Replication

extension BLIPErrorResponse {
    var is422: Bool { domain == "HTTP" && code == 422 }
    /// The other side has another revision: LiteCore has a number of its own for that.
    var isConflict: Bool {
        domain == "HTTP" && code == 409 || domain == "LiteCore" && code == 8
    }
    var isNotFound: Bool { (domain == "HTTP" || domain == "BLIP") && code == 404 }
}

extension ReplicationError {
    /// The error of a whole message.
    init(_ error: BLIPErrorResponse, _ what: String) {
        let transient: Set<Int32> = [408, 429, 502, 503, 504]
        let code: Code =
            switch (error.domain, error.code) {
            case ("HTTP", 401), ("HTTP", 403): .unauthorized
            case ("HTTP", let code) where transient.contains(code): .unreachable
            case ("BLIP", 404), ("LiteCore", 501): .incompatible
            default: .remoteFailure
            }
        self.init(code, "\(what): \(error)", underlying: error)
    }

    /// The error of a connection.
    init(_ error: WebSocketError, _ url: String? = nil) {
        let code: Code =
            switch error {
            case .unreachable, .timeout: .unreachable
            case .untrusted: .unauthorized
            case .refused(let status, _): Self.code(ofStatus: status)
            case .incompatible: .incompatible
            case .closed: .unreachable
            }
        self.init(code, (url.map { "\($0): " } ?? "") + "\(error)", underlying: error)
    }

    private static func code(ofStatus status: Int) -> Code {
        switch status {
        case 401, 403, 407: .unauthorized
        case 408, 429, 502, 503, 504: .unreachable
        default: .incompatible
        }
    }
}

extension BLIPSocket {
    /// Sends a request, and waits for the response.
    ///
    /// - Throws: `BLIPErrorResponse`; `ReplicationError` if the connection is lost.
    func request(
        _ message: BLIPMessage, _ options: BLIPSendOptions = []
    ) async throws -> BLIPMessage {
        do {
            return try await send(message, options)
        } catch let error as WebSocketError {
            throw ReplicationError(error)
        }
    }
}
