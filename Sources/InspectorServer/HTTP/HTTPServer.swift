internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// An HTTP/1.1 server on one address.
final class HTTPServer: Sendable {
    typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    typealias Responder =
        @Sendable (HTTPRequest, (HTTPResponse) async throws -> Void) async throws -> Void

    /// How many connections there are at the same time; further ones are closed.
    private static let maximumConnections = 256

    private let listener: NIOAsyncChannel<Connection, Never>
    let port: Int

    /// Listens.
    init(host: String, port: Int) async throws {
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
        try await listener.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                let open = OpenConnections()
                for try await connection in connections {
                    guard open.enter(Self.maximumConnections) else {
                        connection.channel.close(promise: nil)
                        continue
                    }
                    group.addTask {
                        await HTTPConnection(connection).serve(respond)
                        open.leave()
                    }
                }
            }
        }
    }
}
