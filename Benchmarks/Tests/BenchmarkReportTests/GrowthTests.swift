import Testing

@testable import BenchmarkReport

@Suite("Growth")
struct GrowthTests {
    private func runs(_ workloads: (Double) -> [WorkloadResult]) -> [BenchmarkRun] {
        [10_000, 100_000, 1_000_000].map { people in
            .sample(people: people, workloads(Double(people)))
        }
    }

    @Test("is the slope of the line through the logarithms")
    func exponents() throws {
        let growth = Growth(
            runs { people in
                [
                    .sample("constant", [3]), .sample("linear", [people * 2e-6]),
                    .sample("square", [people * people]), .sample("root", [people.squareRoot()]),
                ]
            })
        for (name, exponent) in [("constant", 0), ("linear", 1), ("square", 2), ("root", 0.5)] {
            #expect(abs(try #require(growth.curve(name)).exponent - exponent) < 1e-9)
        }
        #expect(growth.curve("linear")?.points.map(\.people) == [10_000, 100_000, 1_000_000])
    }

    @Test("fits three points by least squares")
    func fit() {
        // Logarithms of y: 0, 1, 1 at 0, 1, 2; the slope is half of their rise.
        let slope = Growth.slope([(1, 1), (10, 10), (100, 10)])
        #expect(slope.map { abs($0 - 0.5) < 1e-12 } == true)
        #expect(Growth.slope([(10, 1), (10, 2)]) == nil)
        #expect(Growth.slope([]) == nil)
    }

    @Test("is too fast if it is faster than the amount and the baseline's time")
    func tooFast() {
        let growth = Growth(
            runs { people in
                [
                    .sample("baseline", role: .baseline, [people]),
                    // One result a pass, which takes as long as the baseline: it scans everything.
                    .sample("count", baseline: "baseline", [people * 3]),
                    .sample("each", amount: Int(people), [people]),
                    .sample("one", [people]),
                    // A baseline that does less is not a measure of the work.
                    .sample("flat", role: .baseline, [1]),
                    .sample("all", baseline: "flat", amount: Int(people), [people]),
                    .sample("sort", baseline: "baseline", [people * people]),
                    .sample("peer", role: .peer, [people * people]),
                ]
            })
        #expect(growth.tooFast.map(\.name).sorted() == ["one", "sort"])
        #expect(growth.curve("each").map { abs($0.work - 1) < 1e-9 } == true)
        #expect(growth.curve("count")?.isTooFast == false)
    }

    @Test("takes the best round, and all runs of a size together")
    func best() {
        let growth = Growth([
            .sample(people: 10_000, [.sample("w", [4, 3])]),
            .sample(people: 10_000, [.sample("w", [2, 5])]),
            .sample(people: 100_000, [.sample("w", [30, 20])]),
        ])
        #expect(growth.curve("w")?.points.map(\.seconds) == [2, 20])
    }

    @Test("needs two sizes, and times that are positive numbers")
    func unusable() {
        #expect(Growth([]).curves.isEmpty)
        #expect(Growth([.sample([.sample("w", [1])])]).curves.isEmpty)
        let runs: [BenchmarkRun] = [
            .sample(people: 10_000, [.sample("w", [1]), .sample("v", [.nan]), .sample("u", [1])]),
            .sample(people: 100_000, [.sample("w", [0]), .sample("v", [1])]),
        ]
        #expect(Growth(runs).curves.isEmpty)
    }
}
