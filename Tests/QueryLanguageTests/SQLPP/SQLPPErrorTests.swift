import QueryLanguage
import StoreFormat
import Testing

@Suite("SQL++: an error")
struct SQLPPErrorTests {
    private func message(_ text: String) throws -> String {
        let error = #expect(throws: StoreError.self) { try SQLPPParser.expressions(text) }
        #expect(error?.has(.invalidQuery) == true)
        let syntax = try #require(error?.underlying as? QuerySyntaxError)
        #expect(error?.message == "syntax error: \(syntax)")
        return syntax.description
    }

    @Test(
        "states its position, what was found and what was expected",
        arguments: [
            ("", "line 1, column 1: found the end of input, expected an expression"),
            ("a = ", "line 1, column 5: found the end of input, expected an expression"),
            ("a b", "line 1, column 3: found 'b', expected an operator, ',' or the end of input"),
            ("(1", "line 1, column 3: found the end of input, expected an operator or ')'"),
            ("[1 2]", "line 1, column 4: found '2', expected an operator, ',' or ']'"),
            ("{a: 1}", "line 1, column 2: found 'a', expected a key in quotes"),
            ("{'a' 1}", "line 1, column 6: found '1', expected ':'"),
            ("a.", "line 1, column 3: found the end of input, expected a name or '*'"),
            ("a[b]", "line 1, column 3: found 'b', expected the index of an element"),
            (
                "a[99999999999]",
                "line 1, column 3: found '99999999999', expected the index of an element"
            ),
            ("5[0]", "line 1, column 2: found '[', expected an operator, ',' or the end of input"),
            (
                "a NOT 1", "line 1, column 7: found '1', expected IN, LIKE, BETWEEN or NULL"
            ),
            (
                "a BETWEEN 1 OR 2",
                "line 1, column 13: found the keyword 'OR', which needs backticks to be a name, "
                    + "expected an operator or AND"
            ),
            (
                "order = 1",
                "line 1, column 1: found the keyword 'order', which needs backticks to be a name, "
                    + "expected an expression"
            ),
            ("ANY 1 IN a", "line 1, column 5: found '1', expected the name of a variable"),
            (
                "CASE a THEN 1 END",
                "line 1, column 8: found the keyword 'THEN', which needs backticks to be a name, "
                    + "expected an operator or WHEN"
            ),
            (
                "META().name",
                "line 1, column 8: found 'name', expected id, sequence, deleted, expiration, "
                    + "revisionID, rowid"
            ),
            (
                "a COLLATE x",
                "line 1, column 11: found 'x', expected UNICODE, NOUNICODE, CASE, NOCASE, DIAC or "
                    + "NODIAC"
            ),
            (
                "a & b",
                "line 1, column 3: found '&', expected another operator; this one is not supported"
            ),
            (
                "length(DISTINCT a)",
                "line 1, column 8: found the keyword 'DISTINCT', which needs backticks to be a "
                    + "name, expected an expression"
            ),
        ])
    func messages(text: String, expected: String) throws {
        #expect(try message(text) == expected)
    }

    @Test(
        "names invalid tokens",
        arguments: [
            ("a = 'b", "line 1, column 5: found a string whose quote is not closed"),
            ("a = `b", "line 1, column 5: found a name whose backtick is not closed"),
            ("a /* b", "line 1, column 3: found a comment that is not closed"),
            ("a = $", "line 1, column 5: found '$' without a name"),
            ("12ab", "line 1, column 1: found a number followed by letters, '12ab'"),
            ("a = é", "line 1, column 5: found the character 'é', which needs quotes"),
            ("a # b", "line 1, column 3: found the character '#', which needs quotes"),
            ("1e999", "line 1, column 1: found '1e999'"),
        ])
    func unreadable(text: String, expected: String) throws {
        #expect(try message(text).hasPrefix(expected + ", expected "))
    }

    @Test("counts lines, and characters as a reader does")
    func positions() throws {
        #expect(try message("a,\r\n\n  'e\u{301}👨‍👩‍👧' x").hasPrefix("line 3, column 8: found 'x'"))
        #expect(try message("/* \n */ a b").hasPrefix("line 2, column 7: found 'b'"))
    }

    @Test("shortens quoted text")
    func shortening() throws {
        let name = String(repeating: "x", count: 1000)
        #expect(
            try message("a \(name)")
                == "line 1, column 3: found '\(name.prefix(40))…', "
                + "expected an operator, ',' or the end of input"
        )
    }

    @Test(
        "of an unknown function suggests the nearest one",
        arguments: [
            ("lenght(a)", "lenght()", "an SQL++ function, such as length()"),
            ("arraylength(a)", "arraylength()", "an SQL++ function, such as array_length()"),
            ("is_aray(a)", "is_aray()", "an SQL++ function, such as is_array()"),
            ("flor(1)", "flor()", "an SQL++ function, such as floor()"),
            ("foo()", "foo()", "an SQL++ function"),
            ("array_union(a)", "array_union()", "an SQL++ function"),
            ("object_keys(a)", "object_keys()", "an SQL++ function"),
            ("uper(a)", "uper()", "an SQL++ function, such as upper()"),
            ("completely_other(a)", "completely_other()", "an SQL++ function"),
        ])
    func unknownFunctions(text: String, name: String, expected: String) throws {
        #expect(
            try message("1, \(text)")
                == "line 1, column 4: found the unknown function \(name), expected \(expected)")
    }

    @Test(
        "of a wrong number of arguments states the right one",
        arguments: [
            ("abs()", "abs() with 0 arguments", "1 argument"),
            ("pi(1)", "pi() with 1 argument", "no argument"),
            ("power(1)", "power() with 1 argument", "2 arguments"),
            ("round(1, 2, 3)", "round() with 3 arguments", "1 or 2 arguments"),
            ("greatest(1)", "greatest() with 1 argument", "2 to 127 arguments"),
        ])
    func arguments(text: String, found: String, expected: String) throws {
        #expect(
            try message("1, \(text)") == "line 1, column 4: found \(found), expected \(expected)")
    }
}
