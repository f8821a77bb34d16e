import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

import KVToolCore

@Suite("kvtool expire")
struct ExpireTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: ["a", "b", "c"].map { #"{"_id":"\#($0)","n":1}"# })
    }

    private func listed() throws -> [String] {
        try database.run("expire ls", "--csv").success().lines
    }

    @Test("sets and clears a date in UTC or a time zone, without a new revision")
    func set() throws {
        let before = try database.run("ls", "--csv", "--columns", "id,revision,sequence").success()
        #expect(
            try database.run("expire set", "a", "--at", "2099-01-31T12:00").success().stdout
                == "\"a\" expires 2099-01-31T12:00:00Z\n")
        // The subcommand may be left out.
        try database.run("expire", "b", "--at", "2099-01-31T12:00:00+01:00").success()
        #expect(
            try listed() == [
                "collection,id,expiration,due", "_default,b,4073540400000,false",
                "_default,a,4073544000000,false",
            ])
        #expect(
            try database.run("expire clear", "a").success().stdout
                == "\"a\" does not expire\n")
        try database.run("expire set", "b", "--never").success()
        #expect(try listed() == ["collection,id,expiration,due"])
        let after = try database.run("ls", "--csv", "--columns", "id,revision,sequence").success()
        #expect(after.stdout == before.stdout)
    }

    @Test(
        "--in is relative to the current time",
        arguments: [
            ("90s", 90), ("15m", 900), ("12h", 43_200), ("7d", 604_800), ("2w", 1_209_600),
            ("1h30m", 5400), ("60", 60),
        ])
    func delay(_ text: String, _ seconds: Int64) throws {
        let from = Int64(Date().timeIntervalSince1970 * 1000) - 1
        let row = try database.run("expire set", "a", "--in", text, "--ndjson").success()
        let object = try JSONSerialization.jsonObject(with: row.standardOutput) as? [String: Any]
        let expiration = try #require(object?["expiration"] as? Int64)
        let until = Int64(Date().timeIntervalSince1970 * 1000) + 1
        #expect((from...until).contains(expiration - seconds * 1000))
    }

    @Test("run purges expired documents of all collections, and reports their number")
    func run() throws {
        try database.run("mkcoll", "x").success()
        try Kvtool.run(["put", "\(database.path)//x/d", "{}"]).success()
        try Kvtool.run(["expire", "set", "\(database.path)//x/d", "--at", "2001-01-01"]).success()
        try database.run("expire set", "a", "b", "--at", "2000-01-01").success()
        try database.run("expire set", "c", "--at", "2099-01-01").success()
        let output = "1 document of x\n"
        #expect(
            try database.run("expire run", "--dry-run").success().stdout
                == "Would have purged 2 documents of _default\nWould have purged \(output)")
        #expect(try database.run("ls", "--count").success().stdout == "3\n")
        #expect(
            try database.run("expire run").success().stdout
                == "Purged 2 documents of _default\nPurged \(output)")
        #expect(try database.exported() == [#"{"_id":"c","n":1}"#])
        let again = try database.run("expire run")
        #expect(again.status == 0)
        #expect(again.stderr == "(no document has expired)\n")
    }

    @Test("missing documents end with 3; invalid dates and durations are invalid usage")
    func wrong() throws {
        let outcome = try database.run("expire set", "nope", "a", "--at", "2099-01-01")
        #expect(outcome.status == 7)
        #expect(outcome.stdout == "\"a\" expires 2099-01-01T00:00:00Z\n")
        try database.run("expire clear", "nope").refusal(status: 3)
        try database.run("expire ls", "--collection", "nope").refusal(status: 3)
        for arguments in [
            ["set", "a"], ["set", "a", "--at", "soon"], ["set", "a", "--in", "7x"],
            ["set", "a", "--in", "-1"], ["set", "a", "--in="], ["set", "--in", "7d"],
            ["set", "a", "--in", "1d", "--never"], ["set", "a", "--in", "99999999999999999999w"],
            ["ls", "--limit=-1"],
        ] {
            let words = ["expire", arguments[0], database.path] + arguments.dropFirst()
            #expect(try Kvtool.run(words).status == 2, "\(arguments)")
        }
    }

    @Test(
        "the remaining time is shown in hours for some weeks, in days after that",
        arguments: [
            (90, "in 1 min 30 s"), (-7500, "2 h 5 min ago"), (43_199.99, "in 12 h 0 min"),
            (604_799.99, "in 7 days"), (604_800 - 3600, "in 6 days 23 h"),
            (604_800 - 3600 - 1799, "in 6 days 23 h"), (-172_800, "2 days ago"),
            (172_799, "in 47 h 59 min"), (29 * 86_400 + 3600, "in 29 days 1 h"),
            (30 * 86_400 - 1, "in 30 days"), (40 * 86_400 + 50_000, "in 41 days"),
            (-400 * 86_400, "400 days ago"),
        ] as [(Double, String)])
    func distance(_ seconds: Double, _ text: String) {
        let now: Int64 = 1_700_000_000_000
        #expect(Expirations.distance(to: now + Int64(seconds * 1000), from: now) == text)
    }

    @Test("the largest possible distance has a text")
    func farAway() {
        #expect(Expirations.distance(to: .max, from: -1) == "in a long time")
        #expect(Expirations.distance(to: .min, from: 1) == "long ago")
    }

    @Test("each command shows how it is used", arguments: ["ls", "set", "clear", "run"])
    func help(_ verb: String) throws {
        let help = try Kvtool.run(["expire", verb, "--help"]).success().stdout
        #expect(help.contains("Examples:\n"))
        #expect(help.contains("kvtool expire \(verb) people.cblite2"))
    }

    @Test("an id may begin with a dash, after --")
    func dash() throws {
        try database.importing([#"{"_id":"-abc"}"#]).success()
        #expect(
            try Kvtool.run([
                "expire", "set", database.path, "--at", "2099-01-01", "--", "-abc",
            ]).success().stdout == "\"-abc\" expires 2099-01-01T00:00:00Z\n")
    }

    @Test(
        "lists nothing for files whose tables have no expiration",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"))
    func golden() throws {
        let old = try SampleDatabase(golden: "upgrade_2.7")
        let before = try old.contents
        #expect(try old.run("expire ls", "--csv").success().lines.count == 1)
        #expect(try old.contents == before)
    }
}
