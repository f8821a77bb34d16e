import BLIP
import BLIPWebSocket
import FleeceLite
import ProjectTestSupport

@testable import CouchbaseReplication

/// A server that answers and sends what the recorded passive side of a connection did.
actor ActiveReplay {
    var comparison = ReplayComparison()
    let connection: ReplayConnection
    let socket: BLIPSocket
    let scenario: ReplayScenario
    let name: String
    let collections: [String]
    /// The recorded answers to the requests of the active side.
    var answers: ReplayAnswers
    /// The recorded requests of the passive side, with the answers of the active side.
    var requests: ReplayAnswers
    var askedBlobs: Set<ReplayKey> = []
    /// The revisions of the checkpoints, by the collection.
    var checkpoints: [String: String] = [:]
    /// The checkpoints with their revisions, by the ID.
    var stored: [String: String]
    let progress: ReplayProgress

    init(
        _ socket: BLIPSocket, _ connection: ReplayConnection, _ scenario: ReplayScenario,
        stored: [String: String]
    ) {
        self.stored = stored
        self.socket = socket
        self.connection = connection
        self.scenario = scenario
        progress = ReplayProgress(missingIsKnown: ReplayScenario.knownActive[scenario.name])
        name = "connection \(connection.number)"
        collections = connection.collections
        answers = ReplayAnswers(of: .passive, connection)
        requests = ReplayAnswers(of: .active, connection)
    }

    func note(_ text: String) { comparison.note("\(name): \(text)") }

    /// Until the client closes the connection, or, if the recorded one was cut, until everything
    /// was sent.
    func serve() async {
        await withDiscardingTaskGroup { group in
            if connection.isEndedByServer { group.addTask { await self.end() } }
            for await request in socket.requests {
                let keys = ReplayKey.keys(of: request.message, collections)
                await handle(request, keys, &group)
                await progress.arrive(keys)
            }
            await progress.close()
            group.cancelAll()
        }
    }

    /// Ends the connection when that has happened which was recorded before its end.
    private func end() async {
        let recorded = [ReplayConnection.Side.active, .passive].flatMap {
            connection.exchanges(of: $0)
        }
        var sent: Set<ReplayKey> = []
        for (request, answer) in recorded where answer != nil {
            let keys = ReplayKey.keys(of: request.message, collections)
            switch request.message.profile {
            case "rev": sent.insert(.stored(keys[0]))
            case "getCollections", "setCheckpoint": sent.formUnion(keys)
            default: break
            }
        }
        if let missing = await progress.wait(forEach: sent) { note(missing) }
        await socket.close(1000)
    }

    private func handle(
        _ request: BLIPRequest, _ keys: [ReplayKey], _ group: inout DiscardingTaskGroup
    ) async {
        switch request.message.profile {
        case "getCollections": openCollections(request, keys[0])
        case "setCheckpoint": setCheckpoint(request, keys[0])
        case "proposeChanges": answerProposals(request, keys)
        case "rev": group.addTask { await self.receive(request, keys[0]) }
        case "subChanges":
            subscribe(request, keys[0])
            group.addTask { await self.sendChanges(keys[0].collection) }
        default: respond(request, answers.answer(to: keys[0]))
        }
    }

    func respond(_ request: BLIPRequest, _ answer: ReplayConnection.Content?) {
        guard request.wantsResponse else { return }
        switch answer {
        case .response(_, let message)?: socket.respond(to: request, message, .compressed)
        case .failure(_, let error)?: socket.respond(to: request, error)
        default: socket.respond(to: request)
        }
    }
}

// Checkpoints.
extension ActiveReplay {
    private func openCollections(_ request: BLIPRequest, _ key: ReplayKey) {
        if let recorded = answers.request(key) {
            let (mine, theirs) = (
                ReplayComparison.json(request.message.body),
                ReplayComparison.json(recorded.message.body)
            )
            if mine != theirs { note("getCollections: LiteCore \(theirs), ours \(mine)") }
        }
        let answer = answers.answer(to: key)
        guard case .response(_, let message)? = answer, let values = try? message.array() else {
            return respond(request, answer)
        }
        // What was stored here, unless the recorded one was changed or lost.
        let own = own(request.message)
        var items: [String] = []
        for (index, (path, value)) in zip(collections, values).enumerated() {
            var text = (try? value.json()) ?? "null"
            if value.dictionary?.isEmpty == false, !scenario.changesCheckpoints,
                let stored = own[safely: index]
            {
                text = stored
            }
            items.append(text)
            let members = try? FleeceDocument(json: text).root.dictionary
            checkpoints[path] = members?["rev"]?.string ?? ""
        }
        socket.respond(
            to: request, BLIPMessage(body: Array("[\(items.joined(separator: ","))]".utf8)))
    }

    /// The checkpoints that were stored on earlier connections.
    private func own(_ message: BLIPMessage) -> [String?] {
        let members = try? JSONBody.value(message.body).dictionary
        return members?["checkpoint_ids"]?.array?.compactMap(\.string).map { stored[$0] } ?? []
    }

    private func setCheckpoint(_ request: BLIPRequest, _ key: ReplayKey) {
        let current = checkpoints[key.collection] ?? ""
        let replaced = request.message.properties["rev"] ?? ""
        if case .failure(_, let error)? = answers.answer(to: key) {
            checkpoints[key.collection] = nil
            return socket.respond(to: request, error)
        }
        if checkpoints[key.collection] != nil, current != replaced {
            note("setCheckpoint replaces \(replaced), not \(current)")
        }
        let number = replaced.prefix { $0 != "-" }
        let next = "\((Int(number) ?? 0) + 1)-cc"
        let body = String(decoding: request.message.body, as: UTF8.self)
        stored[request.message.properties["client"] ?? ""] =
            body.dropLast() + (body == "{}" ? "" : ",") + "\"rev\":\"\(next)\"}"
        checkpoints[key.collection] = next
        socket.respond(to: request, BLIPMessage(["rev": next]))
    }
}

extension ReplayConnection {
    /// Whether the passive side or the network ended it.
    fileprivate var isEndedByServer: Bool {
        let first = items.first { item in
            if case .close = item.content { true } else { false }
        }
        return first?.side != .active
    }
}

extension ReplayScenario {
    /// Whether the checkpoints at the passive side were changed between connections.
    fileprivate var changesCheckpoints: Bool {
        name.hasSuffix("checkpoint_mismatch") || name.contains("_probe_")
    }
}

extension [String?] {
    subscript(safely index: Int) -> String? { indices.contains(index) ? self[index] : nil }
}
