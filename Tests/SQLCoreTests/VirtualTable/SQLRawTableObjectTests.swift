import SQLCore
import Testing

/// The object that the functions of a raw table share.
private final class Limit {
    let count: Int
    init(_ count: Int) { self.count = count }
}

@Suite("Raw table-valued functions: a shared object")
struct SQLRawTableObjectTests {
    private struct Place: BitwiseCopyable {
        var index: Int64
        var end: Int64
    }

    /// `up_to(n)`: 0, 1, … n - 1; n must be less than the limit.
    private func context(
        _ trust: SQLVirtualTableTrust = .normal, limit: AnyObject? = Limit(10)
    ) throws -> SQLContext {
        let context = try SQLContext()
        try context.registerRawTableFunction(
            "up_to", columns: ["n"], parameters: ["end"], state: Place.self, object: limit,
            trust: trust,
            SQLRawTableFunction(
                filter: { cursor, _, _, count, values in
                    let end = SQLRawCall(nil, count, values).int64(at: 0)
                    let limit = SQLRawCursor.withObject(cursor, as: Limit.self) { $0.count } ?? 3
                    guard end < limit else {
                        SQLRawCursor.setError(cursor, "more than \(limit)")
                        return SQLResultCode.error.rawValue
                    }
                    let state = SQLRawCursor.state(cursor, as: Place.self)
                    state.pointee = Place(index: 0, end: end)
                    return 0
                },
                next: {
                    SQLRawCursor.state($0, as: Place.self).pointee.index += 1
                    return 0
                },
                isAtEnd: {
                    let state = SQLRawCursor.state($0, as: Place.self).pointee
                    return state.index >= state.end ? 1 : 0
                },
                column: { cursor, context, _ in
                    let state = SQLRawCursor.state(cursor, as: Place.self).pointee
                    SQLRawCall(context).setResult(state.index)
                    return 0
                },
                rowID: { cursor, result in
                    result?.pointee = SQLRawCursor.state(cursor, as: Place.self).pointee.index
                    return 0
                }))
        return context
    }

    @Test("is passed to its functions, and is optional")
    func object() throws {
        let sql = "SELECT sum(n) FROM up_to(5)"
        #expect(try context().selectValue(sql: sql) == .long(10))
        #expect(throws: SQLError.self) { try context(limit: nil).selectValue(sql: sql) }
        #expect(
            try context(limit: nil).selectValue(sql: "SELECT sum(n) FROM up_to(2)") == .long(1))
    }

    @Test("a function sets the message of its error")
    func message() throws {
        let error = #expect(throws: SQLError.self) {
            try context().selectAll(sql: "SELECT n FROM up_to(12)")
        }
        #expect(error?.message == "more than 10")
    }

    @Test("An innocuous one may stand in a trigger where the schema is not trusted, another not")
    func trust() throws {
        let schema = """
            PRAGMA trusted_schema=off; CREATE TABLE a (n); CREATE TABLE b (n);
            CREATE TRIGGER t AFTER INSERT ON a BEGIN INSERT INTO b SELECT n FROM up_to(new.n); END
            """
        let trusted = try context(.innocuous)
        try trusted.exec(sql: schema)
        try trusted.exec(sql: "INSERT INTO a VALUES (3)")
        #expect(try trusted.selectValue(sql: "SELECT count(*) FROM b") == .long(3))
        let normal = try context()
        try normal.exec(sql: schema)
        #expect(throws: SQLError.self) { try normal.exec(sql: "INSERT INTO a VALUES (3)") }
    }
}
