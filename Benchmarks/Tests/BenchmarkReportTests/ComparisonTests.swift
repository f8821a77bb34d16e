import Foundation
import Testing

@testable import BenchmarkReport

@Suite("Two runs compared")
struct ComparisonTests {
    private let baseline = WorkloadResult.sample("f", role: .baseline, [1, 1, 1])

    private func compare(_ before: [WorkloadResult], _ after: [WorkloadResult]) -> Comparison {
        Comparison(before: .sample(before), after: .sample(after))
    }

    private func own(_ name: String, _ rounds: [Double]) -> WorkloadResult {
        .sample(name, baseline: "f", rounds)
    }

    @Test("distinguish a change from noise by whether the rounds overlap")
    func changes() {
        let comparison = compare(
            [
                baseline, own("noise", [2, 3, 4]), own("slower", [2, 2.1, 2.2]),
                own("faster", [4, 4, 5]), own("touching", [1, 2, 3]), own("slowest", [1, 1, 1]),
            ],
            [
                baseline, own("noise", [3.9, 5, 6]), own("slower", [2.3, 2.4, 3]),
                own("faster", [3, 2, 1]), own("touching", [3, 4, 5]), own("slowest", [9, 9, 9]),
            ])
        #expect(
            comparison.rows.map(\.name) == [
                "slowest", "slower", "faster", "touching", "noise", "f",
            ])
        #expect(
            comparison.rows.map(\.change) == [.slower, .slower, .faster, .noise, .noise, .noise])
        #expect(comparison.rows[2].ratio == .init(before: 4, after: 2))
        #expect(comparison.rows[2].factor == 0.5)
    }

    @Test("judge the ratio to the baseline, not what the machine does to both")
    func machine() {
        let comparison = compare(
            [baseline, own("w", [2, 2.1, 2.2])],
            [.sample("f", role: .baseline, [3, 3, 3]), own("w", [6, 6.3, 6.6])])
        let row = comparison.rows.first { $0.name == "w" }
        #expect(row?.change == .noise)
        #expect(row.map { abs($0.time.factor - 3) < 1e-9 } == true)
        #expect(comparison.meanFactorOfBaselines.map { abs($0 - 3) < 1e-9 } == true)
        #expect(comparison.meanFactor.map { abs($0 - 1) < 1e-9 } == true)
    }

    @Test("judge what has no baseline by its time for an item, on the same machine only")
    func times() {
        let before = [WorkloadResult.sample("w", amount: 2, [2, 2, 2])]
        let after = [WorkloadResult.sample("w", amount: 4, [8, 8, 8])]
        let row = compare(before, after).rows.first
        #expect(row?.change == .slower)
        #expect(row?.time == .init(before: 1, after: 2))
        #expect(row?.ratio == nil)
        let other = Comparison(
            before: .sample(before), after: .sample(processor: "Q", after))
        #expect(other.rows.map(\.change) == [.otherMachine])
        #expect(
            other.notes == ["not the same machine: before P, 2 cores, now Q, 2 cores"])
    }

    @Test("of fewer than three rounds prove nothing")
    func rounds() {
        let comparison = compare(
            [baseline, own("w", [1, 1])], [baseline, own("w", [2, 2, 2])])
        #expect(comparison.rows(.tooFewRounds).map(\.name) == ["w"])
        // Two of the ways to deal six rounds out are in order: 2 / 20; of ten 2 / 252.
        #expect(abs(Comparison.chance(3, 3) - 0.1) < 1e-12)
        #expect(abs(Comparison.chance(5, 5) - 2.0 / 252) < 1e-12)
        #expect(Comparison.chance(1, 0) == 1)
    }

    @Test("name what is only in one, and what cannot be compared")
    func only() {
        let comparison = compare(
            [baseline, own("old", [1]), own("bad", [0, 1, 1])],
            [baseline, own("new", [1]), own("bad", [1, 1, 1])])
        #expect(comparison.onlyBefore == ["old"])
        #expect(comparison.onlyAfter == ["new"])
        #expect(comparison.rows.map(\.name) == ["f"])
        #expect(
            comparison.notes == [#""bad" has times that are not positive numbers, or other units"#])
    }

    @Test("have what waits for a disk apart, by the clock")
    func durable() {
        func run(_ wall: Double) -> BenchmarkRun {
            .sample([
                .sample("a, disk: C", role: .baseline, [1, 1, 1], wall: [2, 2, 2]),
                .sample(
                    "a, disk: w", baseline: "a, disk: C", [1, 1, 1], wall: [wall, wall, wall]),
                .sample("v", [1, 1, 1]),
            ])
        }
        let comparison = Comparison(before: run(4), after: run(6))
        let row = comparison.rows.first { $0.name == "a, disk: w" }
        #expect(row?.ratio == .init(before: 2, after: 3))
        #expect(row?.change == .slower)
        // The means are of what the processor does.
        #expect(comparison.meanFactor == nil && comparison.meanFactorOfBaselines == nil)
        let parts = comparison.text.components(separatedBy: "On a disk, by the clock:")
        #expect(parts.count == 2)
        #expect(!parts[0].contains("a, disk") && parts[0].contains("v "))
    }

    @Test("are written as a table with a summary")
    func text() {
        let comparison = Comparison(
            before: .sample(
                [baseline, own("w", [2, 2, 2])],
                figures: [Figure(name: "n", unit: "times", rounds: [1])]),
            after: .sample(
                [baseline, own("w", [3, 3, 3])],
                figures: [Figure(name: "n", unit: "times", rounds: [2])]))
        #expect(
            comparison.text == """
                workload  ratio before   now   change  time before     now   change  verdict
                w                 2.00  3.00  +50.0 %       2.00 s  3.00 s  +50.0 %   slower
                f                                           1.00 s  1.00 s   +0.0 %    noise

                figure      before         now    change
                n       1.00 times  2.00 times  +100.0 %

                2 workloads: 1 slower, 1 noise.
                Ratio to the baseline, this project's workloads: +50.0 % (geometric mean).
                Times of the baselines: +0.0 %; that is the machine, not the code.
                Faster and slower: the ranges of the rounds do not overlap; without a cause this \
                happens for 10 % of workloads.
                """)
        #expect(compare([], []).text == "There is no workload in both.")
    }
}
