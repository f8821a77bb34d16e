import Foundation
import StoreTestSupport
import Testing

@testable import KVToolCommands

@Suite("Destinations of kvtool cp")
struct CopyPlaceTests {
    @Test(
        "the name's extension determines the kind",
        arguments: [
            ("a.cblite2", CopyEndpoint.database), ("a.cblite2/", .database),
            ("a.cblite", .database),
            ("A.DB", .database), ("a.sqlite", .database), ("a.sqlite3", .database),
            ("a.cblite2//hr.staff", .database), ("a.json", .file), ("a.NDJSON", .file),
            ("a.jsonl", .file), ("a.csv", .file), ("a.tsv", .file), ("-", .file),
            ("/dev/null", .file), ("a/", .directory), ("a.json/", .directory), ("name", nil),
            ("a.tar", nil), ("a.dump", nil), ("cblite2", nil), ("", nil),
        ] as [(String, CopyEndpoint?)])
    func names(_ path: String, _ place: CopyEndpoint?) throws {
        let directory = try TemporaryDirectory()
        let isPlain = ["-", "/dev/null", ""].contains(path)
        #expect(CopyEndpoint(isPlain ? path : directory(path)) == place)
    }

    @Test("an existing file determines the kind if the name does not")
    func entries() throws {
        let directory = try TemporaryDirectory()
        for name in ["documents", "people"] {
            try FileManager.default.createDirectory(
                atPath: directory(name), withIntermediateDirectories: false)
        }
        try Data().write(to: URL(filePath: directory("people/db.sqlite3")))
        #expect(CopyEndpoint(directory("documents")) == .directory)
        #expect(CopyEndpoint(directory("people")) == .database)
        try Data("{}".utf8).write(to: URL(filePath: directory("text")))
        #expect(CopyEndpoint(directory("text")) == nil)
    }

    @Test("an unknown name is an error with the known extensions; nothing is created")
    func refusal() throws {
        let database = try SampleDatabase(people: 2)
        for (source, name) in [(database.path, "name"), ("one.json", "two.backup")] {
            let target = database.directory(name)
            let complaint = try Kvtool.run(["cp", source, target]).refusal(status: 2)
            #expect(complaint.hasPrefix("the name \(target) does not determine what to write: "))
            for ending in CopyEndpoint.databases + CopyEndpoint.files {
                #expect(complaint.contains(ending))
            }
            #expect(!FileManager.default.fileExists(atPath: target))
        }
        let both = try Kvtool.run(["cp", "one.json", "two.json"]).refusal(status: 2)
        #expect(both.hasPrefix("neither side is a database"))
    }

    @Test("a database whose name ends with .db is a directory")
    func otherEnding() throws {
        let database = try SampleDatabase(people: 2)
        let (copy, json) = (database.directory("copy.db"), database.directory("all.ndjson"))
        try Kvtool.run(["cp", database.path, copy]).success()
        #expect(FileManager.default.fileExists(atPath: copy + "/db.sqlite3"))
        try Kvtool.run(["cp", copy, json]).success()
        #expect(
            try String(contentsOfFile: json, encoding: .utf8)
                == database.exported().map { $0 + "\n" }.joined())
    }

    @Test("a copy reports its size")
    func bytes() throws {
        let database = try SampleDatabase(people: 2)
        for command in ["cp", "snapshot"] {
            let target = database.directory("\(command).cblite2")
            let answer = try database.run(command, target, "--json").success().answer()
            let copy = try #require(answer.list("copies").first)
            let file = try Data(contentsOf: URL(filePath: target + "/db.sqlite3"))
            #expect(copy["bytes"] as? Int == file.count)
            #expect(copy["target"] as? String == target)
        }
    }
}
