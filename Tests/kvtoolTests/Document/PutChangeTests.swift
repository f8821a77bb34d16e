import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool put: conditions and patches")
struct PutChangeTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [#"{"_id":"a","n":1,"tags":["x","y"]}"#])
    }

    private func body(_ id: String = "a") throws -> String {
        try database.run("cat", id, "--raw").success().lines.joined()
    }

    @Test("--create, --update and --delete require that the document does or does not exist")
    func modes() throws {
        #expect(
            try database.run("put", "a", "{}", "--create").refusal(status: 6)
                == "\(database.path): document \"a\" already exists")
        #expect(
            try database.run("put", "b", "{}", "--update").refusal(status: 3)
                == "\(database.path): document \"b\" is not in the collection _default")
        #expect(try database.run("put", "b", "{}", "--delete").status == 2)
        try database.run("put", "b", "--delete").refusal(status: 3)
        #expect(
            try database.run("put", "a", "--delete").success().stdout.hasPrefix("Deleted \"a\","))
        #expect(
            try database.run("put", "a", "--delete").refusal(status: 3)
                == "\(database.path): document \"a\" is already deleted")
        // A tombstone does not prevent this.
        #expect(
            try database.run("put", "a", #"{"n":2}"#, "--create").success().stdout
                .hasPrefix("Created \"a\","))
        #expect(
            try database.run("put", "a", "--purge", "--yes").success().stdout == "Purged \"a\"\n")
        try database.run("put", "a", "--purge").refusal(status: 3)
    }

    @Test("--if-rev overwrites only that revision")
    func ifRevision() throws {
        let revision = try #require(
            try database.run("ls", "--csv", "--columns", "revision").success().lines.last)
        let said = try database.run("put", "a", #"{"n":2}"#, "--if-rev", revision, "--ndjson")
        #expect(said.success().stdout.hasPrefix(#"{"id":"a","action":"updated","revision":""#))
        let before = try database.contents
        let message = try database.run("put", "a", #"{"n":3}"#, "--if-rev", revision)
            .refusal(status: 6)
        #expect(message.hasSuffix(", not \(revision)"))
        try database.run("put", "a", "--delete", "--if-rev", revision).refusal(status: 6)
        try database.run("put", "a", "--purge", "--if-rev", revision).refusal(status: 6)
        #expect(
            try database.run("put", "b", "{}", "--if-rev", revision).refusal(status: 6)
                .hasSuffix("has no revision, expected \(revision)"))
        #expect(try database.contents == before)
    }

    @Test("accepts JSON5, joined words, files, and an id in the database's address")
    func texts() throws {
        try Kvtool.run(["put", database.path, "b", "{x:", "1, /* c */ y: 'z',}"]).success()
        #expect(try body("b") == #"{"_id":"b","x":1,"y":"z"}"#)
        let file = try database.newFile("c.json", Data(#"{"_id":"c","n":3}"#.utf8))
        try database.run("put", "c", "@\(file)").success()
        #expect(try body("c") == #"{"_id":"c","n":3}"#)
        try Kvtool.run(["put", "\(database.path)//_default/d", #"{"n":4}"#]).success()
        #expect(try body("d") == #"{"_id":"d","n":4}"#)
        try database.run("put", "c", "@/no/such/file").refusal(status: 3)
        #expect(
            try database.run("put", "c", "{a: 1, b}").refusal(status: 2)
                .hasPrefix("invalid JSON, line 1, column "))
    }

    /// The examples of RFC 7396, appendix A, whose result is an object.
    @Test(
        "--merge-patch follows RFC 7396",
        arguments: [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
            (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
            (#"{"e":null}"#, #"{"a":1}"#, #"{"a":1,"e":null}"#),
            ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ])
    func mergePatch(_ old: String, _ patch: String, _ new: String) throws {
        try database.run("put", "m", old).success()
        try database.run("put", "m", patch, "--merge-patch").success()
        let line = try database.run("cat", "m", "--canonical").success().lines.joined()
        let rest = new == "{}" ? "}" : "," + new.dropFirst()
        #expect(line == #"{"_id":"m""# + rest)
    }

    @Test(
        "--patch follows RFC 6902",
        arguments: [
            (
                #"[{"op":"add","path":"/m","value":{"k":[]}}]"#,
                #""m":{"k":[]},"n":1,"tags":["x","y"]"#
            ),
            (#"[{"op":"add","path":"/tags/1","value":"q"}]"#, #""n":1,"tags":["x","q","y"]"#),
            (#"[{"op":"add","path":"/tags/-","value":null}]"#, #""n":1,"tags":["x","y",null]"#),
            (#"[{"op":"remove","path":"/tags/0"}]"#, #""n":1,"tags":["y"]"#),
            (#"[{"op":"replace","path":"/n","value":"é"}]"#, #""n":"é","tags":["x","y"]"#),
            (#"[{"op":"replace","path":"/tags/1","value":2}]"#, #""n":1,"tags":["x",2]"#),
            (#"[{"op":"move","from":"/tags/0","path":"/tags/1"}]"#, #""n":1,"tags":["y","x"]"#),
            (#"[{"op":"move","from":"/n","path":"/a~1b"}]"#, #""a/b":1,"tags":["x","y"]"#),
            (#"[{"op":"copy","from":"/tags","path":"/n"}]"#, #""n":["x","y"],"tags":["x","y"]"#),
            (
                #"[{"op":"test","path":"/n","value":1.0},{"op":"remove","path":"/tags"}]"#,
                #""n":1"#
            ),
            (#"[{"op":"replace","path":"","value":{"w":1}}]"#, #""w":1"#),
        ])
    func jsonPatch(_ patch: String, _ properties: String) throws {
        try database.run("put", "a", patch, "--patch").success()
        #expect(
            try database.run("cat", "a", "--canonical").success().stdout
                == #"{"_id":"a",\#(properties)}"# + "\n")
    }

    @Test(
        "a patch that does not fit ends with 6, an invalid one with 2; nothing is written",
        arguments: [
            (
                #"[{"op":"test","path":"/n","value":2}]"#, 6,
                "operation 1 of the patch, test: /n has a different value"
            ),
            (
                #"[{"op":"remove","path":"/n"},{"op":"remove","path":"/n"}]"#, 6,
                "operation 2 of the patch, remove: /n does not exist"
            ),
            (
                #"[{"op":"add","path":"/tags/3","value":1}]"#, 6,
                "operation 1 of the patch, add: /tags/3 is not an index of the array of 2 elements"
            ),
            (
                #"[{"op":"add","path":"/n/x","value":1}]"#, 6,
                "operation 1 of the patch, add: /n/x is not in an object or array"
            ),
            (
                #"[{"op":"add","path":"/tags/01","value":1}]"#, 6,
                "operation 1 of the patch, add: /tags/01 is not an index of the array of 2 elements"
            ),
            (#"[{"op":"add","path":"/x"}]"#, 2, #"operation 1 of the patch has no "value""#),
            (
                #"[{"op":"jump","path":"/x"}]"#, 2,
                #"operation 1 of the patch needs an "op": add, remove, replace, move, copy or test"#
            ),
            (
                #"[{"op":"move","from":"/tags","path":"/tags/0"}]"#, 2,
                "operation 1 of the patch moves a value into itself"
            ),
            (#"{}"#, 2, "a JSON patch is an array of operations"),
        ])
    func wrongPatch(_ patch: String, _ status: Int32, _ message: String) throws {
        let before = try database.contents
        #expect(try database.run("put", "a", patch, "--patch").refusal(status: status) == message)
        #expect(try database.contents == before)
    }
}
