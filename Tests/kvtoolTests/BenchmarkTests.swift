import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool bench")
struct BenchmarkTests {
    @Test("measures in a temporary database, of which nothing is left, and on one that it reads")
    func tasks() throws {
        let database = try SampleDatabase(people: 10)
        let before = try database.contents
        let temporary = database.folder("tmp")
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
        #expect(((object as? [String: Any])?["results"] as? [Any])?.count == 4)
        #expect(try database.contents == before)
    }
}
