import Foundation

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
        /// What it returns depends on all of its work.
        let pass: () throws -> Int

        init(_ amount: Amount, pass: @escaping () throws -> Int) {
            self.amount = amount
            self.pass = pass
        }
    }

    let name: String
    let prepare: () throws -> Prepared

    init(_ name: String, prepare: @escaping () throws -> Prepared) {
        self.name = name
        self.prepare = prepare
    }
}

/// The times of a workload's rounds.
struct Measurement {
    let name: String
    private let workload: Workload.Prepared
    /// Seconds of one pass, one for each round.
    private(set) var seconds: [Double] = []
    private(set) var check = 0

    init(_ workload: Workload) throws {
        name = workload.name
        self.workload = try workload.prepare()
    }

    /// Runs so many passes without looking at the time.
    mutating func run(passes: Int) throws {
        for _ in 0..<passes { check &+= try workload.pass() }
    }

    /// Runs passes for about `duration` seconds, and notes the mean of one.
    mutating func run(for duration: Double) throws {
        var passes = 0
        let start = Self.processorSeconds()
        var elapsed = 0.0
        repeat {
            check &+= try workload.pass()
            passes += 1
            elapsed = Self.processorSeconds() - start
        } while elapsed < duration
        seconds.append(elapsed / Double(passes))
    }

    /// Time of the processor, not of the clock: other programs may be at work, too.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    var minimum: Double { seconds.min() ?? 0 }

    var median: Double { seconds.sorted()[seconds.count / 2] }

    /// A time in the unit of the workload.
    func text(_ seconds: Double) -> String {
        switch workload.amount {
        case .bytes(let count): "\(Int((Double(count) / seconds / 1e6).rounded())) MB/s"
        case .items(let count): "\(((seconds / Double(count) * 1e10).rounded() / 10)) ns"
        }
    }
}
