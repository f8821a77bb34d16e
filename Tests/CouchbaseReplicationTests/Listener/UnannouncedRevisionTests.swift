import BLIP
import BLIPWebSocket
import CouchbaseReplication
import DataFileCore
import Replication
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

/// A client that sends revisions without asking whether they are wanted, which the protocol allows.
@Suite("A revision that was not announced", .timeLimit(.minutes(20)))
struct UnannouncedRevisionTests {
    /// Opens a connection, and the default collection.
    private func socket(
        _ listening: Listening, _ subprotocol: String = "BLIP_3+CBMobile_4"
    ) async throws -> BLIPSocket {
        let url = try #require(WebSocketURL("ws://127.0.0.1:\(listening.port)/db/_blipsync"))
        let socket = try await BLIPSocket.connect(
            WebSocketRequest(url, subprotocols: [subprotocol])
        ).socket
        _ = try await socket.send(
            BLIPMessage(
                ["Profile": "getCollections"],
                body: Array(#"{"checkpoint_ids":["cp-1"],"collections":["_default"]}"#.utf8)))
        return socket
    }

    private func revision(
        of id: String = "ada", _ revision: String, _ body: String = "{}"
    ) -> BLIPMessage {
        BLIPMessage(
            ["Profile": "rev", "collection": "0", "id": id, "rev": revision, "sequence": "1"],
            body: Array(body.utf8))
    }

    private let first = "18eb000000010000@AAAAAAAAAAAAAAAAAAAAEA"
    private let other = "18eb000000010000@AAAAAAAAAAAAAAAAAAAAIA"

    @Test("is stored, and known the second time")
    func stored() async throws {
        try await Listening.run { listening in
            let socket = try await socket(listening)
            #expect(try await socket.send(revision(first, #"{"n":1}"#)).properties["noop"] == nil)
            #expect(
                try await socket.send(revision(first, #"{"n":1}"#)).properties["noop"] == "true")
            #expect(try await listening.device.body("ada") == #"{"n":1}"#)
            await socket.close()
        }
    }

    @Test("is refused if it conflicts")
    func conflict() async throws {
        try await Listening.run { listening in
            let socket = try await socket(listening)
            _ = try await socket.send(revision(first, #"{"n":1}"#))
            let error = await #expect(throws: BLIPErrorResponse.self) {
                try await socket.send(revision(other, #"{"n":2}"#))
            }
            #expect(error?.domain == "LiteCore" && error?.code == 8)
            #expect(try await listening.device.body("ada") == #"{"n":1}"#)
            await socket.close()
        }
    }

    @Test("is refused if the client may only read")
    func reader() async throws {
        var settings = CouchbaseListener.Settings()
        settings.access = { _, _ in .read }
        try await Listening.run(settings) { listening in
            let socket = try await socket(listening)
            let error = await #expect(throws: BLIPErrorResponse.self) {
                try await socket.send(revision(first, #"{"n":1}"#))
            }
            #expect(error?.code == 403)
            #expect(try await listening.device.body("ada") == nil)
            await socket.close()
        }
    }

    @Test(
        "is refused without an ID of a revision or of a database",
        arguments: [
            "", "nonsense", "0-aa", "18eb000000010000@*",
            "18eb000000010000@AAAAAAAAAAAAAAAAAAAAAA",
        ])
    func badRevision(_ id: String) async throws {
        try await Listening.run { listening in
            let socket = try await socket(listening)
            await #expect(throws: BLIPErrorResponse.self) { try await socket.send(revision(id)) }
            #expect(try await listening.device.body("ada") == nil)
            await socket.close()
        }
    }

    @Test("is no document if it says that it was removed")
    func removed() async throws {
        try await Listening.run { listening in
            let socket = try await socket(listening)
            _ = try await socket.send(revision(first, #"{"n":1}"#))
            _ = try await socket.send(revision(of: "bob", first, #"{"_removed":true}"#))
            #expect(try await listening.device.body("ada") == #"{"n":1}"#)
            #expect(try await listening.device.body("bob") == nil)
            await socket.close()
        }
    }

    @Test("is written although the connection ends, and no answer is wanted")
    func noReply() async throws {
        try await Listening.run { listening in
            let socket = try await socket(listening)
            for number in 0..<300 {
                socket.post(revision(of: "d\(number)", first, #"{"n":\#(number)}"#))
            }
            await socket.close()
            while try await listening.device.body("d299") == nil { await Task.yield() }
            for number in 0..<300 {
                #expect(try await listening.device.body("d\(number)") == #"{"n":\#(number)}"#)
            }
        }
    }

    @Test("of a tree has a history without gaps, except before the last one")
    func gaps() async throws {
        var request = revision("9-aa")
        try await Listening.run(versioning: .treesInExtra) { listening in
            let socket = try await socket(listening, "BLIP_3+CBMobile_3")
            let histories = [
                "7-bb,6-cc", "8-bb,8-cc", "8-bb,9-cc", "10-bb", "9223372036854775807-bb,1-cc",
                "18446744073709551615-bb,1-cc", ",,", "-1-bb,1-cc",
            ]
            for history in histories {
                request.properties["history"] = history
                await #expect(throws: BLIPErrorResponse.self, "\(history)") {
                    try await socket.send(request)
                }
            }
            request.properties["history"] = "8-bb,7-cc,2-dd"
            _ = try await socket.send(request)
            #expect(try await listening.device.body("ada") == "{}")
            await socket.close()
        }
    }
}
