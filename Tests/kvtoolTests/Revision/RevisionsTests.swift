import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool revs")
struct RevisionsTests {
    @Test("shows the one version of a new document, its body and an empty change")
    func vector() throws {
        let database = try SampleDatabase(lines: [#"{"_id":"a","n":1}"#])
        let outcome = try database.run("revs", "a", "--json").success()
        let object = try #require(
            try JSONSerialization.jsonObject(with: outcome.standardOutput) as? [String: Any])
        #expect(object["schema"] as? String == "kvtool.revs/1")
        #expect(object["kind"] as? String == "vector")
        #expect(object["id"] as? String == "a")
        let revision = try #require((object["revisions"] as? [[String: Any]])?.first)
        #expect(revision["current"] as? Bool == true)
        #expect(revision["flags"] as? [String] == ["leaf"])
        #expect(revision["sequence"] as? Int == 1)
        let id = try #require(revision["revision"] as? String)
        #expect(
            try database.run("revs", "a", "--body", id, "--raw").success().stdout == "{\"n\":1}\n")
        #expect(
            try database.run("revs", "a", "--diff", id, String(id.prefix(8)), "--raw").success()
                .stdout == "{}\n")
        let table = try Kvtool.run(["revs", "\(database.path)//_default/a"]).success().lines
        #expect(table.count == 2)
        #expect(table.last?.hasPrefix("\(id)  -----L  ") == true)
    }

    @Test("shows tombstones; ends with 3 for a missing document, 2 for wrong usage")
    func missing() throws {
        let database = try SampleDatabase(lines: [#"{"_id":"a","n":1}"#])
        try database.run("rm", "a").success()
        #expect(try database.run("revs", "a").success().stdout.contains("  D----L  "))
        #expect(
            try database.run("revs", "nope").refusal(status: 3)
                == "\(database.path): document \"nope\" is not in the collection _default")
        #expect(
            try database.run("revs", "a", "--body", "9-ff").refusal(status: 3)
                .hasSuffix("document \"a\" has no revision 9-ff"))
        #expect(try database.run("revs").status == 2)
        #expect(try database.run("revs", "a", "--diff", "1-a").status == 2)
        #expect(try database.run("revs", "a", "--body", "1-a", "--diff", "1-a", "1-b").status == 2)
    }

    @Test(
        "shows the tree revision of a document from before version vectors",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"))
    func legacy() throws {
        let database = try SampleDatabase(golden: "sample_revtree_503")
        try database.run("put", "a", #"{"n":1}"#).success()
        let tree = try database.run("revs", "a", "--json").success().answer().list("revisions")
        let old = try #require(tree.first?["revision"] as? String)
        // Some documents of this file cannot be converted, which the status 7 indicates.
        #expect(try [0, 7].contains(database.run("convert", "--to", "vectors", "--yes").status))
        try database.run("put", "a", #"{"n":2}"#).success()
        let answer = try database.run("revs", "a", "--json").success().answer()
        #expect(answer["kind"] as? String == "vector")
        let revisions = answer.list("revisions")
        #expect(revisions.map { $0["current"] as? Bool } == [true, false])
        #expect(revisions.last?["revision"] as? String == old)
        #expect(revisions.last?["flags"] as? [String] == ["legacy"])
        #expect(
            try database.run("revs", "a", "--body", old).refusal(status: 3)
                .contains("is not stored"))
    }

    @Test(
        "shows the trees of older files, in which every row names its parent",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"),
        arguments: ["upgrade_2.7", "sample_revtree_503", "db_3_0_0_names_100_with_deleted"])
    func trees(_ name: String) throws {
        let database = try SampleDatabase(golden: name)
        let before = try database.contents
        let ids = try database.run("ls", "--deleted", "-0", "--limit", "5").success().stdout
            .split(separator: "\0").map(String.init)
        #expect(!ids.isEmpty)
        for id in ids {
            let outcome = try database.run("revs", id, "--json").success()
            let object = try JSONSerialization.jsonObject(with: outcome.standardOutput)
            let report = try #require(object as? [String: Any])
            #expect(report["kind"] as? String == "tree")
            let revisions = try #require(report["revisions"] as? [[String: Any]])
            var seen: Set<String> = []
            for revision in revisions {
                if let parent = revision["parent"] as? String { #expect(seen.contains(parent)) }
                seen.insert(try #require(revision["revision"] as? String))
            }
            #expect(revisions.count(where: { $0["current"] as? Bool == true }) == 1)
        }
        #expect(try database.contents == before)
    }
}
