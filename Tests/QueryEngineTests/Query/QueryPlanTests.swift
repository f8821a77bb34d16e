import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryEngine
import StoreFormat
import StoreTestSupport
import Testing

@Suite("How queries are executed")
struct QueryPlanTests {
    private static let documents = (0..<300).map { number in
        (
            "d\(number)",
            """
            {"age":\(number % 50 + 2),"name":{"last":"N\(number % 90)"},\
            "likes":["l\(number % 9)","x"],\
            "bio":"word\(number % 20) and more","active":\(number % 2 == 0)}
            """
        )
    }

    private func fixture() throws -> QueryFixture { try QueryFixture(Self.documents) }

    private func withIndexes() throws -> QueryFixture {
        let fixture = try fixture()
        try fixture.createIndex(.value("byAge", on: "age"))
        try fixture.createIndex(.value("byName", on: "name.last, age"))
        try fixture.createIndex(.fullText("byBio", on: "bio"))
        try fixture.createIndex(.array("byLike", path: "likes"))
        return fixture
    }

    @Test(
        "use the existing index",
        arguments: [
            ("SELECT age FROM _ WHERE age = 7", "byAge"),
            ("SELECT age FROM _ WHERE age > 45", "byAge"),
            ("SELECT age FROM _ WHERE age IN (1, 2)", "byAge"),
            ("SELECT age FROM _ WHERE age BETWEEN 3 AND 4", "byAge"),
            ("SELECT COUNT(*) FROM _ WHERE age = 7", "byAge"),
            ("SELECT age, COUNT(*) FROM _ GROUP BY age", "byAge"),
            ("SELECT MAX(age) FROM _", "byAge"),
            ("SELECT META().id FROM _ ORDER BY age LIMIT 10", "byAge"),
            ("SELECT META().id FROM _ ORDER BY age DESC LIMIT 10", "byAge"),
            ("SELECT age FROM _ WHERE name.last = 'N3' AND age = 3", "byName"),
            ("SELECT age FROM _ WHERE name.last = 'N3' ORDER BY age", "byName"),
            ("SELECT age FROM _ WHERE name.last LIKE 'N3%'", "byName"),
            ("SELECT DISTINCT age FROM _ WHERE age = 3", "byAge"),
            ("SELECT META().id FROM _ WHERE ANY l IN likes SATISFIES l = 'l3' END", "byLike"),
            ("SELECT META(d).id FROM _ AS d UNNEST d.likes AS l WHERE l = 'l3'", "byLike"),
            ("SELECT l, COUNT(*) AS n FROM _ AS d UNNEST d.likes AS l GROUP BY l", "byLike"),
            ("SELECT a.age FROM _ AS a JOIN _ AS b ON b.age = a.age WHERE a.age = 3", "byAge"),
            ("SELECT age FROM _ WHERE age IN (SELECT e.age FROM _ AS e WHERE e.age = 3)", "byAge"),
            ("DELETE FROM _ WHERE age = 3", "byAge"),
            ("UPDATE _ SET old = TRUE WHERE age = 3", "byAge"),
        ])
    func indexes(question: String, index: String) throws {
        let fixture = try withIndexes()
        let plan = try fixture.plan(question)
        #expect(plan.indexes.contains(index), "\(plan)")
        #expect(!plan.scansDocuments, "\(plan)")
    }

