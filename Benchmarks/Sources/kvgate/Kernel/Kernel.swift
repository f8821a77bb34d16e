import BenchmarkGate

/// A small piece of work whose instructions are counted.
struct Kernel {
    /// The environment of a kernel: a directory of its own in memory, empty at first.
    struct Place {
        let directory: String
    }

    /// A kernel with its data.
    struct Prepared {
        /// One pass, by its number from 0; its result must be equal to `expected`.
        let pass: (Int) throws -> Int
        /// The expected result of a pass, known without running it.
        let expected: (Int) -> Int
        /// Verifies the effects of a number of passes; not called while instructions are counted.
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
    /// The number of items handled by a pass.
    let items: Int
    /// The number of passes that the gate counts; the data suffices for twice as many.
    let passes: Int
    /// Whether a pass includes instructions of the SQLite library.
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

    /// Throws `GateError` if there is no kernel with the name.
    static func named(_ name: String) throws -> Kernel {
        guard let kernel = all.first(where: { $0.name == name }) else {
            let names = all.map(\.name).joined(separator: ", ")
            throw GateError("there is no kernel \(name): there are \(names)")
        }
        return kernel
    }

    /// Runs a number of passes, each of which is checked.
    ///
    /// - Parameter verifies: whether the work is also verified as a whole at the end.
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

/// The build configuration of this program.
enum Release {
    /// Throws `GateError` in a debug build, whose figures are meaningless.
    static func require() throws {
        #if DEBUG
            throw GateError("build it for release: make gate")
        #endif
    }
}
