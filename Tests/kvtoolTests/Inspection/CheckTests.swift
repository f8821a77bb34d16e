import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool check")
struct CheckTests {
    @Test("reports no errors, and does not change the bytes")
    func intact() throws {
        let database = try SampleDatabase(people: 20)
        try database.run("mkindex", "byAge", "age").success()
        let before = try database.contents
        #expect(try database.run("check").success().stdout == "SQLite finds no damage\n")
        let json = try database.run("check", "--json").success().standardOutput
        #expect(
            try JSONSerialization.jsonObject(with: json) as? NSDictionary == [
                "schema": "kvtool.check/1", "findings": [Any](), "intact": true, "cutOff": false,
            ])
        #expect(try database.contents == before)
    }

    @Test(
        "finds a row that is missing in an index, and names both",
        .enabled(if: SQLiteShell.isPresent))
    func damaged() throws {
        let database = try SampleDatabase(people: 20)
        try database.run("mkindex", "byAge", "age").success()
        // An empty index B-tree, as if no entry had ever been written.
        try database.rows(
            """
            PRAGMA writable_schema=1;
            UPDATE sqlite_master SET rootpage=(SELECT rootpage FROM sqlite_master
                WHERE name='kv_info_expiration') WHERE name='byAge';
            """)
        let outcome = try database.run("check", "--limit", "3")
        #expect(outcome.status == 5)
        #expect(outcome.lines.count == 4)
        #expect(
            outcome.stderr.hasSuffix(
                "note: restore a backup, or recover the documents with kvtool recover DATABASE "
                    + "NEW\n"))
        let json = try database.run("check", "--limit", "3", "--json")
        #expect(json.status == 5)
        let report = try #require(
            JSONSerialization.jsonObject(with: json.standardOutput) as? [String: Any])
        #expect(report["intact"] as? Bool == false)
        #expect(report["cutOff"] as? Bool == true)
        let findings = try #require(report["findings"] as? [[String: Any]])
        #expect(findings.count == 3)
        #expect(findings.allSatisfy { $0["message"] is String })
        let row = try #require(findings.first { $0["page"] == nil })
        #expect(row["message"] as? String == "row 1 missing from index byAge")
        #expect(row["index"] as? String == "byAge")
        #expect(row["table"] as? String == "kv_default")
        #expect(row["store"] as? String == "_default")
        #expect(try database.run("check", "--limit", "0").status == 2)
    }

    @Test(
        "works on databases of all versions",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"), arguments: GoldenTests.names
    )
    func golden(_ name: String) throws {
        let database = try SampleDatabase(golden: name)
        let outcome = try database.run("check")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.stdout == "SQLite finds no damage\n")
    }
}
