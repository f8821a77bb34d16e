internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import NIOWebSocket

/// Opens a WebSocket on a channel that was accepted, or refuses it.
struct ServerUpgrading: Sendable {
    private let settings: BLIPServer.Settings
    private let answer: NIOLockedAnswer
    private let entrance: AsyncStream<AcceptedSocket>.Continuation
    private let decision = NIOLockedValueBox<BLIPUpgradeAnswer?>(nil)

    init(
        _ settings: BLIPServer.Settings, _ answer: NIOLockedAnswer,
        _ entrance: AsyncStream<AcceptedSocket>.Continuation
    ) {
        self.settings = settings
        self.answer = answer
        self.entrance = entrance
    }

    /// On the channel's event loop.
    func addHandlers(_ channel: any Channel, _ tls: NIOSSLContext?) throws {
        let pipeline = channel.pipeline.syncOperations
        if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
        let timeout = channel.eventLoop.scheduleTask(in: .seconds(settings.upgradeSeconds)) {
            channel.close(promise: nil)
        }
        let refusal = WebSocketRefusal(decision)
        let refusing = NIOLoopBound(refusal, eventLoop: channel.eventLoop)
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: settings.socket.maximumFrame, automaticErrorHandling: false,
            shouldUpgrade: headers(_:_:), upgradePipelineHandler: upgrade(_:_:))
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withServerUpgrade: (
                [upgrader],
                { context in
                    timeout.cancel()
                    context.pipeline.syncOperations.removeHandler(refusing.value, promise: nil)
                }
            ))
        try pipeline.addHandler(refusal)
    }

    /// The headers of the response; nil if the WebSocket is refused.
    private func headers(
        _ channel: any Channel, _ head: HTTPRequestHead
    ) -> EventLoopFuture<HTTPHeaders?> {
        let (answer, decision) = (answer, decision)
        let upgrade = BLIPUpgrade(head, channel)
        let promise = channel.eventLoop.makePromise(of: HTTPHeaders?.self)
        promise.completeWithTask {
            let answer = await answer(upgrade)
            decision.withLockedValue { $0 = answer }
            guard case .accept(let subprotocol, _) = answer else { return nil }
            return HTTPHeaders([("Sec-WebSocket-Protocol", subprotocol)])
        }
        return promise.futureResult
    }

    private func upgrade(
        _ channel: any Channel, _ head: HTTPRequestHead
    ) -> EventLoopFuture<Void> {
        let (settings, entrance, decision) = (settings.socket, entrance, decision)
        return channel.eventLoop.makeCompletedFuture {
            guard case .accept(let subprotocol, let serve)? = decision.withLockedValue({ $0 })
            else { return }
            // The upgrader has added those that encode and decode frames.
            let handler = try channel.addBLIPHandlers(settings, isClient: false)
            let socket = BLIPSocket(channel, handler, subprotocol: subprotocol)
            let result = entrance.yield(AcceptedSocket(socket: socket, serve: serve))
            if case .enqueued = result { return }
            channel.close(promise: nil)
        }
    }
}

extension BLIPUpgrade {
    init(_ head: HTTPRequestHead, _ channel: any Channel) {
        path = head.uri
        subprotocols = head.headers[canonicalForm: "Sec-WebSocket-Protocol"].map { String($0) }
        headers = head.headers.map { ($0.name, $0.value) }
        client = channel.remoteAddress?.description ?? ""
    }
}

/// Answers requests that do not open a WebSocket.
final class WebSocketRefusal: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let decision: NIOLockedValueBox<BLIPUpgradeAnswer?>

    init(_ decision: NIOLockedValueBox<BLIPUpgradeAnswer?>) {
        self.decision = decision
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        guard case .refuse(let status, let headers, let reason)? = decision.withLockedValue({ $0 })
        else {
            return respond(
                426, [("Upgrade", "websocket")], "only WebSockets are opened here", context)
        }
        respond(status, headers, reason, context)
    }

    private func respond(
        _ status: Int, _ headers: [(name: String, value: String)], _ reason: String,
        _ context: ChannelHandlerContext
    ) {
        let body = ByteBuffer(string: reason + "\n")
        var all = HTTPHeaders([
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Length", "\(body.readableBytes)"), ("Connection", "close"),
        ])
        for (name, value) in headers { all.add(name: name, value: value) }
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: all)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            channel.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The request that was refused follows.
        guard !(error is NIOWebSocketUpgradeError) else { return }
        context.close(promise: nil)
    }
}
