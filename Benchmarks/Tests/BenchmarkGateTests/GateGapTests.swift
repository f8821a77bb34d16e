import BenchmarkGate
import Testing

@Suite("What the gate leaves unchecked")
struct GateGapTests {
    private func gaps(sqlite: String, _ kernels: [(name: String, usesSQLite: Bool)]) throws
        -> [GateGap]
    {
        let cost = KernelCost(instructions: 10, allocations: 0)
        let gate = try Gate(
            thresholds: Thresholds(kernels: ["get": cost, "lookup": cost], sqlite: "3.40.1"),
            marginPercent: 5, sqlite: sqlite)
        let measured = kernels.map {
            MeasuredKernel(name: $0.name, cost: cost, usesSQLite: $0.usesSQLite)
        }
        return gate.gaps(in: gate.verdicts(on: measured), path: "t.json")
    }

    @Test("is nothing with the SQLite of the thresholds, and one of each kernel")
    func none() throws {
        #expect(try gaps(sqlite: "3.40.1", [("get", true), ("lookup", false)]).isEmpty)
    }

    @Test("are kernels of another SQLite, even where they cost the same")
    func otherSQLite() throws {
        let gap = GateGap.otherSQLite(expected: "3.40.1", found: "3.50.0")
        #expect(try gaps(sqlite: "3.50.0", [("get", true)]) == [gap])
        #expect(try gaps(sqlite: "3.50.0", [("lookup", false)]).isEmpty)
    }

    @Test("are kernels that are new")
    func new() throws {
        #expect(
            try gaps(sqlite: "3.40.1", [("get", true), ("walk", true)])
                == [.newKernels(["walk"], path: "t.json")])
    }

    @Test("is one line, with what to do")
    func text() {
        #expect(
            "\(GateGap.noValgrind)"
                == "NOTHING IS CHECKED: valgrind is not installed: install it")
        #expect(
            "\(GateGap.noThresholds(path: "t.json"))"
                == "NOTHING IS CHECKED: t.json does not exist; --update writes it")
        #expect(
            "\(GateGap.newKernels(["a", "b"], path: "t.json"))"
                == "NOT CHECKED, not in t.json: a, b; --update writes them")
    }

    @Test(
        "is a failure in CI only",
        arguments: [
            (["CI": "true"], true), (["CI": "1"], true), (["CI": "TRUE"], true),
            (["CI": "false"], false), (["CI": ""], false), ([:], false),
        ])
    func failure(environment: [String: String], expected: Bool) {
        #expect(GateGap.isFailure(in: environment) == expected)
    }
}
