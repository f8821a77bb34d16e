import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool import reports")
struct ImportReportTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase()
    }

    @Test("how many documents were new, overwritten and merged")
    func counts() throws {
        let (a, b, c) = (#"{"_id":"a"}"#, #"{"_id":"b"}"#, #"{"_id":"c"}"#)
        let start = "documents into \(database.path)"
        #expect(try database.importing([a, b]).success().stdout == "Imported 2 \(start): 2 new\n")
        #expect(
            try database.importing([a, b, c]).success().stdout
                == "Imported 3 \(start): 1 new, 2 overwritten\n")
        #expect(
            try database.importing([a, b], "--mode", "merge").success().stdout
                == "Imported 2 \(start): 2 merged\n")
        // A deleted document counts as new.
        try database.run("rm", "a").success()
        let answer = try database.importing([a, b], "--json").success().answer()
        let report = (answer["imports"] as? [[String: Any]])?.first
        #expect(report?["imported"] as? Int == 2)
        #expect(report?["new"] as? Int == 1)
        #expect(report?["overwritten"] as? Int == 1)
    }

    @Test("the same for cp into an existing database")
    func copies() throws {
        try database.importing([#"{"_id":"a"}"#, #"{"_id":"b"}"#]).success()
        let other = try SampleDatabase(lines: [#"{"_id":"a"}"#])
        let text = try Kvtool.run(["cp", database.path, other.path, "--existing"]).success().stdout
        #expect(text == "Copied \(database.path) to \(other.path): 1 new, 1 overwritten\n")
    }

    @Test("that a file seems to have one column, until --delimiter is specified")
    func delimiter() throws {
        for (text, option) in [
            ("_id;n\na;1\n", ";"), ("_id\tn\na\t1\n", "tab"), ("_id|n\na|1\n", "|"),
        ] {
            let file = try database.newFile("a.csv", Data(text.utf8))
            let noted = try database.run("import", file)
            let shown = option == "tab" ? "tab" : "'\(option)'"
            #expect(noted.status == 0)
            #expect(noted.complaint().hasPrefix("note: \(file) has one column, "), "\(noted)")
            #expect(noted.complaint().hasSuffix("use --delimiter \(shown)"), "\(noted)")
            try database.run("import", file, "--delimiter", option).success()
            #expect(try database.run("cat", "a", "--raw").success().stdout.contains(#""n":1"#))
        }
        // An explicit option needs no note.
        let file = try database.newFile("a.csv", Data("a;b\n1\n".utf8))
        try database.run("import", file, "--delimiter", ",").success()
        for wrong in ["", "ab", "\"", "\n", "é"] {
            try database.run("import", file, "--delimiter", wrong).refusal(status: 2)
        }
        try database.run("import", file, "--delimiter", ";", "--format", "lines").refusal(status: 2)
    }

    @Test("that a name without the extension is not a database, unless --create is specified")
    func newNames() throws {
        let file = try database.newFile("a.ndjson", Data("{\"_id\":\"a\"}\n".utf8))
        let name = database.directory("people")
        let refused = try Kvtool.run(["import", name, file]).refusal(status: 3)
        #expect(
            refused == "\(name) does not exist, and a database's name ends with .cblite2; use "
                + "--create for another name")
        #expect(!FileManager.default.fileExists(atPath: name))
        try Kvtool.run(["import", name, file, "--create"]).success()
        try Kvtool.run(["import", name, file]).success()
        try database.run("import", file).success()
        let near = try Kvtool.run(["import", String(database.path.dropLast(8)) + "x", file])
        #expect(near.refusal(status: 3).contains("does not exist"))
        let dump = try database.dump()
        try Kvtool.run(["load", database.directory("new"), dump]).refusal(status: 3)
        try Kvtool.run(["load", database.directory("new"), dump, "--create"]).success()
        let made = database.directory("made")
        try Kvtool.run(["generate", "--count", "1", "--database", made]).refusal(status: 3)
        try Kvtool.run(["generate", "--count", "1", "--database", made, "--create"]).success()
    }

    @Test("that an extension does not determine the format, and accepts options that do")
    func endings() throws {
        for name in ["a.txt", "a.xlsx", "a.json.gz", "a.dump"] {
            let file = try database.newFile(name, Data("{\"_id\":\"a\"}\n".utf8))
            let complaint = try database.run("import", file).refusal(status: 2)
            #expect(
                complaint.contains("which is not .json (one array or document)"), "\(complaint)")
            try database.run("import", file, "--format", "lines").success()
        }
        for name in ["a", "b.NDJSON", "c.jsonl", ".hidden"] {
            let file = try database.newFile(name, Data("{\"_id\":\"a\"}\n".utf8))
            try database.run("import", file).success()
        }
    }

    @Test("progress with small batches, and Ctrl-C ends them")
    func smallBatches() throws {
        for batch in ["1", "63"] {
            let database = try SampleDatabase()
            let lines = (0..<20_000).map { "{\"_id\":\"\($0)\"}\n" }.joined()
            let file = try database.newFile("many.ndjson", Data(lines.utf8))
            let tool = try RunningTool(
                ["import", database.path, file, "--batch", batch, "--progress", "json"],
                readsErrors: true)
            #expect(tool.line()?.hasPrefix("{\"progress\":") == true)
            let end = tool.interrupt()
            #expect(!end.isSignalled && end.status == 130, "\(end)")
            #expect(try database.exported().count < 20_000)
        }
    }
}
