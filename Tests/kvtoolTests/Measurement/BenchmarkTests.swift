import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool bench")
struct BenchmarkTests {
    @Test("measures in a temporary database, which is removed, and on one that it reads")
    func tasks() throws {
        let database = try SampleDatabase(people: 10)
        let before = try database.contents
        let temporary = database.directory("tmp")
        try FileManager.default.createDirectory(
            atPath: temporary, withIntermediateDirectories: false)
        let own = try Kvtool.run(
            ["bench", "--count", "50", "--csv"], environment: ["TMPDIR": temporary]
        ).success()
        #expect(own.lines.first == "task,documents,seconds,rate")
        let tasks = own.lines.dropFirst().map { $0.prefix { $0 != "," } }
        #expect(tasks == ["insert", "update", "index", "get", "scan", "export", "query"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
        let read = try database.run("bench", "--json").success()
        let object = try JSONSerialization.jsonObject(with: read.standardOutput)
        #expect((object as? [String: Any])?["schema"] as? String == "kvtool.bench/1")
        #expect((object as? [String: Any])?["collection"] as? String == "_default")
        #expect((object as? [String: Any])?["seed"] as? Int == 1)
        #expect(((object as? [String: Any])?["results"] as? [Any])?.count == 4)
        #expect(try database.contents == before)
    }

    @Test("reads the named collection, and prints its seed")
    func collections() throws {
        let database = try SampleDatabase(people: 10)
        try database.run("mkcoll", "hr.staff").success()
        try database.importing([#"{"_id":"a"}"#], "--collection", "hr.staff").success()
        let staff = try Kvtool.run(
            ["bench", "\(database.path)//hr.staff", "--count", "4", "--seed", "7", "--json"]
        ).success().answer()
        #expect(staff["collection"] as? String == "hr.staff")
        #expect(staff["seed"] as? Int == 7)
        let documents = staff.list("results").map { $0["documents"] as? Int }
        #expect(documents == [4, 1, 1, 1])
        let lines = try database.run("bench", "--seed", "8").success().lines
        #expect(lines.last == "Seed 8")
        try database.run("mkcoll", "none").success()
        let empty = try Kvtool.run(["bench", "\(database.path)//none"])
        #expect(empty.status == 0 && empty.complaint() == "note: none has no documents to read")
        try Kvtool.run(["bench", "\(database.path)//nope"]).refusal(status: 3)
    }
}
