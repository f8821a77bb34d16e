import GRDB
import Testing

@testable import StandardBenchmarks

@Suite("Durability")
struct DurabilityTests {
    @Test("is a setting of each GRDB connection", arguments: Durability.allCases)
    func grdb(durability: Durability) throws {
        try withDirectory { directory in
            let pool = try DatabasePool.standard(directory, durability)
            let expected = durability == .full ? 2 : 1
            let writer = try pool.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
            #expect(writer == expected)
            let mode = try pool.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
            #expect(mode == "wal")
            try pool.close()
        }
    }

    @Test("is a setting of each connection in C", arguments: Durability.allCases)
    func plain(durability: Durability) throws {
        try withDirectory { directory in
            let connection = try PlainConnection(directory, durability)
            for (pragma, expected) in [
                ("synchronous", durability == .full ? "2" : "1"), ("journal_mode", "wal"),
                ("secure_delete", "0"),
            ] {
                let statement = try PlainStatement(connection, "PRAGMA \(pragma)")
                #expect(try statement.step())
                #expect(statement.text(at: 0) == expected, "\(pragma)")
                statement.reset()
            }
        }
    }
}
