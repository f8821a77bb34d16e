import BenchmarkGate
import Testing

@Suite("The gate")
struct GateTests {
    private static let known = Thresholds(
        kernels: [
            "get": KernelCost(instructions: 1000, allocations: 2),
            "lookup": KernelCost(instructions: 40, allocations: 0),
        ], sqlite: "3.40.1")

    private func outcome(
        _ name: String, _ instructions: Double, _ allocations: Double, usesSQLite: Bool = true,
        marginPercent: Double = 5, sqlite: String = "3.40.1"
    ) throws -> KernelVerdict.Outcome? {
        let gate = try Gate(
            thresholds: Self.known, marginPercent: marginPercent, sqlite: sqlite)
        let kernel = MeasuredKernel(
            name: name, cost: KernelCost(instructions: instructions, allocations: allocations),
            usesSQLite: usesSQLite)
        return gate.verdicts(on: [kernel]).first?.outcome
    }

    @Test(
        "instructions may differ by the margin, and no more",
        arguments: [
            (949.9, KernelVerdict.Outcome.better), (950, .asBefore), (1000, .asBefore),
            (1050, .asBefore), (1050.1, .worse),
        ])
    func instructions(count: Double, expected: KernelVerdict.Outcome) throws {
        #expect(try outcome("get", count, 2) == expected)
    }

    @Test(
        "allocations have no margin but for rounding",
        arguments: [
            (1.0, KernelVerdict.Outcome.better), (1.98, .better), (1.995, .asBefore),
            (2.005, .asBefore), (2.02, .worse), (3, .worse),
        ])
    func allocations(count: Double, expected: KernelVerdict.Outcome) throws {
        #expect(try outcome("get", 1000, count) == expected)
        // The margin is for instructions.
        #expect(try outcome("get", 1000, count, marginPercent: 100) == expected)
    }

    @Test("the first allocation is one too many")
    func firstAllocation() throws {
        #expect(try outcome("lookup", 40, 1) == .worse)
        #expect(try outcome("lookup", 40, 0.02) == .worse)
    }

    @Test("fewer instructions do not pay for an allocation, nor the other way")
    func mixed() throws {
        #expect(try outcome("get", 500, 3) == .worse)
        #expect(try outcome("get", 2000, 1) == .worse)
    }

    @Test("without a margin a single instruction counts")
    func noMargin() throws {
        #expect(try outcome("get", 1000.1, 2, marginPercent: 0) == .worse)
        #expect(try outcome("get", 1000, 2, marginPercent: 0) == .asBefore)
    }

    @Test("with another SQLite, kernels that use it are not compared, but others are")
    func otherSQLite() throws {
        #expect(try outcome("get", 2000, 2, sqlite: "3.50.0") == .notComparable)
        #expect(try outcome("get", 500, 2, sqlite: "3.50.0") == .notComparable)
        #expect(try outcome("get", 1000, 2, sqlite: "3.50.0") == .asBefore)
        #expect(try outcome("lookup", 80, 0, usesSQLite: false, sqlite: "3.50.0") == .worse)
        let gate = try Gate(thresholds: Self.known, marginPercent: 5, sqlite: "3.50.0")
        #expect(gate.hasOtherSQLite)
    }

    @Test("a kernel without a threshold is new, and a threshold without a kernel is left over")
    func others() throws {
        #expect(try outcome("walk", 1, 0) == .new)
        let gate = try Gate(thresholds: Self.known, marginPercent: 5, sqlite: "3.40.1")
        #expect(gate.leftOver(besides: ["get", "walk"]) == ["lookup"])
        #expect(gate.leftOver(besides: ["get", "lookup"]).isEmpty)
        #expect(!gate.hasOtherSQLite)
    }

    @Test("a margin that is none is refused", arguments: [-1, 100.5, .nan, .infinity])
    func badMargin(margin: Double) {
        #expect(throws: GateError.self) {
            try Gate(thresholds: Self.known, marginPercent: margin, sqlite: "3.40.1")
        }
    }

    @Test("the report shows each kernel with its change")
    func report() throws {
        let gate = try Gate(thresholds: Self.known, marginPercent: 5, sqlite: "3.40.1")
        let report = GateReport(
            gate.verdicts(on: [
                MeasuredKernel(
                    name: "get", cost: KernelCost(instructions: 1100.5, allocations: 2),
                    usesSQLite: true),
                MeasuredKernel(
                    name: "lookup", cost: KernelCost(instructions: 30, allocations: 0),
                    usesSQLite: false),
                MeasuredKernel(
                    name: "walk", cost: KernelCost(instructions: 7, allocations: 0.004),
                    usesSQLite: true),
            ]))
        #expect(
            report.table == """
                kernel  instructions  before   change  allocations  before
                get           1100.5    1000  +10.1 %            2       2  WORSE
                lookup            30      40  −25.0 %            0       0  better: run --update
                walk               7       –        –        0.004       –  no threshold
                """)
        #expect(report.summary == "3 kernels: 1 worse, 1 better, 1 new")
    }
}
