import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("The example of replication", .enabled(if: PostgresServer.isInstalled))
struct ExampleTests {
    private let directory: TemporaryDirectory
    private let url: String

    init() throws {
        directory = try TemporaryDirectory()
        let name = "example_" + UUID().uuidString.replacing("-", with: "").lowercased()
        url = try #require(PostgresServer.shared).newDatabase(name)
    }

    private func list(_ file: String, _ arguments: String...) throws -> [String] {
        let path = try #require(CrashHarness.program(named: "shared-list"))
        let outcome = try ChildProcess.run([path, directory("\(file).cblite2")] + arguments)
        #expect(outcome.status == 0, "\(outcome.output)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test("two people who add to the same item at the same time both get what they added")
    func merge() throws {
        _ = try list("ada", "add", "milk", "2")
        #expect(try list("ada", "sync", url) == ["sent 1, received 0, merged 0"])
        #expect(try list("bob", "sync", url) == ["sent 0, received 1, merged 0"])
        _ = try list("ada", "add", "milk", "3")
        _ = try list("bob", "add", "milk", "10")
        _ = try list("bob", "add", "bread", "1")
        #expect(try list("ada", "sync", url) == ["sent 1, received 0, merged 0"])
        #expect(try list("bob", "sync", url) == ["sent 2, received 0, merged 1"])
        #expect(try list("ada", "sync", url) == ["sent 0, received 2, merged 0"])
        for name in ["ada", "bob"] { #expect(try list(name, "list") == ["bread 1", "milk 15"]) }
    }
}
