import Foundation
import SQLCore
import StoreTestSupport
import Testing

/// The code of the articles in SQLCore.docc about pools.
@Suite("Documentation: pools")
struct PoolSnippets {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("A pool for many tasks")
    func pool() async throws {
        let path = directory("people.sqlite")
        // snippet begins: PoolForManyTasks
        var options = SQLPool.Options()
        options.readers = 2
        options.configuration = .custom { $0.foreignKeysEnabled = true }
        let pool = try SQLPool(path: path, options: options)

        try await pool.write { context in
            try context.exec(sql: "CREATE TABLE person (name TEXT)")
            try context.exec(sql: "INSERT INTO person VALUES ('Ada'), ('Bob')")
        }
        let names = try await pool.read { context in
            try context.selectAll(sql: "SELECT name FROM person").compactMap { $0[0].textValue }
        }
        // snippet ends
        #expect(names == ["Ada", "Bob"])
        var isCancelled = false
        // snippet begins: PoolForManyTasks
        let endless = Task {
            try await pool.read { context in
                try context.selectValue(
                    sql: """
                        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n)
                        SELECT max(i) FROM n
                        """)
            }
        }
        endless.cancel()
        do {
            _ = try await endless.value
        } catch is CancellationError {
            isCancelled = true
        }
        // snippet ends
        #expect(isCancelled)
        // snippet begins: PoolForManyTasks
        try await pool.withWriter { try $0.exec(sql: "VACUUM") }
        pool.close()
        // snippet ends
        await #expect(throws: SQLError.self) {
            try await pool.read { try $0.selectValue(sql: "SELECT 1") }
        }
    }
}
