import BenchmarkGate
import Foundation
import Testing

@Suite("Files of thresholds")
struct ThresholdsTests {
    private static let known = Thresholds(
        kernels: [
            "lookup": KernelCost(instructions: 40.3, allocations: 0),
            "get": KernelCost(instructions: 1000, allocations: 2.004),
        ], sqlite: "3.40.1")

    private static let text = """
        {
          "format" : 1,
          "kernels" : {
            "get" : {
              "allocations" : 2.004,
              "instructions" : 1000
            },
            "lookup" : {
              "allocations" : 0,
              "instructions" : 40.3
            }
          },
          "sqlite" : "3.40.1"
        }

        """

    private func read(_ text: String) throws -> Thresholds {
        try Thresholds(json: Data(text.utf8), from: "t.json")
    }

    private func measured(_ name: String, _ instructions: Double) -> MeasuredKernel {
        MeasuredKernel(
            name: name, cost: KernelCost(instructions: instructions, allocations: 0),
            usesSQLite: true)
    }

    @Test("there is a file for each compiler and architecture")
    func name() {
        #expect(
            Thresholds.fileName(compiler: "swift-6.3", architecture: "x86_64")
                == "swift-6.3-x86_64.json")
    }

    @Test("the text has its keys in order, and reads as what it was written from")
    func json() throws {
        #expect(String(decoding: try Self.known.json(), as: UTF8.self) == Self.text)
        #expect(try read(Self.text) == Self.known)
    }

    @Test("a file that is not there is no error")
    func missing() throws {
        #expect(try Thresholds(contentsOf: "/nowhere/swift-1.0-x86_64.json") == nil)
    }

    @Test("the newest of a directory is that of the newest compiler")
    func newest() throws {
        let directory = NSTemporaryDirectory() + "thresholds-\(UUID().uuidString)"
        #expect(Thresholds.newest(in: directory) == nil)
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        #expect(Thresholds.newest(in: directory) == nil)
        for name in ["swift-6.10-x86_64.json", "swift-6.9-x86_64.json", "README.md", "z.json"] {
            try Data().write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
        }
        #expect(Thresholds.newest(in: directory) == "\(directory)/swift-6.10-x86_64.json")
    }

    @Test(
        "a file without thresholds is reported with its path",
        arguments: [
            ("", "t.json does not contain thresholds"),
            ("[]", "t.json does not contain thresholds"),
            (#"{"format":1,"sqlite":"3"}"#, "t.json does not contain thresholds"),
            (
                #"{"format":1,"sqlite":"3","kernels":{"get":{"instructions":5}}}"#,
                "t.json does not contain thresholds"
            ),
            (
                #"{"format":1,"sqlite":"3","kernels":{"get":{"instructions":"5","allocations":0}}}"#,
                "t.json does not contain thresholds"
            ),
            (#"{"format":2,"sqlite":"3","kernels":{}}"#, "t.json has format 2, not 1"),
            (
                #"{"format":1,"sqlite":"3","kernels":{"get":{"instructions":0,"allocations":0}}}"#,
                "t.json has impossible figures for get"
            ),
            (
                #"{"format":1,"sqlite":"3","kernels":{"get":{"instructions":5,"allocations":-1}}}"#,
                "t.json has impossible figures for get"
            ),
        ])
    func bad(text: String, expected: String) {
        let error = #expect(throws: GateError.self) { try read(text) }
        #expect(
            error?.message == expected
                + ": take it from the repository, or write it again with --update")
    }

    @Test("an update of all kernels drops those that are gone")
    func updateAll() throws {
        let new = try Thresholds.updated(
            Self.known, with: [measured("get", 900)], isAll: true, sqlite: "3.50.0")
        #expect(
            new
                == Thresholds(
                    kernels: ["get": KernelCost(instructions: 900, allocations: 0)],
                    sqlite: "3.50.0"))
    }

    @Test("an update of one kernel leaves the others")
    func updateOne() throws {
        let new = try Thresholds.updated(
            Self.known, with: [measured("get", 900)], isAll: false, sqlite: "3.40.1")
        #expect(new.kernels["get"]?.instructions == 900)
        #expect(new.kernels["lookup"] == Self.known.kernels["lookup"])
    }

    @Test("one kernel of another SQLite is not put among the others")
    func updateOtherSQLite() throws {
        #expect(throws: GateError.self) {
            try Thresholds.updated(
                Self.known, with: [measured("get", 900)], isAll: false, sqlite: "3.50.0")
        }
    }

    @Test("the first update needs no file")
    func updateNothing() throws {
        let new = try Thresholds.updated(
            nil, with: [measured("get", 900)], isAll: false, sqlite: "3.40.1")
        #expect(Array(new.kernels.keys) == ["get"])
    }
}
