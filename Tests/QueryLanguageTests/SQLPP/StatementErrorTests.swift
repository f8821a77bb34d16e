import QueryLanguage
import StoreFormat
import Testing

@Suite("An error in a statement")
struct StatementErrorTests {
    private func message(_ text: String) throws -> String {
        let error = #expect(throws: StoreError.self, "\(text)") {
            try SQLPPParser.statement(text)
        }
        #expect(error?.has(.invalidQuery) == true)
        let syntax = try #require(error?.underlying as? QuerySyntaxError)
        return syntax.description
    }

    @Test(
        "states its position, what was found and what was expected",
        arguments: [
            ("", "1: found the end of input, expected SELECT, WITH, UPDATE or DELETE"),
            ("a = 1, b", "1: found 'a', expected SELECT, WITH, UPDATE or DELETE"),
            ("INSERT INTO a", "1: found 'INSERT', expected SELECT, WITH, UPDATE or DELETE"),
            ("(1)", "2: found '1', expected SELECT or '('"),
            ("SELECT", "7: found the end of input, expected an expression"),
            (
                "SELECT FROM _",
                "8: found the keyword 'FROM', which needs backticks to be a name, "
                    + "expected an expression"
            ),
            (
                "SELECT a b c FROM _",
                "12: found 'c', expected ',', FROM, LET, WHERE, GROUP BY, HAVING, UNION, "
                    + "INTERSECT, EXCEPT, ORDER BY, LIMIT, OFFSET or the end of input"
            ),
            (
                "SELECT 1 2",
                "10: found '2', expected an operator, ',', AS, FROM, LET, WHERE, GROUP BY, HAVING, "
                    + "UNION, INTERSECT, EXCEPT, ORDER BY, LIMIT, OFFSET or the end of input"
            ),
            (
                "SELECT a AS order",
                "13: found the keyword 'order', which needs backticks to be a name, expected a name"
            ),
            (
                "SELECT a FROM",
                "14: found the end of input, expected the name of a collection or '('"
            ),
            ("SELECT a FROM (b)", "16: found 'b', expected SELECT or '('"),
            (
                "SELECT a FROM (SELECT 1 WHERE b c",
                "33: found 'c', expected an operator, GROUP BY, HAVING, UNION, INTERSECT, EXCEPT, "
                    + "ORDER BY, LIMIT, OFFSET or ')'"
            ),
            (
                "SELECT a FROM b c d",
                "19: found 'd', expected ',', JOIN, UNNEST, LET, WHERE, GROUP BY, HAVING, UNION, "
                    + "INTERSECT, EXCEPT, ORDER BY, LIMIT, OFFSET or the end of input"
            ),
            (
                "SELECT a FROM b JOIN c d 1",
                "26: found '1', expected ON, ',', JOIN, UNNEST, LET, WHERE, GROUP BY, HAVING, "
                    + "UNION, INTERSECT, EXCEPT, ORDER BY, LIMIT, OFFSET or the end of input"
            ),
            ("SELECT a FROM b LEFT c", "22: found 'c', expected OUTER, UNNEST or JOIN"),
            (
                "SELECT a FROM b RIGHT JOIN c",
                "17: found the keyword 'RIGHT', which needs backticks to be a name, "
                    + "expected AS, ',', JOIN, UNNEST, LET, WHERE, GROUP BY, HAVING, UNION, "
                    + "INTERSECT, EXCEPT, ORDER BY, LIMIT, OFFSET or the end of input"
            ),
            ("SELECT a FROM b UNNEST", "23: found the end of input, expected an expression"),
            (
                "SELECT a FROM b UNNEST [1]",
                "27: found the end of input, expected an operator, or AS and a name"
            ),
            ("SELECT a GROUP b", "16: found 'b', expected BY"),
            ("SELECT a FROM _ ORDER", "22: found the end of input, expected BY"),
            (
                "SELECT a ORDER BY b DESC c",
                "26: found 'c', expected ',', NULLS, LIMIT, OFFSET or the end of input"
            ),
            ("SELECT a ORDER BY b NULLS c", "27: found 'c', expected FIRST or LAST"),
            ("SELECT a LIMIT", "15: found the end of input, expected an expression"),
            (
                "SELECT a LIMIT 1 LIMIT 2",
                "18: found the keyword 'LIMIT', which needs backticks to be a name, "
                    + "expected an operator, OFFSET or the end of input"
            ),
            (
                "SELECT 1; SELECT 2",
                "11: found the keyword 'SELECT', which needs backticks to be a "
                    + "name, expected the end of input"
            ),
            ("SELECT 1 UNION 2", "16: found '2', expected SELECT or '('"),
            ("SELECT 1 UNION SELECT", "22: found the end of input, expected an expression"),
            ("SELECT 1 UNION ALL (2)", "21: found '2', expected SELECT or '('"),
            (
                "WITH a SELECT 1",
                "8: found the keyword 'SELECT', which needs backticks to be a name, "
                    + "expected AS"
            ),
            ("WITH a AS (SELECT 1) b", "22: found 'b', expected ',', SELECT or '('"),
            (
                "SELECT a WHERE b IN (SELECT 1",
                "30: found the end of input, expected \(Self.afterResult) or ')'"
            ),
            ("SELECT a IS DISTINCT b", "22: found 'b', expected FROM"),
        ])
    func messages(text: String, expected: String) throws {
        #expect(try message(text) == "line 1, column \(expected)", "\(text)")
    }

    private static let afterResult =
        "an operator, ',', AS, FROM, LET, WHERE, GROUP BY, HAVING, UNION, INTERSECT, EXCEPT, "
        + "ORDER BY, LIMIT, OFFSET"

    @Test(
        "of UPDATE and DELETE likewise",
        arguments: [
            ("UPDATE", "7: found the end of input, expected the name of a collection"),
            ("UPDATE a", "9: found the end of input, expected AS, SET or UNSET"),
            ("UPDATE a b c", "12: found 'c', expected SET or UNSET"),
            ("UPDATE a SET 1 = 2", "14: found '1', expected the path of a property"),
            ("UPDATE a SET *[0] = 2", "14: found '*', expected the path of a property"),
            ("UPDATE a SET b 2", "16: found '2', expected '.', '[' or '='"),
            (
                "UPDATE a SET b = 1 c",
                "20: found 'c', expected an operator, ',', UNSET, WHERE, LIMIT or the end of input"
            ),
            (
                "UPDATE a SET a = 1",
                "14: found the documents themselves, expected the path of a property"
            ),
            (
                "UPDATE a UNSET b c",
                "18: found 'c', expected '.', '[', ',', WHERE, LIMIT or the end of input"
            ),
            (
                "UPDATE a UNSET a[0].b",
                "16: found the documents themselves, expected the path of a property"
            ),
            ("DELETE a", "8: found 'a', expected FROM"),
            ("DELETE FROM a b c", "17: found 'c', expected WHERE, LIMIT or the end of input"),
            (
                "DELETE FROM a WHERE b c",
                "23: found 'c', expected an operator, LIMIT or the end of input"
            ),
        ])
    func changes(text: String, expected: String) throws {
        #expect(try message(text) == "line 1, column \(expected)", "\(text)")
    }

    @Test(
        "of calls and windows likewise",
        arguments: [
            (
                "row_number()",
                "1: found row_number() without OVER, expected OVER (…) after a "
                    + "window function"
            ),
            ("rank()", "1: found rank() without OVER, expected OVER (…) after a window function"),
            (
                "abs(1) OVER ()",
                "8: found OVER after abs(), expected an aggregate or "
                    + "window function"
            ),
            (
                "lag(1) FILTER (WHERE a)",
                "8: found FILTER after lag(), expected an aggregate "
                    + "function"
            ),
            (
                "sum(DISTINCT a) OVER ()",
                "17: found OVER after DISTINCT, expected only one of "
                    + "them"
            ),
            ("sum(a) FILTER (a)", "16: found 'a', expected WHERE"),
            (
                "sum(a) OVER (a)",
                "14: found 'a', expected PARTITION BY, ORDER BY, ROWS, RANGE, "
                    + "GROUPS or ')'"
            ),
            ("sum(a) OVER (PARTITION a)", "24: found 'a', expected BY"),
            (
                "sum(a) OVER (ORDER BY a b)",
                "25: found 'b', expected an operator, ',', ASC, DESC, "
                    + "NULLS, ROWS, RANGE, GROUPS or ')'"
            ),
            ("sum(a) OVER (ROWS a)", "20: found ')', expected an operator, PRECEDING or FOLLOWING"),
            ("sum(a) OVER (ROWS BETWEEN CURRENT ROW)", "38: found ')', expected AND"),
            (
                "sum(a) OVER (ROWS CURRENT ROW EXCLUDE a)",
                "39: found 'a', expected CURRENT ROW, "
                    + "GROUP, TIES or NO OTHERS"
            ),
        ])
    func calls(text: String, expected: String) throws {
        let parts = expected.split(separator: ":", maxSplits: 1)
        let column = try #require(Int(parts[0])) + "SELECT ".count
        #expect(try message("SELECT " + text) == "line 1, column \(column):\(parts[1])", "\(text)")
    }

    @Test("states that RAW is not supported, and accepts properties of that name")
    func raw() throws {
        #expect(
            try message("SELECT RAW name FROM _")
                == "line 1, column 8: found SELECT RAW, which is not supported, expected columns, "
                + "or RAW AS and a name if it is a property")
        for text in [
            "SELECT VALUE name.first FROM _", "SELECT DISTINCT element {'a': 1}",
            "SELECT RAW 1", "SELECT raw CASE WHEN 1 THEN 2 END", "SELECT value a",
        ] {
            #expect(try message(text).contains("which is not supported"), "\(text)")
        }
        for text in [
            "SELECT value", "SELECT raw, value", "SELECT value AS a", "SELECT value.a[0] FROM _",
            "SELECT value * 2", "SELECT value[0]", "SELECT value NOT LIKE 'a'", "SELECT a, raw b",
            "SELECT raw UNION SELECT 1",
        ] {
            #expect(throws: Never.self) { try SQLPPParser.statement(text) }
        }
    }

    @Test("states that a source cannot have the name of an outer variable")
    func hiddenSource() throws {
        #expect(
            try message("SELECT ANY x IN a SATISFIES EXISTS (SELECT 1 FROM _ AS x) END")
                == "line 1, column 53: found the alias x, which is also an outer variable, "
                + "expected another one")
    }
}
