import DataFileCore
import EngineTestSupport
import FleeceLite
import SQLCore
import StoreFormat
internal import StorePlatform
import Testing

@Suite("Making an index of many documents", .serialized)
struct IndexProgressTests {
    let fixture: IndexFixture

    /// Documents whose rowids are so far apart that there are several steps.
    init() throws {
        IndexSample.registerModel()
        fixture = try IndexFixture()
        try fixture.file.write { transaction in
            for number in 0..<1_000 {
                _ = try fixture.people.save("d\(number)", in: transaction) {
                    try $0.writeJSON("{\"a\":[{\"b\":[\(number)]}],\"b\":\"w\(number)\"}")
                }
            }
        }
        try fixture.engine.sqlite().exec(
            sql: "UPDATE kv_default SET rowid = -rowid; "
                + "UPDATE kv_default SET rowid = rowid * -100")
    }

    private func create(_ spec: IndexSpec, _ progress: @escaping (Double) -> Bool) throws {
        try fixture.file.write { transaction in
            _ = try fixture.people.createIndex(spec, in: transaction) { progress($0.fraction) }
        }
    }

    @Test(
        "reports progress that never decreases, and 1 at the end", arguments: IndexSample.allCases)
    func fractions(sample: IndexSample) throws {
        var told: [Double] = []
        try create(sample.spec()) { fraction in
            told.append(fraction)
            return true
        }
        #expect(told.last == 1)
        #expect(told == told.sorted())
        #expect(told.allSatisfy { (0...1).contains($0) })
        #expect(Set(told).count >= 3, "\(told)")
        told = []
        try fixture.file.write { transaction in
            try fixture.people.rebuildIndex(sample.name, in: transaction) { progress in
                told.append(progress.fraction)
                return true
            }
        }
        #expect(told.last == 1)
        #expect(told == told.sorted())
        told = []
        // Nothing to do: the index exists.
        try create(sample.spec()) { fraction in
            told.append(fraction)
            return true
        }
        #expect(told.isEmpty || told == [1])
    }

    @Test(
        "ends when the caller cancels, and nothing of it remains", arguments: IndexSample.allCases)
    func ended(sample: IndexSample) throws {
        let before = try fixture.wholeSchema()
        var calls = 0
        try create(sample.spec()) { _ in
            calls += 1
            return true
        }
        try fixture.drop(sample.name)
        #expect(calls >= 3)
        // The last call comes after completion.
        for limit in Set([1, 2, calls / 2, calls - 1]).sorted() where limit < calls {
            var count = 0
            #expect(throws: CancellationError.self, "at call \(limit) of \(calls)") {
                try create(sample.spec()) { _ in
                    count += 1
                    return count < limit
                }
            }
            #expect(count == limit)
            #expect(try fixture.left(over: before) == [])
            #expect(try fixture.names() == [])
        }
        try create(sample.spec()) { _ in true }
        #expect(try fixture.isSound())
    }

    @Test("ends with its task, and nothing of it remains", arguments: IndexSample.allCases)
    func cancelled(sample: IndexSample) async throws {
        let before = try fixture.wholeSchema()
        let canceller = Canceller()
        let task = Task { [fixture] in
            try await fixture.file.write { transaction in
                _ = try fixture.people.createIndex(sample.spec(), in: transaction) { _ in
                    canceller.cancel()
                    return true
                }
            }
        }
        canceller.set { task.cancel() }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(canceller.hasCancelled)
        #expect(try await fixture.file.read { try fixture.people.indexes(in: $0).isEmpty })
        #expect(try fixture.left(over: before) == [])
        #expect(try fixture.create(sample.spec()))
    }

    @Test(
        "includes all documents, whatever their rowids are",
        arguments: [Int64.min, -5, 0, Int64.max - 2])
    func rowNumbers(row: Int64) throws {
        let context = try fixture.engine.sqlite()
        try context.exec(sql: "UPDATE kv_default SET rowid = \(row) WHERE key = 'd7'")
        try context.exec(sql: "UPDATE kv_default SET rowid = \(row) + 2 WHERE key = 'd9'")
        for sample in IndexSample.allCases { try fixture.create(sample.spec()) }
        #expect(try fixture.elements("kv_default:unnest:a").count == 1_000)
        #expect(try fixture.elements("kv_default:unnest:a[].b").count == 1_000)
        #expect(try fixture.documents("w7", "by_fullText") == ["d7"])
        #expect(try fixture.documents("w9", "by_fullText") == ["d9"])
        #expect(try fixture.isSound())
    }

    @Test("makes the transaction unusable in the progress handler", arguments: IndexSample.allCases)
    func suspended(sample: IndexSample) throws {
        IndexSample.registerModel()
        let fixture = try IndexFixture()
        try fixture.save(["d": #"{"a":[{"b":1}]}"#])
        let errors = Locked<[StoreError?]>([])
        try fixture.file.write { transaction in
            try fixture.people.createIndex(sample.spec(), in: transaction) { _ in
                do {
                    _ = try fixture.people.count(in: transaction)
                    errors.withLock { $0.append(nil) }
                } catch {
                    errors.withLock { $0.append(error as? StoreError) }
                }
                return true
            }
            #expect(try fixture.people.count(in: transaction) == (1, 0))
        }
        let all = errors.withLock { $0 }
        #expect(!all.isEmpty && all.allSatisfy { $0?.has(.notInTransaction) == true })
        #expect(try fixture.isSound())
    }
}
