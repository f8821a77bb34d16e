import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool serve --sync")
struct SyncServingTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try add("served", "ada", #""age":36"#)
    }

    private func database(_ name: String) -> String { directory("\(name).cblite2") }

    /// Adds a document to a database, which is created if it does not exist.
    private func add(_ database: String, _ id: String, _ properties: String) throws {
        let line = #"{"_id":"\#(id)",\#(properties)}"# + "\n"
        try Kvtool.run(["import", self.database(database), "-"], stdin: Data(line.utf8)).success()
    }

    /// A process that serves the database, and its URL.
    private func serve(_ options: String...) throws -> (tool: RunningTool, url: String) {
        let tool = try RunningTool(
            ["serve", database("served"), "--sync", "--port", "0"] + options)
        return (tool, try #require(tool.line()))
    }

    @Test("lets sync, push and pull replicate with it")
    func replicate() throws {
        let (tool, url) = try serve()
        #expect(url.hasPrefix("ws://127.0.0.1:") && url.hasSuffix("/served"))
        try add("a", "bob", #""age":40"#)
        let synced = try Kvtool.run(["sync", database("a"), url]).success()
        #expect(synced.stdout == "pushed 1 document, pulled 1 document\n")
        let pulled = try Kvtool.run(["pull", database("b"), url]).success()
        #expect(pulled.stdout == "pushed 0 documents, pulled 2 documents\n")
        try add("b", "eve", #""age":1"#)
        let pushed = try Kvtool.run(["push", database("b"), url]).success()
        #expect(pushed.stdout == "pushed 1 document, pulled 0 documents\n")
        let both = try Kvtool.run(["pull", database("a"), url, "--bidi"]).success()
        #expect(both.stdout == "pushed 0 documents, pulled 1 document\n")
        let status = try Kvtool.run(["sync", "status", database("a"), url, "--csv"]).success()
        #expect(status.lines.last?.hasPrefix("_default,") ?? false, "\(status.stdout)")
        #expect(tool.interrupt().status == 130)
        #expect(try Kvtool.run(["diff", database("a"), database("served")]).status == 0)
        let gone = try Kvtool.run(["sync", database("a"), url])
        #expect(gone.status == 4, "\(gone.stderr)")
    }

    @Test("admits the users of a file, some of whom can only pull")
    func users() throws {
        try "ada:right\nbob:secret:read\n".write(
            toFile: directory("users"), atomically: true, encoding: .utf8)
        try "right\n".write(toFile: directory("right"), atomically: true, encoding: .utf8)
        try "secret".write(toFile: directory("secret"), atomically: true, encoding: .utf8)
        for name in ["users", "right", "secret"] { chmod(directory(name), 0o600) }
        let (tool, url) = try serve("--users", directory("users"))
        func sync(_ options: String...) throws -> Command.Outcome {
            try Kvtool.run(["sync", database("a"), url] + options)
        }
        #expect(try sync().refusal(status: 4).contains("401"))
        let right = directory("right"), secret = directory("secret")
        #expect(try sync("--user", "ada", "--password-file", secret).status == 4)
        try sync("--user", "ada", "--password-file", right).success()
        try sync("--user", "bob", "--password-file", secret, "--pull").success()
        try add("a", "bob", #""age":40"#)
        #expect(try sync("--user", "bob", "--password-file", secret).status == 4)
        try sync("--user", "ada", "--password-file", right).success()
        #expect(try sync("--user", "ada:right").refusal(status: 2).contains("--password-file"))
        _ = tool.interrupt()
    }

    @Test("refuses to be open to other machines without users")
    func open() throws {
        let refused = try Kvtool.run(
            ["serve", database("served"), "--sync", "--host", "0.0.0.0", "--port", "0"])
        #expect(refused.refusal(status: 2).contains("--users"))
        let mixed = try Kvtool.run(["serve", database("served"), "--sync", "--writable"])
        #expect(mixed.refusal(status: 2).contains("--sync"))
        let alone = try Kvtool.run(["serve", database("served"), "--readonly"])
        #expect(alone.refusal(status: 2).contains("--sync"))
    }

    @Test("serves only what can be read with --readonly")
    func readOnly() throws {
        let (tool, url) = try serve("--readonly")
        try add("a", "bob", #""age":40"#)
        try Kvtool.run(["pull", database("a"), url]).success()
        #expect(try Kvtool.run(["push", database("a"), url]).status == 4)
        _ = tool.interrupt()
    }
}
