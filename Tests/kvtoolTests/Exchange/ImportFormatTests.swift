import Foundation
import SampleData
import StoreTestSupport
import Testing

@Suite("kvtool import of other formats than lines")
struct ImportFormatTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase()
    }

    private func importing(
        _ name: String, _ text: String, _ rest: String...
    ) throws -> Command.Outcome {
        let file = try database.newFile(name, Data(text.utf8))
        return try Kvtool.run(["import", database.path, file] + rest)
    }

    @Test("accepts an array in any layout")
    func array() throws {
        try importing("a.json", "[{\"_id\":\"a\"},\n {\"_id\":\"b\",\"t\":\"]},{\"}\n]\n").success()
        try importing("empty.json", " [ ] ").success()
        #expect(try database.exported() == [#"{"_id":"a"}"#, #"{"_id":"b","t":"]},{"}"#])
    }

    @Test("reports the location of an error in an array; documents before it are imported")
    func badArray() throws {
        let complaint = try importing("a.json", "[{\"_id\":\"a\"},\n  {\"_id\":}]").refusal(
            status: 1)
        #expect(
            complaint == "\(database.directory("a.json")), line 2, column 10: "
                + "the value of \"_id\" must be a string; 1 document before it was imported")
        let open = try importing("b.json", "[{\"_id\":\"b\"}").refusal(status: 1)
        #expect(open.contains("the array has no end"))
        #expect(try database.exported() == [#"{"_id":"a"}"#, #"{"_id":"b"}"#])
    }

    @Test("names single documents after their files, several at once, and those of a directory")
    func documents() throws {
        let one = try database.newFile("one.json", Data("{\n \"n\": 1\n}\n".utf8))
        let two = try database.newFile("two.json", Data(#"{"_id":"zwei","n":2}"#.utf8))
        try database.run("import", one, two).success()
        _ = try Kvtool.run(["export", database.path, database.directory("out") + "/"])
        try database.run("rm", "one", "zwei").success()
        try database.run("import", database.directory("out") + "/").success()
        #expect(try database.exported() == [#"{"_id":"one","n":1}"#, #"{"_id":"zwei","n":2}"#])
    }

    @Test("decodes % and two hexadecimal digits of a file name in a directory as a byte of the id")
    func escapes() throws {
        let directory = database.directory("in")
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        for name in ["a%2Fb", "a%2fc", "%+f", "%4", "100%"] {
            try Data("{}".utf8).write(to: URL(filePath: "\(directory)/\(name).json"))
        }
        try database.run("import", directory + "/").success()
        let ids = try database.exported()
        #expect(ids == ["%+f", "%4", "100%", "a/b", "a/c"].map { #"{"_id":"\#($0)"}"# })
    }

    @Test("converts CSV values to JSON types, except quoted ones")
    func csv() throws {
        let text = """
            _id,n,t,flag,nothing,zip
            1,1.5,"say ""hi"",
            you",true,,007
            b,"2",,false,null,

            """
        try importing("a.csv", text).success()
        #expect(
            try database.exported() == [
                #"{"_id":"1","n":1.5,"t":"say \"hi\",\nyou","flag":true,"zip":"007"}"#,
                #"{"_id":"b","n":"2","flag":false,"nothing":null}"#,
            ])
        try importing("b.csv", "_id,n\n1,5\n", "--text").success()
        #expect(try database.exported()[0] == #"{"_id":"1","n":"5"}"#)
    }

    @Test("reads ids from a property, with a prefix, and keeps the property")
    func identity() throws {
        let text = #"{"c":{"no":7}}"#
        try importing("a.ndjson", text, "--id", "c.no", "--id-prefix", "c-").success()
        #expect(try database.exported() == [#"{"_id":"c-7","c":{"no":7}}"#])
        let complaint = try importing("b.ndjson", text, "--id", "d").refusal(status: 1)
        #expect(complaint.contains("\"d\", which is the id, is missing"))
    }

    @Test("handles existing documents as --mode specifies")
    func modes() throws {
        try database.importing([#"{"_id":"a","x":{"y":1,"z":2},"n":1}"#]).success()
        let file = try database.newFile(
            "m.ndjson", Data(#"{"_id":"a","n":null,"x":{"y":9}}"#.utf8))
        try database.run("import", file, "--mode", "insert").refusal(status: 6)
        let skipped = try database.run("import", file, "--mode", "skip").success()
        #expect(skipped.stdout.hasSuffix("; 1 existed already\n"))
        try database.run("import", file, "--mode", "merge").success()
        #expect(try database.exported() == [#"{"_id":"a","x":{"y":9,"z":2}}"#])
    }

    @Test("skips errors on request, counts them, and writes them to a file")
    func errors() throws {
        let lines = [#"{"_id":"a"}"#, "bad", #"{"_id":"b"}"#]
        let outcome = try database.importing(lines, "--on-error", "skip")
        #expect(outcome.status == 7)
        #expect(
            outcome.stdout.hasSuffix(
                "2 documents into \(database.path): 2 new; 1 could not be imported\n"))
        #expect(outcome.complaint().contains("line 2, column 1"))
        let log = database.directory("errors.ndjson")
        #expect(try database.importing(lines, "--error-log", log).status == 7)
        let entry =
            try JSONSerialization.jsonObject(
                with: Data(contentsOf: URL(fileURLWithPath: log))) as? [String: Any]
        #expect(entry?["line"] as? Int == 2)
        #expect(entry?["text"] as? String == "bad")
    }

    @Test("reports its result as JSON")
    func json() throws {
        let outcome = try database.importing([#"{"_id":"a"}"#], "--json").success()
        let object = try JSONSerialization.jsonObject(with: outcome.standardOutput)
        let report = ((object as? [String: Any])?["imports"] as? [[String: Any]])?.first
        #expect((object as? [String: Any])?["schema"] as? String == "kvtool.import/1")
        #expect(report?["imported"] as? Int == 1)
        #expect(report?["failed"] as? Int == 0)
    }

    @Test("is interrupted between batches, and continues where it reported")
    func interruption() throws {
        let file = try database.newFile(
            "many.ndjson", Data(People(count: 3000).map { $0 + "\n" }.joined().utf8))
        // The pipe stays open, so that only Ctrl-C can end the import, without a race.
        let script = #"""
            mkfifo "$2.pipe"; "$KVTOOL" import "$1" - --batch 500 < "$2.pipe" & tool=$!
            exec 3> "$2.pipe"; cat "$2" >&3
            until [ "$("$KVTOOL" ls "$1" --limit 1 2> /dev/null | wc -l)" -gt 1 ]; do :; done
            kill -INT $tool; cat "$2" >&3; exec 3>&-; wait $tool
            """#
        let outcome = try Kvtool.shell(script, [database.path, file])
        #expect(outcome.status == 130, "\(outcome)")
        #expect(outcome.stderr.contains("continue with standard input at --from-line "))
        try database.run("import", file).success()
        #expect(try database.exported().count == 3000)
    }
}
