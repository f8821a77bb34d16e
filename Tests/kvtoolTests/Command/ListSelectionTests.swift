import DocumentStore
import Foundation
import StoreTestSupport
import Testing

@testable import KVToolCommands
@testable import KVToolCore

@Suite("kvtool ls: ids and patterns")
struct ListSelectionTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(
            lines: ["a1", "a2", "ab", "b", "c*"].map { #"{"_id":"\#($0)"}"# })
    }

    private func ids(_ arguments: String...) throws -> [String] {
        try Kvtool.run(["ls", database.path, "-0"] + arguments).success().stdout
            .split(separator: "\0").map(String.init)
    }

    @Test("lists documents that are named or match, in the usual order")
    func several() throws {
        #expect(try ids("b", "a?") == ["a1", "a2", "ab", "b"])
        #expect(try ids("b", "a1", "b") == ["a1", "b"])
        #expect(try ids("b", "a1", "--desc") == ["b", "a1"])
        #expect(try ids("*b", "--limit", "1") == ["ab"])
        #expect(try ids("a1", "--limit", "1", "--offset", "1") == [])
        #expect(
            try Kvtool.run(["ls", "\(database.path)//_default/b", "-0"]).success().stdout == "b\0")
    }

    @Test("a missing ID ends with 3, or with 7 if others are listed")
    func missing() throws {
        let message = "\(database.path): document \"nope\" is not in the collection _default"
        #expect(try database.run("ls", "nope", "nope").refusal(status: 3) == message)
        let some = try database.run("ls", "nope", "b", "-0")
        #expect(some.status == 7 && some.stdout == "b\0")
        #expect(some.complaint() == message)
        try database.run("rm", "b").success()
        try database.run("ls", "b").refusal(status: 3)
        #expect(try ids("b", "--deleted") == ["b"])
        let counted = try database.run("ls", "nope", "--count")
        #expect(counted.status == 3 && counted.stdout == "0\n")
    }

    @Test("a pattern without matches prints a note")
    func noMatch() throws {
        let outcome = try database.run("ls", "x*", "y?")
        #expect(outcome.status == 0 && outcome.stdout == "")
        #expect(outcome.stderr == "(no documents match x*, y?)\n")
        #expect(
            try database.run("ls", "x*", "--json").success().answer().list("documents").isEmpty)
    }

    @Test("--where lists documents that match both the condition and the pattern")
    func condition() throws {
        let database = try SampleDatabase(
            lines: (1...6).map { #"{"_id":"\#($0 < 4 ? "a" : "b")\#($0)","n":\#($0)}"# })
        func ids(_ arguments: String...) throws -> [String] {
            try Kvtool.run(["ls", database.path, "-0"] + arguments).success().stdout
                .split(separator: "\0").map(String.init)
        }
        #expect(try ids("--where", "n > 2") == ["a3", "b4", "b5", "b6"])
        #expect(try ids("b*", "--where", "n IN [1, 4, 6]") == ["b4", "b6"])
        #expect(try ids("--where", "n > 2", "--limit", "2", "--offset", "1") == ["b4", "b5"])
        #expect(try ids("--where", "n > 2", "--seq", "--desc", "--limit", "1") == ["b6"])
        #expect(try ids("--where", "n > 9") == [])
        #expect(try database.run("ls", "--where", "n > 2", "--count").success().stdout == "4\n")
        // An existing document that does not match is not missing.
        #expect(try ids("a1", "--where", "n > 2") == [])
        let wrong = try database.run("ls", "--where", "n >")
        #expect(wrong.status == 1 && wrong.stderr.contains("line 1, column 4"), "\(wrong)")
    }

    @Test("a terminal shows the position of an error in a condition")
    func mark() throws {
        let end = try PseudoTerminal(["ls", database.path, "--where", "n > > 2"]).end()
        #expect(end.output.contains("  n > > 2\r\n      ^\r\n"), "\(end.output)")
        let meaning = "n = 1 AND MAX(n) = 1"
        for command in ["ls", "cat"] {
            let end = try PseudoTerminal([command, database.path, "--where", meaning]).end()
            #expect(
                end.output.contains("  \(meaning)\r\n            ^\r\n"), "\(end.output)")
        }
    }

    @Test("the position of an error of meaning is that in the condition")
    func meaning() throws {
        for command in ["ls", "cat", "watch", "export"] {
            for (condition, position) in [
                ("n = 1\nAND MAX(n) = 1", "line 2, column 5"), ("1 = MAX(n)", "line 1, column 5"),
            ] {
                let outcome = try database.run(command, "--where", condition)
                #expect(outcome.status == 1)
                #expect(outcome.stderr.contains("\(position): max() is an"), "\(outcome)")
            }
        }
    }

    @Test("--time shows the time of a version vector's revision, and nothing for digests")
    func time() throws {
        let before = Int64(Date().timeIntervalSince1970 * 1000) - 60_000
        try database.run("put", "new", "{}").success()
        let rows = try database.run("ls", "new", "--columns", "id,time", "--json").success()
        let time = try #require(
            rows.answer().list("documents").first?["time"] as? Int)
        #expect(Int64(time) > before && Int64(time) < before + 3_600_000)
        let table = try database.run("ls", "new", "--time").success().lines
        #expect(table[0].hasSuffix("  Time") && table[1].hasSuffix("Z"))
        let watched = try database.run("watch", "--json").success().answer().list("changes")
        #expect(watched.last?["time"] as? Int == time)
        #expect(RevisionID.digest(generation: 1, digest: [1]).time == nil)
        #expect(
            try RevisionID.vector(VersionVector(text: "18ea6eb50b2c0000@*")).time
                == 1_795_369_125_316)
    }

    @Test("the scan starts at the first possible match, and ends after the last")
    func bounds() {
        let matcher = ListMatcher(["m*", "c", "\u{E9}?"])
        #expect(matcher.start == "c")
        for id in ["c", "cc", "d", "m", "mz", "n", "\u{E9}x"] {
            #expect(matcher.mayFollow(id), "\(id)")
        }
        #expect(!matcher.mayFollow("\u{4E2D}"))
        #expect(["c", "m", "mz", "\u{E9}x"].allSatisfy { matcher.matches($0) })
        #expect(!["b", "cc", "\u{E9}"].contains { matcher.matches($0) })
        #expect(ListMatcher(["*", "c"]).start == nil && ListMatcher([]).matches("x"))
    }
}
