import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool cat: output of a document")
struct DocumentOutputTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"a","z":1,"b c":{"x":[10,{"y":"é"}]},"n":null}"#, #"{"_id":"b","z":2}"#,
        ])
    }

    @Test("--property selects properties, in the order of the document; get is an alias")
    func keys() throws {
        #expect(
            try database.run("get", "a", "b", "--raw", "-k", "z", "--property", "nope").success()
                .stdout
                == "{\"_id\":\"a\",\"z\":1}\n{\"_id\":\"b\",\"z\":2}\n")
    }

    @Test(
        "--path writes the value at a path",
        arguments: [
            ("z", "1"), ("$.z", "1"), ("`b c`.x[0]", "10"), (#"["b c"].x[-1].y"#, #""é""#),
            ("n", "null"), ("`b c`.x", #"[10,{"y":"é"}]"#),
        ])
    func path(_ path: String, _ value: String) throws {
        #expect(
            try database.run("cat", "a", "--raw", "--path", path).success().stdout == value + "\n")
    }

    @Test("a path without a value ends with 3, an invalid one with 2")
    func wrongPath() throws {
        #expect(
            try database.run("cat", "b", "--path", "a[0]").refusal(status: 3)
                == "\(database.path): document \"b\" has nothing at a[0]")
        try database.run("cat", "b", "--path", "a[").refusal(status: 2)
        #expect(try database.run("cat", "b", "--path", "a", "--property", "b").status == 2)
    }

    @Test("--canonical sorts keys, --json5 omits quotes")
    func forms() throws {
        #expect(
            try database.run("cat", "a", "--canonical").success().stdout
                == #"{"_id":"a","b c":{"x":[10,{"y":"é"}]},"n":null,"z":1}"# + "\n")
        #expect(
            try database.run("cat", "b", "--json5").success().stdout
                == "{\n  _id: \"b\",\n  z: 2\n}\n"
        )
    }

    @Test("--json is one object, --ndjson one document per line, with the same fields")
    func programs() throws {
        let whole = try database.run("cat", "*", "--json").success().standardOutput
        let object = try JSONSerialization.jsonObject(with: whole) as? [String: Any]
        #expect(object?["schema"] as? String == "kvtool.cat/1")
        let documents = try #require(object?["documents"] as? [[String: Any]])
        #expect(documents.map { $0["id"] as? String } == ["a", "b"])
        #expect(Set(documents[1].keys) == ["id", "revision", "sequence", "flags", "body"])
        #expect((documents[1]["body"] as? [String: Int]) == ["z": 2])
        let lines = try database.run("cat", "b", "--ndjson", "--path", "z").success().lines
        #expect(lines.count == 1)
        #expect(lines[0].hasSuffix(#""sequence":2,"flags":[],"value":2}"#))
    }

    @Test("--rev writes the current revision by a prefix of its id, and no other")
    func revision() throws {
        let id = try #require(
            try database.run("ls", "b", "--csv", "--columns", "revision").success().lines.last)
        #expect(
            try database.run("cat", "b", "--raw", "--rev", String(id.prefix(10))).success().stdout
                == "{\"_id\":\"b\",\"z\":2}\n")
        try database.run("cat", "b", "--rev", "1-ffff").refusal(status: 3)
    }

    @Test("ids are read from a file, too")
    func idsFrom() throws {
        let list = try database.newFile("ids", Data("b\n\na\n".utf8))
        #expect(
            try database.run("cat", "--ids-from", list, "--path", "z").success().lines == [
                "2", "1",
            ])
    }
}
