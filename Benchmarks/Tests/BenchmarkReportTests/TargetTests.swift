import Testing

@testable import BenchmarkReport

@Suite("Targets are judged")
struct TargetTests {
    private func target(
        _ rule: Rule, of workloads: [String] = ["w"], _ quantity: Target.Quantity = .items(1)
    ) -> Target {
        Target(.store, "row", workloads: workloads, quantity: quantity, rule: rule)
    }

    private func reason(_ verdict: Verdict) -> String? {
        if case .notMeasured(let reason) = verdict.outcome { reason } else { nil }
    }

    @Test("by the median of the rounds' ratios to the baseline")
    func ratio() throws {
        // Ratios 1.5, 1.25, 2; the ratio of the medians would be 3 / 2.
        let run = BenchmarkRun.sample([
            .sample("f", role: .baseline, [2, 4, 1]), .sample("w", baseline: "f", [3, 5, 2]),
        ])
        let verdict = target(.timesBaseline(.atMost(1.6, stretch: 1.5))).evaluate(in: run)
        #expect(verdict.outcome == .met(stretch: true))
        #expect(verdict.measured?.figure == 1.5)
        #expect(verdict.measured?.baseline == 2)
        #expect(verdict.measured?.seconds == 3)
        #expect(abs(try #require(verdict.measured).margin - 0.0625) < 1e-12)
        #expect(
            target(.timesBaseline(.atMost(1.5))).evaluate(in: run).outcome == .met(stretch: nil))
        let missed = target(.timesBaseline(.atMost(1.2, stretch: 1.1))).evaluate(in: run)
        #expect(missed.outcome == .missed)
        #expect(missed.text == "missed by 25 %")
    }

    @Test("for the same amount of work as the baseline does")
    func amounts() {
        let run = BenchmarkRun.sample([
            .sample("f", role: .baseline, amount: 10, [10]),
            .sample("w", baseline: "f", amount: 5, [6]),
        ])
        #expect(target(.timesBaseline(.atMost(1.2))).evaluate(in: run).measured?.figure == 1.2)
    }

    @Test("by seconds of the best round, the limit scaled by the mean of four baselines")
    func seconds() throws {
        let baselines = BenchmarkRun.baselines([1, 2, 3, 4])
        let run = BenchmarkRun.sample(baselines + [.sample("w", amount: 4, [8, 6, 10])])
        let scale = try MachineScale(run)
        #expect(zip(scale.factors, [1, 2, 3, 4]).allSatisfy { abs($0 - $1) < 1e-9 })
        #expect(abs(scale.mean - 2.5) < 1e-9)
        // 6 s for 4 items are 1.5 s an item; the limit is 0.8 s times 2.5.
        let verdict = target(.seconds(.atMost(0.8, stretch: 0.5))).evaluate(in: run)
        #expect(verdict.outcome == .met(stretch: false))
        #expect(verdict.measured?.figure == 1.5)
        #expect(abs(try #require(verdict.measured).bound.limit - 2) < 1e-9)
        #expect(abs(try #require(verdict.measured).margin - 0.25) < 1e-9)
        #expect(target(.seconds(.atMost(0.5))).evaluate(in: run).outcome == .missed)
        #expect(
            target(.seconds(.atMost(2)), .items(2)).evaluate(in: run).measured?.figure == 3)
        #expect(target(.seconds(.atMost(2)), .pass).evaluate(in: run).measured?.figure == 6)
    }

    @Test("by a share of another engine's seconds, on a machine that is twice as slow")
    func share() {
        let run = BenchmarkRun.sample(BenchmarkRun.baselines() + [.sample("w", [11])])
        // 0.6 × 10 s × 2 = 12 s.
        let rule = { Rule.share(ofSeconds: $0, of: "LiteCore", .atMost(0.6)) }
        #expect(target(rule(10)).evaluate(in: run).isMet)
        let verdict = target(rule(5)).evaluate(in: run)
        #expect(verdict.outcome == .missed)
        #expect(verdict.text == "missed by 83 %")
        #expect(verdict.limitText == "at most 0.60 × LiteCore's 5.00 s; here 6.00 s")
        #expect(target(rule(1)).evaluate(in: run).text == "missed: 9.17 × the limit")
    }

    @Test("and reported if the baseline alone is beyond the limit")
    func baselineBeyond() {
        let workloads: [WorkloadResult] = [
            .sample("f", role: .baseline, [9]), .sample("w", baseline: "f", [10]),
            .sample("p", role: .peer, [9]), .sample("v", baseline: "p", [10]),
        ]
        let run = BenchmarkRun.sample(BenchmarkRun.baselines() + workloads)
        let own = target(.seconds(.atMost(4))).evaluate(in: run)
        #expect(own.text == "missed by 25 %; the baseline alone misses it")
        #expect(target(.seconds(.atMost(4)), of: ["v"]).evaluate(in: run).text == "missed by 25 %")
    }

    @Test("by bytes a second, of which a slower machine needs fewer")
    func rate() {
        let run = BenchmarkRun.sample(
            BenchmarkRun.baselines() + [.sample("w", amount: 900, unit: .bytes, [2, 1, 3])])
        let verdict = target(.bytesPerSecond(.atLeast(1600, stretch: 1800))).evaluate(in: run)
        #expect(verdict.measured?.figure == 900)
        #expect(verdict.outcome == .met(stretch: true))
        #expect(target(.bytesPerSecond(.atLeast(2000))).evaluate(in: run).outcome == .missed)
    }

    @Test("by how many times as fast as others together they are, round by round")
    func peers() {
        let run = BenchmarkRun.sample([
            .sample("a", amount: 2, [2, 4, 2]), .sample("b", [1, 1, 1]),
            .sample("c", role: .peer, [7, 9, 9]), .sample("d", role: .peer, amount: 2, [6, 6, 6]),
        ])
        // 10/2, 12/3, 12/2.
        let verdict = target(
            .timesAsFast(as: ["c", "d"], .atLeast(5, stretch: 10)), of: ["a", "b"]
        )
        .evaluate(in: run)
        #expect(verdict.measured?.figure == 5)
        #expect(verdict.outcome == .met(stretch: false))
    }

    @Test("by the seconds that one takes more than another")
    func difference() {
        let run = BenchmarkRun.sample(
            BenchmarkRun.baselines() + [.sample("w", [12, 10]), .sample("v", [7, 8])])
        let verdict = target(.secondsMore(than: "v", .atMost(1.5))).evaluate(in: run)
        #expect(verdict.measured?.figure == 3)
        #expect(verdict.isMet)
    }

    @Test("by the median of a figure, unscaled")
    func figure() {
        let run = BenchmarkRun.sample(
            [], figures: [Figure(name: "w", unit: "times", rounds: [1.6, 1.8, 1.9])])
        let verdict = target(.figure(.atLeast(1.7, stretch: 1.9))).evaluate(in: run)
        #expect(verdict.outcome == .met(stretch: false))
        #expect(verdict.text == "met, 5.9 % to spare")
        #expect(target(.figure(.atMost(1.7))).evaluate(in: run).outcome == .missed)
    }

    @Test("and what cannot be judged has a reason")
    func reasons() {
        let few = BenchmarkRun.sample([
            .sample("w", baseline: "f", [1]), .sample("alone", [1]),
            .sample("zero", role: .baseline, [0, 1]), .sample("over", baseline: "zero", [1, 1]),
            .sample("nan", baseline: "w", [.nan, 1]), .sample("none", baseline: "w", []),
        ])
        let baseline = Rule.timesBaseline(.atMost(1))
        let cases: [(name: String, rule: Rule, reason: String)] = [
            ("w", baseline, #"its baseline "f" is not in the run"#),
            ("alone", baseline, "a baseline is not in the run"),
            ("over", baseline, #"a time of the baseline "zero" is not a positive number"#),
            ("nan", baseline, #"a time of "nan" is not a positive number"#),
            ("none", baseline, #"a time of "none" is not a positive number"#),
            ("missing", baseline, #""missing" is not in the run"#),
            ("f", .figure(.atMost(1)), #""f" is not in the run"#),
            (
                "w", .noAllocations(kernels: ["k"]), "counted by kvgate; give its --thresholds"
            ),
            (
                "w", .seconds(.atMost(1)),
                #"the machine's speed needs "store: insert, one transaction, tmpfs: C""#
            ),
        ]
        for (name, rule, expected) in cases {
            let verdict = target(rule, of: [name]).evaluate(in: few)
            #expect(reason(verdict) == expected)
            #expect(verdict.measured == nil)
        }
    }

    @Test("in seconds only among as many people as the tables have")
    func size() {
        let run = BenchmarkRun.sample(
            people: 10_000, BenchmarkRun.baselines() + [.sample("w", [1])])
        let verdict = target(.seconds(.atMost(1))).evaluate(in: run)
        #expect(reason(verdict) == "the table's figure is for 100,000 people, not 10,000")
    }

    @Test("by the reference's file only where it was measured")
    func referenceFile() {
        let lookup = Target.all.first { $0.workloads == ["lookup in a view by string"] }
        let conversion = "1000people.json: JSON to Fleece"
        let own = BenchmarkRun.baselines() + [.sample("lookup in a view by string", [15e-9])]
        for (amount, isMeasured) in [(1_303_317, true), (1_300_000, false)] {
            let run = BenchmarkRun.sample(
                own + [.sample(conversion, amount: amount, unit: .bytes, [1])])
            let verdict = lookup?.evaluate(in: run)
            #expect(verdict?.isMet == isMeasured)
        }
        // Without the conversion nobody knows.
        #expect(
            lookup.flatMap { reason($0.evaluate(in: .sample(own))) }
                == "\"\(conversion)\" is not in the run, so that it is not known whether "
                + "1000people.json was available")
    }

    @Test("with the limit as the tables have it, too, where it is scaled")
    func unscaled() {
        let run = BenchmarkRun.sample(
            BenchmarkRun.baselines() + [
                .sample("w", [15]), .sample("f", role: .baseline, [1]),
                .sample("v", baseline: "f", [1]),
                .sample("b", amount: 900, unit: .bytes, [1]),
            ])
        // Twice as slow: at most 20 s instead of 10.
        let verdict = target(.seconds(.atMost(10))).evaluate(in: run)
        #expect(verdict.isMet)
        #expect(verdict.measured?.isMetUnscaled == false)
        #expect(verdict.text == "met, 25 % to spare")
        #expect(verdict.unscaledText == "missed by 50 %")
        let rate = target(.bytesPerSecond(.atLeast(1000)), of: ["b"]).evaluate(in: run)
        #expect(rate.isMet)
        #expect(rate.unscaledText == "missed by 10 %")
        let ratio = target(.timesBaseline(.atMost(1)), of: ["v"]).evaluate(in: run)
        #expect(ratio.measured?.isMetUnscaled == nil)
        #expect(ratio.unscaledText == "–")
        let all = Verdicts(
            run, targets: [target(.seconds(.atMost(10))), target(.seconds(.atMost(15)))])
        #expect(all.unscaled == (1, 2))
    }

    @Test("by the clock if it waits for a disk, which older files have in the name")
    func durable() {
        var named = WorkloadResult.sample("a, disk: w", baseline: "a, disk: C", [1], wall: [6])
        let baseline = WorkloadResult.sample("a, disk: C", role: .baseline, [1], wall: [2])
        let rule = Rule.timesBaseline(.atMost(1))
        let verdict = target(rule, of: [named.name]).evaluate(in: .sample([named, baseline]))
        #expect(verdict.measured?.figure == 3)
        #expect(verdict.measured?.seconds == 6)
        // A result that says so itself is believed; but then its baseline must have waited, too.
        named.isDurable = false
        let other = target(rule, of: [named.name]).evaluate(in: .sample([named, baseline]))
        #expect(other.measured == nil)
        var marked = WorkloadResult.sample("w", [1], wall: [5])
        #expect(marked.judged.median == 1)
        marked.isDurable = true
        #expect(marked.judged.median == 5)
    }

    @Test("by what kvgate has counted: an allocation is one too many")
    func allocations() {
        let counts = AllocationCounts(source: "t.json", kernels: ["a": 0, "b": 0.5, "c": 0])
        func verdict(_ kernels: [String]) -> Verdict {
            target(.noAllocations(kernels: kernels)).evaluate(in: .sample([]), counts)
        }
        #expect(verdict(["a", "c"]).outcome == .met(stretch: nil))
        #expect(verdict(["a", "c"]).text == "met")
        #expect(verdict(["a", "b"]).outcome == .missed)
        #expect(verdict(["a", "b"]).text == "missed")
        #expect(verdict(["a", "b"]).figureText == "0.500")
        #expect(reason(verdict(["a", "d"])) == #"no kernel "d" in t.json"#)
    }
}

@Suite("Targets are judged in several runs")
struct JointVerdictTests {
    private let target = Target(
        .store, "row", workloads: ["w"], rule: .timesBaseline(.atMost(2, stretch: 1)))

    private func verdict(_ ratios: [Double?]) -> Verdict? {
        let runs = ratios.map { ratio in
            let own = ratio.map { [WorkloadResult.sample("w", baseline: "f", [$0])] } ?? []
            return BenchmarkRun.sample([.sample("f", role: .baseline, [1])] + own)
        }
        return Verdicts(runs, targets: [target]).all.first
    }

    @Test("and met if each meets them; the worst is shown")
    func met() {
        let verdict = verdict([0.9, 1.6, 1])
        #expect(verdict?.outcome == .met(stretch: false))
        #expect(verdict?.measured?.figure == 1.6)
        #expect(verdict?.runs == .init(met: 3, all: 3))
    }

    @Test("and missed if one misses them, whatever is not known of others")
    func missed() {
        let verdict = verdict([1, nil, 2.5, 3])
        #expect(verdict?.outcome == .missed)
        #expect(verdict?.measured?.figure == 3)
        #expect(verdict?.runsText == "1 of 4")
    }

    @Test("and not measured if one did not measure, though others meet them")
    func unmeasured() {
        let verdict = verdict([1, nil])
        #expect(verdict?.isMet == false)
        #expect(verdict?.text == #"not measured: "w" is not in the run"#)
        #expect(verdict?.runsText == "1 of 2")
    }

    @Test("but a single run is not counted")
    func one() {
        #expect(verdict([1])?.runs == nil)
        #expect(Verdicts([BenchmarkRun](), targets: [target]).all.isEmpty)
    }
}

@Suite("The tables of targets")
struct TargetTableTests {
    @Test(
        "have all rows",
        arguments: [
            (Target.Table.store, 24), (.fleece, 9), (.applications, 6), (.encryption, 5),
        ])
    func rows(table: Target.Table, count: Int) {
        #expect(Set(Target.all.filter { $0.table == table }.map(\.row)).count == count)
    }

    @Test("name each target once, and each with a limit that can be met")
    func titles() {
        #expect(Set(Target.all.map { "\($0.table) \($0.title)" }).count == Target.all.count)
        for target in Target.all {
            guard let bound = target.rule.bound else { continue }
            #expect(bound.limit > 0)
            if let stretch = bound.stretch {
                #expect(bound.isUpper ? stretch < bound.limit : stretch > bound.limit)
            }
        }
    }

    @Test("judge both ways to ask of 15k servers, and the list that is created again")
    func servers() {
        let workloads = Target.all.filter { $0.row.hasPrefix("Servers, 15k") }.map(\.workloads)
        #expect(
            workloads == [
                ["servers: groups, 15k"], ["servers: groups, 15k: in memory"],
                ["servers: fastest of a country, 15k"],
                ["servers: fastest of a country, 15k: in memory"],
                ["servers: one country, 15k"], ["servers: one country, 15k: in memory"],
                [
                    "servers: list in memory after a change of loads, 15k",
                    "servers: groups, 15k: in memory",
                ],
            ])
    }

    @Test("judge whole queries where the tables count their rows")
    func wholeQueries() {
        let names = [
            "query: indexed equality, 2,200 ids", "query: indexed COUNT of 2,200",
            "index: search of a word in 3,891 of 20k texts, SQL++",
            "index: search of a word in 20 of 20k texts, SQL++",
        ]
        for name in names {
            #expect(Target.all.first { $0.workloads == [name] }?.quantity == .pass, "\(name)")
        }
    }

    @Test("are not measured by an empty run")
    func emptyRun() {
        let verdicts = Verdicts(.sample([]))
        #expect(verdicts.unmeasured == Target.all.count)
        #expect(verdicts.met + verdicts.missed + verdicts.stretched == 0)
    }

    @Test("hold limits as the design has them")
    func limits() {
        let expected: [String: Rule] = [
            "insert, a transaction per 1,000":
                .share(ofSeconds: 6.9e-6, of: "LiteCore", .atMost(0.6)),
            "random get by key + 1 property: documents": .timesBaseline(.atMost(1.1, stretch: 1)),
            "Fleece → JSON: counted by the file's 1.30 MB, of which 1.01 are written":
                .bytesPerSecond(.atLeast(1e9, stretch: 1.5e9)),
            "OONI: list of 100 results with aggregates / latest: latest":
                .seconds(.atMost(0.05 * 1e-3)),
            "2 reader threads against 1: in one snapshot": .figure(.atLeast(1.7, stretch: 1.9)),
            "2 reader threads against 1: a snapshot each": .figure(.atLeast(1.7, stretch: 1.9)),
        ]
        for (title, rule) in expected {
            #expect(Target.all.first { $0.title == title }?.rule == rule)
        }
    }
}

extension Rule {
    fileprivate var bound: Bound? {
        switch self {
        case .timesBaseline(let bound), .timesAsFast(_, let bound), .share(_, _, let bound),
            .seconds(let bound), .bytesPerSecond(let bound), .secondsMore(_, let bound),
            .figure(let bound):
            bound
        case .noAllocations: nil
        }
    }
}
