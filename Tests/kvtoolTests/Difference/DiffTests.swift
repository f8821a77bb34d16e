import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool diff")
struct DiffTests {
    private let first: SampleDatabase
    private let second: SampleDatabase

    init() throws {
        let lines = [
            #"{"_id":"a","n":1,"deep":{"x":[1,2,3],"y":"same"}}"#, #"{"_id":"b","n":2}"#,
            #"{"_id":"c","n":3}"#, #"{"_id":"d","text":"x"}"#,
        ]
        first = try SampleDatabase(lines: lines)
        second = try SampleDatabase(lines: [
            #"{"_id":"d","text":"x"}"#, #"{"deep":{"y":"same","x":[1,5,3]},"n":1,"_id":"a"}"#,
            #"{"_id":"c","n":3.0}"#, #"{"_id":"e","new":[true]}"#,
        ])
    }

    private func diff(_ rest: String...) throws -> Command.Outcome {
        try Kvtool.run(["diff", first.path, second.path] + rest)
    }

    private func object(_ outcome: Command.Outcome) throws -> [String: Any] {
        try #require(
            JSONSerialization.jsonObject(with: outcome.standardOutput) as? [String: Any])
    }

    @Test("prints a line for each document that is different, and the counts")
    func forPeople() throws {
        let outcome = try diff()
        #expect(outcome.status == 8)
        #expect(outcome.stderr == "")
        #expect(outcome.stdout == "~ a\n- b\n+ e\n1 added, 1 removed, 1 changed\n")
        #expect(
            try diff("--deltas").lines.first == #"~ a {"deep":{"x":{"1":5}}}"#)
        #expect(
            try diff("--stat").stdout == """
                Collection  Added  Removed  Changed  Same  Only in
                _default        1        1        1     2

                """)
    }

    @Test("storage, order of keys and number formats are not differences")
    func same() throws {
        let outcome = try Kvtool.run(["diff", first.path, first.path])
        #expect(outcome.status == 0)
        #expect(outcome.stdout == "")
        #expect(outcome.stderr == "(no differences)\n")
        #expect(try diff("c", "d").status == 0)
        #expect(try diff("--ignore", "deep.x[1]", "a", "c").status == 0)
        #expect(try diff("--ignore", "deep", "a*").status == 0)
        #expect(try diff("--ignore", "n").lines.first == "~ a")
    }

    @Test("writes JSON with deltas; --keys omits them")
    func asJSON() throws {
        let whole = try object(diff("--json"))
        #expect(
            Set(whole.keys) == [
                "schema", "left", "right", "differences", "added", "removed", "changed", "same",
            ])
        #expect(whole["schema"] as? String == "kvtool.diff/1")
        #expect(whole["same"] as? Int == 2)
        let rows = try #require(whole["differences"] as? [[String: Any]])
        #expect(rows.map { $0["change"] as? String } == ["changed", "removed", "added"])
        #expect(rows.map { $0["id"] as? String } == ["a", "b", "e"])
        #expect(Set(rows[0].keys) == ["collection", "id", "change", "was", "is", "delta"])
        #expect(Set(rows[1].keys) == ["collection", "id", "change", "was"])
        #expect(rows[2]["body"] as? [String: [Bool]] == ["new": [true]])
        #expect(
            try diff("--ndjson", "--keys").lines
                == ["a", "b", "e"].enumerated().map {
                    let change = ["changed", "removed", "added"][$0.offset]
                    return #"{"collection":"_default","id":"\#($0.element)","change":"\#(change)"}"#
                })
        let both = try object(diff("--json", "--both", "a"))
        let row = try #require((both["differences"] as? [[String: Any]])?.first)
        #expect(
            Set(row.keys) == ["collection", "id", "change", "was", "is", "delta", "body", "old"])
        #expect(
            try diff("--csv", "--keys").lines.first
                == "collection,id,change,deleted,wasDeleted,was,is,delta,body,fleece,old,oldFleece,"
                + "expiration,oldExpiration")
    }

    @Test("compares two documents, also of one database")
    func documents() throws {
        let path = first.path
        let outcome = try Kvtool.run(
            ["diff", "\(path)//_default/b", "\(path)//_default/c", "--deltas"])
        #expect(outcome.stdout == "~ b {\"n\":3}\n0 added, 0 removed, 1 changed\n")
        #expect(try Kvtool.run(["diff", "\(path)//_/d", second.path]).status == 0)
        #expect(try Kvtool.run(["diff", "\(path)//_/b", second.path]).lines.first == "- b")
        let neither = try Kvtool.run(["diff", "\(path)//_/zz", second.path])
        #expect(neither.complaint().hasSuffix(#"document "zz" is in neither database"#))
        #expect(neither.status == 3)
    }

    @Test("distinguishes tombstones from missing documents only with --deleted")
    func deleted() throws {
        try first.run("put", "z", "{}").success()
        try first.run("rm", "z").success()
        #expect(try !diff().lines.contains("- z (was deleted)"))
        #expect(try diff("--deleted").lines.contains("- z (was deleted)"))
        try second.run("rm", "d").success()
        #expect(try diff("d").lines.first == "- d (deleted)")
    }

    @Test("ids and patterns, collections that do not exist, wrong arguments")
    func arguments() throws {
        #expect(try diff("?").stdout.hasPrefix("~ a\n- b\n+ e\n"))
        #expect(try diff("b", "e").stdout == "- b\n+ e\n1 added, 1 removed, 0 changed\n")
        #expect(
            try diff("--collection", "nope").refusal(status: 3)
                .hasSuffix("neither database has a collection nope"))
        #expect(try diff("--ignore", "a[").refusal(status: 2).hasPrefix("--ignore a[: "))
        #expect(try diff("--stat", "--both").status == 2)
        #expect(try Kvtool.run(["diff", first.path]).status == 2)
        _ = try Kvtool.run(["diff", first.path, "nothing.cblite2"]).refusal(status: 3)
    }

    @Test(
        "finds the contents of a database of another implementation, and patches an empty one",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"), arguments: GoldenTests.names
    )
    func golden(_ name: String) throws {
        let golden = try SampleDatabase(golden: name)
        let empty = try SampleDatabase(lines: [])
        let found = try Kvtool.run(["diff", empty.path, golden.path, "--ndjson", "--meta"])
        #expect(found.status == 8)
        #expect(found.lines.allSatisfy { $0.contains(#""change":"added""#) })
        try Kvtool.run(["patch", empty.path, "-"], stdin: found.standardOutput).success()
        let rest = try Kvtool.run(["diff", empty.path, golden.path, "--meta"])
        #expect(rest.status == 0 && rest.stdout == "", "\(rest)")
    }
}
