import CouchbaseReplication
import DataFileCore
import NIOCore
import NIOPosix
import Replication
import ReplicationTestSupport
import StoreTestSupport
import Testing

@testable import BLIPWebSocket

@Suite("A server that answers the request for a WebSocket", .timeLimit(.minutes(20)))
struct HandshakeTests {
    /// The error of a file that replicates with a server, which answers with these bytes.
    private func error(
        of answer: @escaping @Sendable (_ key: String) -> String
    ) async throws -> ReplicationError? {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Answering(answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = server.localAddress?.port ?? 0
        let device = try Device(CouchbaseEndpoint("ws://127.0.0.1:\(port)/db"))
        let error = await #expect(throws: ReplicationError.self) { try await device.replicate() }
        try await server.close()
        return error
    }

    private static func accepted(_ key: String, _ fields: String = "") -> String {
        """
        HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
        Sec-WebSocket-Accept: \(WebSocketHandshake.acceptance(of: key))\r\n\(fields)\r\n
        """
    }

    private static let vectors = "Sec-WebSocket-Protocol: BLIP_3+CBMobile_4\r\n"

    @Test("and closes it in the same breath, is told so")
    func closesAtOnce() async throws {
        // CLOSE with the status 1000.
        let error = try await error { Self.accepted($0, Self.vectors) + "\u{88}\u{2}\u{3}\u{E8}" }
        #expect(error?.code == .unreachable)
    }

    @Test("by ending the connection is not waited for")
    func endsAtOnce() async throws {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { $0.close() }
            .bind(host: "127.0.0.1", port: 0).get()
        var endpoint = try CouchbaseEndpoint(
            "ws://127.0.0.1:\(server.localAddress?.port ?? 0)/db")
        // Longer than the test may take.
        endpoint.connectSeconds = 600
        let device = try Device(endpoint)
        for _ in 0..<200 {
            let error = await #expect(throws: ReplicationError.self) {
                try await device.replicate()
            }
            #expect(error?.code == .unreachable)
        }
        try await server.close()
    }

    @Test("with another status is an error that says which", arguments: [400, 404, 500, 503])
    func status(_ status: Int) async throws {
        let body = #"{"reason": "because"}"#
        let error = try await error { _ in
            """
            HTTP/1.1 \(status) No\r\nContent-Type: application/json\r\n\
            Content-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        }
        #expect(error?.code == (status == 503 ? .unreachable : .incompatible))
        #expect(error?.message.contains("\(status): because") ?? false)
    }

    @Test("without what it needs is not one of this protocol")
    func incomplete() async throws {
        let without = try await error { Self.accepted($0) }
        #expect(without?.code == .incompatible)
        #expect(without?.message.contains("Sec-WebSocket-Protocol") ?? false)
        let other = try await error {
            Self.accepted($0, "Sec-WebSocket-Protocol: chat\r\n")
        }
        #expect(other?.code == .unauthorized)
        let wrong = try await error { _ in Self.accepted("other", Self.vectors) }
        #expect(wrong?.code == .incompatible)
        let noise = try await error { _ in "SSH-2.0-OpenSSH_9.2\r\n" }
        #expect(noise?.code == .incompatible)
    }

    @Test("with itself again and again is left")
    func redirects() async throws {
        let error = try await error { _ in
            "HTTP/1.1 302 Found\r\nLocation: /db/_blipsync\r\nContent-Length: 0\r\n\r\n"
        }
        #expect(error?.message.contains("redirects") ?? false)
    }

    /// Answers the first bytes of a request.
    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answer: @Sendable (String) -> String

        init(_ answer: @escaping @Sendable (String) -> String) {
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let request = String(buffer: unwrapInboundIn(data))
            let field = request.split(separator: "\r\n").first {
                $0.hasPrefix("Sec-WebSocket-Key: ")
            }
            let key = field?.split(separator: " ").last.map { String($0) } ?? ""
            let bytes = answer(key).unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        }
    }
}
