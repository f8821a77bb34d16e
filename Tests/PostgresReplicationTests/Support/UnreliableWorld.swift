import DataFileCore
import FleeceLite
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import SampleData
import StoreFormat
import StoreTestSupport
import Testing

/// Three files, and a server with a synchronous standby, all of which fail at random.
final class UnreliableWorld {
    /// Whether edits add properties, and conflicts are merged, so that none is lost. Otherwise
    /// documents are also deleted, and the last writer wins.
    let merges: Bool
    /// Whether the server removes tombstones.
    let removesTombstones: Bool
    private(set) var devices: [UnreliableDevice] = []
    private var random: SeededGenerator
    private let versioning: Versioning
    private var primary: PostgresServer
    private let standby: PostgresServer
    private let proxies: [PostgresProxy]
    private let buckets: Int
    private var hasFailedOver = false
    /// The edit at which the network is there again.
    private var downUntil = 0

    init(seed: UInt64, versioning: Versioning) async throws {
        random = SeededGenerator(seed: seed)
        self.versioning = versioning
        merges = seed % 2 == 1
        removesTombstones = seed % 4 == 0
        buckets = random.pick([1, 3])
        (primary, standby) = try PostgresServer.pair()
        proxies = try [primary, standby].map { try PostgresProxy($0) }
        try await PostgresEndpoint(primary.url, schema: "test", buckets: buckets).prepare()
        devices = try (0..<3).map { _ in try newDevice() }
    }

    deinit {
        for proxy in proxies { proxy.stop() }
    }

    func newDevice() throws -> UnreliableDevice {
        let endpoint = try PostgresEndpoint(
            PostgresProxy.url(of: proxies), schema: "test", buckets: buckets,
            notifications: random.below(4) > 0)
        return try UnreliableDevice(
            endpoint, versioning, resolver: merges ? .union : .lastWriterWins)
    }

    /// Changes a document of a device.
    func edit(_ number: Int) async throws {
        let device = random.pick(devices).device
        try await device.edit(number, merges: merges, &random)
    }

    /// Lets devices replicate, and something fail, perhaps.
    func proceed(_ number: Int) async throws {
        if number == downUntil, downUntil > 0 { for proxy in proxies { proxy.disconnect() } }
        let device = random.pick(devices)
        switch random.below(2000) {
        case 0..<60: await replicate(device)
        case 120..<126: device.start()
        case 128..<142: await device.stop()
        case 142..<146: try await kill(device)
        case 146..<150: _ = try? await terminateBackends()
        case 150, 151: partition(until: number + 1 + random.below(200))
        case 152 where random.below(2) == 0 && !hasFailedOver: try await crashServer()
        case 153..<157: device.shiftClock(&random)
        case 157..<160 where removesTombstones: _ = try? await removeTombstones()
        default: break
        }
    }

    /// Replicates once; sometimes the task is cancelled, or the network fails meanwhile.
    private func replicate(_ device: UnreliableDevice) async {
        guard !device.isRunning else { return }
        let disturbance = random.below(4)
        let delay = Duration.milliseconds(random.below(12))
        let replication = Task { [device = device.device] in try await device.replicate() }
        if disturbance < 2 {
            try? await Task.sleep(for: delay)
            if disturbance == 0 {
                replication.cancel()
            } else {
                for proxy in proxies where downUntil == 0 { proxy.disconnect() }
            }
        }
        _ = await replication.result
    }

    /// Another process replicates the file, and is killed.
    private func kill(_ device: UnreliableDevice) async throws {
        guard !device.isRunning else { return }
        let program = try #require(CrashHarness.program(named: "SyncWriter"))
        let path = device.device.store.path
        // It does not know how to merge, so this process does that later.
        let arguments = [
            path, PostgresProxy.url(of: proxies), "test",
            merges || random.below(2) == 0 ? "keep" : "follow",
        ]
        var harness = CrashHarness(
            program: program, arguments: arguments, seed: random.next())
        harness.longestTime = 60
        harness.mostAcknowledgements = 5
        let run = harness
        try await Blocking.run { try run.run(rounds: 1) { _ in } }
    }

    private func terminateBackends() async throws {
        _ = try await current.run(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
            """)
    }

    private func partition(until number: Int) {
        guard downUntil == 0 || downUntil < number else { return }
        downUntil = number
        for proxy in proxies { proxy.disconnect(isDown: true) }
    }

    private func crashServer() async throws {
        let server = primary
        try await Blocking.run {
            server.stop()
            try server.start()
        }
    }

    private func removeTombstones() async throws {
        let endpoint = try PostgresEndpoint(current.url, schema: "test", buckets: buckets)
        _ = try await endpoint.removeTombstones(olderThan: .zero)
    }

    private var current: PostgresServer { hasFailedOver ? standby : primary }

    /// The server is lost for ever while files replicate with it, and the standby takes over.
    func failOver() async throws {
        let devices = devices.filter { !$0.isRunning }.map(\.device)
        let replications = devices.map { device in Task { try await device.replicate() } }
        try await Task.sleep(for: .milliseconds(random.below(20)))
        let (primary, standby, proxy) = (primary, standby, proxies[0])
        try await Blocking.run {
            primary.stop()
            // libpq tries the next host only if the connection is refused.
            proxy.stop()
            proxy.disconnect()
            try standby.promote()
        }
        hasFailedOver = true
        for replication in replications { _ = await replication.result }
    }

    /// Ends all faults, and replicates until nothing changes any more.
    func settle() async throws {
        for proxy in proxies { proxy.disconnect() }
        for device in devices {
            await device.stop()
            device.resetClock()
        }
        try await Device.settle(devices.map(\.device))
    }
}
