import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool export writes the format of the file's extension")
struct ExportEndingTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [#"{"_id":"a","n":1}"#, #"{"_id":"b","n":2}"#])
    }

    private func exporting(_ name: String, _ rest: String...) throws -> String {
        try Kvtool.run(["export", database.path, database.directory(name)] + rest).success()
        return try String(contentsOfFile: database.directory(name), encoding: .utf8)
    }

    private let array = "[\n{\"_id\":\"a\",\"n\":1},\n{\"_id\":\"b\",\"n\":2}\n]\n"
    private let lines = "{\"_id\":\"a\",\"n\":1}\n{\"_id\":\"b\",\"n\":2}\n"

    @Test("one array for .json, lines for .ndjson and .jsonl")
    func endings() throws {
        #expect(try exporting("a.json") == array)
        #expect(try exporting("a.JSON") == array)
        #expect(try exporting("a.ndjson") == lines)
        #expect(try exporting("a.jsonl") == lines)
        #expect(try exporting("a") == lines)
        #expect(try exporting("b.json", "--ndjson") == lines)
        #expect(try exporting("a.csv") == "_id,n\na,1\nb,2\n")
        #expect(try exporting("b.csv", "--delimiter", ";") == "_id;n\na;1\nb;2\n")
        let copy = try SampleDatabase()
        try copy.run("import", database.directory("a.json")).success()
        #expect(try copy.exported() == database.exported())
    }

    @Test("and refuses an unknown extension, unless an option specifies the format")
    func unknown() throws {
        for name in ["a.txt", "a.xml", "a.json.gz"] {
            let complaint = try database.run("export", database.directory(name)).refusal(status: 2)
            #expect(complaint.hasSuffix("choose one with --array, --ndjson, --csv or --tsv"))
            #expect(!FileManager.default.fileExists(atPath: database.directory(name)))
        }
        #expect(try exporting("a.txt", "--ndjson") == lines)
        #expect(try exporting("b.txt", "--array") == array)
        #expect(try exporting("c.txt", "--csv") == "_id,n\na,1\nb,2\n")
        try database.run("export", database.directory("d.json"), "--delimiter", ";")
            .refusal(status: 2)
    }

    @Test("cp does, too")
    func copies() throws {
        try Kvtool.run(["cp", database.path, database.directory("c.json")]).success()
        #expect(try String(contentsOfFile: database.directory("c.json"), encoding: .utf8) == array)
    }
}
