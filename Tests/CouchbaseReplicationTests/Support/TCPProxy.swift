import NIOCore
import NIOPosix
import Synchronization

/// A socket before that of a server, which ends connections when a test wants it.
final class TCPProxy: Sendable {
    let port: Int
    private let listener: any Channel
    private let state: State

    private final class State: Sendable {
        let open = Mutex<[ObjectIdentifier: any Channel]>([:])
        /// The bytes after which all connections end; nil for none.
        let rest = Mutex<Int?>(nil)
        let isDown = Mutex(false)

        func add(_ channel: any Channel) {
            let id = ObjectIdentifier(channel)
            open.withLock { $0[id] = channel }
            channel.closeFuture.whenComplete { _ in self.open.withLock { $0[id] = nil } }
        }

        func disconnect() {
            let all = open.withLock { Array($0.values) }
            for channel in all { channel.close(promise: nil) }
        }

        /// Counts bytes; whether connections end now.
        func pass(_ count: Int) -> Bool {
            rest.withLock { rest in
                guard let left = rest else { return false }
                rest = left > count ? left - count : nil
                return rest == nil
            }
        }
    }

    init(to target: Int) async throws {
        let state = State()
        self.state = state
        listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { client in
                state.add(client)
                guard !state.isDown.withLock({ $0 }) else { return client.close() }
                return ClientBootstrap(group: client.eventLoop)
                    .connect(host: "127.0.0.1", port: target)
                    .flatMapThrowing { server in
                        try client.pipeline.syncOperations.addHandler(
                            Forwarder(to: server, state.pass, state.disconnect))
                        try server.pipeline.syncOperations.addHandler(
                            Forwarder(to: client, state.pass, state.disconnect))
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = listener.localAddress?.port ?? 0
    }

    /// Ends all connections, now or after so many further bytes.
    func disconnect(afterBytes count: Int = 0) {
        if count == 0 { state.disconnect() } else { state.rest.withLock { $0 = count } }
    }

    /// Whether connections are accepted.
    func setDown(_ isDown: Bool) {
        state.isDown.withLock { $0 = isDown }
        if isDown { state.disconnect() }
    }

    func stop() async {
        try? await listener.close()
        state.disconnect()
    }

    /// Passes on what one side sends.
    private final class Forwarder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let other: any Channel
        private let pass: (Int) -> Bool
        private let disconnect: () -> Void

        init(
            to other: any Channel, _ pass: @escaping (Int) -> Bool,
            _ disconnect: @escaping () -> Void
        ) {
            self.other = other
            self.pass = pass
            self.disconnect = disconnect
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            if pass(bytes.readableBytes) { return disconnect() }
            other.writeAndFlush(bytes, promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            other.close(promise: nil)
        }
    }
}
