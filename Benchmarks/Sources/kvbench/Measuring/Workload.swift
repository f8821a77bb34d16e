import StandardBenchmarks

/// A measurable piece of work.
struct Workload {
    /// The amount of data handled by a pass.
    enum Amount {
        /// A number of bytes; the result is reported in MB/s.
        case bytes(Int)
        /// A number of items; the result is reported in nanoseconds per item.
        case items(Int)
    }

    /// A workload with its data.
    struct Prepared {
        let amount: Amount
        /// Runs before each pass, and after it, without being measured.
        let setUp: (() throws -> Void)?
        let tearDown: (() throws -> Void)?
        /// The directory of the file that it works on, if any; it is measured once.
        var path: (() -> String?)?
        /// Collects the times of its operations, if they are timed one by one.
        var latencies: LatencyCollector?
        /// Removes that file after `tearDown`, which has closed it, if each pass creates a new one.
        var removeFile: (() throws -> Void)?
        /// The pass; its result depends on all of its work.
        let pass: () throws -> Int

        init(
            _ amount: Amount, setUp: (() throws -> Void)? = nil,
            tearDown: (() throws -> Void)? = nil, pass: @escaping () throws -> Int
        ) {
            self.amount = amount
            self.setUp = setUp
            self.tearDown = tearDown
            self.pass = pass
        }
    }

    let name: String
    /// The workload that it is measured against, in the same group.
    let baseline: String?
    /// Whether it waits for a disk, so that wall-clock time is compared.
    let isDurable: Bool
    /// Whether it represents a user of another library.
    private(set) var isPeer: Bool
    let prepare: () throws -> Prepared

    init(
        _ name: String, baseline: String? = nil, isPeer: Bool = false, isDurable: Bool = false,
        prepare: @escaping () throws -> Prepared
    ) {
        self.name = name
        self.baseline = baseline
        self.isPeer = isPeer
        self.isDurable = isDurable
        self.prepare = prepare
    }

    /// A copy that is measured against a baseline.
    func beside(_ baseline: String) -> Workload {
        Workload(name, baseline: baseline, isPeer: isPeer, isDurable: isDurable, prepare: prepare)
    }

    /// A copy that represents a user of another library.
    var asPeer: Workload {
        var workload = self
        workload.isPeer = true
        return workload
    }
}
