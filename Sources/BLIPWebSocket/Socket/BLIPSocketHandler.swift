internal import BLIP
internal import NIOCore
internal import NIOWebSocket

/// Passes the messages of a WebSocket to a BLIP connection, and its frames to the WebSocket.
///
/// All of it runs on the channel's event loop.
final class BLIPSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    let requests: AsyncStream<BLIPRequest>
    private let received: AsyncStream<BLIPRequest>.Continuation
    private let connection: BLIPConnection
    private var waiting: [UInt64: SocketWaiting] = [:]
    private let closing: SocketClosing
    private let heartbeat: SocketHeartbeat
    private var context: ChannelHandlerContext?

    init(_ settings: BLIPSocketSettings, on eventLoop: any EventLoop, isClient: Bool) {
        (requests, received) = AsyncStream.makeStream()
        connection = BLIPConnection(
            limits: settings.limits, compressionLevel: settings.compressionLevel)
        closing = SocketClosing(settings, on: eventLoop, isClient: isClient)
        heartbeat = SocketHeartbeat(settings, isClient: isClient)
    }

    var closed: EventLoopFuture<WebSocketError> { closing.future }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // Its end would not be noticed any more.
        guard context.channel.isActive else { return end(context) }
        heartbeat.start(context) { [unowned self] error in
            closing.fail(error, context)
        } isWaiting: { [unowned self] in
            !waiting.isEmpty
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end(context)
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        closing.fail(.unreachable("the connection was lost: \(error)"), context)
    }

    private func end(_ context: ChannelHandlerContext) {
        heartbeat.stop()
        let error = closing.end()
        received.finish()
        let all = waiting
        waiting = [:]
        for waiting in all.values { waiting.fail(error) }
    }
}

// Receiving.
extension BLIPSocketHandler {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        heartbeat.didReceive()
        switch frame.opcode {
        case .binary: receive(frame.unmaskedData, context)
        case .ping: heartbeat.answer(frame.unmaskedData, context)
        case .pong: break
        case .connectionClose: closing.didReceive(frame.unmaskedData, context)
        default:
            closing.start(1003, "only binary messages are understood", context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        pump()
        context.fireChannelReadComplete()
    }

    private func receive(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        guard !closing.isStarted else { return }
        do {
            let events = try bytes.withUnsafeReadableBytes { try connection.receive($0) }
            heartbeat.didReceiveMessage()
            for event in events { handle(event) }
        } catch let error as BLIPError {
            closing.start(error.closeCode, "\(error)", context)
        } catch {
            closing.start(1011, "\(error)", context)
        }
    }

    private func handle(_ event: BLIPEvent) {
        switch event {
        case .request(let request): received.yield(request)
        case .response(let number, let message):
            switch waiting.removeValue(forKey: number) {
            case .message(let promise): promise.succeed(message)
            case .parts(let continuation): continuation.finish()
            case nil: break
            }
        case .failure(let number, let error): waiting.removeValue(forKey: number)?.fail(error)
        case .part(let part):
            // Parts of a response that was given up let the rest come, which is ignored, too.
            guard case .parts(let continuation)? = waiting[part.number],
                case .enqueued = continuation.yield(part)
            else { return connection.didUse(part) }
        }
    }
}

// Sending.
extension BLIPSocketHandler {
    func send(_ request: BLIPMessage, _ options: BLIPSendOptions, _ waiting: SocketWaiting?) {
        guard !closing.isStarted, context != nil else {
            waiting?.fail(closing.error)
            return
        }
        if self.waiting.isEmpty { heartbeat.didReceiveMessage() }
        let number = connection.send(request, options)
        self.waiting[number] = waiting
        pump()
    }

    /// Fails a request whose response is not wanted any more.
    func cancel(_ promise: EventLoopPromise<BLIPMessage>) {
        let number = waiting.first { _, waiting in
            if case .message(let other) = waiting {
                other.futureResult === promise.futureResult
            } else {
                false
            }
        }?.key
        if let number { waiting.removeValue(forKey: number)?.fail(CancellationError()) }
    }

    func respond(
        to request: BLIPRequest, _ response: BLIPMessage, _ options: BLIPSendOptions,
        _ source: (@Sendable () throws -> [UInt8]?)?
    ) {
        connection.respond(to: request, response, options, source: source)
        pump()
    }

    func respond(to request: BLIPRequest, _ error: BLIPErrorResponse) {
        connection.respond(to: request, error)
        pump()
    }

    func didUse(_ part: BLIPPart) {
        connection.didUse(part)
        pump()
    }

    func close(_ code: UInt16, _ reason: String) {
        if let context { closing.start(code, reason, context) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        pump()
        context.fireChannelWritabilityChanged()
    }

    /// Writes frames while the socket takes them, so that few are in memory, and urgent ones do not
    /// wait behind them.
    private func pump() {
        guard let context, !closing.isStarted else { return }
        do {
            var hasWritten = false
            while context.channel.isWritable, let frame = try connection.nextFrame() {
                closing.write(.binary, ByteBuffer(bytes: frame), context)
                hasWritten = true
            }
            if hasWritten { context.flush() }
        } catch {
            closing.start(1011, "\(error)", context)
        }
    }
}
