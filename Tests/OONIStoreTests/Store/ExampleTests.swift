import Foundation
import OONIStore
import StoreTestSupport
import Testing

@Suite("The example")
struct ExampleTests {
    private func run(_ program: String, _ arguments: [String]) throws -> String {
        let path = try #require(CrashHarness.program(named: program))
        let outcome = try ChildProcess.run([path] + arguments)
        #expect(outcome.status == 0, "\(outcome.output)")
        return outcome.output
    }

    @Test("stores and lists a run, which kvtool shows like any other collection")
    func run() throws {
        let directory = try TemporaryDirectory()
        let path = directory("probe.cblite2")
        let expected = """
            result 1: Websites, 2 of 2 without findings
              https://ooni.org/: uploaded
              https://example.org/: uploaded

            """
        #expect(try run("probe-run", [path]) == expected)
        #expect(try run("probe-run", [path]).hasPrefix("result 2: Websites, 2 of 2 "))
        #expect(
            try run("kvtool", ["ls", path, "--collection", "ooni.measurements"])
                .split(separator: "\n").count == 5)
    }

    @Test("writes beside another process, whose observers are notified", .timeLimit(.minutes(20)))
    func processes() async throws {
        let directory = try TemporaryDirectory()
        let store = try OONIStore(path: directory("probe.cblite2"))
        var counts = store.observe {
            try store.results.page(in: $0).results.map(\.counts.done)
        }.makeAsyncIterator()
        #expect(try await counts.next() == [])
        _ = try run("probe-run", [directory("probe.cblite2")])
        while let done = try await counts.next(), done != [2] {}
        let first = try await store.read { try store.results.latest(in: $0) }
        let next = try await store.write {
            try store.results.insert(.init(name: "websites"), at: .init(Date()), in: $0)
        }
        #expect(first?.id.number == 1 && next.id.number == 2)
        #expect(try await store.read { try store.verify(in: $0) }.isEmpty)
    }
}
