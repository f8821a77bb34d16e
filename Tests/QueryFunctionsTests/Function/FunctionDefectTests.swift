import EngineTestSupport
import Testing

/// Where LiteCore's functions are wrong, and these are not; see `docs/query.md`.
@Suite("Defects of LiteCore that the functions do not have")
struct FunctionDefectTests {
    private let fixture: QueryFunctionFixture

    init() throws {
        fixture = try QueryFunctionFixture()
    }

    @Test("array_max supports negative numbers")
    func maximumOfNegatives() throws {
        #expect(try fixture.answer("array_max(J('[-5,-2]'))") == "-2.0")
    }

    @Test("array_agg preserves integers above 32 bits, Booleans, null and other types")
    func aggregate() throws {
        let rows = ["4294967296", "J('true')", "J('null')", "NULL", "'x'", "J('[1]')", "2.5"]
        let table = rows.map { "SELECT \($0)" }.joined(separator: " UNION ALL ")
        #expect(
            try fixture.answer(
                "(SELECT array_agg(a) FROM (SELECT 4294967296 AS a UNION ALL SELECT NULL))")
                == "[4294967296]")
        #expect(try fixture.answer("(SELECT array_agg(J('true')))") == "[true]")
        let plain = table.replacing("J(", with: "decode_json(")
        // A table in between takes the mark of a Boolean away.
        #expect(
            try fixture.answer("(SELECT array_agg(a) FROM (SELECT 1 AS a WHERE 0))") == "[]")
        #expect(
            try fixture.answer(
                "(SELECT json_array_length(encode_json(array_agg(a))) FROM "
                    + "(SELECT NULL AS a UNION ALL \(plain)))") == "6")
    }

    @Test("array_contains finds null, and true is not 1")
    func containment() throws {
        #expect(try fixture.answer("array_contains(J('[1,null]'), J('null'))") == "true")
        #expect(try fixture.answer("array_contains(J('[1]'), J('null'))") == "false")
        #expect(try fixture.answer("array_contains(J('[1]'), J('true'))") == "false")
        #expect(try fixture.answer("array_contains(J('[true]'), 1)") == "false")
    }

    @Test("trim accepts the characters to be trimmed")
    func trim() throws {
        #expect(try fixture.answer("N1QL_trim('xxaxx', 'x')") == #""a""#)
        #expect(try fixture.answer("N1QL_ltrim('xxaxx', 'x')") == #""axx""#)
        #expect(try fixture.answer("N1QL_rtrim('xxaxx', 'x')") == #""xxa""#)
    }

    @Test("an invalid pattern is an error of the statement")
    func invalidPattern() {
        #expect(fixture.message("regexp_like('a', '(')") == "not a regular expression")
    }

    @Test("functions of numbers return null for other values")
    func noNumbers() throws {
        for call in [
            "atan2('x', 1)", "power('x', 2)", "sign('x')", "round('x')", "round_even('x')",
            "trunc('x', 1)",
        ] {
            #expect(try fixture.answer(call) == "null")
        }
    }

    @Test("div is a real division, idiv one of integers")
    func division() throws {
        #expect(try fixture.answer("div(5, 15)") == "0.3333333333333333")
        #expect(try fixture.answer("idiv(5, 15)") == "0")
        #expect(try fixture.answer("idiv(9007199254740993, 1)") == "9007199254740993")
    }

    @Test("toarray preserves a Boolean")
    func booleanInArray() throws {
        #expect(try fixture.answer("toarray(J('true'))") == "[true]")
    }
}
