import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool index")
struct IndexCommandTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"a","n":3,"text":"red apples and green apples","tags":["x","y"]}"#,
            #"{"_id":"b","n":1,"text":"a red pear","tags":["y"]}"#,
            #"{"_id":"c","n":2,"text":"nothing","tags":[]}"#,
        ])
    }

    private func index(_ verb: String, _ rest: String...) throws -> Command.Outcome {
        try Kvtool.run(["index", verb, database.path] + rest)
    }

    @Test("ls lists indexes with their definitions")
    func list() throws {
        #expect(try index("ls").stdout == "")
        try database.run("mkindex", "byN", "n", "--where", "n > 1").success()
        try database.run("mkindex", "byTag", "--array", "tags").success()
        #expect(
            try index("ls", "--json").success().answer().list("indexes") as NSArray == [
                [
                    "name": "byN", "collection": "_default", "kind": "value", "expressions": "n",
                    "language": "SQL++", "where": "n > 1",
                ],
                [
                    "name": "byTag", "collection": "_default", "kind": "array",
                    "expressions": "", "language": "SQL++", "path": "tags",
                ],
            ])
        try index("ls", "--collection", "nope").refusal(status: 3)
    }

    @Test("show prints the parts of an index", .enabled(if: SQLiteShell.isPresent))
    func show() throws {
        try database.run("mkindex", "byText", "text", "--fts").success()
        let answer = try index("show", "byText", "--json").success().answer()
        #expect(answer["name"] as? String == "byText")
        #expect(answer["kind"] as? String == "full-text")
        let names = Set(answer.list("objects").compactMap { $0["name"] as? String })
        #expect(
            try names
                == Set(
                    database.rows(
                        // A capital letter is escaped by a backslash in names of tables.
                        #"SELECT name FROM sqlite_master WHERE name LIKE '%::by\Text%' "#
                            + "AND name NOT LIKE 'sqlite_%' AND sql NOT NULL")))
        #expect(try index("show", "byText").success().stdout.contains("\nCREATE TRIGGER "))
        try index("show", "none").refusal(status: 3)
    }

    @Test("dump writes the values and ids of a value index in its order")
    func values() throws {
        try database.run("mkindex", "byN", "n, upper(text)", "--where", "n < 3").success()
        #expect(
            try index("dump", "byN", "--csv").success().stdout
                == "id,value1,value2\nb,1,A RED PEAR\nc,2,NOTHING\n")
        #expect(try index("dump", "byN", "--csv", "--limit", "1").success().lines.count == 2)
    }

    @Test("dump writes the words of a full-text index, also after changes")
    func words() throws {
        try database.run("mkindex", "byText", "text", "--fts").success()
        func words() throws -> [String] {
            try index("dump", "byText", "--tsv").success().lines.dropFirst().map {
                $0.split(separator: "\t").joined(separator: " ")
            }
        }
        #expect(
            try words() == [
                "a 1 1", "and 1 1", "apples 1 2", "green 1 1", "nothing 1 1", "pear 1 1",
                "red 2 2",
            ])
        try database.run("put", "b", #"{"text":"a blue pear"}"#).success()
        try database.run("rm", "c").success()
        #expect(
            try words() == [
                "a 1 1", "and 1 1", "apples 1 2", "blue 1 1", "green 1 1", "pear 1 1", "red 1 1",
            ])
    }

    @Test("dump writes the elements of an array index, and their positions")
    func elements() throws {
        try database.run("mkindex", "byTag", "--array", "tags").success()
        let rows = try index("dump", "byTag", "--json").success().answer()
        #expect(rows["index"] as? String == "byTag")
        #expect(rows.list("rows").map { $0["id"] as? String } == ["a", "a", "b"])
        #expect(rows.list("rows").map { $0["value"] as? String } == ["x", "y", "y"])
    }

    @Test(
        "dump and show support the indexes of another implementation",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"))
    func golden() throws {
        let golden = try SampleDatabase(golden: "sample_vectors_503")
        let before = try golden.contents
        for name in ["bySalary", "byName", "byState", "byStreet", "likesIdx", "partialBday"] {
            try Kvtool.run(["index", "show", golden.path, name]).success()
            let dump = try Kvtool.run(["index", "dump", golden.path, name, "--csv"]).success()
            #expect(dump.lines.count > 1, "\(name)")
        }
        #expect(try golden.contents == before)
    }
}
