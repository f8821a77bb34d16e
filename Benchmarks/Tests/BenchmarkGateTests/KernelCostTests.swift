import BenchmarkGate
import Testing

@Suite("The cost of an item")
struct KernelCostTests {
    private func cost(
        _ once: (Int, Int), _ twice: (Int, Int), passes: Int = 10, items: Int = 100
    ) throws -> KernelCost {
        try KernelCost(
            of: CallgrindProfile(instructions: once.0, allocations: once.1),
            and: CallgrindProfile(instructions: twice.0, allocations: twice.1),
            passes: passes, items: items)
    }

    @Test("what both runs do once goes out; the rest is divided by the items")
    func difference() throws {
        // 1,000 items: 41,260 instructions and 2,003 allocations.
        #expect(
            try cost((5_000_000, 700), (5_041_260, 2_703))
                == KernelCost(instructions: 41.3, allocations: 2.003))
    }

    @Test("one allocation fewer in all is none for an item")
    func fewerAllocations() throws {
        #expect(
            try cost((1_000, 700), (2_000, 699)) == KernelCost(instructions: 1, allocations: 0))
    }

    @Test(
        "runs that cannot be of the same kernel are refused",
        arguments: [((2_000, 0), (2_000, 0)), ((2_000, 0), (1_999, 0)), ((1, 20), (2, 10))])
    func impossible(once: (Int, Int), twice: (Int, Int)) {
        #expect(throws: GateError.self) { try cost(once, twice) }
    }

    @Test("without passes or items there is no cost", arguments: [(0, 1), (1, 0), (-1, 1)])
    func nothing(passes: Int, items: Int) {
        #expect(throws: GateError.self) {
            try cost((1_000, 0), (2_000, 0), passes: passes, items: items)
        }
    }
}
