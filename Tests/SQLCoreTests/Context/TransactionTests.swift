import SQLCore
import Testing

@Suite("SQLContext: transactions")
struct TransactionTests {
    struct Mishap: Error {}

    let context: SQLContext

    init() throws {
        context = try SQLContext()
        try context.exec(sql: "CREATE TABLE t (a UNIQUE)")
    }

    private func insert(_ number: Int64) throws {
        try context.exec(sql: "INSERT INTO t VALUES (?)", parameters: [.long(number)])
    }

    private func rows() throws -> [Int64] {
        try context.selectAll(sql: "SELECT a FROM t ORDER BY a").compactMap(\.first?.longValue)
    }

    @Test("only the inner transaction that throws is rolled back")
    func innerRollback() throws {
        try context.transaction {
            try insert(1)
            #expect(throws: Mishap.self) {
                try context.transaction(.immediate) {
                    try insert(2)
                    throw Mishap()
                }
            }
            try context.transaction { try context.transaction { try insert(3) } }
        }
        #expect(try rows() == [1, 3])
    }

    @Test("an outer transaction that throws also rolls back the inner ones")
    func outerRollback() throws {
        #expect(throws: Mishap.self) {
            try context.transaction {
                try context.transaction { try insert(1) }
                throw Mishap()
            }
        }
        #expect(try rows() == [])
        #expect(!context.isInTransaction)
    }

    @Test("within a transaction that SQL has started it is a savepoint")
    func begunByHand() throws {
        try context.exec(sql: "BEGIN")
        try context.transaction { try insert(1) }
        #expect(context.isInTransaction)
        try context.exec(sql: "ROLLBACK")
        #expect(try rows() == [])
    }

    @Test("nil as its mode is not a transaction")
    func noTransaction() throws {
        #expect(throws: Mishap.self) {
            try context.transaction(nil) {
                #expect(!context.isInTransaction)
                try insert(1)
                throw Mishap()
            }
        }
        #expect(try rows() == [1])
    }

    @Test("statements after SQLite has ended the transaction are not committed")
    func endedBySQLite() throws {
        try insert(1)
        let error = #expect(throws: SQLError.self) {
            try context.transaction {
                // Ignores the error with which the whole transaction is rolled back.
                try? context.exec(sql: "INSERT OR ROLLBACK INTO t VALUES (1)")
            }
        }
        #expect(error?.code == .abortedByRollback)
        #expect(error?.message == "the transaction ended before its commit")
    }

    @Test("the error of an inner transaction is thrown after SQLite has ended the outer one")
    func innerErrorStays() throws {
        try insert(1)
        let error = #expect(throws: SQLError.self) {
            try context.transaction {
                try context.transaction {
                    try context.exec(sql: "INSERT OR ROLLBACK INTO t VALUES (1)")
                }
            }
        }
        #expect(error.map { SQLResultCode.constraint ~= $0.code } == true)
        #expect(try rows() == [1])
    }

    @Test("a deferred error does not prevent a rollback")
    func rollbackDespiteWaitingError() throws {
        #expect(throws: Mishap.self) {
            try context.transaction {
                try insert(1)
                try context.exec(sql: "PRAGMA query_only = 1")
                context.userVersion = 4
                throw Mishap()
            }
        }
        #expect(!context.isInTransaction)
        try context.exec(sql: "PRAGMA query_only = 0")
        #expect(try rows() == [])
        #expect(throws: Never.self) {
            try context.transaction {
                try? context.transaction {
                    try insert(2)
                    try context.exec(sql: "PRAGMA query_only = 1")
                    context.userVersion = 4
                    throw Mishap()
                }
                try context.exec(sql: "PRAGMA query_only = 0")
                try insert(3)
            }
        }
        #expect(try rows() == [3])
    }

    @Test("an interrupt while a statement is active does not leave a transaction open")
    func rollbackDespiteInterrupt() throws {
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        let statement = try context.prepare(sql: endless + " SELECT i FROM n")
        let error = #expect(throws: SQLError.self) {
            try context.transaction {
                try insert(1)
                _ = try statement.next()
                context.interrupt()
                _ = try context.selectAll(sql: "SELECT a FROM t")
            }
        }
        #expect(error?.code == .interrupted)
        #expect(!context.isInTransaction)
        #expect(try rows() == [])
    }

    @Test("properties can be read and set while an error is deferred")
    func propertiesDespiteWaitingError() throws {
        context.userVersion = 7
        try context.exec(sql: "PRAGMA query_only = 1")
        context.userVersion = 8
        #expect(context.userVersion == 7)
        context.foreignKeysEnabled = true
        #expect(context.foreignKeysEnabled)
        let error = #expect(throws: SQLError.self) { try context.exec(sql: "SELECT 1") }
        #expect(error.map { SQLResultCode.readOnly ~= $0.code } == true)
        #expect(throws: Never.self) { try context.exec(sql: "SELECT 1") }
    }

    @Test("a property that cannot be set makes the commit fail")
    func deferredError() throws {
        try context.exec(sql: "PRAGMA query_only = 1")
        let error = #expect(throws: SQLError.self) {
            try context.transaction { context.userVersion = 3 }
        }
        #expect(error.map { SQLResultCode.readOnly ~= $0.code } == true)
        #expect(context.userVersion == 0)
        try context.exec(sql: "PRAGMA query_only = 0")
        context.userVersion = 3
        #expect(context.userVersion == 3)
    }
}
