import BLIP
import BLIPWebSocket
import CouchbaseReplication
import DataFileCore
import FleeceLite
import Replication
import ReplicationTestSupport
import StoreTestSupport
import Testing

@Suite("A server that does what it should not", .timeLimit(.minutes(20)))
struct BadServerTests {
    private typealias Script = @Sendable (BLIPSocket, BLIPRequest) async -> Void

    /// Replicates a new file with a server that answers the first messages, and runs a script when
    /// changes are subscribed to, with all further requests.
    private func replicate(
        _ change: (inout CouchbaseEndpoint) -> Void = { _ in }, _ script: @escaping Script
    ) async throws -> (device: Device, result: Result<ReplicationReport, any Error>) {
        let server = try await BLIPServer(host: "127.0.0.1", port: 0)
        let running = Task {
            await server.run { _ in
                .accept(subprotocol: "BLIP_3+CBMobile_4") { socket in
                    for await request in socket.requests { await script(socket, request) }
                }
            }
        }
        var endpoint = try CouchbaseEndpoint("ws://127.0.0.1:\(server.port)/db")
        endpoint.connectSeconds = 120
        change(&endpoint)
        let device = try Device(endpoint)
        let result: Result<ReplicationReport, any Error>
        do {
            result = .success(try await device.replicate())
        } catch {
            result = .failure(error)
        }
        running.cancel()
        await running.value
        return (device, result)
    }

    /// Answers a request as a server without documents does.
    private static func answer(_ socket: BLIPSocket, _ request: BLIPRequest) {
        switch request.message.profile {
        case "getCollections": socket.respond(to: request, BLIPMessage(body: Array("[{}]".utf8)))
        case "setCheckpoint": socket.respond(to: request, BLIPMessage(["rev": "1-cc"]))
        default: socket.respond(to: request)
        }
    }

    private static func changes(_ body: String) -> BLIPMessage {
        BLIPMessage(["Profile": "changes", "collection": "0"], body: Array(body.utf8))
    }

    /// Whether the answer to changes wants the revision of one of them.
    private static func isWanted(_ index: Int, in answer: BLIPMessage) -> Bool {
        let json = String(decoding: answer.body, as: UTF8.self)
        let items = (try? FleeceDocument(json: json))?.root.array.map { Array($0) } ?? []
        return items.indices.contains(index) && items[index].array != nil
    }

    private func code(_ result: Result<ReplicationReport, any Error>) -> ReplicationError.Code? {
        guard case .failure(let error) = result else { return nil }
        return (error as? ReplicationError)?.code
    }

    private static let version = "18ec000000000000@AAAAAAAAAAAAAAAAAAAAEA"

    @Test("by never answering is left after a while", arguments: ["getCollections", "subChanges"])
    func silent(profile: String) async throws {
        let (_, result) = try await replicate({ $0.answerSeconds = 0.5 }) { socket, request in
            if request.message.profile != profile { Self.answer(socket, request) }
        }
        #expect(code(result) == .unreachable)
    }

    @Test("by announcing changes without end is left")
    func endless() async throws {
        let (_, result) = try await replicate { socket, request in
            Self.answer(socket, request)
            guard request.message.profile == "subChanges" else { return }
            for number in 1...100_000 {
                _ = socket.start(
                    Self.changes(#"[[\#(number),"doc-\#(number)","\#(Self.version)"]]"#))
            }
        }
        #expect(code(result) == .badRemoteData || code(result) == .unreachable, "\(result)")
    }

    @Test("by sending what was not asked for is left", arguments: ["rev", "changes"])
    func unasked(profile: String) async throws {
        let (device, result) = try await replicate { socket, request in
            Self.answer(socket, request)
            guard request.message.profile == "subChanges" else { return }
            let message =
                profile == "rev"
                ? BLIPMessage(
                    [
                        "Profile": "rev", "collection": "0", "id": "ada", "rev": Self.version,
                        "sequence": "1",
                    ], body: Array("{}".utf8)) : Self.changes(#"[[1,"",""]]"#)
            _ = socket.start(message)
        }
        #expect(code(result) == .badRemoteData, "\(result)")
        #expect(try await device.contents() == [])
    }

    @Test("by sending a document that is not valid is told so, and the others arrive")
    func invalid() async throws {
        let bodies = ["a": "{}", "b": "no JSON", "c": "[1]", "d": #"{"n": 1}"#]
        let (device, result) = try await replicate { socket, request in
            Self.answer(socket, request)
            guard request.message.profile == "subChanges" else { return }
            let entries = bodies.keys.sorted().enumerated().map { index, id in
                #"[\#(index + 1),"\#(id)","\#(Self.version)"]"#
            }
            let wanted = socket.start(Self.changes("[\(entries.joined(separator: ","))]"))
            socket.post(Self.changes("[]"))
            guard let answer = try? await wanted.message() else { return }
            for (index, id) in bodies.keys.sorted().enumerated()
            where Self.isWanted(index, in: answer) {
                _ = socket.start(
                    BLIPMessage(
                        [
                            "Profile": "rev", "collection": "0", "id": id, "rev": Self.version,
                            "sequence": "\(index + 1)",
                        ], body: Array((bodies[id] ?? "").utf8)))
            }
        }
        let report = try result.get()
        #expect(report.pulled == 2 && report.rejections.map(\.id).sorted() == ["b", "c"])
        #expect(try await device.body("d") == #"{"n":1}"#)
    }

    @Test("by ending the connection is left, and the file remains as it was")
    func ends() async throws {
        let (device, result) = try await replicate { socket, request in
            Self.answer(socket, request)
            if request.message.profile == "subChanges" { await socket.close(1001, "later") }
        }
        #expect(code(result) == .unreachable, "\(result)")
        #expect(try await device.contents() == [])
    }
}
