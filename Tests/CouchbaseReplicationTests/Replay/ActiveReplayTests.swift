import BLIPWebSocket
import CouchbaseReplication
import ProjectTestSupport
import Replication
import StoreTestSupport
import Testing

@Suite(
    "ReplayTests: a replicator", .enabled(if: GoldenFiles.arePresent), .serialized,
    .timeLimit(.minutes(20)))
struct ActiveReplayTests {
    @Test(
        "A replicator sends what LiteCore does, and its file ends equal",
        arguments: ReplayScenario.activeNames)
    func replicator(name: String) async throws {
        let differences = try await ActiveScenario(name).differences()
        ReplayScenario.expectNone(of: differences, name, known: ReplayScenario.knownActive[name])
    }
}

/// Replicates with a server that plays all connections of a scenario.
struct ActiveScenario {
    private let scenario: ReplayScenario
    private let file: ReplayFile

    init(_ name: String) throws {
        scenario = try ReplayScenario(name)
        file = try ReplayFile(scenario, .active)
    }

    /// What is other than with LiteCore.
    func differences() async throws -> [String] {
        let server = try await BLIPServer(host: "127.0.0.1", port: 0)
        let stage = ReplayStage(scenario)
        let running = Task { await server.run { await stage.answer($0) } }
        defer { running.cancel() }
        let edits = ReplayEdits(file)
        var differences: [String] = []
        for connection in scenario.connections {
            try await edits.apply(before: connection.time)
            await stage.begin(connection)
            let settings = try ReplaySettings(scenario, connection)
            let replicator = Replicator(
                file.store.file, to: try settings.endpoint(port: server.port),
                collections: settings.collections)
            if scenario.isContinuous(connection) {
                try await runContinuously(replicator, connection, stage, edits)
            } else if let failure = await run(replicator, connection) {
                differences.append("connection \(connection.number): \(failure)")
            }
            differences += await stage.differences()
        }
        try await edits.apply(before: .infinity)
        running.cancel()
        await running.value
        return try await differences + file.differences()
    }

    /// Returns what is wrong with the end.
    private func run(_ replicator: Replicator, _ connection: ReplayConnection) async -> String? {
        let task = Task { try await replicator.run() }
        let patience = ReplayProgress.patience(ReplayScenario.knownActive[scenario.name])
        let alarm = Task {
            try await Task.sleep(for: patience)
            task.cancel()
        }
        defer { alarm.cancel() }
        do {
            _ = try await task.value
            return connection.isNormal ? nil : "LiteCore failed, ours did not"
        } catch {
            return connection.isNormal ? "ours failed: \(error)" : nil
        }
    }

    private func runContinuously(
        _ replicator: Replicator, _ connection: ReplayConnection, _ stage: ReplayStage,
        _ edits: ReplayEdits
    ) async throws {
        let phases = ReplayPhases()
        let running = Task {
            for await status in replicator.start() { await phases.enter(status.phase) }
        }
        let replay = await stage.replay()
        for item in connection.items where await edits.areDue(before: item.time) {
            await replay.waitForMessages(before: item.time)
            try await edits.apply(before: item.time)
        }
        await replay.waitForMessages(before: .infinity)
        // The checkpoint is stored, then.
        await phases.waitUntilIdle()
        running.cancel()
        await running.value
    }
}

/// What a continuous replication is doing.
private actor ReplayPhases {
    private var phase = ReplicatorStatus.Phase.connecting
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func enter(_ phase: ReplicatorStatus.Phase) {
        self.phase = phase
        guard isAtRest else { return }
        let all = waiters
        waiters = []
        for waiter in all { waiter.resume() }
    }

    private var isAtRest: Bool {
        switch phase {
        case .idle, .stopped, .waiting: true
        case .connecting, .busy, .comparing: false
        }
    }

    func waitUntilIdle() async {
        guard !isAtRest else { return }
        await withCheckedContinuation { waiters.append($0) }
    }
}
