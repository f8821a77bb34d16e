import EngineTestSupport
import FleeceLite
import StoreFormat
import StoreTestSupport
import Testing
@testable import DataFileCore
@testable import QueryEngine

@Suite("The lifetime of live queries", .timeLimit(.minutes(20)))
struct LiveLifeTests {
    let fixture: LiveFixture
    let file: DataFile
    let query: Query

    init() throws {
        fixture = try LiveFixture { $0.externalChangeMilliseconds = 10 }
        file = fixture.file
        query = try Query("SELECT n FROM _ WHERE n > 0")
        try fixture.save("a", #"{"n":1}"#)
    }

    private var live: [LiveQuery] { LiveQueries.ofProcess.queries(of: file.shared) }

    @Test("observers of the same query and parameters share one run, others have one of their own")
    func shared() async throws {
        let query = try Query("SELECT n FROM _ WHERE n > $least")
        let one = LiveReading(file.observe(query, ["least": 0]))
        let other = LiveReading(
            try Query("SELECT n FROM _ WHERE n > $least").observe(in: file, ["least": 0]))
        #expect(try await one.text() == "a")
        #expect(try await other.text() == "a")
        #expect(live.count == 1)
        #expect(live.first?.reader.counts == .init(runs: 1, probes: 0))
        try fixture.save("b", #"{"n":2}"#)
        #expect(try await one.text() == "a b | +b@1")
        #expect(try await other.text() == "a b | +b@1")
        #expect(live.first?.reader.counts == .init(runs: 1, probes: 1))
        let third = LiveReading(file.observe(query, ["least": 1]))
        #expect(try await third.text() == "b")
        #expect(live.count == 2)
    }

    @Test("a later observer gets a result with all earlier commits")
    func later() async throws {
        let first = LiveReading(file.observe(query))
        #expect(try await first.text() == "a")
        for number in 1...50 {
            try fixture.save("a", #"{"n":\#(number)}"#)
            let results = try await fixture.settle(query)
            #expect(results?.first?["n"].int == Int64(number))
            #expect(results?.difference == nil)
        }
    }

    @Test("it ends with its last observer, and with it the subscription to changes")
    func lastObserver() async throws {
        var one: LiveReading? = LiveReading(file.observe(query))
        var other: LiveReading? = LiveReading(file.observe(query))
        #expect(try await one?.text() == "a")
        #expect(try await other?.text() == "a")
        one = nil
        #expect(live.count == 1 && file.shared.state.changes.isObserved)
        other = nil
        #expect(live.isEmpty && !file.shared.state.changes.isObserved)
        #expect(try await fixture.settle(query)?.text == "a", "it can restart")
    }

    @Test("cancelling a task ends its observation, and no other one")
    func cancellation() async throws {
        let (file, query) = (file, query)
        let hasBegun = Signal()
        var other: LiveReading? = LiveReading(file.observe(query))
        #expect(try await other?.text() == "a")
        let task = Task {
            var count = 0
            for try await _ in file.observe(query) {
                count += 1
                hasBegun.send()
            }
            return count
        }
        await hasBegun.wait()
        task.cancel()
        #expect(try await task.value == 1, "the loop ends without an error")
        #expect(live.count == 1)
        try fixture.save("b", #"{"n":2}"#)
        #expect(try await other?.text() == "a b | +b@1")
        other = nil
        #expect(live.isEmpty, "the cancelled one no longer observes")
    }

    @Test("closing the file ends it, also while an observer waits")
    func closing() async throws {
        let (file, query) = (file, query)
        let hasBegun = Signal()
        let task = Task {
            for try await _ in file.observe(query) { hasBegun.send() }
            return true
        }
        await hasBegun.wait()
        file.close()
        #expect(try await task.value)
        let late = LiveReading(file.observe(query))
        let error = await #expect(throws: StoreError.self) { try await late.next() }
        #expect(error?.has(.notOpen) == true)
        #expect(try await late.next() == nil)
    }

    @Test("an invalid query is an error of the first step")
    func errors() async throws {
        let cases: [(String, QueryParameters, StoreError.Code)] = [
            ("SELECT n FROM _ AS a JOIN _ AS b ON a.n = b.n", [:], .invalidQuery),
            ("SELECT n FROM nowhere", [:], .notFound),
            ("SELECT n FROM _", ["x": 1], .invalidQueryParameter),
            ("DELETE FROM _", [:], .invalidQuery),
        ]
        for (text, parameters, code) in cases {
            let reading = LiveReading(file.observe(try Query(text), parameters))
            let error = await #expect(throws: StoreError.self) { try await reading.next() }
            #expect(error?.has(code) == true, "\(text): \(String(describing: error))")
            #expect(try await reading.next() == nil)
        }
        #expect(live.isEmpty)
    }

    @Test("an error after a change ends it for all observers")
    func laterError() async throws {
        let query = try Query("SELECT n FROM _ ORDER BY n")
        let limits = QueryLimits(rows: 2)
        let one = LiveReading(file.observe(query, limits: limits))
        let other = LiveReading(file.observe(query, limits: limits))
        #expect(try await one.text() == "a")
        #expect(try await other.text() == "a")
        try fixture.save("b", #"{"n":2}"#)
        #expect(try await one.text() == "a b | +b@1")
        try fixture.save("c", #"{"n":3}"#)
        for reading in [one, other] {
            var error: StoreError?
            do {
                while try await reading.next() != nil {}
            } catch let thrown as StoreError { error = thrown }
            #expect(error?.has(.queryLimitExceeded) == true)
            #expect(try await reading.next() == nil)
        }
        #expect(live.isEmpty)
    }

    @Test("deleting a collection ends its queries with the error .notFound")
    func deletedCollection() async throws {
        let teams = DocumentCollection(try CollectionName("teams"))
        try await file.write { try teams.create(in: $0) }
        try fixture.save("x", #"{"n":1}"#, in: teams)
        let reading = LiveReading(file.observe(try Query("SELECT n FROM teams")))
        #expect(try await reading.text() == "x")
        var changes = try file.changes(of: teams.keyStore).makeAsyncIterator()
        try await file.write { _ = try teams.delete(in: $0) }
        let event = await changes.next()
        #expect(event?.isComplete == false && event?.changes.isEmpty == true)
        let error = await #expect(throws: StoreError.self) { try await reading.next() }
        #expect(error?.has(.notFound) == true)
    }

    @Test("a transaction that began earlier is delivered too")
    func earlierTransaction() async throws {
        let (hasBegun, goesOn) = (Signal(), Signal())
        let (file, store) = (file, fixture.people.keyStore)
        let writer = Task {
            try await file.write { transaction in
                hasBegun.send()
                goesOn.block()
                _ = try store.setExpiration(1000, of: "a", in: transaction)
            }
        }
        await hasBegun.wait()
        let query = try Query("SELECT META().expiration AS time FROM _")
        let reading = LiveReading(file.observe(query))
        #expect(try await reading.text() == "a")
        goesOn.send()
        try await writer.value
        let results = try await reading.next()
        #expect(results?.text == "a | ~a@0")
        #expect(results?.first?["time"] == 1000)
    }

    @Test("an in-memory database, and a read-only handle")
    func otherFiles() async throws {
        let memory = try DataFile(inMemory: DataFileOptions(access: .create))
        let store = fixture.people
        let inMemory = LiveReading(memory.observe(query))
        #expect(try await inMemory.text() == "")
        try await memory.write { transaction in
            _ = try store.save("m", in: transaction) { try $0.writeJSON(#"{"n":5}"#) }
        }
        #expect(try await inMemory.text() == "m | +m@0")
        let reader = try fixture.engine.open(.readOnly) { $0.externalChangeMilliseconds = 10 }
        let reading = LiveReading(reader.observe(query))
        #expect(try await reading.text() == "a")
        try fixture.save("b", #"{"n":2}"#)
        #expect(try await reading.text() == "a b | +b@1")
    }

    @Test("with an interval, results wait for its end, but for a new observer's first one")
    func interval() async throws {
        let hour = Duration.seconds(3600)
        let rare = LiveReading(file.observe(query, minimumInterval: hour))
        #expect(try await rare.text() == "a")
        try fixture.save("b", #"{"n":2}"#)
        try await fixture.settle(query)
        let counts = live.first?.reader.counts
        #expect(counts == .init(runs: 1, probes: 0), "nobody has looked")
        let newcomer = LiveReading(file.observe(query, minimumInterval: hour))
        #expect(try await newcomer.text() == "a b")
        #expect(try await rare.text() == "a b | +b@1")
        let soon = LiveReading(file.observe(query, minimumInterval: .milliseconds(20)))
        #expect(try await soon.text() == "a b")
        try fixture.save("c", #"{"n":3}"#)
        #expect(try await soon.text() == "a b c | +c@2")
    }
}
