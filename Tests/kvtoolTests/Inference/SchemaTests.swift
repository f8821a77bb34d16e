import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool schema")
struct SchemaTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"a","name":{"first":"Ada"},"age":36,"likes":["tea",1],"my key":true}"#,
            #"{"_id":"b","name":{"first":"Bob","last":"Yi"},"age":1.5}"#,
            #"{"_id":"c","name":null,"age":7}"#,
            #"{"_id":"d","name":{"first":"Eve"},"likes":[]}"#,
        ])
    }

    @Test("shows each property with its types, how many objects have it, and examples")
    func table() throws {
        let lines = try database.run("schema").success().lines
        #expect(lines[0] == "_default: 4 of 4 documents")
        let rows = Dictionary(
            uniqueKeysWithValues: lines.dropFirst(2).map { line in
                let cells = line.split(separator: #/ {2,}/#)
                return (String(cells[0]), cells.dropFirst().map(String.init))
            })
        #expect(rows["name"] == ["object 75 %, null 25 %", "4", "100 %"])
        #expect(rows["name.first"] == ["string", "3", "100 %", #""Ada", "Bob", "Eve""#])
        #expect(rows["name.last"] == ["string", "1", "33 %", #""Yi""#])
        #expect(rows["age"] == ["integer 67 %, number 33 %", "3", "75 %", "36, 1.5, 7"])
        #expect(rows["likes"] == ["array", "2", "50 %"])
        #expect(rows["likes[]"] == ["string 50 %, integer 50 %", "2", #""tea", 1"#])
        #expect(rows["`my key`"] == ["boolean", "1", "25 %"])
        #expect(rows.count == 7)
    }

    @Test("names properties as a query names them")
    func names() throws {
        let words = try SampleDatabase(lines: [#"{"_id":"a","order":1,"in":{"my key":2},"n$":3}"#])
        let paths = try words.run("schema").success().lines.dropFirst(2)
            .map { String($0.split(separator: #/ {2,}/#)[0]) }
        #expect(paths.sorted() == ["`in`", "`in`.`my key`", "`order`", "n$"])
        for path in paths {
            let row = try words.run("query", "--ndjson", "SELECT \(path) AS v FROM _").success()
            #expect(row.stdout.hasPrefix(#"{"v":"#))
        }
    }

    @Test("writes a JSON Schema")
    func jsonSchema() throws {
        let text = try database.run("schema", "--json").success().standardOutput
        let schema = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["schema"] as? String == "kvtool.schema/1")
        #expect(schema["type"] as? String == "object")
        #expect(schema["sampled"] as? Int == 4)
        #expect(schema["required"] as? [String] == ["name"])
        let properties = try #require(schema["properties"] as? [String: [String: Any]])
        #expect(Set(properties.keys) == ["name", "age", "likes", "my key"])
        #expect(properties["age"]?["type"] as? String == "number")
        #expect(properties["name"]?["type"] as? [String] == ["object", "null"])
        #expect(properties["name"]?["required"] as? [String] == ["first"])
        let items = try #require(properties["likes"]?["items"] as? [String: Any])
        #expect(items["type"] as? [String] == ["string", "integer"])
    }

    @Test("has a row per property for programs")
    func rows() throws {
        let lines = try database.run("schema", "--ndjson").success().lines
        #expect(
            lines.contains(
                #"{"path":"name.last","types":{"string":1},"count":1,"share":0.3333,"#
                    + #""examples":["Yi"]}"#))
        #expect(
            try database.run("schema", "--csv").success().lines[0]
                == "path,types,count,share,examples")
    }

    @Test("reads a sample, distributed over the collection")
    func sample() throws {
        let people = try SampleDatabase(people: 100)
        let some = try people.run("schema", "--sample", "10").success().lines
        #expect(some[0] == "_default: 10 of 100 documents")
        let all = try people.run("schema", "--sample", "0").success().lines
        #expect(all[0] == "_default: 100 of 100 documents")
    }

    @Test("is limited if objects have ids as keys, and escapes names for the terminal")
    func hostile() throws {
        let keys = (0..<12_000).map { #""k\#($0)":1"# }.joined(separator: ",")
        let hostile = try SampleDatabase(lines: [
            #"{"_id":"a",\#(keys)}"#, #"{"_id":"b","\u001b[31m":"\u001b"}"#,
        ])
        let lines = try hostile.run("schema").success().lines
        #expect(lines[0] == "_default: 2 of 2 documents; not all properties are shown")
        #expect(lines.count == 10_002)
        let small = try SampleDatabase(lines: [#"{"_id":"b","\u001b[31m":"\u001b`"}"#])
        let out = try small.run("schema").success().stdout
        #expect(!out.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }

    @Test("reports an empty collection, and one that does not exist")
    func empty() throws {
        try database.run("purge", "*", "--yes").success()
        #expect(try database.run("schema").success().stdout == "_default: 0 of 0 documents\n")
        #expect(
            try database.run("schema", "--json").success().stdout.contains(#""type":"object""#))
        try database.run("schema", "--collection", "nope").refusal(status: 3)
    }

    @Test(
        "reads databases of every version",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"),
        arguments: [
            "upgrade_2.7", "upgrade_2.8_index", "db_3_0_0_names_100_with_deleted",
            "sample_revtree_503", "sample_vectors_503",
        ])
    func golden(_ name: String) throws {
        let golden = try SampleDatabase(golden: name)
        #expect(try golden.run("schema").success().lines.count > 2)
    }
}
