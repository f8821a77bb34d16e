import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryEngine
import StoreFormat
import StoreTestSupport
import Testing

@Suite(
    "Live queries and other processes", .enabled(if: ChildProcess.exists("sqlite3"), "no sqlite3"),
    .timeLimit(.minutes(20)))
struct LiveProcessTests {
    let fixture: LiveFixture

    init() throws {
        fixture = try LiveFixture { $0.externalChangeMilliseconds = 10 }
    }

    private func other(_ sql: String) throws {
        let outcome = try ChildProcess.run([
            "sqlite3", "-bail", "-cmd", ".timeout 10000",
            fixture.engine.path + "/db.sqlite3", "BEGIN IMMEDIATE; \(sql); COMMIT",
        ])
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    private func insert(_ key: String, _ json: String, _ sequence: Int) throws -> String {
        var encoder = FleeceEncoder()
        try encoder.writeJSON(json)
        let hex = try encoder.finish().map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        return """
            INSERT OR REPLACE INTO kv_default (key, sequence, flags, version, body)
                VALUES ('\(key)', \(sequence), 0, x'01', x'\(hex)');
            INSERT OR REPLACE INTO kvmeta (name, lastSeq, purgeCnt)
                VALUES ('default', \(sequence), 0)
            """
    }

    @Test("changes of another process are delivered soon")
    func commits() async throws {
        let query = try Query("SELECT n FROM _ WHERE n > 1 ORDER BY n")
        let reading = LiveReading(fixture.file.observe(query))
        #expect(try await reading.text() == "")
        try other(insert("a", #"{"n":5}"#, 1))
        #expect(try await reading.text() == "a | +a@0")
        try other(insert("b", #"{"n":3}"#, 2))
        #expect(try await reading.text() == "b a | +b@0")
        try other(
            "DELETE FROM kv_default WHERE key='a'; "
                + "UPDATE kvmeta SET purgeCnt = 1 WHERE name='default'")
        #expect(try await reading.text() == "b | -a@1")
    }

    @Test("a new observer gets them at once, before they were detected")
    func atOnce() async throws {
        fixture.file.close()
        let file = try fixture.engine.open { $0.externalChangeMilliseconds = 3_600_000 }
        let query = try Query("SELECT n FROM _ WHERE n > 1 ORDER BY n")
        let reading = LiveReading(file.observe(query))
        #expect(try await reading.text() == "")
        try other(insert("a", #"{"n":5}"#, 1))
        let newcomer = LiveReading(file.observe(query))
        #expect(try await newcomer.text() == "a")
        #expect(try await reading.text() == "a | +a@0")
    }

    @Test("a collection that another process deletes ends its queries")
    func deleted() async throws {
        let teams = DocumentCollection(try CollectionName("teams"))
        try await fixture.file.write { try teams.create(in: $0) }
        let reading = LiveReading(fixture.file.observe(try Query("SELECT n FROM teams")))
        #expect(try await reading.text() == "")
        try other(
            #"DROP TABLE "kv_.teams"; DROP TABLE IF EXISTS "kv_del_.teams"; "#
                + "DELETE FROM kvmeta WHERE name LIKE '%teams%'")
        let error = await #expect(throws: StoreError.self) { try await reading.next() }
        #expect(error?.has(.notFound) == true)
    }
}
