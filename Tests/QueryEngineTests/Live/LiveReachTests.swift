import QueryLanguage
import SQLCore
import Testing
@testable import DataFileCore
@testable import QueryEngine

@Suite("What live queries read after a commit", .timeLimit(.minutes(20)))
struct LiveReachTests {
    let fixture: LiveFixture
    let file: DataFile
    let teams: DocumentCollection

    init() throws {
        fixture = try LiveFixture()
        file = fixture.file
        let teams = DocumentCollection(try CollectionName("teams"))
        self.teams = teams
        try file.write { try teams.create(in: $0) }
        for number in 1...5 { try fixture.save("p\(number)", #"{"n":\#(number),"team":"a"}"#) }
        try fixture.save("a", #"{"title":"A"}"#, in: teams)
    }

    /// What is asked for after the first run, for a write of another collection, and of a document
    /// that neither is nor becomes a row.
    private func counts(
        _ text: String, _ parameters: QueryParameters = [:], matching: Bool = false
    ) async throws -> LiveReader.Counts {
        let query = try Query(text)
        let reading = LiveReading(file.observe(query, parameters))
        _ = try await reading.next()
        let live = try #require(LiveQueries.ofProcess.queries(of: file.shared).first)
        try fixture.save("other", #"{"n":\#(matching ? 3 : -1)}"#)
        try await fixture.settle(query, parameters)
        let counts = live.reader.counts
        try fixture.purge("other")
        return counts
    }

    @Test("a commit to another collection has no effect")
    func otherCollection() async throws {
        let query = try Query("SELECT COUNT(*) FROM _")
        let reading = LiveReading(file.observe(query))
        _ = try await reading.next()
        try fixture.save("b", #"{"title":"B"}"#, in: teams)
        #expect(try await fixture.counts(query) == .init(runs: 1, probes: 0))
    }

    @Test("collections of joins and of subqueries are observed too")
    func inside() async throws {
        let texts = [
            "SELECT p.n, t.title FROM _ AS p JOIN teams AS t ON META(t).id = p.team",
            "SELECT n FROM _ WHERE team IN (SELECT META().id FROM teams)",
            "SELECT n, (SELECT COUNT(*) FROM teams) AS teams FROM _ WHERE n = 1",
            "WITH t AS (SELECT META().id AS id FROM teams) SELECT COUNT(*) FROM t",
        ]
        for (number, text) in texts.enumerated() {
            let reading = LiveReading(file.observe(try Query(text)))
            _ = try await reading.next()
            try fixture.save("t\(number)", #"{"title":"T"}"#, in: teams)
            try fixture.save("x\(number)", #"{"n":1,"team":"t\#(number)"}"#)
            var results = try #require(await reading.next())
            if number != 3, !results.text.contains("+") {
                results = try #require(await reading.next())
            }
            #expect(results.difference?.inserted.isEmpty == false, "\(text)")
        }
    }

    @Test("documents that neither are nor become rows: only they are read")
    func documents() async throws {
        let texts = [
            "SELECT n FROM _ WHERE n > 0", "SELECT n FROM _ WHERE n > 0 ORDER BY n DESC",
            "SELECT n FROM _ WHERE META().id = 'p1'", "SELECT * FROM _ WHERE META().id IN ('p1')",
            "SELECT n FROM _ WHERE n > 0 LIMIT 2", "SELECT n FROM _ WHERE n > 0 ORDER BY n LIMIT 2",
        ]
        for text in texts {
            #expect(try await counts(text) == .init(runs: 1, probes: 1), "\(text)")
        }
        let limited = try await counts(
            "SELECT n FROM _ WHERE n > $least ORDER BY n LIMIT $most", ["least": 0, "most": 2])
        #expect(limited == .init(runs: 1, probes: 1))
    }

    @Test("documents that become rows: they are merged, or all rows are read again if needed")
    func matching() async throws {
        let patched = [
            "SELECT n FROM _ WHERE n > 0", "SELECT n FROM _ WHERE n > 0 ORDER BY n DESC",
        ]
        for text in patched {
            #expect(try await counts(text, matching: true) == .init(runs: 1, probes: 1), "\(text)")
        }
        let limited = "SELECT n FROM _ WHERE n > 0 ORDER BY n LIMIT 2"
        #expect(try await counts(limited, matching: true) == .init(runs: 2, probes: 1))
    }

    @Test("queries of several documents, of the time or random numbers are run again each time")
    func everything() async throws {
        let texts = [
            "SELECT COUNT(*) FROM _ WHERE n > 0", "SELECT DISTINCT team FROM _ WHERE n > 0",
            "SELECT n, row_number() OVER (ORDER BY n) FROM _ WHERE n > 0",
            "SELECT n FROM _ WHERE n > 0 ORDER BY n LIMIT 2 OFFSET 1",
            "SELECT n FROM _ WHERE n > 0 AND n < now_millis()",
            "SELECT random() FROM _ WHERE n = 1",
            "SELECT n FROM _ WHERE n > (SELECT MIN(n) FROM _)",
            "SELECT META().rowid FROM _ WHERE n > 0",
        ]
        for text in texts {
            let counts = try await counts(text)
            #expect(counts.probes == 0 && counts.runs >= 2, "\(text): \(counts)")
        }
    }

    @Test("changed documents are found by their IDs, in the collection or an index of it")
    func plan() throws {
        let isNew = try file.write { transaction in
            try fixture.people.createIndex(.value("byN", on: "n"), in: transaction)
        }
        #expect(isNew)
        for text in ["SELECT n FROM _ WHERE n > 0 ORDER BY n", "SELECT n FROM _ WHERE n = 1"] {
            let plan = try file.read { snapshot in
                var options = TranslationOptions()
                options.addsKeys = true
                options.onlyChanged = true
                let sql = try snapshot.prepared(Query(text), options).sql
                let statement = try snapshot.connection().context.prepare(
                    sql: "EXPLAIN QUERY PLAN " + sql)
                for index in 0..<statement.parameterCount { try statement.bindNull(at: index + 1) }
                var lines: [String] = []
                while try statement.next() { lines.append(statement.text(at: 3) ?? "") }
                statement.close()
                return lines.joined(separator: "\n")
            }
            #expect(plan.contains("key=?"), "\(text): \(plan)")
        }
    }

    @Test("a commit of many documents is one run")
    func many() async throws {
        let query = try Query("SELECT n FROM _ WHERE n > 0 ORDER BY n")
        let reading = LiveReading(file.observe(query))
        #expect(try await reading.next()?.count == 5)
        try await file.write { [fixture] transaction in
            for number in 1...600 {
                try fixture.save("m\(number)", #"{"n":\#(number)}"#, transaction)
            }
        }
        #expect(try await reading.next()?.count == 605)
        #expect(try await fixture.counts(query) == .init(runs: 2, probes: 0))
    }
}
