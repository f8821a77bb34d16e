import BenchmarkReport
import Foundation
import Testing

@Suite("A file of results")
struct LoadingTests {
    private let path = NSTemporaryDirectory() + "kvbench-\(UUID().uuidString).json"

    private func error(_ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let error = #expect(throws: BenchmarkFileError.self) {
            _ = try BenchmarkRun(contentsOf: path)
        }
        return (error?.description ?? "").replacing(path, with: "F")
    }

    private let give = "give a file that `kvbench run --json` wrote"

    @Test("is read as it was written")
    func roundTrip() throws {
        let run = BenchmarkRun.sample(
            [.sample("w", baseline: "f", amount: 3, [0.1, 0.25])],
            figures: [Figure(name: "n", unit: "times", rounds: [1.5], baseline: [2])])
        try run.write(to: path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try BenchmarkRun(contentsOf: path) == run)
    }

    @Test("that is not there, or a directory, is refused in one line")
    func missing() {
        let error = #expect(throws: BenchmarkFileError.self) {
            _ = try BenchmarkRun(contentsOf: "/nowhere/run.json")
        }
        #expect(error?.description == "/nowhere/run.json: the file does not exist; \(give)")
        let directory = #expect(throws: BenchmarkFileError.self) {
            _ = try BenchmarkRun(contentsOf: "/")
        }
        #expect(directory?.description == "/: this is a directory; \(give)")
    }

    @Test("of another tool is distinguished from one of another format")
    func others() throws {
        let foreign = "F: this is JSON, but not a result of kvbench; \(give)"
        #expect(try error(#"{"benchmarks": []}"#) == foreign)
        #expect(try error(#"{"format": 1}"#) == foreign)
        #expect(try error("[1, 2]") == foreign)
        #expect(try error("not JSON") == "F: this is not JSON; \(give)")
        #expect(try error("") == "F: this is not JSON; \(give)")
        #expect(
            try error(#"{"format": 7, "workloads": []}"#)
                == "F: its format is 7, and this kvbench reads 1; measure again, or use the "
                + "kvbench that wrote it")
        #expect(
            try error(#"{"format": 1, "workloads": []}"#) == "F: the file has no `date`; \(give)")
    }

    private func text(_ workloads: String, people: Int = 10_000) -> String {
        """
        {"format": 1, "date": "d", "machine": {"system": "s", "processor": "p", "cores": 2,
        "memory": 1, "swift": "6.3", "sqlite": "3", "sqliteOptions": []}, "settings": {"people":
        \(people), "rounds": 1, "secondsOfRound": 0.1}, "figures": [], "workloads": [\(workloads)]}
        """
    }

    private func workload(_ name: String = "w", amount: String = "1", time: String = "1") -> String
    {
        let times = #"{"rounds": [\#(time)], "p99": 1}"#
        return """
            {"name": "\(name)", "role": "engine", "amount": \(amount), "unit": "items",
            "processor": \(times), "wall": \(times), "first": 1}
            """
    }

    @Test("that is sound is read")
    func sound() throws {
        try Data(text(workload()).utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try BenchmarkRun(contentsOf: path).workloads.map(\.name) == ["w"])
    }

    @Test("with what cannot have been measured is refused")
    func damage() throws {
        let end = "; the file is damaged: measure again"
        let cases = [
            (text(workload(), people: 0), "F: `settings.people` is 0" + end),
            (
                text(workload() + "," + workload()),
                #"F: the workload "w" is in it twice"# + end
            ),
            (text(workload(amount: "0")), #"F: the workload "w" has an amount of 0"# + end),
            (text(workload(time: "")), #"F: the workload "w" has no rounds"# + end),
            (text(workload(time: "-1")), #"F: the workload "w" has a time of -1.0"# + end),
        ]
        for (text, expected) in cases { #expect(try error(text) == expected) }
        // JSON has no such number.
        #expect(try error(text(workload(time: "NaN"))) == "F: this is not JSON; \(give)")
        #expect(
            try error(text(workload(amount: #""many""#)))
                == "F: `workloads[0].amount` is not of type Int; \(give)")
    }
}
