import BLIP
import BLIPWebSocket
import DataFileCore
import Dispatch
import Replication
import ReplicationTestSupport
import StoreTestSupport
import Testing

@testable import CouchbaseReplication

@Suite("The changes that a server sends", .timeLimit(.minutes(20)))
struct RemoteChangeStreamTests {
    @Test("end with an error if the connection is lost while the file is read")
    func failsWhileReading() async throws {
        var options = DataFileOptions(access: .create)
        options.readers = 1
        let store = try TemporaryStore(options: options)
        let server = try await BLIPServer(host: "127.0.0.1", port: 0)
        let running = Task {
            await server.run { _ in
                .accept(subprotocol: "BLIP_3+CBMobile_4") { socket in
                    for await request in socket.requests {
                        socket.respond(to: request)
                        socket.post(
                            BLIPMessage(
                                ["Profile": "changes", "collection": "0"],
                                body: Array(#"[[1,"ada","1a@AAAAAAAAAAAAAAAAAAAAEA"]]"#.utf8)))
                    }
                }
            }
        }
        let socket = try await BLIPSocket.connect(
            WebSocketRequest(
                try #require(WebSocketURL("ws://127.0.0.1:\(server.port)/db/_blipsync")),
                subprotocols: ["BLIP_3+CBMobile_4"])
        ).socket
        let stream = RemoteChangeStream(
            socket, .init(collection: 0, usesVectors: true),
            ReplicatedCollection(DocumentCollection(.default)),
            try await ReplicatedDatabase(store.file, clients: "ws://clients/"))
        // The only reader is taken.
        let (isTaken, isReleased) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let file = store.file
        async let reading: Void = Blocking.run {
            try file.read { _ in
                isTaken.signal()
                isReleased.wait()
            }
        }
        try await Blocking.run { isTaken.wait() }
        let next = Task { try await stream.next(since: "1", limit: 10) }
        for await request in socket.requests {
            try await stream.receiveChanges(request)
            break
        }
        // It is looking the change up, which has to wait.
        while await !stream.messages.isEmpty { await Task.yield() }
        await stream.fail(ReplicationError(.unreachable, "lost"))
        isReleased.signal()
        let result = await next.result
        #expect(throws: ReplicationError.self) { try result.get() }
        try await reading
        running.cancel()
        await running.value
    }
}
