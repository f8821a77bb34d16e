import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryEngine
import QueryLanguage
import StoreFormat
import Testing

@Suite("The position of an error in a query")
struct QueryErrorPositionTests {
    private let fixture: QueryFixture

    init() throws {
        fixture = try QueryFixture([("a", #"{"n":1}"#), ("b", #"{"n":2}"#)])
    }

    private func position(_ body: (Transaction) throws -> Void) -> String? {
        let error = #expect(throws: StoreError.self) { try fixture.file.write { try body($0) } }
        guard let found = error?.underlying as? QuerySemanticError else { return nil }
        #expect(error?.message == found.description)
        return "\(found.line):\(found.column) \(found.reason)"
    }

    private static let join = "FROM _ AS a JOIN _ AS b ON TRUE"
    private static let nobody =
        "the property x belongs to none of the sources; write the alias of one before it: a, b"
    private static let aggregate =
        "count() is an aggregate function: it is allowed in SELECT, HAVING and ORDER BY, but not "
        + "inside another one, ANY or EVERY"

    @Test(
        "is known for an UPDATE and a DELETE",
        arguments: [
            ("UPDATE _ SET n = 1,\n n = 2", "2:2 n is set twice in one UPDATE"),
            ("UPDATE _ SET n = 1 UNSET a, b, n", "1:32 n is set twice in one UPDATE"),
            ("UPDATE _ SET n = 1 WHERE n = COUNT(*)", "1:30 \(aggregate)"),
            ("UPDATE _ SET a = n, b = 1 + (SELECT x \(join))", "1:37 \(nobody)"),
            (
                "UPDATE _ SET a = 1, n = MAX(n)",
                "1:25 an aggregate function cannot follow SET; a subquery can"
            ),
            ("UPDATE _ SET n = 1 LIMIT n", "1:26 LIMIT and OFFSET cannot depend on a document"),
            ("DELETE FROM _ WHERE n = 1 AND COUNT(*) = 1", "1:31 \(aggregate)"),
            ("DELETE FROM _\nWHERE n IN (SELECT x \(join))", "2:20 \(nobody)"),
        ])
    func changes(_ text: String, _ expected: String) throws {
        let query = try Query(text)
        #expect(position { _ = try query.run(in: $0) } == expected)
        #expect(position { _ = try query.explain(in: $0) } == expected)
        #expect(try fixture.rows("SELECT n FROM _ ORDER BY n") == [#"{"n":1}"#, #"{"n":2}"#])
    }

    @Test("is known for a collection that does not exist")
    func collections() throws {
        let reason = "\(fixture.file.path) has no collection nobody"
        for (text, column) in [
            ("SELECT * FROM nobody", 15), ("DELETE FROM nobody", 13),
            ("UPDATE nobody SET n = 1", 8),
        ] {
            let query = try Query(text)
            #expect(position { _ = try query.explain(in: $0) } == "1:\(column) \(reason)")
        }
        let error = #expect(throws: StoreError.self) { try fixture.rows("SELECT * FROM nobody") }
        #expect(error?.has(.notFound) == true)
    }

    @Test("is the same however the query is run")
    func ways() async throws {
        let query = try Query("SELECT a.n, x \(Self.join) ORDER BY a.n")
        let expected = "1:13 \(Self.nobody)"
        #expect(position { _ = try query.rows(in: $0) } == expected)
        #expect(position { _ = try query.columnNames(in: $0) } == expected)
        #expect(position { _ = try query.sql(in: $0) } == expected)
        #expect(position { _ = try query.explain(in: $0) } == expected)
        #expect(position { _ = try query.adviseIndexes(in: $0) } == expected)
        let one = try Query("SELECT n FROM _ WHERE COUNT(*) = 1 ORDER BY n")
        #expect(position { _ = try one.page(of: 1, in: $0) } == "1:23 \(Self.aggregate)")
        for text in [one, try Query("SELECT n FROM _ WHERE COUNT(*) = 1 LIMIT 3")] {
            let error = await #expect(throws: StoreError.self) {
                for try await _ in fixture.file.observe(text) {}
            }
            #expect((error?.underlying as? QuerySemanticError)?.column == 23)
        }
    }

    @Test("is that in the text if _ names another collection")
    func currentCollection() throws {
        try fixture.file.write { try DocumentCollection(CollectionName("staff")).create(in: $0) }
        let text = "SELECT n FROM _\nWHERE n IN (SELECT x \(Self.join))"
        let query = try Query(text, in: CollectionName("staff"))
        #expect(position { _ = try query.rows(in: $0) } == "2:20 \(Self.nobody)")
        let change = try Query("UPDATE _ SET n = 1, n = 2", in: CollectionName("staff"))
        #expect(
            position { _ = try change.run(in: $0) } == "1:21 n is set twice in one UPDATE")
        let missing = try Query("SELECT n FROM _", in: CollectionName("nobody"))
        let reason = "\(fixture.file.path) has no collection nobody"
        #expect(position { _ = try missing.rows(in: $0) } == "1:15 \(reason)")
    }

    @Test("is unknown for a query without text")
    func json() throws {
        let text = try Query("SELECT n FROM _ LIMIT n")
        let query = try Query(json: text.json)
        let error = #expect(throws: StoreError.self) { try fixture.rows(query) }
        #expect(error?.message == "LIMIT and OFFSET cannot depend on a document")
        #expect(error?.underlying == nil)
    }
}
