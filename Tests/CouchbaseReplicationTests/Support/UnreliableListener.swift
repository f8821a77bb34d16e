import CouchbaseReplication
import DataFileCore
import FleeceLite
import Replication
import ReplicationTestSupport
import SampleData
import StoreFormat
import StoreTestSupport

/// Three files that replicate with the file of a listener, which is edited, too, over connections
/// that are lost at random.
final class UnreliableListener {
    /// Whether edits add properties, and conflicts are merged, so that none is lost. Otherwise
    /// documents are also deleted, and the last writer wins.
    let merges: Bool
    let served: Device
    private(set) var devices: [UnreliableDevice] = []
    private var random: SeededGenerator
    private let versioning: Versioning
    private let proxy: TCPProxy
    private var running: Task<Void, Never>?
    private var downUntil = 0

    init(seed: UInt64, versioning: Versioning) async throws {
        random = SeededGenerator(seed: seed)
        self.versioning = versioning
        merges = seed % 2 == 1
        var options = DataFileOptions(access: .create)
        options.versioning = versioning
        let store = try TemporaryStore(options: options)
        let listener = try await CouchbaseListener(["db": store.file], port: 0)
        proxy = try await TCPProxy(to: listener.port)
        var endpoint = try CouchbaseEndpoint("ws://127.0.0.1:\(proxy.port)/db")
        endpoint.connectSeconds = 120
        served = try Device(endpoint, store: store)
        running = Task { await listener.run() }
        devices = try (0..<3).map { _ in try newDevice() }
    }

    func newDevice() throws -> UnreliableDevice {
        try UnreliableDevice(
            served.endpoint, versioning, resolver: merges ? .union : .lastWriterWins)
    }

    /// Changes a document of a device, or of the listener.
    func edit(_ number: Int) async throws {
        let device = random.below(5) == 0 ? served : random.pick(devices).device
        try await device.edit(number, merges: merges, &random)
    }

    /// Lets devices replicate, and something fail, perhaps.
    func proceed(_ number: Int) async throws {
        if number == downUntil, downUntil > 0 { proxy.setDown(false) }
        let device = random.pick(devices)
        switch random.below(400) {
        case 0..<40: await replicate(device)
        case 40..<46: device.start()
        case 46..<56: await device.stop()
        case 56..<58 where downUntil <= number:
            downUntil = number + 1 + random.below(50)
            proxy.setDown(true)
        case 58..<62: device.shiftClock(&random)
        case 62..<70: proxy.disconnect(afterBytes: random.below(4000))
        default: break
        }
    }

    /// Replicates once; sometimes the task is cancelled, or the connection is lost meanwhile.
    private func replicate(_ device: UnreliableDevice) async {
        guard !device.isRunning else { return }
        let disturbance = random.below(4)
        if disturbance == 0 { proxy.disconnect(afterBytes: 1 + random.below(20_000)) }
        let replication = Task { [device = device.device] in try await device.replicate() }
        if disturbance == 1 { replication.cancel() }
        _ = await replication.result
    }

    /// Ends all faults, and replicates until nothing changes any more.
    func settle() async throws {
        proxy.setDown(false)
        for device in devices {
            await device.stop()
            device.resetClock()
        }
        try await Device.settle(devices.map(\.device))
    }

    func stop() async {
        running?.cancel()
        await running?.value
        await proxy.stop()
    }
}
