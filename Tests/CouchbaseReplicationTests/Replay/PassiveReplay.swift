import BLIP
import BLIPWebSocket
import FleeceLite
import ProjectTestSupport

@testable import CouchbaseReplication

/// A client that sends to a listener what the recorded active side sent on a connection, each
/// message when everything has arrived that the recorded passive side had sent before it.
actor PassiveReplay {
    private(set) var comparison = ReplayComparison()
    private let connection: ReplayConnection
    private let socket: BLIPSocket
    private let name: String
    private let collections: [String]
    private var answers: ReplayAnswers
    private let recorded: [UInt64: ReplayConnection.Content]
    private var held: [BLIPRequest] = []
    private let blobs: [String: [UInt8]]
    private let progress: ReplayProgress

    init(
        _ socket: BLIPSocket, _ connection: ReplayConnection, _ name: String,
        _ scenario: ReplayScenario
    ) {
        let isScripted = scenario.name.contains("_probe_")
        progress = ReplayProgress(missingIsKnown: ReplayScenario.knownPassive[scenario.name])
        blobs = scenario.blobs
        self.socket = socket
        self.connection = connection
        self.name = name
        collections = connection.collections
        answers = ReplayAnswers(of: .active, connection)
        // Only the scripts change something before they answer. Elsewhere each answer is sent at
        // once, since a listener may wait for it earlier than LiteCore.
        if !isScripted { answers.releaseAll() }
        var recorded: [UInt64: ReplayConnection.Content] = [:]
        for (request, answer) in connection.exchanges(of: .active) {
            recorded[request.number] = answer
        }
        self.recorded = recorded
    }

    /// Plays the connection.
    ///
    /// - Parameter edits: those of the passive side.
    func play(_ edits: ReplayEdits) async throws {
        let reading = Task { await self.read() }
        for item in connection.items {
            // Edits are made when what was recorded before has happened.
            if await edits.areDue(before: item.time) {
                await barrier()
                try await edits.apply(before: item.time)
            }
            switch (item.side, item.content) {
            case (.passive, let content): await expect(content)
            case (.active, .request(let request)):
                await barrier()
                send(request)
            case (.active, .close):
                await barrier()
                await socket.close()
            case (.active, .response(let number, _)), (.active, .failure(let number, _)):
                release(number)
            }
        }
        await barrier()
        await socket.close()
        await reading.value
    }
}

// Sending.
extension PassiveReplay {
    private func send(_ request: BLIPRequest) {
        guard request.wantsResponse else {
            return socket.post(request.message, [.compressed])
        }
        let pending = socket.start(request.message, [.compressed])
        Task {
            do {
                await finish(request, .response(request.number, try await pending.message()))
            } catch let error as BLIPErrorResponse {
                await finish(request, .failure(request.number, error))
            } catch {
                await finish(request, nil)
            }
        }
    }

    private func finish(_ request: BLIPRequest, _ answer: ReplayConnection.Content?) async {
        if let theirs = recorded[request.number] {
            if let answer {
                comparison.compare(request.message, answer, theirs)
            } else {
                comparison.note("\(name): no answer to \(request.message.profile ?? "")")
            }
        }
        await progress.arrive([.answer(to: request.number)])
    }
}

// Receiving.
extension PassiveReplay {
    private func read() async {
        for await request in socket.requests { await receive(request) }
        await progress.close()
    }

    /// The requests that were answered later.
    private func release(_ number: UInt64) {
        answers.release(number)
        let all = held
        held = []
        for request in all { answer(request) }
    }

    private func receive(_ request: BLIPRequest) async {
        answer(request)
        await progress.arrive(ReplayKey.keys(of: request.message, collections))
    }

    private func answer(_ request: BLIPRequest) {
        let keys = ReplayKey.keys(of: request.message, collections)
        guard !request.wantsResponse || keys.allSatisfy(answers.isReleased) else {
            return held.append(request)
        }
        switch request.message.profile {
        case "changes": answerChanges(request, keys)
        default:
            if let recorded = answers.request(keys[0]) {
                if request.message.profile == "rev" {
                    comparison.compare(revision: request.message, recorded.message)
                }
            } else if keys[0].profile != "getAttachment", connection.isClosed {
                comparison.note("\(name): LiteCore did not send \(keys[0])")
            }
            respond(request, answers.answer(to: keys[0]) ?? blob(keys[0]))
        }
    }

    /// LiteCore does not ask for the blobs of some deltas.
    private func blob(_ key: ReplayKey) -> ReplayConnection.Content? {
        guard key.profile == "getAttachment", let bytes = blobs[key.id] else { return nil }
        return .response(0, BLIPMessage(body: bytes))
    }

    private func respond(_ request: BLIPRequest, _ answer: ReplayConnection.Content?) {
        guard request.wantsResponse else { return }
        switch answer {
        case .response(_, let message)?: socket.respond(to: request, message, .compressed)
        case .failure(_, let error)?: socket.respond(to: request, error)
        // The recorded connection ended before.
        default: break
        }
    }

    private func answerChanges(_ request: BLIPRequest, _ keys: [ReplayKey]) {
        guard !keys[0].id.isEmpty else {
            if request.wantsResponse { socket.respond(to: request) }
            return
        }
        var items: [String] = []
        for key in keys {
            if answers.requests[key] == nil {
                comparison.note("\(name): LiteCore did not announce \(key)")
            }
            items.append(answers.entry(key) ?? "0")
        }
        socket.respond(
            to: request,
            BLIPMessage(
                answers.properties, body: Array("[\(items.joined(separator: ","))]".utf8)),
            .compressed)
    }
}

// Waiting.
extension PassiveReplay {
    private func expect(_ content: ReplayConnection.Content) async {
        switch content {
        case .request(let request):
            await progress.expect(ReplayKey.keys(of: request.message, collections))
        case .response(let number, _), .failure(let number, _):
            await progress.expect([.answer(to: number)])
        case .close: break
        }
    }

    /// Waits until everything has arrived that was recorded so far.
    private func barrier() async {
        if let missing = await progress.wait() { comparison.note("\(name): \(missing)") }
    }
}
