import DataFileCore
import EngineTestSupport
import QueryLanguage
import SampleData
import StoreTestSupport
import Testing
@testable import QueryEngine

@Suite("Random changes under live queries", .timeLimit(.minutes(20)))
struct LiveModelTests {
    /// Each kind of query with a different update strategy.
    private static let texts = [
        "SELECT n, s FROM _ WHERE n > 2",
        "SELECT * FROM _",
        "SELECT s FROM _ WHERE n > 1 ORDER BY n, META().id",
        "SELECT n FROM _ ORDER BY s DESC, n, META().id",
        "SELECT s FROM _ ORDER BY n",
        "SELECT n FROM _ WHERE META().id = 'd1' OR META().id IN ('d2', 'd3')",
        "SELECT n, s FROM _ WHERE n > 1 ORDER BY n DESC, META().id LIMIT 3",
        "SELECT n FROM _ WHERE s = 'b' ORDER BY META().id LIMIT 2 OFFSET 1",
        "SELECT s, COUNT(*) AS count, SUM(n) AS sum FROM _ GROUP BY s ORDER BY s",
        "SELECT COUNT(*) AS count FROM _ WHERE n = 3",
        "SELECT DISTINCT s FROM _ ORDER BY s",
        "SELECT a.n, b.n AS m FROM _ AS a JOIN _ AS b ON a.n = b.n + 1 "
            + "ORDER BY META(a).id, META(b).id",
        "SELECT n FROM _ WHERE n >= (SELECT MAX(n) FROM _) ORDER BY META().id",
        "SELECT META().deleted AS gone, n FROM _ WHERE META().deleted OR n > 3",
        "SELECT META().expiration AS expiration FROM _ WHERE META().expiration IS VALUED",
        "SELECT _.n, x FROM _ UNNEST _.list AS x ORDER BY META(_).id, x",
    ]

