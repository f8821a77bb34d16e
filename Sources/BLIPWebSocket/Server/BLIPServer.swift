internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NIOWebSocket

/// A server for connections of the protocol BLIP over WebSockets.
///
/// ```swift
/// let server = try await BLIPServer(host: "127.0.0.1", port: 4984)
/// await server.run { upgrade in
///     guard upgrade.path == "/db/_blipsync" else {
///         return .refuse(status: 404, reason: "no such database")
///     }
///     return .accept(subprotocol: "BLIP_3+CBMobile_4") { socket in
///         for await request in socket.requests { socket.respond(to: request) }
///     }
/// }
/// ```
///
/// It listens from its creation until its run ends.
package final class BLIPServer: Sendable {
    /// How a server behaves.
    package struct Settings: Sendable {
        /// The certificate and the key of the server; nil to do without TLS.
        package var tls: WebSocketTLS?
        /// How many connections are open at once. Further ones are ended.
        package var maximumConnections = 1000
        /// How many seconds a client may take to open a WebSocket.
        package var upgradeSeconds = 60.0
        /// How the sockets behave.
        package var socket = BLIPSocketSettings()

        /// Creates the default settings.
        package init() {}
    }

    /// The port, which the system has chosen if it was 0.
    package let port: Int

    private let listener: any Channel
    private let accepted: AsyncStream<AcceptedSocket>
    private let answering: NIOLockedAnswer

    /// Listens.
    ///
    /// - Throws: ``WebSocketError``.
    package init(host: String, port: Int, _ settings: Settings = Settings()) async throws {
        let tls = try settings.tls?.serverContext()
        let (accepted, entrance) = AsyncStream.makeStream(of: AcceptedSocket.self)
        let answering = NIOLockedAnswer()
        let connections = ConnectionCount(settings.maximumConnections)
        do {
            listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    connections.add(channel)
                    return channel.eventLoop.makeCompletedFuture {
                        try ServerUpgrading(settings, answering, entrance)
                            .addHandlers(channel, tls)
                    }
                }
                .bind(host: host, port: port).get()
        } catch {
            throw WebSocketError.unreachable("\(host):\(port): \(error)")
        }
        listener.closeFuture.whenComplete { _ in entrance.finish() }
        self.port = listener.localAddress?.port ?? port
        self.accepted = accepted
        self.answering = answering
    }

    deinit { listener.close(promise: nil) }

    /// Serves clients until the task is cancelled, which closes their connections. It cannot be
    /// run again.
    ///
    /// - Parameter answer: called with each request for a WebSocket.
    package func run(_ answer: @escaping @Sendable (BLIPUpgrade) async -> BLIPUpgradeAnswer) async {
        answering.set(answer)
        let listener = listener
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for await accepted in accepted {
                    group.addTask {
                        await accepted.serve(accepted.socket)
                        await accepted.socket.close()
                    }
                }
                group.cancelAll()
            }
        } onCancel: {
            listener.close(promise: nil)
        }
        try? await listener.closeFuture.get()
    }
}

/// A socket that was opened, and what uses it.
struct AcceptedSocket: Sendable {
    let socket: BLIPSocket
    let serve: @Sendable (BLIPSocket) async -> Void
}
