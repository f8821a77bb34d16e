import SQLCore
import Testing

/// Counts the states that are not deinitialized.
private final class Census {
    var living = 0
    var made = 0
}

private final class Citizen {
    let census: Census
    init(_ census: Census) {
        self.census = census
        census.living += 1
        census.made += 1
    }
    deinit { census.living -= 1 }
}

private struct Refusal: Error, CustomStringConvertible {
    let description: String
}

/// Joins strings; throws for other values, and for the result "no".
private struct Join: SQLWindowAggregate {
    let citizen: Citizen
    var texts: [String] = []

    mutating func step(_ call: SQLFunctionCall) throws {
        texts.append(try call.value(at: 0, as: String.self))
    }
    mutating func inverse(_ call: SQLFunctionCall) throws {
        texts.removeFirst()
    }
    mutating func value() throws -> SQLValue {
        guard texts != ["no"] else { throw Refusal(description: "not no") }
        return .text(texts.joined())
    }
    mutating func finish() throws -> SQLValue { try value() }
}

@Suite("Aggregates")
struct SQLAggregateTests {
    let context: SQLContext
    private let census = Census()

    init() throws {
        context = try SQLContext()
        try context.exec(
            sql: """
                CREATE TABLE t (k, a);
                INSERT INTO t VALUES (1, 'a'), (2, 'x'), (1, 'b'), (2, 'y'), (1, 'c')
                """)
        let census = census
        try context.registerWindowAggregate("joined", argumentCount: 1) {
            Join(citizen: Citizen(census))
        }
    }

    @Test("each group has its own state, and a group without rows a new one")
    func groups() throws {
        #expect(
            try context.selectAll(sql: "SELECT k, joined(a) FROM t GROUP BY k")
                == [[.long(1), .text("abc")], [.long(2), .text("xy")]])
        #expect(
            try context.selectAll(sql: "SELECT joined(a), joined(k) FROM t WHERE 0")
                == [[.text(""), .text("")]])
        #expect(census.living == 0)
        #expect(census.made == 4)
    }

    @Test("rows enter and leave a window")
    func window() throws {
        let rows = try context.selectAll(
            sql: """
                SELECT joined(a) OVER (ORDER BY rowid ROWS BETWEEN 1 PRECEDING AND CURRENT ROW),
                    joined(a) OVER (PARTITION BY k ORDER BY rowid),
                    joined(a) OVER (ORDER BY rowid ROWS BETWEEN 9 PRECEDING AND 8 PRECEDING)
                FROM t ORDER BY rowid
                """)
        #expect(rows.map { $0[0].textValue } == ["a", "ax", "xb", "by", "yc"])
        #expect(rows.map { $0[1].textValue } == ["a", "x", "ab", "xy", "abc"])
        #expect(rows.map { $0[2].textValue } == ["", "", "", "", ""])
        #expect(census.living == 0)
    }

    @Test("an error in a step or at the end is the statement's, and the states are released")
    func errors() throws {
        let step = #expect(throws: SQLError.self) {
            try context.selectAll(sql: "SELECT joined(k) FROM t")
        }
        #expect(step?.message == "argument 1 is integer, not String")
        let finish = #expect(throws: SQLError.self) {
            try context.selectAll(sql: "SELECT joined('no')")
        }
        #expect(finish?.message == "not no")
        let window = #expect(throws: SQLError.self) {
            try context.selectAll(
                sql: "SELECT joined(v) OVER (ROWS 1 PRECEDING) FROM (SELECT 'no' v)")
        }
        #expect(window?.message == "not no")
        #expect(census.living == 0)
    }

    @Test("a statement that is abandoned before its end releases every state")
    func abandoned() throws {
        do {
            // The window moves over the partition while its first rows are returned.
            let statement = try context.prepare(
                sql: "SELECT joined(a) OVER (ORDER BY rowid), a FROM t")
            #expect(try statement.next())
            #expect(try statement.next())
            #expect(census.living > 0)
        }
        #expect(census.living == 0)
        do {
            try context.registerFunction("stop") { () -> Int in throw Refusal(description: "stop") }
            #expect(throws: SQLError.self) {
                try context.selectAll(
                    sql: "SELECT joined(a || CASE a WHEN 'b' THEN stop() ELSE '' END) FROM t")
            }
        }
        #expect(census.living == 0)
        #expect(census.made == 2)
    }

    @Test("an aggregate of closures starts each group from its initial state")
    func closures() throws {
        try context.registerAggregate("product", argumentCount: 1, initial: 1.0) {
            $0 *= try $1.value(at: 0, as: Double.self)
        } finish: {
            .real($0)
        }
        #expect(
            try context.selectAll(sql: "SELECT product(k) FROM t GROUP BY k")
                == [[.real(1)], [.real(4)]])
        #expect(try context.selectValue(sql: "SELECT product(1) WHERE 0") == .real(1))
        #expect(throws: SQLError.self) {
            try context.selectAll(sql: "SELECT product(k) OVER () FROM t")
        }
        try context.removeFunction("product", argumentCount: 1)
        #expect(throws: SQLError.self) { try context.selectAll(sql: "SELECT product(1)") }
    }

    @Test("a raw aggregate has zeroed memory for each group")
    func raw() throws {
        struct Sums: BitwiseCopyable { var count: Int64; var sum: Double }
        try context.registerRawAggregate(
            "mean", argumentCount: 1,
            step: { context, count, arguments in
                let call = SQLRawCall(context, count, arguments)
                guard let sums = call.groupState(Sums.self) else { return }
                sums.pointee.count += 1
                sums.pointee.sum += call.double(at: 0)
            },
            finish: { context in
                let call = SQLRawCall(context)
                guard let sums = call.existingGroupState(Sums.self) else { return call.setNull() }
                call.setResult(sums.pointee.sum / Double(sums.pointee.count))
            })
        #expect(
            try context.selectAll(sql: "SELECT k, mean(k * 3) FROM t GROUP BY k")
                == [[.long(1), .real(3)], [.long(2), .real(6)]])
        #expect(try context.selectValue(sql: "SELECT mean(1) WHERE 0") == .null)
    }

    @Test("a raw window needs both of its functions")
    func halfWindow() throws {
        let error = #expect(throws: SQLError.self) {
            try context.registerRawAggregate(
                "half", argumentCount: 1, step: { _, _, _ in }, finish: { _ in }, value: { _ in })
        }
        #expect(error?.code == .misuse)
    }
}
