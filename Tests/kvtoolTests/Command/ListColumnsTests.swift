import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool ls: columns, bodies and counts")
struct ListColumnsTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [#"{"_id":"a","n":1}"#, #"{"_id":"b"}"#])
    }

    @Test("--columns chooses them and their order; --body adds the bodies")
    func columns() throws {
        #expect(
            try database.run("ls", "--columns", "sequence,id", "--csv").success().lines
                == ["sequence,id", "1,a", "2,b"])
        #expect(
            try database.run("ls", "--columns", "id", "--body", "--ndjson").success().lines
                == [#"{"id":"a","body":{"n":1}}"#, #"{"id":"b","body":{}}"#])
        let table = try database.run("ls", "--body").success().lines
        #expect(table.first?.hasSuffix("  Body") == true)
        #expect(table.dropFirst().first?.hasSuffix(#"  {"n":1}"#) == true)
        for names in ["", ",", "id,nope"] {
            #expect(try database.run("ls", "--columns=\(names)").status == 2)
        }
    }

    @Test("--count counts what would be listed")
    func count() throws {
        try database.run("rm", "a").success()
        #expect(try database.run("ls", "--count").success().stdout == "1\n")
        #expect(try database.run("ls", "--count", "--del", "a*").success().stdout == "1\n")
        #expect(
            try database.run("ls", "--count", "--json").success().stdout
                == #"{"schema":"kvtool.ls/1","collection":"_default","count":1}"# + "\n")
    }

    @Test("--body in lines, as JSON5, and below its document; programs get one form")
    func bodies() throws {
        let columns = ["--columns", "id", "--body"]
        func lines(_ option: String) throws -> [String] {
            try Kvtool.run(["ls", database.path] + columns + [option]).success().lines
        }
        #expect(try lines("--raw") == ["Document  Body", #"a         {"n":1}"#, "b         {}"])
        #expect(try lines("--json5") == ["Document  Body", "a         {n:1}", "b         {}"])
        #expect(try lines("--pretty") == ["a", "{", #"  "n": 1"#, "}", "b", "{}"])
        #expect(
            try database.run("ls", "--body", "--columns", "id", "--pretty", "--ndjson").success()
                .lines == [#"{"id":"a","body":{"n":1}}"#, #"{"id":"b","body":{}}"#])
        #expect(try database.run("ls", "--body", "--pretty", "--raw").status == 2)
        #expect(
            try database.run("ls", "--columns", "id,size", "--csv").success().lines[0]
                == "id,bytes")
    }

    @Test("-c lists the collections, as lscoll does")
    func collections() throws {
        try database.run("mkcoll", "hr.staff").success()
        let list = try database.run("lscoll", "--json").success().stdout
        #expect(try database.run("ls", "-c", "--json").success().stdout == list)
        #expect(try database.run("ls", "--collections", "--json").success().stdout == list)
        #expect(try database.run("ls", "-c", "hr.*", "--csv").success().lines.count == 2)
    }
}
