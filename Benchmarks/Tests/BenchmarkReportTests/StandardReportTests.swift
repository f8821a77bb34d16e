import Foundation
import Testing

@testable import BenchmarkReport

/// A run with two workloads of a standard benchmark, and one that is too short to be timed.
private let standard = BenchmarkRun.sample([
    .standard("ycsb: A, full, 1 thread: C", role: .baseline, [1, 1.25, 1]),
    .standard(
        "ycsb: A, full, 1 thread: documents", baseline: "ycsb: A, full, 1 thread: C", [2, 2, 2]),
    .standard("db_bench: readseq, normal: C", role: .baseline, [0.5], kinds: []),
])

extension WorkloadResult {
    fileprivate static func standard(
        _ name: String, role: Role = .engine, baseline: String? = nil, _ rounds: [Double],
        kinds: [String] = ["read", "update"]
    ) -> WorkloadResult {
        var result = sample(name, role: role, baseline: baseline, amount: 1000, rounds)
        result.isDurable = true
        result.operations = kinds.map { kind in
            OperationLatency(
                kind: kind, count: 1500, p50: 1e-3, p95: 2e-3, p99: 3e-3, maximum: 4e-3)
        }
        return result
    }
}

@Suite("A report on standard benchmarks")
struct StandardReportTests {
    @Test("has a row for each kind of operation, with the number per second and percentiles")
    func rows() throws {
        let text = try MarkdownReport([standard]).text
        let lines = text.split(separator: "\n")
        for line in [
            "## Standard benchmarks",
            "| ycsb: A, full, 1 thread: C | baseline | 1,000 | read | 1,500 | 1.00 ms | 2.00 ms "
                + "| 3.00 ms | 4.00 ms | – |",
            "| ycsb: A, full, 1 thread: documents | engine | 500 | update | 1,500 | 1.00 ms "
                + "| 2.00 ms | 3.00 ms | 4.00 ms | 2.00 (1.60 to 2.00) |",
            #"| db\_bench: readseq, normal: C | baseline | 2,000 | – | – | – | – | – | – | – |"#,
        ] { #expect(lines.contains { $0 == line }, "\(line)") }
    }

    @Test("alone has no targets; beside other workloads it has")
    func targets() throws {
        #expect(try !MarkdownReport([standard]).text.contains("## Targets"))
        #expect(try !MarkdownReport([standard]).text.contains("## Workloads"))
        #expect(try !HTMLReport([standard]).text.contains("targets met"))
        var both = standard
        both.workloads += BenchmarkRun.baselines()
        let text = try MarkdownReport([both]).text
        #expect(text.contains("## Targets"))
        #expect(text.contains("## Standard benchmarks"))
        #expect(!text.contains("## On a disk, by the clock"))
    }

    @Test("is a page with a chart and a table")
    func page() throws {
        let page = try HTMLReport([standard]).text
        #expect(page.contains("Standard benchmarks"))
        #expect(page.contains("<svg"))
        #expect(page.contains("4.00 ms"))
    }

    @Test("survives writing and reading; an impossible latency is an error")
    func file() throws {
        let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try standard.write(to: path)
        #expect(try BenchmarkRun(contentsOf: path) == standard)
        var wrong = standard
        wrong.workloads[0].operations?[0].p99 = -1
        try wrong.write(to: path)
        #expect(throws: BenchmarkFileError.self) { try BenchmarkRun(contentsOf: path) }
    }
}
