import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool mkindex")
struct MakeIndexTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 20)
    }

    private func plan(_ query: String) throws -> String {
        try database.run("explain", query).success().stdout
    }

    @Test("creates a value index once")
    func value() throws {
        #expect(
            try database.run("mkindex", "byAge", "age, name.last").success().stdout
                .hasPrefix("The index byAge was created in "))
        #expect(
            try database.run("mkindex", "byAge", "age, name.last").success().stdout
                == "The index byAge already exists\n")
        #expect(
            try database.run("mkindex", "byAge", "name.last", "--if-not-exists").success().stdout
                == "The index byAge already exists\n")
        let before = try database.contents
        #expect(
            try database.run("mkindex", "byAge", "age").refusal(status: 6).hasSuffix(
                "the index byAge exists with another definition (of age, name.last); --replace "
                    + "replaces it"))
        #expect(try database.contents == before)
        #expect(
            try database.run("mkindex", "byAge", "age", "--replace").success().stdout
                .hasPrefix("The index byAge was created, replacing another, in "))
        #expect(
            try database.run("mkindex", "byAge", "age", "--replace").success().stdout
                == "The index byAge already exists\n")
        #expect(try database.run("mkindex", "x", "a", "--replace", "--if-not-exists").status == 2)
        #expect(try plan("SELECT name FROM _ WHERE age = 40").contains("using index byAge"))
        #expect(
            try database.run("info").success().stdout.contains("_default.byAge (value)"))
    }

    @Test("takes expressions in JSON, like cblite with its flag, and reports in JSON")
    func json() throws {
        let outcome = try database.run("mkindex", "--json", "byLast", #"[[".name.last"]]"#)
            .success()
        let answer = try #require(
            JSONSerialization.jsonObject(with: outcome.standardOutput) as? [String: Any])
        #expect(answer["schema"] as? String == "kvtool.mkindex/1")
        var index = try #require((answer["indexes"] as? [[String: Any]])?.first)
        #expect(index.removeValue(forKey: "seconds") is Double)
        #expect(
            index as NSDictionary == [
                "name": "byLast", "collection": "_default", "kind": "value", "action": "made",
            ])
        #expect(try plan("SELECT age FROM _ WHERE name.last = 'x'").contains("using index byLast"))
    }

    @Test("creates a vector index, which finds the nearest documents")
    func vector() throws {
        for (id, vector) in [("a", "[1, 0, 0]"), ("b", "[0, 1, 0]"), ("c", "[0.9, 0.1, 0]")] {
            try Kvtool.run(["put", database.path, id, "{\"v\": \(vector)}"]).success()
        }
        let arguments = ["byMeaning", "v", "--vector", "--dim", "3", "--metric", "cosine"]
        try Kvtool.run(["mkindex", database.path] + arguments).success()
        let query = """
            SELECT META().id FROM _ ORDER BY APPROX_VECTOR_DISTANCE(v, [1, 0, 0]) LIMIT 2
            """
        #expect(
            try Kvtool.run(["query", database.path, query, "--csv"]).success().lines
                == ["id", "a", "c"])
        let lines = try Kvtool.run(["index", "dump", database.path, "byMeaning", "--csv"])
            .success().lines
        #expect(lines == ["id,cell", "a,0", "b,0", "c,0"])
        try Kvtool.run(["verify", database.path]).success()
    }

    @Test(
        "explains wrong options of a vector index",
        arguments: [
            (["--vector"], "--vector needs --dimensions, a number from 2 to 4096"),
            (["--vector", "--dim", "1"], "--vector needs --dimensions, a number from 2 to 4096"),
            (
                ["--vector", "--dim", "3", "--metric", "far"],
                "--metric is euclidean2, euclidean, cosine or dot"
            ),
            (
                ["--vector", "--dim", "3", "--encoding", "PQ"], "--encoding is none or SQ8"
            ),
            (["--vector", "--dim", "3", "--fts"], "--vector excludes --fts and --array"),
            (
                ["--dim", "3"],
                "--dimensions, --metric, --encoding, --probes and --lazy need --vector"
            ),
        ])
    func vectorOptions(arguments: [String], message: String) throws {
        let complaint = try Kvtool.run(["mkindex", database.path, "byMeaning", "v"] + arguments)
            .refusal(status: 2)
        #expect(complaint.contains(message))
    }

    @Test("keeps accents and word endings on request", .enabled(if: SQLiteShell.isPresent))
    func wordOptions() throws {
        let arguments = [
            "words", "name.last", "--fts", "--language", "en", "--keepDiacritics", "--noStemming",
        ]
        try Kvtool.run(["mkindex", database.path] + arguments).success()
        #expect(
            try database.rows("SELECT sql FROM sqlite_master WHERE name LIKE '%::words'")
                == [
                    "CREATE VIRTUAL TABLE \"kv_default::words\" USING fts4(\"name.last\", "
                        + "tokenize=unicodesn \"stopwords=en\" \"remove_diacritics=0\")"
                ])
        #expect(try database.run("mkindex", "a", "age", "--noStemming").status == 2)
        // Options of words are a part of the definition, and so is the kind.
        for other in [["text", "--fts"], ["text"], ["--array", "text"]] {
            let complaint = try Kvtool.run(["mkindex", database.path, "words"] + other)
                .refusal(status: 6)
            #expect(complaint.contains("another definition (of name.last)"), "\(other)")
        }
    }

    @Test("an index with another definition stays, also in an empty collection")
    func empty() throws {
        try database.run("mkcoll", "x").success()
        try database.run("mkindex", "byN", "n", "--collection", "x").success()
        try database.run("mkindex", "byN", "m", "--collection", "x").refusal(status: 6)
        #expect(
            try database.run("index ls", "--ndjson").success().stdout
                .contains(#""expressions":"n""#))
    }

    @Test("refuses the name of another collection's index, and names the collection")
    func otherCollection() throws {
        try database.run("mkcoll", "hr.Employees").success()
        try database.run("mkindex", "bySalary", "s", "--collection", "hr.Employees").success()
        try database.run("mkindex", "byAge", "age").success()
        let before = try database.contents
        let rest =
            "already, and the names of indexes are unique in the whole file; choose another name"
        #expect(
            try database.run("mkindex", "bySalary", "s").refusal(status: 6)
                == "hr.Employees has an index bySalary \(rest)")
        #expect(
            try database.run("mkindex", "byAge", "a", "--collection", "hr.Employees")
                .refusal(status: 6) == "_default has an index byAge \(rest)")
        #expect(try database.contents == before)
    }

    @Test("creates a full-text index")
    func words() throws {
        try database.run(
            "mkindex", "byStreet", "contact.address.street", "--fts", "--language", "en"
        ).success()
        let query = "SELECT name.last FROM _ WHERE MATCH(byStreet, 'street OR court*')"
        #expect(try plan(query).contains("searches full-text index byStreet"))
        let found = try database.run("query", query, "--ndjson").success().lines.count
        let streets = try database.exported().count {
            $0.contains(#"Street""#) || $0.contains(#"Court""#)
        }
        #expect(found == streets && found > 0)
    }

    @Test("creates an array index and a partial index")
    func array() throws {
        try database.run("mkindex", "byLikes", "--array", "likes").success()
        let query = "SELECT META().id FROM _ WHERE ANY l IN likes SATISFIES l = 'chess' END"
        #expect(try plan(query).contains("using index byLikes"))
        let found = try database.run("query", query, "--ndjson").success().lines.count
        #expect(try found == database.exported().count { $0.contains(#""chess""#) })
        try database.run("mkindex", "byAge", "age", "--where", "active = TRUE").success()
        #expect(
            try database.run("info").success().stdout
                .contains("_default.byAge (value), _default.byLikes (array)"))
    }

    @Test("refuses invalid indexes, and does not change the file")
    func refusals() throws {
        let before = try database.contents
        for (arguments, status, expected) in [
            (["byAge", "age +"], 1 as Int32, "line 1, column 6"),
            (["byAge", "age", "--where", "("], 1, "line 1, column 2"),
            (["byAge", "age", "--collection", "nope"], 3, "has no collection nope"),
            (["byAge", "$x"], 1, "parameter"),
            (["", "age"], 2, "name"),
        ] {
            let outcome = try Kvtool.run(["mkindex", database.path] + arguments)
            let complaint = outcome.refusal(status: status)
            #expect(complaint.contains(expected), "\(arguments): \(complaint)")
        }
        #expect(try database.contents == before)
    }

    @Test(
        "refuses a file with an older schema, and does not change it",
        .enabled(if: SQLiteShell.isPresent))
    func older() throws {
        try database.rows("PRAGMA user_version=502")
        let before = try database.contents
        let complaint = try database.run("mkindex", "byAge", "age").refusal()
        #expect(complaint.contains("can only be read: it has schema 502"), "\(complaint)")
        #expect(try database.contents == before)
    }

    @Test("indexes whole words for a language without stemmer, and prints a note")
    func languageWithoutStemmer() throws {
        let database = try SampleDatabase(lines: [#"{"_id":"a","t":"psi szczekaja"}"#])
        let made = try database.run("mkindex", "words", "t", "--fts", "--language", "pl")
        #expect(made.status == 0)
        let note =
            "note: there is no stemmer for the language pl, so the index contains whole "
            + "words; "
        #expect(made.complaint().hasPrefix(note), "\(made)")
        let query = "SELECT META().id FROM _ WHERE MATCH(words, 'psi')"
        #expect(try database.run("query", query, "--csv").success().lines == ["id", "a"])
        // Without stemming no note is needed.
        try database.run(
            "mkindex", "other", "t", "--fts", "--language", "pl", "--no-stemming"
        ).success()
    }
}
