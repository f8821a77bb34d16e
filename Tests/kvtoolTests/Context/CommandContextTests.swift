import Foundation
import KVToolCommands
import KVToolCore
import StoreTestSupport
import Testing

@Suite("Commands in separate contexts")
struct CommandContextTests {
    /// The output of a command line that runs in this process and writes to its own files.
    private struct Written {
        let status: KVToolCore.ExitStatus
        let output: String
        let errors: String

        init(_ arguments: [String]) async throws {
            let directory = try TemporaryDirectory()
            let (output, errors) = (directory("output"), directory("errors"))
            let files = try [output, errors].map { path in
                try #require(FileManager.default.createFile(atPath: path, contents: nil))
                return try #require(FileHandle(forWritingAtPath: path))
            }
            let context = CommandContext(
                StandardOutput(files[0].fileDescriptor), StandardError(files[1].fileDescriptor))
            status = await context.run { await CommandRunner.run(arguments) }
            for file in files { try file.close() }
            self.output = try String(contentsOfFile: output, encoding: .utf8)
            self.errors = try String(contentsOfFile: errors, encoding: .utf8)
        }
    }

    @Test("Two run at the same time in one process, each with its own output")
    func twoAtOnce() async throws {
        let (one, two) = (try SampleDatabase(people: 1), try SampleDatabase(people: 2))
        let ids = "SELECT META().id AS id FROM _ ORDER BY id"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let rows = try await Written(["query", one.path, "--ndjson", ids])
                    #expect(rows.output == "{\"id\":\"person-0001\"}\n", "\(rows)")
                    #expect(rows.errors == "" && rows.status == .success)
                }
                group.addTask {
                    let rows = try await Written(["query", two.path, "--csv", ids])
                    #expect(rows.output == "id\nperson-0001\nperson-0002\n", "\(rows)")
                    #expect(rows.errors == "" && rows.status == .success)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("The output format of one does not affect others, nor do its errors")
    func errors() async throws {
        let directory = try TemporaryDirectory()
        let missing = directory("missing.cblite2")
        async let json = Written(["ls", missing, "--json"])
        async let words = Written(["ls", missing])
        let (object, line) = (try await json, try await words)
        #expect(object.errors.hasPrefix(#"{"error":{"status":3,"#), "\(object.errors)")
        #expect(line.errors.hasPrefix("kvtool: "), "\(line.errors)")
        #expect(object.output == "" && line.output == "")
        #expect(object.status == line.status && line.status.rawValue == 3)
    }
}
