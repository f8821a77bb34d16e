import SQLCore
import Testing
@testable import SQLTables

@Suite("The ORM on old versions of SQLite")
struct ORMVersionTests {
    @Test("a feature that a version lacks is an error with the minimum version")
    func notSupported() throws {
        let error = #expect(throws: SQLNotSupportedError.self) {
            try SQLiteFeature.upsert.require(inVersion: 3_022_000)
        }
        #expect(error?.feature == .upsert)
        #expect(error.map { "\($0)" } == "upsert needs SQLite 3.24.0, and this is 3.22.0")
        try SQLiteFeature.upsert.require(inVersion: 3_024_000)
    }

    @Test("only right and full joins need a new version")
    func joins() throws {
        for kind in [SQLJoinType.left, .inner, .cross] {
            try kind.requireSupport(inVersion: 3_022_000)
        }
        for kind in [SQLJoinType.right, .full] {
            #expect(throws: SQLNotSupportedError.self) {
                try kind.requireSupport(inVersion: 3_038_005)
            }
            try kind.requireSupport(inVersion: 3_039_000)
        }
    }

    @Test("rows with compound keys are compared column by column before 3.39")
    func rowValues() throws {
        let keys: [[SQLValue]] = [[.long(1), .text("x")], [.long(2), .text("y")]]
        let old = try Pair.table.keyPredicate(keys, inVersion: 3_038_005)
        #expect(
            old.sqlExpression.literal
                == #"(("A" = 1 AND "B" = 'x') OR ("A" = 2 AND "B" = 'y'))"#)
        let new = try Pair.table.keyPredicate(keys, inVersion: 3_039_000)
        #expect(
            new.sqlExpression.literal == #"("A", "B") IN (VALUES (1, 'x'), (2, 'y'))"#)
        let context = try SQLContext()
        try context.createTableIfNotExists(Pair.self)
        try context.insertAll([Pair(a: 1, b: "x"), Pair(a: 1, b: "y"), Pair(a: 2, b: "y")])
        #expect(try context.count(Pair.self, where: old) == 2)
        #expect(try context.count(Pair.self, where: new) == 2)
    }
}