    @Test("use full-text and predictive indexes")
    func words() throws {
        let fixture = try withIndexes()
        let plan = try fixture.plan("SELECT age FROM _ WHERE MATCH(byBio, 'word3')")
        #expect(
            plan.description == """
                SELECT age FROM _ WHERE MATCH(byBio, 'word3')
                ├─ searches full-text index byBio
                └─ looks up documents of _ by rowid; about 1 row
                """)
    }

    @Test("read no document for counts, groups and strings of an index")
    func coverage() throws {
        let fixture = try withIndexes()
        for question in [
            "SELECT COUNT(*) FROM _", "SELECT COUNT(*) FROM _ WHERE age = 7",
            "SELECT name.last, COUNT(*) FROM _ GROUP BY name.last",
            "SELECT l, COUNT(*) FROM _ AS d UNNEST d.likes AS l GROUP BY l",
            "SELECT COUNT(*) FROM _ AS d UNNEST d.likes AS l WHERE l = 'l3'",
        ] {
            let plan = try fixture.plan(question)
            #expect(!plan.scansDocuments, "\(plan)")
            #expect(!plan.steps.contains { $0.kind == .sort }, "\(plan)")
        }
        let array = try fixture.plan(
            "SELECT l, COUNT(*) FROM _ AS d UNNEST d.likes AS l GROUP BY l")
        #expect(!array.sql.contains("kv_default"), "\(array.sql)")
    }

    @Test("describe the steps, and why an index is not used")
    func reasons() throws {
        let fixture = try withIndexes()
        #expect(
            try fixture.plan("SELECT age FROM _ WHERE active = TRUE ORDER BY bio").description
                == """
                SELECT age FROM _ WHERE active = TRUE ORDER BY bio
                ├─ scans all documents of _; about 300 rows
                │  · no index on active
                └─ sorts the rows for ORDER BY
                """)
        let like = try fixture.plan("SELECT age FROM _ WHERE name.last LIKE '%3'")
        #expect(
            like.steps[0].reasons
                == ["LIKE with a leading wildcard cannot use an index"])
        let behind = try fixture.plan("SELECT bio FROM _ WHERE active != TRUE")
        #expect(behind.steps[0].reasons == ["!= matches almost all documents"])
    }

    @Test("recommend an index that would serve")
    func advice() throws {
        let fixture = try fixture()
        func advice(_ text: String) throws -> [IndexSpec] {
            try fixture.file.read { try Query(text).adviseIndexes(in: $0).map(\.index) }
        }
        #expect(
            try advice("SELECT bio FROM _ WHERE age = 3 AND name.last > 'N5'")
                == [.value("by_age", on: "age, name.last")])
        #expect(
            try advice("SELECT bio FROM _ AS d WHERE d.active = TRUE ORDER BY d.age")
                == [.value("by_active", on: "active, age")])
        #expect(
            try advice("SELECT bio FROM _ WHERE ANY l IN likes SATISFIES l = 'l3' END")
                == [.array("by_likes", path: "likes")])
        #expect(
            try advice("SELECT l FROM _ AS d UNNEST d.likes AS l WHERE l = 'l3'")
                == [.array("by_likes", path: "likes")])
        #expect(
            try advice("SELECT a.bio FROM _ AS a JOIN _ AS b ON b.age = a.age WHERE a.bio = 'x'")
                == [.value("by_bio", on: "bio, age"), .value("by_age", on: "age")])
        #expect(try advice("SELECT bio FROM _ WHERE META().id = 'd3'") == [])
        // `/` truncates in an index, so an index on it would not be used.
        let quotient = "SELECT bio FROM _ WHERE age / 2 > 5"
        #expect(try advice(quotient) == [.value("by_div_age__2_", on: "div(age, 2)")])
        for index in try advice(quotient) { try fixture.createIndex(index) }
        #expect(try advice(quotient) == [])
        #expect(try fixture.plan(quotient).steps[0].index == "by_div_age__2_")
        try fixture.createIndex(.value("byAge", on: "age"))
        #expect(try advice("SELECT bio FROM _ WHERE age = 3") == [])
    }

    @Test("are measured in a copy, which is deleted afterwards")
    func measure() async throws {
        let fixture = try fixture()
        let query = try Query("SELECT bio FROM _ WHERE age = 3")
        let advice = try await fixture.file.read { try query.adviseIndexes(in: $0) }
        let copy = fixture.store.directory("copy.cblite2")
        let gain = try await #require(advice.first).measure(query, of: fixture.file, copyAt: copy)
        #expect(gain.before > .zero && gain.after > .zero && gain.creation > .zero)
        #expect(throws: StoreError.self) { try DataFile(path: copy) }
        #expect(try await fixture.file.read { try $0.indexes() }.isEmpty)
    }
}
