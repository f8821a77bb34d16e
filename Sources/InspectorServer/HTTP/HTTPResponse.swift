internal import FleeceLite
internal import KVToolCore
internal import NIOHTTP1

/// A response: its head, and where its body comes from.
struct HTTPResponse: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// The output of a command, as it is written.
        case output(CommandOutput)
        /// Its lines as server-sent events, and then its errors.
        case events(CommandOutput, CommandErrors)
    }

    var status: HTTPResponseStatus
    var headers: HTTPHeaders
    var body: Body

    init(
        _ status: HTTPResponseStatus = .ok, type: String = "application/json",
        _ body: Body = .bytes([])
    ) {
        self.status = status
        self.body = body
        headers = ["Content-Type": type]
    }

    /// An error as commands report it.
    static func error(
        _ status: HTTPResponseStatus, _ message: String, exit: ExitStatus = .failure
    ) -> HTTPResponse {
        HTTPResponse(status, .bytes(StandardError.object(message, exit).utf8))
    }

    /// The status for the way in which a command ended.
    static func status(of exit: ExitStatus) -> HTTPResponseStatus {
        switch exit {
        case .success, .partial, .different: .ok
        case .usage: .unprocessableEntity
        case .notFound: .notFound
        case .conflict: .conflict
        case .cannotOpen: .serviceUnavailable
        case .interrupted: .requestTimeout
        case .failure: .badRequest
        case .damaged: .internalServerError
        }
    }
}
