import BLIPWebSocket
import CouchbaseReplication
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite(
    "ReplayTests: a listener", .enabled(if: GoldenFiles.arePresent), .serialized,
    .timeLimit(.minutes(20)))
struct PassiveReplayTests {
    @Test(
        "A listener answers as LiteCore does, and its file ends equal",
        arguments: ReplayScenario.passiveNames)
    func listener(name: String) async throws {
        let differences = try await PassiveScenario(name).differences()
        ReplayScenario.expectNone(of: differences, name, known: ReplayScenario.knownPassive[name])
    }
}

/// Plays all connections of a scenario with a listener.
struct PassiveScenario {
    private let scenario: ReplayScenario
    private let file: ReplayFile

    init(_ name: String) throws {
        scenario = try ReplayScenario(name)
        file = try ReplayFile(scenario, .passive)
    }

    /// What is other than with LiteCore.
    func differences() async throws -> [String] {
        var settings = CouchbaseListener.Settings()
        if scenario.name.hasSuffix("pull_only_passive") { settings.access = { _, _ in .read } }
        let listener = try await CouchbaseListener(["db": file.store.file], port: 0, settings)
        let running = Task { await listener.run() }
        defer { running.cancel() }
        var differences: [String] = []
        let edits = ReplayEdits(file)
        for connection in scenario.connections {
            try await edits.apply(before: connection.time)
            try await file.overwriteCheckpoints(before: connection)
            differences += try await play(connection, listener.port, edits)
        }
        try await edits.apply(before: .infinity)
        running.cancel()
        await running.value
        return try await differences + file.differences()
    }

    private func play(
        _ connection: ReplayConnection, _ port: Int, _ edits: ReplayEdits
    ) async throws -> [String] {
        let name = "connection \(connection.number)"
        guard let url = WebSocketURL("ws://127.0.0.1:\(port)/db/_blipsync") else { return [] }
        let socket: BLIPSocket
        do {
            var request = WebSocketRequest(url, subprotocols: connection.offered)
            // Hundreds of tests run at once.
            request.connectSeconds = 120
            socket = try await BLIPSocket.connect(request).socket
        } catch let error as WebSocketError {
            return connection.subprotocol == nil ? [] : ["\(name): \(error)"]
        }
        var differences: [String] = []
        if socket.subprotocol != connection.subprotocol {
            differences.append(
                "\(name): LiteCore \(connection.subprotocol ?? "refused the connection"), "
                    + "ours \(socket.subprotocol)")
        }
        let replay = PassiveReplay(socket, connection, name, scenario)
        try await replay.play(edits)
        return await differences + replay.comparison.differences
    }
}
