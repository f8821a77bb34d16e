import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool rmindex")
struct RemoveIndexTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 5)
        try database.run("mkindex", "byAge", "age").success()
        try database.run("mkindex", "byLikes", "--array", "likes").success()
    }

    private func names() throws -> [String] {
        let json = try database.run("info", "--json").success().standardOutput
        let info = try JSONSerialization.jsonObject(with: json) as? [String: Any]
        return (info?["indexes"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }

    @Test("deletes several at once, and reports which")
    func several() throws {
        #expect(
            try database.run("rmindex", "byAge", "byLikes").success().stdout
                == "Deleted the value index byAge of _default\n"
                + "Deleted the array index byLikes of _default\n")
        #expect(try names() == [])
        #expect(try database.exported().count == 5)
    }

    @Test("reports a missing one, with status 3, and deletes the others")
    func missing() throws {
        let outcome = try database.run("rmindex", "none", "byAge")
        #expect(outcome.status == 3)
        #expect(outcome.stdout == "Deleted the value index byAge of _default\n")
        #expect(
            outcome.complaint()
                == "\(database.path): there is no index \"none\"; list the indexes with "
                + "kvtool index ls")
        #expect(try database.run("rmindex", "none", "--if-exists").success().stdout == "")
        #expect(try names() == ["byLikes"])
    }

    @Test("deletes only in the named collection, or in any if none is named")
    func collection() throws {
        let elsewhere = try database.run("rmindex", "byAge", "--collection", "nope")
        #expect(elsewhere.refusal(status: 3).contains("has no collection nope"))
        #expect(try names() == ["byAge", "byLikes"])
        let json = try database.run("rmindex", "byAge", "--collection", "_default", "--json")
            .success().standardOutput
        #expect(
            try JSONSerialization.jsonObject(with: json) as? NSDictionary == [
                "schema": "kvtool.rmindex/1",
                "indexes": [
                    [
                        "name": "byAge", "collection": "_default", "kind": "value",
                        "action": "deleted",
                    ]
                ],
            ])
    }

    @Test(
        "deletes an index of a collection in a scope, which cblite cannot",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"))
    func scope() throws {
        let golden = try SampleDatabase(golden: "sample_vectors_503")
        let option = ["--collection", "hr.Employees"]
        let outcome = try Kvtool.run(["rmindex", golden.path, "byState"] + option)
        #expect(outcome.refusal(status: 3).contains("in the collection hr.Employees"))
        #expect(
            try golden.run("rmindex", "bySalary").success().stdout
                == "Deleted the value index bySalary of hr.Employees\n")
    }

    @Test("a file with an older schema stays unchanged", .enabled(if: SQLiteShell.isPresent))
    func older() throws {
        try database.rows("PRAGMA user_version=502")
        let before = try database.contents
        #expect(try database.run("rmindex", "byAge").refusal().contains("has schema 502"))
        #expect(try database.contents == before)
    }
}
