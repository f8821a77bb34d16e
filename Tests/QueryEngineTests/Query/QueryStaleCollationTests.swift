import EngineTestSupport
import QueryFunctions
import SQLCore
import StoreTestSupport
import Testing
@testable import DataFileCore
@testable import QueryEngine

@Suite("Queries and indexes with another collation order")
struct QueryStaleCollationTests {
    private static let words = [
        "Aarhus", "Bornholm", "Ærø", "Odense", "Århus", "Zealand", "aabenraa", "Øster", "chleba",
    ]

    private let fixture: QueryFixture

    private init(_ fixture: QueryFixture) {
        self.fixture = fixture
    }

    init() throws {
        fixture = try QueryFixture(
            (0..<63).map { number in
                ("d\(number)", #"{"c":"\#(Self.words[number % Self.words.count])"}"#)
            })
    }

    private func create(_ locale: String) throws {
        try fixture.createIndex(
            .value("byC", on: .sqlPlusPlus("c COLLATE (UNICODE:\(locale) NOCASE)")))
    }

    /// Orders the index as another program does: by bytes, backwards.
    private func reorder(_ collation: String) throws {
        let context = try fixture.store.sqlite()
        let functions = try FunctionContext.forMaintenance(of: context, path: fixture.store.path)
        try context.registerCollation(collation) { first, second in
            first == second ? 0 : first < second ? 1 : -1
        }
        try context.exec(sql: "DELETE FROM kv_info WHERE key = 'textOrders'")
        try context.exec(sql: "REINDEX byC")
        withExtendedLifetime(functions) {}
        try context.close()
    }

    private func answers(_ locale: String) throws -> [[String]] {
        try Self.words.flatMap { word in
            try ["=", "<", ">="].map { comparison in
                try fixture.rows(
                    "SELECT META().id FROM _ WHERE c \(comparison) $x "
                        + "COLLATE (UNICODE:\(locale) NOCASE) ORDER BY META().id",
                    ["x": .string(word)])
            }
        }
    }

    private func usesIndex(_ locale: String) throws -> Bool {
        let sql = try fixture.file.read {
            try Query(
                "SELECT META().id FROM _ WHERE c = 'Odense' COLLATE (UNICODE:\(locale) NOCASE)"
            ).sql(in: $0)
        }
        let plan = try fixture.file.read { snapshot in
            try snapshot.connection().context.selectAll(sql: "EXPLAIN QUERY PLAN " + sql)
        }
        return plan.contains { $0[3].textValue?.contains("byC") == true }
    }

    @Test(
        "one that Couchbase Lite orders differently is not used until it is recreated",
        arguments: ["da", "cs", "nb"])
    func foreign(locale: String) throws {
        let before = try answers(locale)
        try create(locale)
        #expect(try usesIndex(locale))
        #expect(try answers(locale) == before)
        try reorder("LCUnicode_C__\(locale)")
        let stale = QueryStaleCollationTests(try QueryFixture(reopening: fixture.store))
        #expect(try !stale.usesIndex(locale))
        #expect(try stale.answers(locale) == before)
        try fixture.file.write { try fixture.store.people.rebuildIndex("byC", in: $0) }
        let rebuilt = QueryStaleCollationTests(try QueryFixture(reopening: fixture.store))
        #expect(try rebuilt.usesIndex(locale))
        #expect(try rebuilt.answers(locale) == before)
    }

    @Test("one that it created for another language is used, as both have the same order")
    func shared() throws {
        for locale in ["en", "sv", "de"] {
            try create(locale)
            try fixture.store.sqlite().exec(
                sql: "DELETE FROM kv_info WHERE key = 'textOrders'")
            let other = QueryStaleCollationTests(try QueryFixture(reopening: fixture.store))
            #expect(try other.usesIndex(locale))
            try fixture.file.write {
                _ = try fixture.store.people.deleteIndex("byC", in: $0)
            }
        }
    }

    @Test("names are replaced in SQL outside of strings, with quotes or without")
    func names() {
        let sql = #"SELECT 'COLLATE da '' da' || x COLLATE da, "da"."dada" COLLATE "da", 'da"#
        #expect(
            SQLNames.replacing(in: sql) { $0 == "da" ? "da_" : $0 }
                == #"SELECT 'COLLATE da '' da' || x COLLATE da_, "da_"."dada" COLLATE "da_", 'da"#)
        for text in ["", "'", "\"", "a\"b", "é 'ü' \"ö\""] {
            #expect(SQLNames.replacing(in: text) { $0 } == text)
        }
    }
}
