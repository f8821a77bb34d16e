import DataFileCore
import EngineTestSupport
import StoreFormat
import StoreTools
import Testing
@testable import SQLCore

@Suite("Parts of a transaction that are cancelled")
struct CancelledPartTests {
    private let fixture: EngineFixture
    private let file: DataFile
    private let store = KeyStore(.default)
    private let flag = CancellationFlag()

    init() throws {
        fixture = try EngineFixture()
        file = try fixture.open()
    }

    private static let endless = """
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
        """

    /// Runs `body` as a part of a transaction, between two changes that remain.
    private func cancelled(_ body: (Transaction) throws -> Void) throws {
        try file.write { transaction in
            try store.set("a", in: transaction)
            #expect(throws: CancellationError.self) {
                try transaction.savepoint(endingAt: flag) { try body(transaction) }
            }
            try store.set("z", in: transaction)
        }
        #expect(try fixture.liveRows() == ["a|1|0|", "z|2|0|"])
        #expect(try fixture.rows("SELECT name, lastSeq FROM kvmeta") == ["default|2"])
    }

    /// Runs a statement, in the middle of which the flag is set.
    private func interrupt(_ sql: String, _ transaction: Transaction) throws {
        let context = try transaction.connection().context
        try context.withProgress { _ in
            flag.set(true)
            return true
        } body: {
            try context.exec(sql: sql)
        }
    }

    @Test("in a reading statement: it ends, and the rest of the transaction remains")
    func reading() throws {
        try cancelled { transaction in
            try store.set("lost", in: transaction)
            try interrupt(Self.endless, transaction)
            Issue.record("it went on")
        }
    }

    @Test("in a writing statement: it completes, and is then rolled back")
    func writing() throws {
        try cancelled { transaction in
            try interrupt(
                """
                INSERT INTO kv_default (key, sequence, flags)
                    WITH RECURSIVE n(i) AS (VALUES (100) UNION ALL SELECT i + 1 FROM n LIMIT 5000)
                    SELECT 'k' || i, i, 0 FROM n
                """, transaction)
            #expect(flag.isSet)
            let context = try transaction.connection().context
            #expect(context.isInTransaction && context.changes == 5000)
        }
    }

    @Test("between statements, even if the body ignores the error")
    func betweenStatements() throws {
        try cancelled { transaction in
            try store.set("lost", in: transaction)
            try store.purge("a", in: transaction)
            flag.set(true)
            try? transaction.connection().context.exec(sql: "DELETE FROM kv_default")
        }
    }

    @Test("in a nested savepoint")
    func savepoint() throws {
        try cancelled { transaction in
            try store.set("lost", in: transaction)
            try? transaction.savepoint {
                _ = try store.set("too", in: transaction)
                try interrupt(Self.endless, transaction)
            }
            #expect(try transaction.connection().context.isInTransaction)
        }
    }

    @Test("in read-only SQL: writing is possible afterwards")
    func readingSQL() throws {
        try cancelled { transaction in
            try transaction.sqlRows("SELECT 1 UNION ALL SELECT 2") { _ in
                flag.set(true)
                return true
            }
        }
    }

    @Test("a part that completes first is not rolled back, and other errors are rethrown")
    func late() throws {
        try file.write { transaction in
            try transaction.savepoint(endingAt: flag) { _ = try store.set("a", in: transaction) }
            flag.set(true)
            _ = try store.set("b", in: transaction)
            #expect(throws: StoreError.self) {
                try transaction.savepoint(endingAt: flag) {
                    throw StoreError(.notFound, "a document")
                }
            }
        }
        #expect(try fixture.liveRows() == ["a|1|0|", "b|2|0|"])
    }
}