    @Test(
        "the last result is always that of a new run, and the differences lead from one to the next"
    )
    func histories() async throws {
        let count = TestEnvironment.number("STORE_HISTORIES", or: 200)
        let first = TestEnvironment.number("STORE_SEED", or: 1)
        // Mostly they wait for the disk.
        let lanes = 8
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for number in stride(from: lane, to: count, by: lanes) {
                        await Self.history(first + number)
                    }
                }
            }
        }
    }

    private static func history(_ seed: Int) async {
        let text = texts[seed % texts.count]
        do {
            var history = try History(seed: seed, text: text)
            try await history.run(steps: 8)
        } catch {
            Issue.record("STORE_SEED=\(seed) STORE_HISTORIES=1 \(text): \(error)")
        }
    }

    /// One query, observed while random changes are made.
    private struct History {
        let fixture: LiveFixture
        let text: String
        let query: Query
        let seed: Int
        var random: SeededGenerator

        init(seed: Int, text: String) throws {
            fixture = try LiveFixture()
            self.seed = seed
            self.text = text
            query = try Query(text)
            random = SeededGenerator(seed: UInt64(seed))
            for number in 0..<5 { try change("d\(number)") }
        }

        /// The rows of a new run.
        private func expected() async throws -> [ResultRow] {
            let query = query
            return try await fixture.file.read { snapshot in
                var options = TranslationOptions()
                options.addsKeys = true
                return try query.rows(in: snapshot, [:], .none, options, changed: nil).all()
            }
        }

        mutating func run(steps: Int) async throws {
            let reading = LiveReading(fixture.file.observe(query))
            var last = try #require(await reading.next())
            try await requireSame(last)
            for _ in 0..<steps {
                for _ in 0...random.below(3) { try transaction() }
                if random.below(3) == 0 { try await fixture.settle(query) }
                let rows = try await expected()
                while !isSame(Array(last), rows) {
                    let next = try #require(await reading.next())
                    try LiveChain.require(from: last, to: next)
                    last = next
                }
            }
            // The last changes must not have been reported before.
            try fixture.save("z", #"{"n":100,"s":"z","list":[1]}"#)
            let rows = try await expected()
            while !isSame(Array(last), rows) {
                let next = try #require(await reading.next())
                try LiveChain.require(from: last, to: next)
                last = next
            }
        }

        private func requireSame(_ results: QueryResults) async throws {
            guard isSame(Array(results), try await expected()) else {
                throw Mishap()
            }
        }

        /// Whether rows are the same, in the order that the query asks for.
        private func isSame(_ one: [ResultRow], _ other: [ResultRow]) -> Bool {
            if text.contains("ORDER BY"), !text.hasSuffix("BY n") { return one == other }
            return Dictionary(one.map { (RowOfDocument($0), 1) }, uniquingKeysWith: +)
                == Dictionary(other.map { (RowOfDocument($0), 1) }, uniquingKeysWith: +)
        }

        private mutating func transaction() throws {
            if random.below(3) > 0 { return try change(randomID()) }
            let ids = (0...random.below(4)).map { _ in randomID() }
            try fixture.file.write { transaction in
                for id in ids { try change(id, transaction) }
            }
        }

        private mutating func randomID() -> String { "d\(random.below(10))" }

        private mutating func change(_ id: String) throws {
            try fixture.file.write { try change(id, $0) }
        }

        private mutating func change(_ id: String, _ transaction: Transaction) throws {
            switch random.below(12) {
            case 0: _ = try fixture.people.delete(id, in: transaction)
            case 1: _ = try fixture.people.purge(id, in: transaction)
            case 2:
                let time = Int64(1 + random.below(3)) * 1000
                _ = try fixture.people.keyStore.setExpiration(time, of: id, in: transaction)
            case 3: _ = try transaction.purgeExpired(at: Int64(random.below(4)) * 1000)
            default:
                let (n, s) = (random.below(6), random.pick(["a", "b", "c"]))
                let list = (0..<random.below(3)).map { "\($0)" }.joined(separator: ",")
                try fixture.save(id, #"{"n":\#(n),"s":"\#(s)","list":[\#(list)]}"#, transaction)
            }
        }
    }

    @Test("concurrent transactions are visible as a whole or not at all, and none is missed")
    func concurrent() async throws {
        let fixture = try LiveFixture()
        let file = fixture.file
        try await file.write { transaction in
            for id in 0..<10 { try fixture.save("d\(id)", #"{"n":100}"#, transaction) }
        }
        let seed = UInt64(TestEnvironment.number("STORE_SEED", or: 1))
        let writer = Task.detached {
            var random = SeededGenerator(seed: seed)
            var amounts = Array(repeating: 100, count: 10)
            for round in 1...300 {
                let (from, to) = (random.below(10), random.below(10))
                amounts[from] -= 1
                amounts[to] += 1
                let pair = (from, to, amounts[from], amounts[to])
                try await file.write { transaction in
                    try fixture.save("d\(pair.0)", #"{"n":\#(pair.2)}"#, transaction)
                    try fixture.save("d\(pair.1)", #"{"n":\#(pair.3)}"#, transaction)
                    if round == 300 { try fixture.save("end", #"{"n":0}"#, transaction) }
                }
            }
            return amounts
        }
        let texts = ["SELECT n FROM _", "SELECT n FROM _ ORDER BY n DESC, META().id"]
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for text in texts + texts {
                group.addTask {
                    var last: QueryResults?
                    for try await results in file.observe(try Query(text)) {
                        #expect(results.reduce(0) { $0 + ($1["n"].int ?? 0) } == 1000, "\(seed)")
                        if let last { try LiveChain.require(from: last, to: results) }
                        last = results
                        if results.indices.contains(where: { results.id(at: $0) == "end" }) {
                            break
                        }
                    }
                    let amounts = try await writer.value
                    let final = last?.map { $0["n"].int ?? 0 }.sorted()
                    return final == (amounts + [0]).map(Int64.init).sorted()
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}

/// A row with the document that it is of.
struct RowOfDocument: Hashable {
    let id: String?
    let row: ResultRow

    init(_ row: ResultRow) {
        id = row.key
        self.row = row
    }
}

/// Checks that a difference leads from one result to the next.
enum LiveChain {
    struct Broken: Error {
        let message: String
    }

    static func require(from old: QueryResults, to new: QueryResults) throws {
        guard let difference = new.difference, !difference.isEmpty else {
            throw Broken(message: "no difference between \(old.text) and \(new.text)")
        }
        let rows = { (results: QueryResults) in results.map { RowOfDocument($0) } }
        var (before, after) = (rows(old), rows(new))
        let entries = difference.inserted + difference.updated + difference.moved
        let isAtPosition =
            entries.allSatisfy { after[$0.position] == RowOfDocument($0.row) }
            && difference.removed.allSatisfy { before[$0.position] == RowOfDocument($0.row) }
        // Without what differs, both are the same, in the same order.
        let gone = Set(difference.removed.map(\.position))
        let changed = Set(entries.map(\.position))
        let ids = Set((difference.updated + difference.moved).map { RowOfDocument($0.row).id })
        before = before.indices.filter { !gone.contains($0) && !ids.contains(before[$0].id) }
            .map { before[$0] }
        after = after.indices.filter { !changed.contains($0) }.map { after[$0] }
        let isOfDocuments = new.indices.allSatisfy { new.id(at: $0) != nil }
        // Several rows of a document cannot be distinguished by its ID here.
        let isWhole =
            !isOfDocuments || Set(rows(new).map(\.id)).count < new.count
            || Set(rows(old).map(\.id)).count < old.count || before == after
        guard isAtPosition, isWhole else {
            throw Broken(message: "\(old.text) does not lead to \(new.text)")
        }
    }
}
