import CBaseline
import Dispatch
import DocumentStore
import Synchronization

/// The cost of a query besides its rows: compilation, or cache lookup, start and end.
enum QueryOverheads {
    static func groups() -> [[Workload]] { [lookups, empty, compilations, firstRows] }

    private static let count = 1000
    private static let byPhone = "SELECT META().id FROM _ WHERE contact.phone[0] = $phone"

    private static func ask(
        _ name: String, isIndexed: Bool = false, _ result: Int? = nil
    ) -> BenchmarkQuery {
        BenchmarkQuery(name: name, isIndexed: isIndexed, items: { _ in count }) { _ in
            result ?? keyLength
        }
    }

    private static var sample: [(key: String, phone: String)] {
        guard let data = try? StoreData.get() else { return [] }
        return data.sample.prefix(count).map {
            (data.keys[Int($0)], data.persons[Int($0)].contact.phone[0])
        }
    }

    private static var keyLength: Int { sample.reduce(0) { $0 + $1.key.utf8.count } }

    private static var lookups: [Workload] {
        let benchmark = ask("query: indexed equality, 1 row", isIndexed: true)
        return [
            benchmark.baseline("SELECT key FROM plain WHERE phone = ?") { baseline in
                baseline.snapshot { baseline in phones.reduce(0) { $0 + baseline.sum($1) } }
            },
            benchmark.engine { file in
                let query = try Query(byPhone)
                return try lookUp(file) { query }
            },
            benchmark.engine(", from its text") { file in
                try lookUp(file) { try Query(byPhone) }
            },
        ] + PeerQueries.keysOfPhones(benchmark) { phones }
    }

    private static let phones = sample.map(\.phone)

    private static func lookUp(_ file: DataFile, _ query: () throws -> Query) throws -> Int {
        try file.read { snapshot in
            try phones.reduce(0) { sum, phone in
                let rows = try query().rows(in: snapshot, ["phone": .string(phone)])
                var sum = sum
                while let row = try rows.next() { sum += row[0].string?.utf8.count ?? 0 }
                return sum
            }
        }
    }

    /// A query without rows, which is cached.
    private static var empty: [Workload] {
        let text = "SELECT META().id FROM _ WHERE age = $age LIMIT 0"
        let benchmark = ask("query: cached", 0)
        return [
            benchmark.baseline("SELECT key FROM plain WHERE state = ? LIMIT 0") { baseline in
                baseline.snapshot { baseline in
                    (0..<count).reduce(0) { sum, _ in sum + baseline.sum("TX") }
                }
            },
            benchmark.engine { file in
                try file.read { snapshot in
                    for age in 0..<count {
                        let rows = try Query(text).rows(
                            in: snapshot, ["age": .integer(Int64(age))])
                        guard try rows.next() == nil else { return -1 }
                    }
                    return 0
                }
            },
        ]
    }

    /// Query texts that are not cached.
    private static var compilations: [Workload] {
        let benchmark = BenchmarkQuery(name: "query: compile", items: { _ in 100 }) { _ in 0 }
        var last = 0
        func next() -> Int {
            last += 1
            return last
        }
        return [
            benchmark.baseline("SELECT 1") { baseline in
                for _ in 0..<100 {
                    let isCompiled = baseline.compile(
                        """
                        SELECT key, birthday FROM plain WHERE state = ? AND id > \(next())
                        ORDER BY birthday LIMIT 10
                        """)
                    guard isCompiled else { return -1 }
                }
                return 0
            },
            benchmark.engine { file in
                try file.read { snapshot in
                    for _ in 0..<100 {
                        let text = """
                            SELECT META().id, name.last FROM _ WHERE contact.address.state = $state
                            AND age > \(next()) ORDER BY name.last LIMIT 10
                            """
                        guard try !Query(text).sql(in: snapshot).isEmpty else { return -1 }
                    }
                    return 0
                }
            },
        ]
    }

    /// The first of 100,000 rows; then the query is abandoned.
    private static var firstRows: [Workload] {
        let benchmark = BenchmarkQuery(
            name: "query: first row of a streamed scan", items: { _ in 100 }
        ) { _ in 100 * firstKeyLength }
        return [
            benchmark.baseline("SELECT key FROM plain") { baseline in
                (0..<100).reduce(0) { sum, _ in sum + baseline.sum(most: 1) }
            },
            benchmark.engine { file in
                let query = try Query("SELECT META().id FROM _")
                return try (0..<100).reduce(0) { sum, _ in
                    try sum
                        + file.read {
                            try query.rows(in: $0).next()?[0].string?.utf8.count ?? 0
                        }
                }
            },
            benchmark.engine(", in a task") { file in
                let query = try Query("SELECT META().id FROM _")
                return try wait {
                    var sum = 0
                    for _ in 0..<100 {
                        for try await row in file.rows(of: query) {
                            sum += row[0].string?.utf8.count ?? 0
                            break
                        }
                    }
                    return sum
                }
            },
        ]
    }

    private static var firstKeyLength: Int { (try? StoreData.get())?.keys[0].utf8.count ?? 0 }

    private static func wait(_ body: @escaping @Sendable () async throws -> Int) throws -> Int {
        let result = Answer()
        let isDone = DispatchSemaphore(value: 0)
        Task {
            do {
                let sum = try await body()
                result.value.withLock { $0 = .success(sum) }
            } catch {
                result.value.withLock { $0 = .failure(error) }
            }
            isDone.signal()
        }
        isDone.wait()
        return try result.value.withLock { try $0?.get() } ?? -1
    }
}

private final class Answer: Sendable {
    let value = Mutex<Result<Int, any Error>?>(nil)
}
