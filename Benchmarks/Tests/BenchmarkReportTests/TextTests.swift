import Testing

@testable import BenchmarkReport

@Suite("Figures as text")
struct FigureTextTests {
    @Test(
        "have three digits that count",
        arguments: [
            (0.0, "0"), (1, "1.00"), (12.345, "12.3"), (999.6, "1,000"), (1234.5, "1,235"),
            (0.01234, "0.0123"), (-2.5, "−2.50"), (1_234_567, "1,234,567"), (1e300, "1e+300"),
            (1e-300, "0.000000000000"), (.infinity, "–"), (.nan, "–"),
        ])
    func numbers(value: Double, text: String) {
        #expect(FigureText.number(value) == text)
    }

    @Test(
        "have the unit that fits",
        arguments: [
            (4.1e-6, "4.10 µs"), (200e-9, "200 ns"), (0.0827, "82.7 ms"), (3.5, "3.50 s"),
            (0.9e-9, "0.900 ns"),
        ])
    func durations(seconds: Double, text: String) {
        #expect(FigureText.duration(seconds) == text)
    }

    @Test("of changes have a sign")
    func changes() {
        #expect(FigureText.change(1.1) == "+10.0 %")
        #expect(FigureText.change(0.995) == "−0.5 %")
        #expect(FigureText.change(1) == "+0.0 %")
        #expect(FigureText.change(.nan) == "–")
    }

    @Test("of people are short")
    func people() {
        #expect(
            [10_000, 100_000, 1_000_000, 990, 12_345].map(FigureText.people)
                == ["10k", "100k", "1M", "990", "12,345"])
    }

    @Test("of a workload are times of an item, or bytes a second")
    func units() {
        #expect(WorkloadResult.sample("w", amount: 100, [1]).text(2e-3) == "20.0 µs")
        #expect(
            WorkloadResult.sample("w", amount: 5_000_000, unit: .bytes, [1]).text(0.5)
                == "10.0 MB/s")
        #expect(WorkloadResult.sample("w", amount: 5, unit: .bytes, [1]).text(0) == "–")
    }
}

@Suite("Groups of workloads")
struct WorkloadGroupTests {
    @Test(
        "know what their names have in common",
        arguments: [
            (
                ["store: insert, one, tmpfs: C", "store: insert, one, tmpfs: records"],
                "store: insert, one, tmpfs"
            ),
            (["ooni: latest: original", "ooni: latest"], "ooni: latest"),
            (["scan: step and touch", "scan, fl_value = ?"], "scan"),
            (["a: xy", "a: xz"], "a"),
            (
                ["SQL: read a row, C", "SQL: read a row, cold"],
                "SQL: read a row"
            ),
            (
                ["index: cut: SQLite, porter", "index: cut, stems"], "index: cut"
            ),
            (["abc", "xyz"], ""), ([], ""),
        ])
    func common(names: [String], common: String) {
        #expect(WorkloadGroup.common(names) == common)
    }

    @Test(
        "have titles that are longer than the area",
        arguments: [
            ("a: b: C", ["a: b: records", "a: b"], "a: b"),
            ("scan: touch, C", ["scan, x", "scan, y"], "scan, beside touch, C"),
            ("scan: touch, C", ["scan, x"], "scan, x"),
            (
                "people: JSON reads", ["people: to Fleece", "people: to Fleece, shared"],
                "people: to Fleece"
            ),
            (
                "Codable to JSON", ["Codable to Fleece", "Codable to Fleece, shared"],
                "Codable to Fleece"
            ),
            ("xyz", ["abc", "def"], "beside xyz"),
        ])
    func titles(baseline: String, others: [String], title: String) {
        #expect(WorkloadGroup.title(baseline, others) == title)
    }

    @Test("of the same words have titles of their own")
    func sameWords() {
        let run = BenchmarkRun.sample([
            .sample("a: b: C", role: .baseline, [1]), .sample("a: b", baseline: "a: b: C", [1]),
            .sample("a: b: C2", role: .baseline, [1]),
            .sample("a: b, d", baseline: "a: b: C2", [1]),
        ])
        #expect(WorkloadGroup.all(of: run.workloads).map(\.title) == ["a: b", "a: b, d"])
    }

    @Test("have the baseline first, and labels without the common words")
    func members() {
        let run = BenchmarkRun.sample([
            .sample("a: b: records", baseline: "a: b: C", [1]),
            .sample("a: b: C", role: .baseline, [1]),
            .sample("a: b", baseline: "a: b: C", [1]), .sample("lost", baseline: "missing", [1]),
            .sample("alone", [1]),
        ])
        let groups = WorkloadGroup.all(of: run.workloads)
        #expect(groups.map(\.title) == ["a: b"])
        #expect(groups.first?.members.map(\.name) == ["a: b: C", "a: b: records", "a: b"])
        #expect(
            groups.first.map { group in group.members.map(group.label) }
                == ["C", "records", "this project"])
        #expect(WorkloadGroup.others(of: run).map(\.name) == ["lost", "alone"])
        #expect(WorkloadArea.all(of: run.workloads).map(\.name) == ["a"])
    }
}
