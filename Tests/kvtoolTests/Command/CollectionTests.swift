import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool lscoll, mkcoll and rmcoll")
struct CollectionTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: ["a", "b"].map { #"{"_id":"\#($0)","n":1}"# })
    }

    private func names() throws -> [String] {
        try database.run("lscoll", "--csv").success().lines.dropFirst()
            .map { String($0.prefix { $0 != "," }) }
    }

    @Test("mkcoll creates all collections or none")
    func make() throws {
        #expect(
            try database.run("mkcoll", "hr.staff", "notes").success().stdout
                == "Created the collection hr.staff\nCreated the collection notes\n")
        #expect(try names() == ["_default", "notes", "hr.staff"])
        let before = try database.contents
        #expect(
            try database.run("mkcoll", "new", "notes").refusal(status: 6)
                == "\(database.path): there is a collection notes already; --if-not-exists "
                + "accepts it")
        try database.run("mkcoll", "a.b.c").refusal()
        #expect(try database.run("mkcoll").status == 2)
        #expect(try database.contents == before)
        let lines = try database.run("mkcoll", "notes", "new", "--if-not-exists", "--ndjson")
        #expect(
            lines.success().lines == [
                #"{"collection":"notes","action":"none"}"#,
                #"{"collection":"new","action":"created"}"#,
            ])
    }

    @Test("mkcoll creates a database only with --create")
    func makeDatabase() throws {
        let new = try SampleDatabase()
        try new.run("mkcoll", "x").refusal()
        try new.run("mkcoll", "x", "--create").success()
        #expect(try new.run("lscoll", "--tsv").success().lines.count == 3)
    }

    @Test("lscoll counts documents, tombstones and those that expire")
    func list() throws {
        try database.run("mkcoll", "x").success()
        try database.run("rm", "b").success()
        try database.run("expire set", "a", "--at", "2099-01-01").success()
        let fields = "collection,documents,deleted,expiring,nextExpiration,lastSequence"
        #expect(
            try database.run("lscoll", "--csv").success().lines == [
                fields, "_default,1,1,1,4070908800000,3", "x,0,0,0,,0",
            ])
        #expect(try database.run("lscoll", "x*", "--csv").success().lines.count == 2)
        let sizes = try database.run("lscoll", "x", "--sizes", "--json").success()
        let object = try JSONSerialization.jsonObject(with: sizes.standardOutput) as? [String: Any]
        #expect(object?["schema"] as? String == "kvtool.lscoll/1")
        let rows = try #require(object?["collections"] as? [[String: Any]])
        #expect(rows.first?["bodyBytes"] as? Int == 0)
        #expect(rows.first?["otherBytes"] as? Int == 0)
        let table = try database.run("collections").success().lines
        #expect(table.first?.hasPrefix("Collection  Documents  Deleted  Expiring") == true)
        #expect(table.dropFirst().first?.contains(" in ") == true)
    }

    @Test("rmcoll removes all collections with their documents, or none")
    func remove() throws {
        try database.run("mkcoll", "x", "y").success()
        try Kvtool.run(["put", "\(database.path)//x/d", "{}"]).success()
        let before = try database.contents
        #expect(
            try database.run("rmcoll", "x", "-n").success().stdout
                == "Would have removed the collection x with 1 document\n")
        #expect(
            try database.run("rmcoll", "x", "nope").refusal(status: 3)
                == "\(database.path) has no collection nope; there are _default, x, y")
        #expect(
            try database.run("rmcoll", "x", "_default").refusal(status: 2)
                == "the default collection cannot be removed; kvtool purge \(database.path) '*' "
                + "empties it")
        #expect(try database.run("rmcoll").status == 2)
        #expect(try database.contents == before)
        #expect(
            try database.run("rmcoll", "x", "nope", "y", "--if-exists", "--csv", "--yes").success()
                .lines
                == [
                    "collection,action,documents,deleted", "x,removed,1,0", "y,removed,0,0",
                ])
        #expect(try names() == ["_default"])
    }

    @Test(
        "lscoll reads files of every version without changing them",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"),
        arguments: ["upgrade_2.7", "sample_vectors_503", "db_3_0_0_names_100_with_deleted"])
    func golden(_ name: String) throws {
        let database = try SampleDatabase(golden: name)
        let before = try database.contents
        #expect(try database.run("lscoll", "--csv").success().lines.count >= 2)
        #expect(try database.contents == before)
    }
}
