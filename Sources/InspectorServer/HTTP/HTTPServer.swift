internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// An HTTP/1.1 server on one address.
final class HTTPServer: Sendable {
    typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    typealias Responder =
        @Sendable (HTTPRequest, (HTTPResponse) async throws -> Void) async throws -> Void

    private let listener: NIOAsyncChannel<Connection, Never>
    private let limits: HTTPLimits
    let port: Int

    /// Listens.
    init(host: String, port: Int, _ limits: HTTPLimits) async throws {
        self.limits = limits
        listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        self.port = listener.channel.localAddress?.port ?? port
    }

    /// Answers requests until the task is cancelled.
    func run(_ respond: @escaping Responder) async throws {
        let limits = limits
        try await listener.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                let open = OpenConnections()
                for try await connection in connections {
                    guard open.enter(limits.connections) else {
                        // Closing the channel alone ends the program: NIO wants it used once.
                        group.addTask { try? await connection.executeThenClose { _, _ in } }
                        continue
                    }
                    group.addTask {
                        await HTTPConnection(connection, limits).serve(respond)
                        open.leave()
                    }
                }
            }
        }
    }
}
