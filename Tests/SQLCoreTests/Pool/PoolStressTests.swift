import Foundation
import SQLCore
import StoreTestSupport
import Testing

@Suite("SQLPool: many threads")
struct PoolStressTests {
    /// Seconds; `STORE_STRESS_SECONDS` sets a longer run, for the thread sanitizer.
    private static let duration =
        ProcessInfo.processInfo.environment["STORE_STRESS_SECONDS"].flatMap { Double($0) } ?? 1

    /// Two accounts between which money is transferred: the sum is the same in every state that
    /// was committed.
    @Test(
        "eight readers and a writer: each reader sees a consistent state",
        .timeLimit(.minutes(20)))
    func wholeStates() async throws {
        let directory = try TemporaryDirectory()
        let pool = try SQLPool(path: directory("bank.db"))
        try await pool.write {
            try $0.exec(sql: "CREATE TABLE account (id INTEGER PRIMARY KEY, money INTEGER)")
            try $0.exec(sql: "INSERT INTO account VALUES (1, 500), (2, 500)")
        }
        let end = Date().addingTimeInterval(Self.duration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    repeat {
                        let sum = try await pool.read { try Self.sum($0) }
                        #expect(sum == 1000)
                    } while Date() < end
                }
                group.addTask {
                    try await Self.onThread {
                        repeat {
                            try Self.check(pool)
                        } while Date() < end
                    }
                }
            }
            group.addTask {
                var rounds: Int64 = 0
                repeat {
                    try await Self.move(pool, rounds % 7)
                    rounds += 1
                } while Date() < end
            }
            try await group.waitForAll()
        }
    }

    /// Two statements: without a snapshot they could see two states.
    private static func sum(_ reader: SQLContext) throws -> Int64 {
        let first = try reader.selectValue(sql: "SELECT money FROM account WHERE id = 1")
        let second = try reader.selectValue(sql: "SELECT money FROM account WHERE id = 2")
        return (first?.longValue ?? 0) + (second?.longValue ?? 0)
    }

    /// Blocks the thread.
    private static func check(_ pool: SQLPool) throws {
        let sum = try pool.read { try Self.sum($0) }
        #expect(sum == 1000)
    }

    /// Runs a blocking call on a separate thread, since tasks have only a few threads.
    private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try body() }) }
            thread.start()
        }
    }

    private static func move(_ pool: SQLPool, _ amount: Int64) async throws {
        try await pool.write { writer in
            for (sign, id) in [(-1, 1), (1, 2)] as [(Int64, Int64)] {
                try writer.exec(
                    sql: "UPDATE account SET money = money + ? WHERE id = ?",
                    parameters: [.long(sign * amount), .long(id)])
            }
        }
    }
}
