import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool export in other formats than lines")
struct ExportFormatTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"a","n":1,"t":"5"}"#, #"{"_id":"b","t":"x,y"}"#, #"{"_id":"c/d"}"#,
        ])
    }

    private func contents(_ name: String) throws -> String {
        try String(contentsOfFile: database.directory(name), encoding: .utf8)
    }

    @Test("writes a file, and overwrites it only on request")
    func file() throws {
        let file = database.directory("out.ndjson")
        let outcome = try database.run("export", file).success()
        #expect(outcome.stdout == "Exported 3 documents to \(file)\n")
        #expect(try contents("out.ndjson") == database.run("export").stdout)
        try database.run("export", file).refusal(status: 6)
        try database.run("export", file, "--force", "--limit", "1").success()
        #expect(try contents("out.ndjson") == "{\"_id\":\"a\",\"n\":1,\"t\":\"5\"}\n")
    }

    @Test("writes an array that can be parsed, also an empty one")
    func array() throws {
        let all = try database.run("export", "--array").success().standardOutput
        #expect((try JSONSerialization.jsonObject(with: all) as? [Any])?.count == 3)
        let none = try database.run("export", "--array", "--limit", "0").success().stdout
        #expect(none == "[]\n")
        // Both options together produce an array.
        #expect(try database.run("export", "--array", "--json").success().standardOutput == all)
    }

    @Test("writes an object that contains the documents, also without any")
    func object() throws {
        let all = try database.run("export", "--json").success()
        let object = try #require(
            try JSONSerialization.jsonObject(with: all.standardOutput) as? [String: Any])
        #expect(object["schema"] as? String == "kvtool.export/1")
        #expect(object["collection"] as? String == "_default")
        let documents = try #require(object["documents"] as? [[String: Any]])
        #expect(documents.map { $0["_id"] as? String } == ["a", "b", "c/d"])
        #expect(documents.first?["n"] as? Int == 1)
        #expect(
            try database.run("export", "--json", "--limit", "0").success().stdout
                == #"{"schema":"kvtool.export/1","collection":"_default","documents":[]}"# + "\n")
        let file = database.directory("out.json")
        try database.run("export", file, "--json").success()
        #expect(try contents("out.json") == all.stdout)
    }

    @Test("writes CSV that import reads")
    func csv() throws {
        let file = database.directory("out.csv")
        try database.run("export", file).success()
        #expect(try contents("out.csv") == "_id,n,t\na,1,\"5\"\nb,,\"x,y\"\nc/d,,\n")
        let second = try SampleDatabase()
        try second.run("import", file).success()
        #expect(try second.exported() == database.exported())
    }

    @Test("writes a file for each document, with names that file systems accept")
    func directory() throws {
        let directory = database.directory("out") + "/"
        try database.run("export", directory).success()
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
        #expect(names == ["a.json", "b.json", "c%2Fd.json"])
        try database.run("export", directory).refusal(status: 6)
        let second = try SampleDatabase()
        try second.run("import", directory).success()
        #expect(try second.exported() == database.exported())
    }

    @Test("selects by id, pattern, condition, sequence")
    func choice() throws {
        #expect(try database.run("export", "--id", "b").success().lines.count == 1)
        #expect(try database.run("export", "--id", "c*", "--id", "a").success().lines.count == 2)
        #expect(try database.run("export", "--where", "n = 1").success().lines.count == 1)
        #expect(
            try database.run("export", "--since", "2").success().lines == [#"{"_id":"c/d"}"#])
        #expect(try database.run("export", "--id", "nobody").status == 3)
        #expect(try database.run("export", "--id", "x*").status == 3)
        let several = try database.run("export", "--id", "a", "--id", "nobody", "--id", "?")
        #expect(several.status == 7)
        #expect(several.lines.map { $0.prefix(11) } == [#"{"_id":"a","#, #"{"_id":"b","#])
        #expect(
            several.complaint()
                == "\(database.path): document \"nobody\" is not in the collection _default")
        let names = try database.newFile("ids", Data("b\nb\n\n".utf8))
        #expect(try database.run("export", "--ids-from", names).success().lines.count == 1)
        let line = try database.run("export", "--id", "a", "--with-meta").success().stdout
        #expect(line.hasPrefix(#"{"_id":"a","_rev":"#))
        #expect(line.contains(#""_sequence":1,"_flags":[]"#))
    }
}
