internal import NIOCore
internal import NIOWebSocket

/// The end of a WebSocket: each side says that it closes it, and why (RFC 6455, section 5.5.1). The
/// side that said so first ends the connection.
final class SocketClosing {
    private let settings: BLIPSocketSettings
    private let isClient: Bool
    private let promise: EventLoopPromise<WebSocketError>
    private var reason: WebSocketError?
    private var timer: Scheduled<Void>?
    private var isEnded = false

    init(_ settings: BLIPSocketSettings, on eventLoop: any EventLoop, isClient: Bool) {
        self.settings = settings
        self.isClient = isClient
        promise = eventLoop.makePromise()
    }

    /// Completes when the connection has ended.
    var future: EventLoopFuture<WebSocketError> { promise.futureResult }
    /// Whether one of the sides has closed it.
    var isStarted: Bool { reason != nil }
    var error: WebSocketError {
        reason ?? .closed(code: 1006, "the other side ended the connection without closing it")
    }

    /// Tells the other side, and waits for its answer for a while.
    func start(_ code: UInt16, _ text: String, _ context: ChannelHandlerContext) {
        guard reason == nil else { return }
        reason = .closed(code: code, text)
        var payload = ByteBuffer(integer: code)
        payload.writeBytes(text.utf8Prefix(Self.maximumReason))
        write(.connectionClose, payload, context)
        context.flush()
        endLater(context)
    }

    /// The bytes of a control frame, without those of the code.
    private static let maximumReason = 123

    /// Answers the other side, or ends the connection if it has answered.
    func didReceive(_ payload: ByteBuffer, _ context: ChannelHandlerContext) {
        guard reason == nil else { return context.close(promise: nil) }
        var rest = payload
        let code = rest.readInteger(as: UInt16.self) ?? 1005
        reason = .closed(code: code, String(buffer: rest))
        write(.connectionClose, payload, context)
        context.flush()
        endLater(context)
    }

    /// Ends the connection without asking.
    func fail(_ error: WebSocketError, _ context: ChannelHandlerContext) {
        if reason == nil { reason = error }
        context.close(promise: nil)
    }

    private func endLater(_ context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(
            in: .milliseconds(Int64(settings.closeSeconds * 1000))
        ) {
            channel.close(promise: nil)
        }
    }

    /// The connection has ended; returns why.
    func end() -> WebSocketError {
        timer?.cancel()
        let error = error
        reason = error
        guard !isEnded else { return error }
        isEnded = true
        promise.succeed(error)
        return error
    }

    /// Writes a frame.
    func write(_ opcode: WebSocketOpcode, _ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        context.write(opcode, bytes, isClient: isClient)
    }
}

extension ChannelHandlerContext {
    /// Writes a frame of a WebSocket. Those of clients are masked.
    func write(_ opcode: WebSocketOpcode, _ bytes: ByteBuffer, isClient: Bool) {
        let frame = WebSocketFrame(
            fin: true, opcode: opcode, maskKey: isClient ? .random() : nil, data: bytes)
        write(NIOAny(frame), promise: nil)
    }
}

extension String {
    /// Its first characters that have so many bytes at most.
    fileprivate func utf8Prefix(_ count: Int) -> Substring.UTF8View {
        var end = utf8.index(startIndex, offsetBy: count, limitedBy: endIndex) ?? endIndex
        while end > startIndex, end.samePosition(in: self) == nil { end = utf8.index(before: end) }
        return self[..<end].utf8
    }
}
