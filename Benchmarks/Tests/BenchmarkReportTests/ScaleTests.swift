import Testing

@testable import BenchmarkReport

@Suite("Large files in a report")
struct ScaleTests {
    private func run(_ documents: Int, _ microseconds: Double) -> BenchmarkRun {
        .sample(
            people: documents, [],
            figures: [
                Figure(name: "scale: insert, part 1 of 2", unit: "µs", rounds: [microseconds]),
                Figure(name: "scale: insert, part 1 of 2, memory", unit: "bytes", rounds: [5e6]),
                Figure(name: "scale: insert, part 1 of 2, WAL", unit: "bytes", rounds: [2e3]),
                Figure(name: "scale: get", unit: "µs", rounds: [3]),
                Figure(name: "other", unit: "times", rounds: [1.5]),
            ])
    }

    @Test("have a row for each step, with its bytes beside its time")
    func steps() throws {
        let scale = try #require(ScaleRun(run(1_000_000, 4)))
        #expect(scale.title == "1M documents, 2026-11-22T10:00:00Z")
        #expect(scale.titles == ["Step", "Time of an item", "Memory", "WAL"])
        #expect(
            scale.rows == [
                ["insert, part 1 of 2", "4.00 µs", "5.00 MB", "2.00 kB"],
                ["get", "3.00 µs", "–", "–"],
            ])
        #expect(ScaleRun(.sample([])) == nil)
    }

    @Test("of several sizes have the growth of an item's time")
    func growth() throws {
        let scales = [run(1_000_000, 4), run(100_000_000, 40)].compactMap(ScaleRun.init)
        let growth = try #require(ScaleGrowth(scales))
        #expect(growth.titles == ["Step, time of an item", "1M", "100M", "Exponent"])
        #expect(
            growth.rows == [
                ["insert, part 1 of 2", "4.00 µs", "40.0 µs", "0.50"],
                ["get", "3.00 µs", "3.00 µs", "0.00"],
            ])
        #expect(ScaleGrowth([scales[0], scales[0]]) == nil)
    }

    @Test("stand beside a run without taking its place")
    func beside() throws {
        let own = BenchmarkRun.sample(people: 10_000, [.sample("w", [1])])
        let text = try MarkdownReport([run(1_000_000, 4), own]).text
        #expect(text.contains("- People: 10,000"))
        #expect(text.contains("## Targets"))
        #expect(text.contains("| insert, part 1 of 2 | 4.00 µs | 5.00 MB | 2.00 kB |"))
        #expect(!text.contains("scale:"))
        #expect(!text.contains("## Growth"))
    }

    @Test("alone make a report without targets")
    func alone() throws {
        let text = try MarkdownReport([run(1_000_000, 4)]).text
        #expect(!text.contains("## Targets") && !text.contains("## Workloads"))
        #expect(text.contains("## One large file") && text.contains("| other | 1.50 times |"))
        #expect(try HTMLReport([run(1_000_000, 4)]).text.contains("1M documents"))
    }
}
