import BLIPWebSocket
import ProjectTestSupport

/// Lets the connections of a scenario be played one after the other.
actor ReplayStage {
    private let scenario: ReplayScenario
    private var connection: ReplayConnection?
    private var current: ActiveReplay?
    /// The checkpoints that were stored on earlier connections.
    private var last: [String: String] = [:]
    private var notes: [String] = []
    private var waiters: [CheckedContinuation<ActiveReplay, Never>] = []

    init(_ scenario: ReplayScenario) {
        self.scenario = scenario
    }

    /// The next client is to get this connection.
    func begin(_ connection: ReplayConnection) async {
        self.connection = connection
        last = await current?.stored ?? last
        current = nil
    }

    func answer(_ upgrade: BLIPUpgrade) -> BLIPUpgradeAnswer {
        guard let connection, let subprotocol = connection.subprotocol else {
            return .refuse(status: 400, reason: "the recorded side refused it")
        }
        if upgrade.subprotocols != connection.offered {
            notes.append("offered: LiteCore \(connection.offered), ours \(upgrade.subprotocols)")
        }
        return .accept(subprotocol: subprotocol) { await self.serve($0, connection) }
    }

    private func serve(_ socket: BLIPSocket, _ connection: ReplayConnection) async {
        let stored = await current?.stored ?? last
        let replay = ActiveReplay(socket, connection, scenario, stored: stored)
        current = replay
        for waiter in waiters { waiter.resume(returning: replay) }
        waiters = []
        await replay.serve()
    }

    /// Waits for the client.
    func replay() async -> ActiveReplay {
        if let current { return current }
        return await withCheckedContinuation { waiters.append($0) }
    }

    /// What was other than recorded since the last call.
    func differences() async -> [String] {
        defer { notes = [] }
        return await notes + (current?.comparison.differences ?? [])
    }
}

extension ReplayScenario {
    /// Whether the active side of a connection was stopped by its user.
    func isContinuous(_ connection: ReplayConnection) -> Bool {
        let next = connections.first { $0.number > connection.number }?.time ?? .infinity
        return events.contains {
            $0.kind == .stopping && $0.side == .active && $0.time > connection.time
                && $0.time < next
        }
    }
}

extension ReplayConnection {
    private static let normal: UInt16 = 1000

    /// Whether it was closed, not cut.
    var isClosed: Bool {
        items.contains { item in
            if case .close = item.content { true } else { false }
        }
    }

    /// Whether the active side ended it as it does when all is done.
    var isNormal: Bool {
        for item in items {
            guard case .close(let code) = item.content else { continue }
            return item.side == .active && code == Self.normal
        }
        return false
    }
}
