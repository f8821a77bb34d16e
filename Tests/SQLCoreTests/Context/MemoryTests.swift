import SQLCore
import Testing

/// The settings of SQLite's memory. They belong to the process, so each test has one of its own.
@Suite("Memory of SQLite")
struct MemoryTests {
    @Test("A statement that needs more memory than the limit fails")
    func limit() async {
        await #expect(processExitsWith: .success) {
            SQLContext.limitMemory(bytes: 1 << 20)
            let context = try SQLContext()
            let error = #expect(throws: SQLError.self) {
                try context.exec(sql: "CREATE TABLE t AS SELECT randomblob(8000000)")
            }
            #expect(error?.code == .noMemory)
        }
    }

    @Test("Without memory statistics SQLite works, and the limit has no effect")
    func withoutStatistics() async {
        await #expect(processExitsWith: .success) {
            try SQLContext.disableMemoryStatistics()
            SQLContext.limitMemory(bytes: 1 << 20)
            let context = try SQLContext()
            try context.exec(sql: "CREATE TABLE t AS SELECT randomblob(8000000) AS bytes")
            let length = try context.prepare(sql: "SELECT length(bytes) FROM t")
            #expect(try length.next())
            #expect(length.long(at: 0) == 8_000_000)
        }
    }

    @Test("Memory statistics cannot be disabled once SQLite is in use")
    func late() async {
        await #expect(processExitsWith: .success) {
            let context = try SQLContext()
            let error = #expect(throws: SQLError.self) { try SQLContext.disableMemoryStatistics() }
            #expect(error?.code == .misuse)
            try context.exec(sql: "CREATE TABLE t (a)")
        }
    }
}
