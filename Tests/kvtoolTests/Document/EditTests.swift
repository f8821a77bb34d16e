import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool edit")
struct EditTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [#"{"_id":"a","n":1,"s":"x"}"#, #"{"_id":"b"}"#])
    }

    private func edit(
        _ arguments: [String], editor: String, environment: [String: String] = [:]
    ) throws -> Command.Outcome {
        let script = try database.newFile("editor.sh", Data(editor.utf8))
        return try Kvtool.run(
            ["edit", database.path] + arguments,
            environment: environment.merging(["VISUAL": "/bin/sh \(script)"]) { $1 })
    }

    @Test("saves the editor's result, which may be JSON5, and shows what changed")
    func saves() throws {
        let outcome = try edit(
            ["a"], editor: #"printf '{_id: "a", n: 2, /* x */ s: "x",}' > "$1""#,
            environment: ["TMPDIR": database.directory.path])
        let lines = outcome.success().lines
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("Updated \"a\", revision ") == true)
        #expect(lines.last == #"  {"n":2}"#)
        #expect(try database.exported().first == #"{"_id":"a","n":2,"s":"x"}"#)
        #expect(try !leftovers().contains { $0.hasPrefix("kvtool-") })
    }

    @Test("the editor gets the JSON in a private file")
    func file() throws {
        let kept = database.directory("seen")
        let editor = "cp -p \"$1\" \(kept)"
        #expect(try edit(["a"], editor: editor).success().stdout == "No change to \"a\"\n")
        #expect(
            try String(contentsOfFile: kept, encoding: .utf8)
                == "{\n  \"_id\": \"a\",\n  \"n\": 1,\n  \"s\": \"x\"\n}\n")
        let mode = try FileManager.default.attributesOfItem(atPath: kept)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("--json5 passes JSON5 to the editor, --raw one line")
    func forms() throws {
        let kept = database.directory("seen")
        for (options, text) in [
            (["--json5"], "{\n  _id: \"a\",\n  n: 1,\n  s: \"x\"\n}\n"),
            (["--raw"], #"{"_id":"a","n":1,"s":"x"}"# + "\n"),
            (["--raw", "--json5"], #"{_id:"a",n:1,s:"x"}"# + "\n"),
        ] {
            let outcome = try edit(["a"] + options, editor: "cp \"$1\" \(kept)")
            #expect(outcome.success().stdout == "No change to \"a\"\n")
            #expect(try String(contentsOfFile: kept, encoding: .utf8) == text)
        }
    }

    @Test("invalid text changes nothing, and is kept in the file that the message names")
    func wrongText() throws {
        let before = try database.contents
        let message = try edit(["a"], editor: #"printf '{"n": ' > "$1""#).refusal(status: 1)
        #expect(message.hasPrefix("invalid JSON, line 1, column "))
        let path = try #require(message.components(separatedBy: "the text is in ").last)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == #"{"n": "#)
        #expect(try database.contents == before)
    }

    @Test("a document that another process has changed meanwhile is not overwritten")
    func conflict() throws {
        let outcome = try edit(
            ["a"],
            editor: #"""
                "$KVTOOL" put "$DB" a '{"n":7}' > /dev/null
                printf '{"n":2}' > "$1"
                """#, environment: ["KVTOOL": Kvtool.path, "DB": database.path])
        #expect(outcome.status == 6, "\(outcome)")
        #expect(outcome.stderr.contains("another process has changed document \"a\""))
        let path = try #require(
            outcome.stderr.firstMatch(of: /the text is in (\S+)/)?.output.1)
        defer { try? FileManager.default.removeItem(atPath: String(path)) }
        #expect(try String(contentsOfFile: String(path), encoding: .utf8) == #"{"n":2}"#)
        #expect(try database.exported().first == #"{"_id":"a","n":7}"#)
    }

    @Test("a failing editor changes nothing; a missing one is named")
    func failingEditor() throws {
        let before = try database.contents
        let message = try edit(["a"], editor: "exit 3").refusal(status: 1)
        #expect(message.contains("exited with status 3; the text is in /"))
        let missing = try database.run("edit", "a", "--with", "/no/such/editor")
        #expect(missing.status == 1)
        #expect(missing.stderr.contains("the editor /no/such/editor exited with status 127"))
        for text in [message, missing.stderr] {
            guard let path = text.firstMatch(of: /the text is in (\S+)/)?.output.1 else { continue }
            try? FileManager.default.removeItem(atPath: String(path))
        }
        #expect(try database.contents == before)
    }

    @Test("a missing document is created only with --create; several are edited in turn")
    func create() throws {
        let editor = #"printf '{"new":true}' > "$1""#
        try edit(["nope"], editor: editor).refusal(status: 3)
        let lines = try edit(["nope", "b", "--create", "--ndjson"], editor: editor).success().lines
        #expect(lines.map { $0.contains("\"action\":\"created\"") } == [true, false])
        #expect(lines.last?.contains(#""action":"updated""#) == true)
        #expect(
            try database.exported().suffix(2) == [
                #"{"_id":"b","new":true}"#, #"{"_id":"nope","new":true}"#,
            ])
    }

    private func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: database.directory.path)
    }
}
