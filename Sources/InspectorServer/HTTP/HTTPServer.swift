internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Answers the requests of a server.
protocol HTTPResponder: Sendable {
    /// The response to a request whose body is not wanted; nil if it is to be read.
    func refusal(ofBodyOf request: HTTPRequest) -> HTTPResponse?
    /// The size in bytes that its body may have.
    func largestBody(of request: HTTPRequest) -> Int
    /// Answers it; `send` must be called once.
    func respond(
        to request: HTTPRequest, _ send: (HTTPResponse) async throws -> Void) async throws
}

/// An HTTP/1.1 server on one address, which listens until its run ends, or until it is dropped.
final class HTTPServer: Sendable {
    private let listener: any Channel
    private let clients: OpenConnections
    private let accepted: AsyncStream<any Channel>
    private let limits: HTTPLimits
    let port: Int

    /// Listens.
    init(host: String, port: Int, _ limits: HTTPLimits) async throws {
        let clients = OpenConnections(limits.connections)
        let (accepted, entrance) = AsyncStream.makeStream(of: (any Channel).self)
        listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Nothing is read before there is someone to take it.
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                if clients.add(channel) {
                    entrance.yield(channel)
                } else {
                    channel.eventLoop.execute { channel.close(promise: nil) }
                }
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: host, port: port).get()
        listener.closeFuture.whenComplete { _ in entrance.finish() }
        self.port = listener.localAddress?.port ?? port
        (self.clients, self.accepted, self.limits) = (clients, accepted, limits)
    }

    deinit { close() }

    /// Answers requests until the task is cancelled. It cannot be run again.
    func run(_ responder: any HTTPResponder) async {
        let limits = limits
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for await channel in accepted {
                    group.addTask { await HTTPConnection(channel, limits, responder).serve() }
                }
                close()
            }
        } onCancel: {
            close()
        }
        try? await listener.closeFuture.get()
    }

    private func close() {
        listener.close(promise: nil)
        clients.close()
    }
}
