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
        /// The file that it works on, if it is one.
        var path: (() -> String?)?
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
    let floor: String?
    /// Whether the time of the clock is of interest, too.
    let showsWall: Bool
    /// Whether it is what a user of another library would do.
    private(set) var isPeer: Bool
    let prepare: () throws -> Prepared

    init(
        _ name: String, floor: String? = nil, isPeer: Bool = false, showsWall: Bool = false,
        prepare: @escaping () throws -> Prepared
    ) {
        self.name = name
        self.floor = floor
        self.isPeer = isPeer
        self.showsWall = showsWall
        self.prepare = prepare
    }

    /// The same, measured against a floor.
    func beside(_ floor: String) -> Workload {
        Workload(name, floor: floor, isPeer: isPeer, showsWall: showsWall, prepare: prepare)
    }

    /// The same, as what a user of another library would do.
    var asPeer: Workload {
        var workload = self
        workload.isPeer = true
        return workload
    }
}
