import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool patch")
struct PatchTests {
    private let database: SampleDatabase
    private let patch = """
        {"collection":"_default","id":"a","change":"changed","delta":{"n":9}}

        {"collection":"_default","id":"b","change":"removed"}
        {"collection":"_default","id":"new","change":"added","body":{"x":[1]}}

        """

    init() throws {
        database = try SampleDatabase(lines: ["a", "b", "c"].map { #"{"_id":"\#($0)","n":1}"# })
    }

    private func run(_ text: String, _ flags: String...) throws -> Command.Outcome {
        try Kvtool.run(["patch", database.path, "-"] + flags, stdin: Data(text.utf8))
    }

    private func line(_ change: String, _ id: String, _ rest: String) -> String {
        #"{"collection":"_default","id":"\#(id)","change":"\#(change)"\#(rest)}"# + "\n"
    }

    @Test("changes, removes and adds documents, and prints the counts")
    func applied() throws {
        let before = try database.bytes
        #expect(
            try run(patch, "--dry-run").success().stdout
                == "Would have added 1, removed 1, changed 1\n")
        #expect(try database.bytes == before)
        #expect(try run(patch).success().stdout == "Added 1, removed 1, changed 1\n")
        #expect(
            try database.exported()
                == [#"{"_id":"a","n":9}"#, #"{"_id":"c","n":1}"#, #"{"_id":"new","x":[1]}"#])
        let again = try run(patch, "--json").success()
        let object = try JSONSerialization.jsonObject(with: again.standardOutput)
        let counts = try #require(object as? [String: Any])
        #expect(
            Set(counts.keys) == [
                "schema", "dryRun", "added", "removed", "changed", "unchanged", "collections",
                "conflicts",
            ])
        #expect(counts["schema"] as? String == "kvtool.patch/1")
        #expect(counts["unchanged"] as? Int == 3)
    }

    @Test(
        "a document that is not as expected is a conflict, and nothing is changed",
        arguments: [
            #""changed","id":"a","was":"0123456789abcdef","delta":{"n":2}"#,
            #""changed","id":"nope","delta":{"n":2}"#,
            #""changed","id":"a","delta":{"n":[1,0,0],"x":[]}"#,
            #""removed","id":"a","was":"0123456789abcdef""#,
            #""added","id":"a","body":{"other":1}"#,
        ])
    func conflict(_ rest: String) throws {
        let text =
            patch.replacing("\"id\":\"a\"", with: "\"id\":\"c\"")
            + #"{"collection":"_default","change":\#(rest)}"# + "\n"
        let before = try database.exported()
        let outcome = try run(text)
        #expect(outcome.status == 6, "\(outcome)")
        #expect(outcome.stdout == "")
        let lines = outcome.stderr.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("kvtool: standard input, line 5: document \"") == true)
        #expect(lines.last?.contains("1 conflict, nothing was changed; --force") == true)
        #expect(try database.exported() == before)
    }

    @Test("--force overwrites documents, and reports those that no delta fits")
    func force() throws {
        let text =
            line("added", "a", #","body":{"other":1}"#)
            + line("removed", "b", #","was":"0123456789abcdef""#)
            + line("changed", "c", #","was":"0123456789abcdef","delta":{"n":2}"#)
        #expect(try run(text, "--force").success().stdout == "Added 1, removed 1, changed 1\n")
        #expect(try database.exported() == [#"{"_id":"a","other":1}"#, #"{"_id":"c","n":2}"#])
        let outcome = try run(line("changed", "b", #","delta":{"n":2}"#), "--force")
        #expect(outcome.status == 7)
        #expect(
            outcome.complaint()
                == "standard input, line 1: document \"b\" of _default is deleted")
    }

    @Test(
        "an invalid line ends the patch, and nothing is changed",
        arguments: [
            ("{\"collection\":\"_default\",", "line 5, column 26: "), ("[]", "line 5, column 1: "),
            ("{}", #"a line of a patch has a "collection" and a "change""#),
            (#"{"collection":"a.b.c","change":"added","id":"x","body":{}}"#, "is not a collection"),
            (#"{"collection":"_default","change":"added","id":"x"}"#, #"the line has no "body""#),
            (#"{"collection":"_default","change":"changed","id":"x"}"#, "without --keys"),
            (#"{"collection":"_default","change":"changed"}"#, #"the line has no "id""#),
            (#"{"collection":"_default","change":"added","id":"x","body":3}"#, "not a JSON object"),
            (#"{"collection":"_default","change":"added","id":"x","fleece":"zz"}"#, "is damaged"),
            (#"{"collection":"_default","change":"added","id":"x","fleece":"0000"}"#, "is damaged"),
        ])
    func badLines(_ text: String, _ message: String) throws {
        let before = try database.exported()
        let said = try run(patch + text).refusal(status: 1)
        #expect(said.hasPrefix("standard input, line 5, column "), "\(said)")
        #expect(said.contains(message), "\(said)")
        #expect(try database.exported() == before)
    }

    @Test("reverses with --reverse, if the patch has the old bodies")
    func reverse() throws {
        #expect(
            try run(patch, "--reverse").refusal(status: 1).hasSuffix(
                "only a patch of diff --both can be reversed"))
        let before = try database.exported()
        let copy = database.directory("copy.cblite2")
        try FileManager.default.copyItem(atPath: database.path, toPath: copy)
        try run(patch).success()
        let text = try Kvtool.run(["diff", copy, database.path, "--both", "--ndjson"]).stdout
        #expect(try run(text, "-R").success().stdout == "Added 1, removed 1, changed 1\n")
        #expect(try database.exported() == before)
    }

    @Test("creates collections, and deletes those that are empty in the end")
    func collections() throws {
        let made = #"{"collection":"hr.staff","id":"x","change":"added","body":{"n":1}}"#
        try run(made + "\n" + #"{"collection":"empty","change":"added"}"#).success()
        #expect(
            try Kvtool.run(["export", database.path, "--collection", "hr.staff"]).lines
                == [#"{"_id":"x","n":1}"#])
        let gone = #"{"collection":"hr.staff","change":"removed"}"#
        let conflict = try run(gone)
        #expect(conflict.status == 6)
        #expect(conflict.stderr.contains("has documents not in the patch"))
        let document = #"{"collection":"hr.staff","id":"x","change":"removed"}"#
        try run(document + "\n" + gone + "\n" + #"{"collection":"empty","change":"removed"}"#)
            .success()
        let info = try database.run("info", "--json").stdout
        #expect(!info.contains("hr.staff") && !info.contains("empty"))
    }

    @Test("missing files and databases")
    func missing() throws {
        #expect(
            try database.run("patch", "/nowhere/p").refusal(status: 3)
                == "/nowhere/p does not exist")
        _ = try Kvtool.run(["patch", "nothing.cblite2", "-"]).refusal(status: 3)
    }

    @Test("changes documents without properties, and back")
    func emptyDocument() throws {
        let old = try SampleDatabase(lines: [#"{"_id":"d"}"#, #"{"_id":"e","a":{},"b":[]}"#])
        let new = try SampleDatabase(lines: [
            #"{"_id":"d","x":1}"#, #"{"_id":"e","a":{"y":2},"b":[3]}"#,
        ])
        let patch = try Kvtool.run(["diff", old.path, new.path, "--both", "--ndjson"])
            .standardOutput
        let file = try old.newFile("p.diff", patch)
        try old.run("patch", file).success()
        #expect(try old.exported() == new.exported())
        try old.run("patch", file, "--reverse").success()
        #expect(try old.exported() == [#"{"_id":"d"}"#, #"{"_id":"e","a":{},"b":[]}"#])
    }
}
