import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool watch")
struct WatchTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"ada","age":36}"#, #"{"_id":"bob","age":17}"#, #"{"_id":"eve","age":50}"#,
        ])
        try database.run("rm", "bob").success()
    }

    /// The lines without the parts that differ between runs.
    private static func plain(_ lines: [String]) -> [String] {
        lines.map {
            $0.replacing(/"revision":"[^"]*",/, with: "").replacing(/,"time":[0-9]+}/, with: "}")
        }
    }

    @Test("lists the existing changes in order, and ends")
    func list() throws {
        #expect(
            Self.plain(try database.run("watch", "--ndjson").success().lines) == [
                #"{"collection":"_default","sequence":1,"id":"ada","flags":[],"deleted":false,"#
                    + #""bytes":8}"#,
                #"{"collection":"_default","sequence":3,"id":"eve","flags":[],"deleted":false,"#
                    + #""bytes":8}"#,
                #"{"collection":"_default","sequence":4,"id":"bob","flags":["deleted"],"#
                    + #""deleted":true,"bytes":0}"#,
            ])
        let table = try database.run("tail").success().lines
        #expect(table.count == 4 && table[0].hasPrefix("Collection  Sequence  Document"))
        #expect(table[3].contains("bob") && table[3].contains("deleted"))
        let json = try database.run("watch", "--json").success().stdout
        #expect(json.hasPrefix(#"{"schema":"kvtool.watch/1","changes":["#))
        let csv = try database.run("watch", "--csv", "--limit", "1").success().lines
        #expect(csv[0] == "collection,sequence,id,revision,flags,deleted,bytes,purged,time")
        #expect(csv.count == 2)
    }

    @Test("starts after --since, and shows bodies and only documents that meet a condition")
    func options() throws {
        func ids(_ options: String...) throws -> [String] {
            let arguments = ["watch", database.path, "--ndjson"] + options
            return try Kvtool.run(arguments).success().lines.compactMap {
                $0.firstMatch(of: /"id":"([^"]*)"/).map { String($0.1) }
            }
        }
        #expect(try ids("--since", "1") == ["eve", "bob"])
        #expect(try ids("--since", "4") == [])
        #expect(try ids("--since", "now") == [])
        #expect(try ids("--where", "age > 40") == ["eve"])
        #expect(try ids("--where", "TRUE") == ["ada", "eve"])
        #expect(try ids("--collection", "_default", "--limit", "2") == ["ada", "eve"])
        let docs = try database.run("watch", "--docs", "--ndjson", "--limit", "1").success().stdout
        #expect(docs.hasSuffix(#""document":{"age":36}}"# + "\n"))
    }

    @Test("names a collection that does not exist, and an invalid condition")
    func wrong() throws {
        #expect(
            try database.run("watch", "--collection", "hr.staff").refusal(status: 3)
                == "\(database.path) has no collection hr.staff")
        try database.run("watch", "--where", "age >").refusal(status: 1)
    }

    @Test("prints a message if nothing has changed")
    func nothing() throws {
        let outcome = try database.run("watch", "--since", "99")
        #expect(outcome.status == 0 && outcome.stdout == "" && outcome.stderr == "(no changes)\n")
    }

    @Test("follows the changes of other processes, until Ctrl-C")
    func follow() throws {
        let tool = try RunningTool(["watch", database.path, "-f", "--since", "3", "--ndjson"])
        #expect(tool.line()?.contains(#""id":"bob""#) == true)
        try database.run("put", "ada", #"{"age":37}"#).success()
        #expect(tool.line()?.contains(#""sequence":5,"id":"ada""#) == true)
        try database.run("purge", "eve", "--yes").success()
        #expect(tool.line() == #"{"collection":"_default","purged":1}"#)
        try database.run("rm", "ada").success()
        #expect(tool.line()?.contains(#""flags":["deleted"]"#) == true)
        let end = tool.interrupt()
        #expect(end.lines == [] && end.status == 130 && !end.isSignalled)
    }

    @Test("closes a JSON object when Ctrl-C interrupts it, and a feed after --limit changes")
    func ends() throws {
        let tool = try RunningTool(["watch", database.path, "-f", "--json"])
        // The last row is written only when the next one arrives.
        #expect(tool.lines(upTo: #""id":"eve""#)?.count == 3)
        let end = tool.interrupt().lines
        #expect(end.count == 2 && end[0].contains(#""id":"bob""#) && end[1] == "]}")
        let limited = ["watch", database.path, "--follow", "--limit", "2", "--ndjson"]
        #expect(try Kvtool.run(limited).success().lines.count == 2)
    }

    @Test("ends quietly when the reader closes the pipe")
    func closedPipe() throws {
        let people = try SampleDatabase(people: 3000)
        let script = #""$KVTOOL" watch "$1" --ndjson --docs | head -n 1"#
        #expect(try Kvtool.shell(script, [people.path]).success().lines.count == 1)
    }

    @Test(
        "reads databases of every version",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"),
        arguments: [
            "upgrade_2.7", "upgrade_2.8_index", "db_3_0_0_names_100_with_deleted",
            "sample_revtree_503", "sample_vectors_503",
        ])
    func golden(_ name: String) throws {
        let golden = try SampleDatabase(golden: name)
        let before = try golden.bytes
        let lines = try golden.run("watch", "--docs", "--ndjson").success().lines
        let listed = try golden.run("ls", "--deleted", "--null").success().stdout
        let inDefault = lines.count { $0.contains(#""collection":"_default""#) }
        #expect(inDefault == listed.count { $0 == "\0" })
        #expect(lines.allSatisfy { $0.contains(#""revision":""#) })
        #expect(try golden.bytes == before)
    }
}
