import FleeceLite
import SQLCore
import Testing
@testable import QueryFunctions

@Suite("Limits of functions of full-text matches")
struct MatchLimitTests {
    let context: SQLContext

    init() throws {
        context = try SQLContext()
        try FullTextFunctions.register(in: context, FunctionContext(sharedKeys: SharedKeys()))
    }

    @Test("rank does not count phrases that take no bytes")
    func phrases() {
        #expect(throws: SQLError.self) {
            try context.selectValue(sql: "SELECT rank(x'FFFFFFFF00000000')")
        }
    }

    @Test("fl_highlight does not exceed the limit of results")
    func highlight() {
        let places =
            "WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 1000) "
            + "SELECT group_concat('0 0 ' || i || ' 1', ' ') FROM n"
        #expect(throws: SQLError.self) {
            try context.selectValue(
                sql:
                    "SELECT fl_highlight(hex(zeroblob(500)), (\(places)), hex(zeroblob(50000)), '')"
            )
        }
    }
}
