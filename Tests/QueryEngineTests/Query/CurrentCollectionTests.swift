import DataFileCore
import QueryEngine
import Testing

@Suite("Queries in which _ is a collection")
struct CurrentCollectionTests {
    private func text(_ text: String) throws -> String {
        try Query(text, in: CollectionName("hr.staff")).sqlPlusPlus
    }

    @Test("replace _ wherever it names a source, and keep the name")
    func places() throws {
        #expect(try text("SELECT n FROM _") == "SELECT n FROM hr.staff AS _")
        #expect(try text("SELECT x.n FROM _ AS x") == "SELECT x.n FROM hr.staff AS x")
        #expect(
            try text("DELETE FROM _ WHERE _.n = 1") == "DELETE FROM hr.staff AS _ WHERE _.n = 1")
        #expect(try text("UPDATE _ SET n = 1") == "UPDATE hr.staff AS _ SET n = 1")
        for query in [
            "SELECT 1 FROM x WHERE n IN (SELECT n FROM _)", "SELECT (SELECT n FROM _) FROM x",
            "SELECT COUNT(n) FILTER (WHERE EXISTS (SELECT 1 FROM _)) FROM x",
            "SELECT 1 FROM x GROUP BY n HAVING n > (SELECT n FROM _)",
            "SELECT 1 FROM x ORDER BY (SELECT n FROM _)", "SELECT 1 FROM (SELECT n FROM _) AS q",
            "WITH q AS (SELECT n FROM _) SELECT 1 FROM q",
            "SELECT 1 FROM x JOIN _ ON _.n = x.n", "SELECT 1 FROM x UNION SELECT n FROM _",
            "SELECT CASE WHEN n IN (SELECT n FROM _) THEN 1 END FROM x",
            "SELECT ANY v IN (SELECT n FROM _) SATISFIES v = 1 END FROM x",
            "SELECT {'a': [(SELECT n FROM _)]} FROM x",
        ] {
            #expect(try text(query).contains("hr.staff AS _"), "\(query)")
        }
    }

    @Test("are unchanged where _ is something else, or the collection is the default one")
    func others() throws {
        for query in [
            "SELECT n FROM _default", "SELECT n FROM x", "SELECT n FROM _._default",
            "WITH _ AS (SELECT n FROM x) SELECT n FROM _",
            "WITH _ AS (SELECT n FROM x) SELECT (SELECT n FROM _) FROM _",
        ] {
            #expect(try text(query) == Query(query).sqlPlusPlus)
        }
        #expect(try Query("SELECT n FROM _", in: .default) == Query("SELECT n FROM _"))
        #expect(
            try Query("SELECT n FROM _", in: CollectionName("a"))
                != Query("SELECT n FROM _", in: CollectionName("b")))
    }

    @Test("are the same in the JSON form and in SQL++")
    func json() throws {
        let staff = try CollectionName("hr.staff")
        let query = try Query(json: #"{"WHAT":[[".n"]],"FROM":[{"COLLECTION":"_"}]}"#, in: staff)
        #expect(try query.json == Query("SELECT n FROM _", in: staff).json)
        #expect(try Query(json: #"{"WHAT":[[".n"]]}"#, in: staff).json.contains("staff"))
    }

    @Test(
        "changes all documents without a condition, or with one that reads none",
        arguments: [
            ("DELETE FROM _", true), ("DELETE FROM _ LIMIT 1", true),
            ("DELETE FROM _ WHERE TRUE", true), ("UPDATE _ SET n = m WHERE 1 = 1", true),
            ("UPDATE _ SET n = m WHERE $all", true), ("DELETE FROM _ WHERE n", false),
            ("DELETE FROM _ WHERE META().id = 'a'", false), ("DELETE FROM _ WHERE _.n > 1", false),
            ("UPDATE _ SET n = 1 WHERE 1 IN (SELECT n FROM x)", false), ("SELECT 1 FROM _", false),
        ])
    func unconditional(_ query: String, _ expected: Bool) throws {
        #expect(try Query(query).isUnconditionalChange == expected)
    }

    @Test("and the definition of an index in which _ is the documents is one without it")
    func indexes() throws {
        let spec = IndexSpec.value("i", on: "_.a, lower(_.b.c), d", where: "_.a > 3")
        #expect(
            try spec.withoutSourceName()
                == IndexSpec.value("i", on: "a, lower(b.c), d", where: "a > 3"))
        let same = IndexSpec.value("i", on: "a ,  lower( b )", where: "a  > 3")
        #expect(try same.withoutSourceName() == same)
        let json = IndexSpec.value("i", on: .json(#"[["._.a"]]"#))
        #expect(try json.withoutSourceName() == .value("i", on: .json(#"[[".a"]]"#)))
        #expect(
            try IndexSpec.array("i", path: "_.likes").withoutSourceName()
                == .array("i", path: "likes"))
    }
}
