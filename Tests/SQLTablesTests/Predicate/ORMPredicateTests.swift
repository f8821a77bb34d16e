import SQLCore
import SQLTables
import Testing

@Suite("SQLPredicate")
struct ORMPredicateTests {
    private static let a = SQLColumn(name: "A", type: .long)
    private static let b = SQLColumn(name: "B", type: .text)

    @Test(
        "each condition is written by its rule",
        arguments: [
            (a.equals(.long(1)), #""A" = 1"#),
            (a.equals(.null), #""A" IS NULL"#),
            (a.equals(b), #""A" = "B""#),
            (a.notEquals(.long(1)), #""A" <> 1"#),
            (a.notEquals(SQLValue.null), #""A" IS NOT NULL"#),
            (a.lessThan(.long(1)), #""A" < 1"#),
            (a.lessThanOrEqual(.long(1)), #""A" <= 1"#),
            (a.greaterThan(.long(1)), #""A" > 1"#),
            (a.greaterThanOrEqual(b), #""A" >= "B""#),
            (b.like(.text("x%")), #""B" LIKE 'x%'"#),
            (b.notLike(SQLValue("x_")), #""B" NOT LIKE 'x_'"#),
            (b.isNull(), #""B" IS NULL"#),
            (b.isNotNull(), #""B" IS NOT NULL"#),
            (a.between(min: .long(1), max: .long(2)), #""A" BETWEEN 1 AND 2"#),
            (a.notBetween(min: SQLValue(1), max: SQLValue(2)), #""A" NOT BETWEEN 1 AND 2"#),
            (a.in([.long(1), .long(2)]), #""A" IN (1, 2)"#),
            (a.in([SQLValue]()), #""A" IN ()"#),
            (a.notIn([SQLValue(1)]), #"NOT ("A" IN (1))"#),
            (a.compare(.is, SQLValue(1)), #""A" IS 1"#),
            (a.alias("t0").equals(.long(1)), #""t0"."A" = 1"#),
            (SQLValue(1).lessThan(a), #"1 < "A""#),
            (
                SQLTuple(a, b).in([SQLTuple(SQLValue(1), SQLValue("x"))]),
                #"("A", "B") IN (VALUES (1, 'x'))"#
            ),
            (SQLTuple(a, b).equals(SQLTuple(b, a)), #"("A", "B") = ("B", "A")"#),
        ])
    func condition(predicate: SQLPredicate, sql: String) {
        #expect(predicate.sqlExpression.literal == sql)
    }

    @Test("only several operands are enclosed in parentheses")
    func logic() {
        let (one, two) = (Self.a.equals(.long(1)), Self.b.isNull())
        #expect(one.and(two).sqlExpression.literal == #"("A" = 1 AND "B" IS NULL)"#)
        #expect(SQLPredicate.and([one]).sqlExpression.literal == #""A" = 1"#)
        #expect(SQLPredicate.and([]).sqlExpression.literal == "1")
        #expect(SQLPredicate.or([]).sqlExpression.literal == "0")
        #expect(
            one.or(two).and(one).sqlExpression.literal
                == #"(("A" = 1 OR "B" IS NULL) AND "A" = 1)"#)
        #expect(one.not().sqlExpression.literal == #"NOT ("A" = 1)"#)
        #expect(
            SQLPredicate.custom("A = ? OR A = ?", bindings: [.long(1), .long(2)]).and(two)
                .sqlExpression.literal == #"((A = 1 OR A = 2) AND "B" IS NULL)"#)
    }

    @Test("values are bound, never part of the SQL")
    func bound() {
        let expression = Self.b.equals(.text("'; DROP TABLE T; --")).sqlExpression
        #expect(expression.template == #""B" = ?"#)
        #expect(expression.bindings == [.text("'; DROP TABLE T; --")])
    }

    @Test("defect 1: between includes both bounds")
    func between() throws {
        let context = try SQLContext()
        try context.exec(sql: #"CREATE TABLE "NUMBERS" ("N" INTEGER)"#)
        try context.exec(sql: #"INSERT INTO "NUMBERS" VALUES (5), (10), (20)"#)
        let inside = Numbers.n.between(min: .long(5), max: .long(10))
        let outside = Numbers.n.notBetween(min: SQLValue(5), max: SQLValue(10))
        #expect(try context.count(Numbers.self, where: inside) == 2)
        #expect(try context.count(Numbers.self, where: outside) == 1)
    }

    @Test("defect 7: too few and too many values are rejected before the statement runs")
    func counts() throws {
        let context = try SQLContext()
        try context.exec(sql: #"CREATE TABLE "NUMBERS" ("N" INTEGER)"#)
        for values in [[], [.long(1), .long(2)]] as [[SQLValue]] {
            let error = #expect(throws: SQLError.self) {
                try context.fetchAll(
                    Numbers.self, where: .custom("N = ?", bindings: values))
            }
            #expect(error?.code == .range)
        }
        let right = SQLPredicate.custom("N = ?1 OR N = ?1 + 1", bindings: [.long(4)])
        try context.insertAll([3, 4, 5].map(Numbers.init))
        #expect(try context.fetchAll(Numbers.self, where: right).map(\.n) == [4, 5])
    }

    @Test("a question mark in a string, a name or a comment is not a parameter")
    func scanning() {
        let sql = #"'?' || "?" || ? /* ? */ || [?] -- ?"#
        let expression = SQLExpression(sql, bindings: [.long(1)])
        #expect(expression.template == sql)
        #expect(expression.literal == #"'?' || "?" || 1 /* ? */ || [?] -- ?"#)
    }

    @Test("an interpolated value is bound")
    func interpolation() throws {
        let (name, column) = (SQLValue("it's"), Self.b)
        let expression: SQLExpression = "SELECT \(name) AS \(column)"
        #expect(expression.template == #"SELECT ? AS "B""#)
        #expect(try SQLContext().cursor(expression).load() == [[.text("it's")]])
    }
}

struct Numbers: SQLCodable {
    var n: Int64
    static let n = SQLColumn(name: "N", type: .long)
    static let table = SQLTable(name: "NUMBERS", columns: [n])

    init(n: Int64) {
        self.n = n
    }

    init(row: SQLRow, context: SQLContext) throws {
        n = try Self.n.longValueRequired(in: row)
    }

    func encode(row: inout SQLRow) throws {
        row[Self.n] = SQLValue(n)
    }
}
