internal import NIOCore
internal import NIOWebSocket

/// Finds out whether the other side is still there.
final class SocketHeartbeat {
    private let settings: BLIPSocketSettings
    private let isClient: Bool
    private var lastByte = NIODeadline.now()
    private var lastMessage = NIODeadline.now()
    private var pinged: NIODeadline?
    private var task: RepeatedTask?

    init(_ settings: BLIPSocketSettings, isClient: Bool) {
        self.settings = settings
        self.isClient = isClient
    }

    func didReceive() {
        lastByte = .now()
        pinged = nil
    }

    func didReceiveMessage() { lastMessage = .now() }

    /// Looks regularly.
    ///
    /// - Parameters:
    ///   - fail: called when the other side is gone.
    ///   - isWaiting: whether a response is expected.
    func start(
        _ context: ChannelHandlerContext, fail: @escaping (WebSocketError) -> Void,
        isWaiting: @escaping () -> Bool
    ) {
        let shortest =
            [settings.heartbeatSeconds, settings.responseSeconds, settings.pongSeconds]
            .min() ?? 1
        let interval = TimeAmount.seconds(shortest / 4)
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        let body = NIOLoopBound((fail, isWaiting), eventLoop: context.value.eventLoop)
        let heartbeat = NIOLoopBound(self, eventLoop: context.value.eventLoop)
        task = context.value.eventLoop.scheduleRepeatedTask(
            initialDelay: interval, delay: interval
        ) { _ in
            let (fail, isWaiting) = body.value
            if let error = heartbeat.value.look(context.value, isWaiting: isWaiting()) {
                fail(error)
            }
        }
    }

    func stop() {
        task?.cancel()
        task = nil
    }

    private func look(_ context: ChannelHandlerContext, isWaiting: Bool) -> WebSocketError? {
        let now = NIODeadline.now()
        if let pinged {
            return now - pinged < .seconds(settings.pongSeconds)
                ? nil : .timeout("the other side does not answer a ping")
        }
        if isWaiting, now - lastMessage >= .seconds(settings.responseSeconds) {
            return .timeout("the other side does not answer a request")
        }
        guard now - lastByte >= .seconds(settings.heartbeatSeconds) else { return nil }
        pinged = now
        write(.ping, ByteBuffer(), context)
        return nil
    }

    /// Answers a ping.
    func answer(_ payload: ByteBuffer, _ context: ChannelHandlerContext) {
        write(.pong, payload, context)
    }

    private func write(
        _ opcode: WebSocketOpcode, _ bytes: ByteBuffer, _ context: ChannelHandlerContext
    ) {
        context.write(opcode, bytes, isClient: isClient)
        context.flush()
    }
}

extension TimeAmount {
    static func seconds(_ seconds: Double) -> TimeAmount { .milliseconds(Int64(seconds * 1000)) }
}
