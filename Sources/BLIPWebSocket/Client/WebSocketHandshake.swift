internal import Crypto
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL

/// The response to a request for a WebSocket.
struct WebSocketResponse: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: ByteBuffer

    /// What the body says of an error: the member `reason` of JSON, or text.
    var reason: String {
        let type = headers.first(name: "Content-Type")?.lowercased() ?? ""
        if type.hasPrefix("text/plain") {
            return String(buffer: body).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        guard type.hasPrefix("application/json"),
            let object = try? JSONSerialization.jsonObject(with: Data(body.readableBytesView)),
            let members = object as? [String: Any]
        else { return "" }
        return members["reason"] as? String ?? ""
    }
}

/// Sends a request for a WebSocket, and receives the response (RFC 6455, section 4.1).
final class WebSocketHandshake: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private static let maximumBody = 64 << 10
    private static let ended = WebSocketError.unreachable(
        "the server ended the connection without an answer")
    private static let userAgent = "document-store"

    private let request: WebSocketRequest
    private let key: String
    private let promise: EventLoopPromise<WebSocketResponse>
    private var response: WebSocketResponse?
    private var isDone = false
    /// What came of the WebSocket together with the response.
    private var rest: [NIOAny] = []

    init(_ request: WebSocketRequest, _ promise: EventLoopPromise<WebSocketResponse>) {
        self.request = request
        self.promise = promise
        key = Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
    }

    /// What the server has to answer to a key.
    static func acceptance(of key: String) -> String {
        let bytes = Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        return Data(Insecure.SHA1.hash(data: bytes)).base64EncodedString()
    }

    /// Sends the request.
    private func start(_ context: ChannelHandlerContext) {
        var headers = HTTPHeaders([("Host", request.url.authority)])
        if !request.headers.contains(where: { $0.name.lowercased() == "user-agent" }) {
            headers.add(name: "User-Agent", value: Self.userAgent)
        }
        for (name, value) in request.headers { headers.add(name: name, value: value) }
        headers.add(name: "Connection", value: "Upgrade")
        headers.add(name: "Upgrade", value: "websocket")
        headers.add(name: "Sec-WebSocket-Version", value: "13")
        headers.add(name: "Sec-WebSocket-Key", value: key)
        if !request.subprotocols.isEmpty {
            headers.add(
                name: "Sec-WebSocket-Protocol", value: request.subprotocols.joined(separator: ","))
        }
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: request.url.path, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// The channel was connected, but may have been closed since.
    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(context) } else { finish(.failure(Self.ended)) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { finish(.failure(Self.ended)) }

    /// Passes on what came together with the response. The handlers of HTTP are gone then: that of
    /// the response traps if an answer to it passes while it is being removed.
    func removeHandler(
        context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken
    ) {
        let all = rest
        rest = []
        for data in all { context.fireChannelRead(data) }
        if !all.isEmpty { context.fireChannelReadComplete() }
        context.leavePipeline(removalToken: removalToken)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else { return rest.append(data) }
        switch unwrapInboundIn(data) {
        case .head(let head):
            response = WebSocketResponse(
                status: Int(head.status.code), headers: head.headers, body: ByteBuffer())
        case .body(var part):
            let count = Self.maximumBody - (response?.body.readableBytes ?? 0)
            if var some = part.readSlice(length: min(count, part.readableBytes)) {
                response?.body.writeBuffer(&some)
            }
        case .end:
            if let response { finish(.success(response)) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(.failure(Self.failure(of: error)))
        context.close(promise: nil)
    }

    private static func failure(of error: any Error) -> WebSocketError {
        switch error {
        case is NIOSSLError, is NIOSSLExtraError:
            .untrusted("the server cannot be trusted: \(error)")
        case is HTTPParserError: .incompatible("the answer is not one of HTTP: \(error)")
        default: .unreachable("the connection was lost: \(error)")
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.failure(Self.ended))
        context.fireChannelInactive()
    }

    private func finish(_ result: Result<WebSocketResponse, WebSocketError>) {
        guard !isDone else { return }
        isDone = true
        switch result {
        case .success(let response): promise.succeed(response)
        case .failure(let error): promise.fail(error)
        }
    }

    /// Checks the headers of a response with the status 101; returns the protocol.
    func subprotocol(of response: WebSocketResponse) throws(WebSocketError) -> String {
        let headers = response.headers
        guard headers.first(name: "Connection")?.lowercased() == "upgrade",
            headers.first(name: "Upgrade")?.lowercased() == "websocket"
        else { throw .incompatible("the server did not open a WebSocket") }
        guard headers.first(name: "Sec-WebSocket-Accept") == Self.acceptance(of: key) else {
            throw .incompatible("the server's Sec-WebSocket-Accept is wrong")
        }
        guard let chosen = headers.first(name: "Sec-WebSocket-Protocol") else {
            throw .incompatible(
                "the server is not one for replication: Sec-WebSocket-Protocol is missing")
        }
        guard request.subprotocols.contains(chosen) else {
            throw .refused(status: 403, "the server answered with the protocol \(chosen)")
        }
        return chosen
    }
}
