/// Something to be measured.
struct Workload {
    /// What a pass over the data handles.
    enum Amount {
        /// So many bytes; the result is given in MB/s.
        case bytes(Int)
        /// So many items; the result is given in nanoseconds an item.
        case items(Int)
    }

    /// A workload with its data at hand.
    struct Prepared {
        let amount: Amount
        /// What is done before each pass, and after it, and not measured.
        let setUp: (() throws -> Void)?
        let tearDown: (() throws -> Void)?
        /// The directory of the file that it works on, if it is one; it is measured once.
        var path: (() -> String?)?
        /// Removes that file after `tearDown`, which has closed it, if each pass makes a new one.
        var removeFile: (() throws -> Void)?
        /// What it returns depends on all of its work.
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
    /// Whether it waits for a disk, so that the time of the clock is what counts.
    let isDurable: Bool
    /// Whether it is what a user of another library would do.
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

    /// The same, measured against a floor.
    func beside(_ baseline: String) -> Workload {
        Workload(name, baseline: baseline, isPeer: isPeer, isDurable: isDurable, prepare: prepare)
    }

    /// The same, as what a user of another library would do.
    var asPeer: Workload {
        var workload = self
        workload.isPeer = true
        return workload
    }
}
