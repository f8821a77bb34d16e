internal import DataFileCore
package import Replication
package import SampleData
package import StoreFormat
internal import StorePlatform
internal import StoreTestSupport
internal import Synchronization

/// A file whose clock may be wrong, and that replicates from time to time.
package final class UnreliableDevice {
    package let device: Device
    private let offset: ClockOffset
    private var running: Task<Void, Never>?

    /// The error of the system clock in nanoseconds.
    private final class ClockOffset: Sendable {
        let value = Mutex<Int64>(0)
    }

    package init(
        _ endpoint: any ReplicationEndpoint, _ versioning: Versioning, resolver: ConflictResolver
    ) throws {
        let offset = ClockOffset()
        self.offset = offset
        var options = DataFileOptions(access: .create)
        options.versioning = versioning
        options.wallClock = {
            UInt64(clamping: Int64(SystemClock.nanoseconds) + offset.value.withLock { $0 })
        }
        var device = try Device(endpoint, store: TemporaryStore(options: options))
        device.settings.resolver = resolver
        try device.store.file.write { transaction in
            try Device.people.create(in: transaction)
            try Device.people.createIndex(.value("value", on: "value"), in: transaction)
        }
        self.device = device
    }

    package var isRunning: Bool { running != nil }

    /// Starts a continuous replication.
    package func start() {
        guard running == nil else { return }
        running = Task { [device] in
            let replicator = Replicator(
                device.store.file, to: device.endpoint, collections: [device.settings])
            for await _ in replicator.start() {}
        }
    }

    package func stop() async {
        running?.cancel()
        await running?.value
        running = nil
    }

    /// The clock jumps, by up to three days, sometimes by years.
    package func shiftClock(_ random: inout SeededGenerator) {
        let hours = random.below(10) == 0 ? 24 * 365 * 3 : 72
        let shift = Int64(random.below(2 * hours) - hours) * 3_600_000_000_000
        offset.value.withLock { $0 = shift }
    }

    package func resetClock() { offset.value.withLock { $0 = 0 } }
}
