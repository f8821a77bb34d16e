import BenchmarkGate

/// A small piece of work whose instructions are counted.
struct Kernel {
    /// What a kernel works with: a directory in memory that is its own, empty at first.
    struct Place {
        let directory: String
    }

    /// A kernel with its data at hand.
    struct Prepared {
        /// One pass, by its number from 0; returns what `expected` must be.
        let pass: (Int) throws -> Int
        /// What a pass must return, known without having done it.
        let expected: (Int) -> Int
        /// Looks at all that so many passes have left behind; not while instructions are counted.
        let verify: (Int) throws -> Void

        init(
            expected: Int, verify: @escaping () throws -> Void = {},
            pass: @escaping () throws -> Int
        ) {
            self.pass = { _ in try pass() }
            self.expected = { _ in expected }
            self.verify = { _ in try verify() }
        }

        init(
            expected: @escaping (Int) -> Int, verify: @escaping (Int) throws -> Void,
            pass: @escaping (Int) throws -> Int
        ) {
            self.pass = pass
            self.expected = expected
            self.verify = verify
        }
    }

    /// The name on the command line, and in the thresholds.
    let name: String
    /// How many items a pass handles.
    let items: Int
    /// How many passes the gate counts; twice as many are the most that the data is good for.
    let passes: Int
    /// Whether instructions of the SQLite library are among those of a pass.
    let usesSQLite: Bool
    let prepare: (Place) throws -> Prepared

    init(
        _ name: String, items: Int, passes: Int, usesSQLite: Bool = false,
        prepare: @escaping (Place) throws -> Prepared
    ) {
        self.name = name
        self.items = items
        self.passes = passes
        self.usesSQLite = usesSQLite
        self.prepare = prepare
    }

    static var all: [Kernel] {
        FleeceKernels.all + CodableKernels.all + RecordKernels.all + QueryKernels.all
    }

    /// Throws `GateError` for a name that no kernel has.
    static func named(_ name: String) throws -> Kernel {
        guard let kernel = all.first(where: { $0.name == name }) else {
            let names = all.map(\.name).joined(separator: ", ")
            throw GateError("no kernel has the name \(name): there are \(names)")
        }
        return kernel
    }

    /// Runs so many passes, each of which is checked.
    ///
    /// - Parameter verifies: whether the work is looked at as a whole at the end, too.
    func run(passes: Int, in place: Place, verifies: Bool) throws {
        try Release.require()
        guard (1...2 * self.passes).contains(passes) else {
            throw GateError("\(name) takes from 1 to \(2 * self.passes) passes, not \(passes)")
        }
        let prepared = try prepare(place)
        for number in 0..<passes {
            let result = try prepared.pass(number)
            guard result == prepared.expected(number) else {
                throw GateError(
                    "\(name), pass \(number): \(result), not \(prepared.expected(number))")
            }
        }
        if verifies { try prepared.verify(passes) }
    }
}

/// How this program was built.
enum Release {
    /// Throws `GateError` if it was built for debugging: its figures would mean nothing.
    static func require() throws {
        #if DEBUG
            throw GateError("build it for release: make gate")
        #endif
    }
}
