import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool keys")
struct KeysTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"a","name":"Ada","age":36}"#, #"{"_id":"b","name":"Bob"}"#,
            #"{"_id":"c","in":{"name":1},"no key of this form":1}"#,
        ])
    }

    @Test("lists numbers and keys")
    func list() throws {
        let lines = try database.run("keys", "--csv").success().lines
        #expect(lines[0] == "number,key")
        let keys = lines.dropFirst().map { $0.split(separator: ",").last.map(String.init) }
        #expect(Set(keys) == ["name", "age", "in"])
        #expect(lines.dropFirst().enumerated().allSatisfy { $1.hasPrefix("\($0),") })
        let json = try database.run("keys", "--json").success().stdout
        #expect(json.hasPrefix(#"{"schema":"kvtool.keys/1","count":3,"maximum":2048,"keys":["#))
    }

    @Test("counts their uses, and the saved bytes")
    func usage() throws {
        let lines = try database.run("keys", "--usage", "--ndjson").success().lines
        #expect(lines.contains { $0.hasSuffix(#""key":"name","uses":3,"bytes":12}"#) })
        #expect(lines.contains { $0.hasSuffix(#""key":"age","uses":1,"bytes":3}"#) })
        let json = try database.run("keys", "--usage", "--sample", "0", "--json").success().stdout
        #expect(json.contains(#""sampled":3,"unsharedUses":1,"#))
    }

    @Test("reports if there are none")
    func none() throws {
        let empty = try SampleDatabase(lines: [#"{"_id":"a"}"#])
        let outcome = try empty.run("keys")
        #expect(outcome.status == 0 && outcome.stderr == "(no shared keys)\n")
    }

    @Test(
        "reads databases of every version",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"),
        arguments: ["upgrade_2.7", "sample_revtree_503", "sample_vectors_503"])
    func golden(_ name: String) throws {
        try SampleDatabase(golden: name).run("keys", "--usage", "--json").success()
    }
}
