import CBaseline
import DocumentStore
import Foundation
import SampleData

/// One large file and its measurements; each result is checked against what was written.
final class ScaleFile {
    let path: String
    let count: Int
    private(set) var steps: [ScaleStep] = []
    var ages = 0
    private var ofState = 0

    private static let state = "TX"
    static let people = DocumentCollection(.default)
    private static let batch = 10_000
    static let sampleCount = 10_000

    init(path: String, count: Int) {
        self.path = path
        self.count = count
    }

    func measure(_ report: (ScaleStep) throws -> Void) throws {
        let file = try DataFile(path: path, options: StoreData.options(.create))
        try fill(file, report)
        file.close()
        try step("open, count, close", 1, report) { try requireCount() }
        try open(report)
        try change(report)
        let again = try DataFile(path: path, options: StoreData.options(.readWrite))
        defer { again.close() }
        try read(again, report)
    }

    private func fill(_ file: DataFile, _ report: (ScaleStep) throws -> Void) throws {
        var people = People(count: count)
        let tenth = count / 10
        for part in 1...10 {
            try clockedStep(ScaleStep.insertion(part), tenth, report) {
                var left = tenth
                while left > 0 {
                    let size = min(left, Self.batch)
                    let batch = try batch(size, of: &people)
                    try $0.time { try insert(batch, into: file) }
                    left -= size
                }
            }
        }
    }

    /// The next people, generated and counted before the clock runs.
    private func batch(
        _ count: Int, of people: inout People
    ) throws -> [(id: String, json: String)] {
        var batch: [(id: String, json: String)] = []
        while batch.count < count, let person = people.next() {
            ages += StoreData.age(person)
            ofState += person.contains("\"state\":\"\(Self.state)\"") ? 1 : 0
            batch.append((StoreData.id(person), StoreData.withoutID(person)))
        }
        guard batch.count == count else { throw BenchmarkError(message: "too few people") }
        return batch
    }

    private func insert(_ batch: [(id: String, json: String)], into file: DataFile) throws {
        try file.write { transaction in
            for person in batch {
                _ = try Self.people.save(person.id, in: transaction) {
                    try $0.writeJSON(person.json)
                }
            }
        }
    }

    private func requireCount() throws {
        let file = try DataFile(path: path, options: StoreData.options(.readOnly))
        defer { file.close() }
        let live = try file.read { try Self.people.keyStore.count(in: $0).live }
        try expect(live, count, "documents")
    }

    private func read(_ file: DataFile, _ report: (ScaleStep) throws -> Void) throws {
        let sample = sample(seed: 4)
        for turn in ["first", "second"] {
            try step("get at random, \(turn) time", sample.count, report) {
                try get(sample, file)
            }
        }
        for (order, name) in [
            (RecordEnumerator.Order.unsorted, "unsorted"), (.key, "by key"),
            (.sequence, "by sequence"),
        ] {
            try step("enumerate \(name), body", count, report) { try walk(order, file) }
        }
        try step("query: scan state = ?", count, report) { try queryCount(file) }
        try step("index: create, value", count, report) {
            try file.write {
                _ = try Self.people.createIndex(
                    .value("byState", on: "contact.address.state"), in: $0)
            }
        }
        try step("query: indexed COUNT", ofState, report) { try queryCount(file) }
    }

    /// Different random keys.
    func sample(seed: UInt64) -> [String] {
        var random = SeededGenerator(seed: seed)
        var numbers: Set<Int> = []
        while numbers.count < Self.sampleCount { numbers.insert(random.below(count)) }
        return numbers.sorted().shuffled(using: &random).map(Self.key)
    }

    /// The id of the person with a number, from 0 on.
    static func key(_ number: Int) -> String {
        let digits = String(number + 1)
        return "person-" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }

    func get(_ keys: [String], _ file: DataFile) throws {
        try file.read { snapshot in
            for key in keys {
                guard try Self.people.get(key, in: snapshot)?["age"]?.int != nil else {
                    throw BenchmarkError(message: "\(key) is missing")
                }
            }
        }
    }

    func walk(_ order: RecordEnumerator.Order, _ file: DataFile) throws {
        var options = RecordEnumerator.Options()
        options.order = order
        var sum = 0
        try file.read { snapshot in
            let age = Int32(snapshot.sharedKeys.index(of: "age") ?? -1)
            try Self.people.keyStore.records(options, in: snapshot).forEachRow { row in
                sum += row.withBody { Int(baseline_age($0.baseAddress, Int64($0.count), age)) }
                return true
            }
        }
        try expect(sum, ages, "years")
    }

    private func queryCount(_ file: DataFile) throws {
        let query = try Query("SELECT COUNT(*) FROM _ WHERE contact.address.state = $state")
        let found = try file.read { snapshot in
            let rows = try query.rows(in: snapshot, ["state": .string(Self.state)])
            return try rows.next()?[0].int ?? -1
        }
        try expect(Int(found), ofState, "people of \(Self.state)")
    }

    private func expect(_ found: Int, _ expected: Int, _ what: String) throws {
        guard found == expected else {
            throw BenchmarkError(message: "\(found) \(what), not \(expected)")
        }
    }

    func step(
        _ name: String, _ items: Int, _ report: (ScaleStep) throws -> Void,
        _ body: () throws -> Void
    ) throws {
        try clockedStep(name, items, report) { try $0.time(body) }
    }

    /// A step of which only the timed part counts.
    func clockedStep(
        _ name: String, _ items: Int, _ report: (ScaleStep) throws -> Void,
        _ body: (inout ScaleClock) throws -> Void
    ) throws {
        var clock = ScaleClock(path)
        try body(&clock)
        try add(clock.step(name, items), report)
    }

    func add(_ step: ScaleStep, _ report: (ScaleStep) throws -> Void) throws {
        steps.append(step)
        try report(step)
    }
}
