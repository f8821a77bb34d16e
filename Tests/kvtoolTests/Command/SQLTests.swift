import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool sql")
struct SQLTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"ada","age":36}"#, #"{"_id":"bob","name":"Bob"}"#,
        ])
    }

    @Test("has column names and the functions of queries, in all formats")
    func forms() throws {
        let sql =
            "SELECT key, fl_value(body, 'age') AS age, x'00ff' AS b FROM kv_default ORDER BY key"
        #expect(
            try database.run("sql", sql).success().stdout == """
                key  age  b
                ada   36  x'00ff'
                bob       x'00ff'

                """)
        #expect(
            try database.run("sql", sql, "--json").success().stdout == """
                {"schema":"kvtool.sql/1","columns":["key","age","b"],"rows":[
                {"key":"ada","age":36,"b":{"@data":"AP8="}},
                {"key":"bob","age":null,"b":{"@data":"AP8="}}
                ],"count":2}

                """)
        #expect(
            try database.run("sql", sql, "--csv").success().stdout
                == "key,age,b\nada,36,x'00ff'\nbob,,x'00ff'\n")
        #expect(
            try database.run("sql", sql, "--raw").success().stdout == """
                [["ada",36,{"@data":"AP8="}],
                 ["bob",null,{"@data":"AP8="}]]

                """)
        #expect(
            try database.run("sql", "SELECT 1 AS a, 2 AS a", "--ndjson").success().stdout
                == #"{"a":1,"a_2":2}"# + "\n")
    }

    @Test("takes arguments, files, parameters and a limit")
    func sources() throws {
        let words = [
            "sql", database.path, "SELECT", "key", "FROM", "kv_default", "WHERE", "key = ?",
        ]
        #expect(try Kvtool.run(words + ["-p", "bob"]).success().lines == ["key", "bob"])
        let text = Data("SELECT key FROM kv_default".utf8)
        let file = try database.newFile("x.sql", text)
        #expect(
            try database.run("sql", "@" + file, "--limit", "1").success().lines == ["key", "ada"])
        #expect(try database.run("sql", "-", stdin: text).success().lines.count == 3)
        #expect(
            try database.run(
                "sql", "SELECT typeof(?) AS a, typeof(?) AS b, typeof(?) AS c", "-p", "1",
                "-p", "null", "-p", "1.5", "--csv"
            ).success().lines == ["a,b,c", "integer,null,real"])
    }

    @Test("shows the schema")
    func schema() throws {
        let text = try database.run("sql", "--schema").success().stdout
        #expect(text.contains("CREATE TABLE \"kv_default\"") && text.hasSuffix(";\n"))
        let rows = try database.run("sql", "--schema", "--ndjson").success().lines
        #expect(
            rows.contains { $0.hasPrefix(#"{"type":"table","name":"kvmeta","table":"kvmeta","#) })
    }

    @Test("changes nothing")
    func readOnly() throws {
        let before = try database.contents
        for sql in [
            "DELETE FROM kv_default", "UPDATE kv_default SET key = 'x'", "DROP TABLE kvmeta",
            "PRAGMA user_version = 1", "ATTACH 'x' AS x", "SELECT 1; DELETE FROM kv_default",
            "VACUUM", "BEGIN", "WITH a AS (SELECT 1) DELETE FROM kv_default", "",
        ] {
            try database.run("sql", sql).refusal()
        }
        #expect(try database.contents == before)
    }

    @Test("reports errors in a statement")
    func wrong() throws {
        #expect(
            try database.run("sql", "SELECT frob").refusal(status: 1).contains("no such column"))
        #expect(
            try database.run("sql", "SELECT 1; SELECT 2").refusal(status: 1).hasPrefix(
                "\(database.path): the SQL was not run: one statement at a time; use one SELECT, "))
        #expect(try database.run("sql", "SELECT ?").refusal(status: 1).contains("parameters"))
    }

    @Test(
        "reads databases of every version",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"),
        arguments: ["upgrade_2.7", "sample_revtree_503", "sample_vectors_503"])
    func golden(_ name: String) throws {
        let golden = try SampleDatabase(golden: name)
        let rows = try golden.run("sql", "SELECT count(*) FROM kv_default", "--csv").success().lines
        #expect(rows.count == 2)
    }
}
