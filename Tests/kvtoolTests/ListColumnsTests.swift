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
}
