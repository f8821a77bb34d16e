import Foundation
import StoreTestSupport
import Testing

@testable import kvtool

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

    @Test("lists what is named or matches, in the order of all")
    func several() throws {
        #expect(try ids("b", "a?") == ["a1", "a2", "ab", "b"])
        #expect(try ids("b", "a1", "b") == ["a1", "b"])
        #expect(try ids("b", "a1", "--desc") == ["b", "a1"])
        #expect(try ids("*b", "--limit", "1") == ["ab"])
        #expect(try ids("a1", "--limit", "1", "--offset", "1") == [])
        #expect(
            try Kvtool.run(["ls", "\(database.path)//_default/b", "-0"]).success().stdout == "b\0")
    }

    @Test("an id that is not there ends it with 3, or with 7 if others are listed")
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

    @Test("a pattern that none matches is a note")
    func noMatch() throws {
        let outcome = try database.run("ls", "x*", "y?")
        #expect(outcome.status == 0 && outcome.stdout == "")
        #expect(outcome.stderr == "(no documents match x*, y?)\n")
        #expect(
            try database.run("ls", "x*", "--json").success().answer().list("documents").isEmpty)
    }

    @Test("the walk begins at the first that can match, and ends behind the last")
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
