import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool sync", .enabled(if: PostgresServer.isInstalled))
struct SyncTests {
    private let directory: TemporaryDirectory
    /// The connection string of a database of this test.
    private let url: String
    private let server: PostgresServer

    init() throws {
        server = try #require(PostgresServer.shared)
        directory = try TemporaryDirectory()
        let name = "sync_" + UUID().uuidString.replacing("-", with: "").lowercased()
        url = try server.newDatabase(name)
        try Kvtool.run(["sync", "init", url]).success()
    }

    private func database(_ name: String) -> String { directory("\(name).cblite2") }

    /// Adds a document to a database, which is created if it does not exist.
    private func add(_ database: String, _ id: String, _ properties: String) throws {
        let line = #"{"_id":"\#(id)",\#(properties)}"# + "\n"
        try Kvtool.run(["import", self.database(database), "-"], stdin: Data(line.utf8)).success()
    }

    private func sync(_ database: String, _ options: String...) throws -> Command.Outcome {
        try Kvtool.run(["sync", self.database(database), url] + options)
    }

    private func body(_ database: String, _ id: String) throws -> String {
        try Kvtool.run(["cat", self.database(database), id, "--raw"]).success().stdout
            .trimmingCharacters(in: .newlines)
    }

    @Test("a second database receives all collections of the first one")
    func transfer() throws {
        try add("a", "ada", #""age":36"#)
        try Kvtool.run(["mkcoll", database("a"), "hr.staff"]).success()
        try Kvtool.run(["put", "\(database("a"))//hr.staff", "eve", #"{"n":1}"#]).success()
        #expect(try sync("a").success().stdout == "pushed 2 documents, pulled 0 documents\n")
        #expect(try sync("b").success().stdout == "pushed 0 documents, pulled 2 documents\n")
        #expect(try body("b", "ada") == #"{"_id":"ada","age":36}"#)
        #expect(try sync("a").success().stdout == "pushed 0 documents, pulled 0 documents\n")
        #expect(try Kvtool.run(["diff", database("a"), database("b")]).status == 0)
    }

    @Test("the printed SQL creates the tables")
    func printedSQL() throws {
        let other = try server.newDatabase("printed")
        let sql = try Kvtool.run(["sync", "init", other, "--print-sql"]).success().stdout
        try add("a", "ada", #""n":1"#)
        let before = try Kvtool.run(["sync", database("a"), other])
        #expect(before.refusal(status: 4).contains("kvtool sync init"))
        try server.sql(sql, in: "printed")
        try Kvtool.run(["sync", database("a"), other]).success()
        // Again, they stay as they are.
        try Kvtool.run(["sync", "init", other]).success()
        #expect(try server.sql("SELECT id FROM store.docs", in: "printed") == ["ada"])
    }

    @Test(
        "a conflict is resolved as requested, or kept",
        arguments: [
            ("latest", #"{"_id":"x","by":"b"}"#, 0), ("local", #"{"_id":"x","by":"b"}"#, 0),
            ("remote", #"{"_id":"x","by":"a"}"#, 0), ("keep", #"{"_id":"x","by":"b"}"#, 6),
        ])
    func conflicts(_ choice: String, _ body: String, _ status: Int32) throws {
        try add("a", "x", #""by":"a""#)
        try add("b", "x", #""by":"b""#)
        try sync("a").success()
        let outcome = try sync("b", "--conflicts", choice)
        #expect(outcome.status == status, "\(outcome)")
        let word = choice == "keep" ? "kept" : "resolved"
        #expect(outcome.lines.first == "conflict (\(word)): _default/x")
        let count = choice == "keep" ? ", 1 conflict (1 kept)" : ", 1 conflict"
        #expect(outcome.lines.last?.hasSuffix(count) == true)
        #expect(try self.body("b", "x") == body)
        let state = try Kvtool.run(["sync", "status", database("b"), url, "--csv"]).success()
        let isKept = choice == "keep"
        #expect(state.lines.last == (isKept ? "_default,1,1,0,0,1" : "_default,2,2,0,0,0"))
        guard isKept else { return }
        // Not only the first time.
        let again = try sync("b", "--conflicts", choice)
        #expect(again.status == 6 && again.lines.first == "conflict (kept): _default/x")
        let later = try sync("b", "--conflicts", "remote").success()
        #expect(later.lines.first == "conflict (resolved): _default/x")
        #expect(try self.body("b", "x") == #"{"_id":"x","by":"a"}"#)
        #expect(try sync("b").success().lines.count == 1)
    }
}

extension SyncTests {
    @Test("the direction is limited by --push and --pull")
    func direction() throws {
        try add("a", "a", #""n":1"#)
        try add("b", "b", #""n":1"#)
        try sync("a").success()
        #expect(
            try sync("b", "--pull").success().stdout == "pushed 0 documents, pulled 1 document\n")
        try add("a", "later", #""n":1"#)
        try sync("a").success()
        #expect(
            try sync("b", "--push").success().stdout == "pushed 1 document, pulled 0 documents\n")
        #expect(try sync("b", "--push", "--pull").refusal(status: 2).contains("exclude"))
    }

    @Test("a document that the server has changed is not sent by --push alone, and reported")
    func rejection() throws {
        try add("a", "x", #""by":"a""#)
        try add("b", "x", #""by":"b""#)
        try sync("a").success()
        for _ in 0..<2 {
            let outcome = try sync("b", "--push")
            #expect(outcome.status == 7)
            #expect(
                outcome.lines == [
                    "not sent: _default/x: the remote has another revision of it; pull, too, to "
                        + "resolve that",
                    "pushed 0 documents, pulled 0 documents, 1 not accepted",
                ])
        }
        #expect(try sync("b").success().lines.first == "conflict (resolved): _default/x")
    }

    @Test("a misspelled collection is reported, and created on neither side")
    func unknownCollection() throws {
        try add("a", "x", #""n":1"#)
        try sync("a").success()
        for command in [[], ["status"]] {
            let outcome = try Kvtool.run(
                ["sync"] + command + [database("a"), url, "--collection", "peple"])
            #expect(outcome.refusal(status: 3).contains("nor the server has a collection peple"))
        }
        let push = try sync("a", "--collection", "peple", "--push")
        #expect(push.refusal(status: 3).contains("has no collection peple"))
        let reset = try Kvtool.run(
            ["sync", "reset", database("a"), url, "--collection", "peple", "--yes"])
        #expect(reset.refusal(status: 3).contains("has no collection peple"))
        #expect(
            try server.sql("SELECT name FROM store.collections", in: databaseName) == ["_default"])
        // One that only the server has is received.
        #expect(try sync("b", "--collection", "_default").success().stdout.contains("pulled 1"))
    }

    @Test("only documents that match --filter are sent and received")
    func filter() throws {
        for age in [17, 36, 50] { try add("a", "p\(age)", #""age":\#(age)"#) }
        #expect(
            try sync("a", "--filter", "age > 20").success().stdout
                == "pushed 2 documents, pulled 0 documents\n")
        #expect(
            try sync("b", "--filter", "age > 40").success().stdout
                == "pushed 0 documents, pulled 1 document\n")
        // Another filter begins again.
        #expect(
            try sync("b", "--filter", "META(_).id = 'p36'").success().stdout
                == "pushed 0 documents, pulled 1 document\n")
        let wrong = try sync("c", "--filter", "age >")
        #expect(wrong.status == 1 && wrong.stderr.contains("line 1, column"), "\(wrong)")
        #expect(!FileManager.default.fileExists(atPath: database("c")))
    }

    @Test("sync status counts what is pending on both sides, and changes nothing")
    func status() throws {
        try add("a", "a1", #""n":1"#)
        try add("b", "b1", #""n":1"#)
        try sync("b").success()
        try add("b", "b2", #""n":1"#)
        func status(_ name: String) throws -> [String] {
            try Kvtool.run(["sync", "status", database(name), url, "--csv"]).success().lines
        }
        let columns = "collection,replicatedSequence,lastSequence,toPush,toPull,conflicts"
        #expect(try status("a") == [columns, "_default,0,1,1,1,0"])
        #expect(try status("b") == [columns, "_default,1,2,1,0,0"])
        #expect(try status("a") == [columns, "_default,0,1,1,1,0"])
        #expect(
            try server.sql("SELECT count(*) FROM store.checkpoints", in: databaseName) == ["1"])
    }

    private var databaseName: String { String(url.split(separator: "/").last ?? "") }

    @Test("sync reset compares all documents again, and transfers none twice")
    func reset() throws {
        try add("a", "x", #""n":1"#)
        try sync("a").success()
        let refused = try Kvtool.run(["sync", "reset", database("a"), url])
        #expect(refused.refusal(status: 2).contains("use --yes"))
        try Kvtool.run(["sync", "reset", database("a"), url, "--yes"]).success()
        let state = try Kvtool.run(["sync", "status", database("a"), url, "--csv"]).success()
        #expect(state.lines.last == "_default,0,1,1,1,0")
        #expect(try sync("a").success().stdout == "pushed 0 documents, pulled 0 documents\n")
        let other = url.replacing(databaseName, with: "other")
        let unknown = try Kvtool.run(["sync", "reset", database("a"), other, "--yes"])
        #expect(unknown.refusal(status: 3).contains("was never replicated with"))
    }

    @Test("sync status counts documents to receive, not their changes")
    func pendingChanges() throws {
        try add("a", "x", #""n":1"#)
        try sync("a").success()
        try sync("b").success()
        for number in 2...5 {
            try Kvtool.run(["put", database("a"), "x", #"{"n":\#(number)}"#]).success()
            try sync("a").success()
        }
        let state = try Kvtool.run(["sync", "status", database("b"), url, "--csv"])
        #expect(state.success().lines.last == "_default,1,1,0,1,0")
    }

    @Test("sync prune removes old tombstones, whose documents another database then removes")
    func prune() throws {
        try add("a", "x", #""n":1"#)
        try add("a", "y", #""n":1"#)
        try sync("a").success()
        try sync("b").success()
        try Kvtool.run(["rm", database("a"), "x"]).success()
        try sync("a").success()
        let prune = ["sync", "prune", url, "--older-than"]
        #expect(try Kvtool.run(prune + ["0s"]).refusal(status: 2).contains("use --yes"))
        #expect(try Kvtool.run(prune + ["soon"]).refusal(status: 2).contains("a duration"))
        #expect(
            try Kvtool.run(prune + ["1d", "--yes"]).success().stdout == "Removed 0 tombstones\n")
        #expect(
            try Kvtool.run(prune + ["0s", "--yes"]).success().stdout == "Removed 1 tombstone\n")
        #expect(
            try sync("b").success().lines == [
                "pushed 0 documents, pulled 0 documents",
                "The server no longer has all of its deletions: compared 2 documents, removed "
                    + "1 document",
            ])
        #expect(try Kvtool.run(["ls", database("b"), "--csv"]).success().lines.count == 2)
    }

    @Test("--json writes a report, and --ndjson the events")
    func objects() throws {
        try add("a", "x", #""by":"a""#)
        try add("b", "x", #""by":"b""#)
        try sync("a").success()
        let report = try sync("b", "--conflicts", "keep", "--json").stdout
        #expect(
            report.contains(
                #""pushed":0,"pulled":0,"compared":0,"removed":0,"comparedAgain":[],"#
                    + #""conflicts":1,"kept":1,"rejected":0,"#
                    + #""problems":[{"collection":"_default","id":"x","#
                    + #""problem":"conflict","#
                    + #""reason":"kept"}]}"#
            ), "\(report)")
        try add("c", "x", #""by":"c""#)
        let events = try sync("c", "--ndjson").success().lines
        #expect(
            events == [
                Self.status("connecting"), Self.status("busy"),
                #"{"event":"conflict","collection":"_default","id":"x","resolved":true}"#,
                Self.status("stopped", pushed: 1, conflicts: 1),
            ])
    }

    private static func status(_ phase: String, pushed: Int = 0, conflicts: Int = 0) -> String {
        #"{"event":"status","phase":"\#(phase)","pushed":\#(pushed),"pulled":0,"#
            + #""conflicts":\#(conflicts),"rejected":0}"#
    }

    @Test("--continuous transfers later changes until Ctrl-C, and excludes a second process")
    func continuous() throws {
        try add("a", "x", #""n":1"#)
        try sync("a").success()
        let tool = try RunningTool(["sync", database("b"), url, "--continuous", "--ndjson"])
        #expect(tool.lines(upTo: #""phase":"idle","pushed":0,"pulled":1"#) != nil)
        #expect(try sync("b").refusal(status: 6).contains("being replicated"))
        try add("a", "y", #""n":1"#)
        try sync("a").success()
        #expect(tool.lines(upTo: #""phase":"idle","pushed":0,"pulled":2"#) != nil)
        try add("b", "z", #""n":1"#)
        #expect(tool.lines(upTo: #""phase":"idle","pushed":1,"pulled":2"#) != nil)
        #expect(tool.interrupt().status == 130)
        #expect(try sync("a").success().stdout == "pushed 0 documents, pulled 1 document\n")
    }

    @Test("--continuous waits for a server, and receives collections that are created later")
    func continuousStart() throws {
        try add("a", "x", #""n":1"#)
        let other = try PostgresServer()
        // It has no tables yet, which is not a matter of time.
        #expect(try Kvtool.run(["sync", database("a"), other.url, "--continuous"]).status == 4)
        try Kvtool.run(["sync", "init", other.url]).success()
        other.stop()
        let waiting = try RunningTool(
            ["sync", database("a"), other.url, "--continuous", "--ndjson"])
        #expect(waiting.lines(upTo: #""phase":"waiting""#) != nil)
        try other.start()
        #expect(waiting.lines(upTo: #""phase":"idle","pushed":1"#) != nil)
        try add("b", "y", #""n":1"#)
        try Kvtool.run(["mkcoll", database("b"), "hr.staff"]).success()
        try Kvtool.run(["put", "\(database("b"))//hr.staff", "eve", #"{"n":1}"#]).success()
        try Kvtool.run(["sync", database("b"), other.url]).success()
        #expect(waiting.lines(upTo: #""phase":"idle","pushed":1,"pulled":2"#) != nil)
        #expect(waiting.interrupt().status == 130)
        #expect(
            try Kvtool.run(["cat", "\(database("a"))//hr.staff", "eve", "--raw"]).success().stdout
                == #"{"_id":"eve","n":1}"# + "\n")
    }

    @Test("a wrong address is reported without its password, and creates no database")
    func wrongAddress() throws {
        let nowhere = "postgresql://me:secret@/store?host=/nowhere"
        let unreachable = try Kvtool.run(["sync", database("new"), nowhere])
        #expect(unreachable.status == 4)
        #expect(!unreachable.stderr.contains("secret"))
        let text = try Kvtool.run(["sync", database("new"), "https://example.com"])
        #expect(text.refusal(status: 2).contains("postgresql://USER@HOST/DATABASE"))
        let missing = url.replacing(databaseName, with: "missing")
        #expect(
            try Kvtool.run(["sync", database("new"), missing]).refusal(status: 4)
                .contains("does not exist"))
        #expect(!FileManager.default.fileExists(atPath: database("new")))
        #expect(
            try Kvtool.run(["sync", "status", database("new"), url]).refusal(status: 3)
                .contains("does not exist"))
    }
}
