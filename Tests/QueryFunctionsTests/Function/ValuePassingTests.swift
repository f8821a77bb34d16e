import Foundation
import QueryFunctions
import SQLCore
import StoreFormat
import Testing
import FleeceLite

@Suite("SQL functions: results, constants and comparisons")
struct ValuePassingTests {
    let fixture: FunctionFixture
    let body: SQLValue

    init() throws {
        fixture = try FunctionFixture()
        body = try fixture.body(
            #"""
            {"t": true, "f": false, "n": null, "i": 5, "r": 2.5, "s": "x",
             "u": 18446744073709551615,
             "a": [1, "x", null, true, 2.5, [1, {"k": 1}], {"k": [1]}, 18446744073709551615, -1],
             "d": {"p": 1, "q": "y"}}
            """#)
    }

    @Test(
        "fl_result encodes Booleans, large integers and data as Fleece, and nothing else",
        arguments: [
            ("t", "true"), ("f", "false"), ("n", "null"), ("i", "5"), ("r", "2.5"), ("s", "'x'"),
            ("u", "18446744073709551615"), ("d", #"{"p":1,"q":"y"}"#), ("nope", "MISSING"),
        ])
    func results(path: String, expected: String) throws {
        #expect(try fixture.value("fl_result(fl_value(?, ?))", body, .text(path)) == expected)
        // In one call, the same.
        #expect(try fixture.value("fl_result_value(?, ?)", body, .text(path)) == expected)
    }

    @Test(
        "fl_boolean_result converts numbers to Booleans",
        arguments: [
            ("1", "true"), ("0", "false"), ("-7", "true"), ("0.5", "true"), ("0.0", "false"),
            ("NULL", "MISSING"), ("fl_null()", "null"), ("'x'", "'x'"), ("1 < 2", "true"),
        ])
    func booleanResults(argument: String, expected: String) throws {
        #expect(try fixture.value("fl_boolean_result(\(argument))") == expected)
    }

    @Test("fl_null is null, which is not missing; fl_bool is a Boolean")
    func constants() throws {
        #expect(try fixture.value("fl_null()") == "null")
        #expect(try fixture.value("fl_null() IS NULL") == "0")
        #expect(try fixture.value("subtype_of(fl_null())") == "\(0x67)")
        #expect(try fixture.value("fl_result(fl_bool(3))") == "true")
        #expect(try fixture.value("fl_result(fl_bool(0))") == "false")
        #expect(try fixture.value("fl_bool(NULL)") == "MISSING")
    }

    @Test("fl_version is a revision ID of either kind as a string")
    func versions() throws {
        let digest = SQLValue.blob(Data([2, 0x0F, 0x3A, 0x00]))
        #expect(try fixture.value("fl_version(?)", digest) == "'2-0f3a00'")
        for argument in ["NULL", "x''", "x'01'", "x'00'", "5", "'2-0f3a'", "x'00FF'"] {
            #expect(try fixture.value("fl_version(\(argument))") == "MISSING", "\(argument)")
        }
        let vector = try VersionVector(text: "18e9f0b79efc0002@*").binary
        #expect(
            try fixture.value("fl_version(?)", .blob(Data(vector))) == "'18e9f0b79efc0002@*'")
    }

    @Test("array_of and dict_of build collections, and omit missing values")
    func construction() throws {
        #expect(try fixture.value("array_of()") == "[]")
        #expect(try fixture.value("dict_of()") == "{}")
        #expect(
            try fixture.value(
                "array_of(1, NULL, 2.5, 'x', fl_null(), fl_bool(1), fl_value(?, 'u'))", body)
                == #"[1,2.5,"x",null,true,18446744073709551615]"#)
        #expect(try fixture.value("array_of(5000000000)") == "[5000000000]")
        #expect(
            try fixture.value("array_of(fl_value(?, 'd'), array_of(array_of()))", body)
                == #"[{"p":1,"q":"y"},[[]]]"#)
        #expect(
            try fixture.value("dict_of('b', 1, 'a', fl_null(), 'c', NULL, 5, fl_bool(0))")
                == #"{"5":false,"a":null,"b":1}"#)
        #expect(try fixture.value("array_of(1e999)") != "")
    }

    @Test("dict_of fails for a key without a value, and for one that is missing or null")
    func constructionErrors() {
        #expect(fixture.error("dict_of('a')")?.contains("pairs") == true)
        #expect(fixture.error("dict_of('a', 1, 'b')")?.contains("pairs") == true)
        #expect(fixture.error("dict_of(NULL, 1)")?.contains("key") == true)
        #expect(fixture.error("dict_of(fl_null(), 1)")?.contains("key") == true)
    }

    @Test(
        "fl_contains compares as JSON does: a Boolean is not a number, null equals null",
        arguments: [
            ("1", "1"), ("1.0", "1"), ("'x'", "1"), ("'X'", "0"), ("fl_null()", "1"),
            ("fl_bool(1)", "1"), ("fl_bool(0)", "0"), ("0", "0"), ("2.5", "1"), ("2", "0"),
            ("array_of(1, dict_of('k', 1))", "1"), ("dict_of('k', array_of(1.0))", "1"),
            ("dict_of('k', array_of(2))", "0"), ("array_of(1)", "0"), ("''", "0"),
            ("fl_value(body, 'u')", "1"), ("-1", "1"), ("NULL", "MISSING"), ("x'00'", "MISSING"),
        ])
    func containment(sought: String, expected: String) throws {
        #expect(
            try fixture.value("fl_contains(body, 'a', \(sought)) FROM (SELECT ? AS body)", body)
                == expected)
    }

    @Test("fl_contains reads a dictionary's values, and the root for the path NULL")
    func containmentInDictionary() throws {
        #expect(try fixture.value("fl_contains(?, 'd', 'y')", body) == "1")
        #expect(try fixture.value("fl_contains(?, 'd', 'q')", body) == "0")
        #expect(try fixture.value("fl_contains(array_of('a'), NULL, 'a')") == "1")
        #expect(try fixture.value("fl_contains(?, 's', 'x')", body) == "MISSING")
        #expect(try fixture.value("fl_contains(?, 'nope', 'x')", body) == "MISSING")
        // A number by its bits is another one by its value.
        #expect(
            try fixture.value("fl_contains(array_of(-1), NULL, fl_value(?, 'u'))", body) == "0")
    }

    @Test("An index distinguishes null and missing, and stores Booleans as 1 and 0")
    func index() throws {
        try fixture.context.exec(sql: "CREATE TABLE kv (key TEXT, body BLOB)")
        try fixture.context.exec(sql: "CREATE INDEX byA ON kv (fl_value(body, 'a'))")
        let values = ["true", "false", "null", "1", "2.5", #""x""#, "[1]", #"{"k":1}"#]
        for value in values {
            let body = try fixture.body(#"{"a": \#(value)}"#)
            try fixture.context.exec(
                sql: "INSERT INTO kv VALUES (?, ?)", parameters: [.text(value), body])
        }
        let other = try fixture.body(#"{"b": 1}"#)
        try fixture.context.exec(sql: "INSERT INTO kv VALUES ('MISSING', ?)", parameters: [other])
        #expect(
            try fixture.rows("SELECT fl_value(body, 'a') FROM kv INDEXED BY byA ORDER BY 1")
                == ["MISSING", "0", "1", "1", "2.5", "'x'", "null", "[1]", #"{"k":1}"#])
        #expect(
            try fixture.rows("SELECT key FROM kv INDEXED BY byA WHERE fl_value(body, 'a') = x''")
                == ["'null'"])
        #expect(
            try fixture.rows(
                "SELECT key FROM kv INDEXED BY byA WHERE fl_value(body, 'a') = 1 ORDER BY key")
                == ["'1'", "'true'"])
        #expect(try fixture.rows("PRAGMA integrity_check") == ["'ok'"])
    }

    @Test("A number that was given to another key is looked up again")
    func keysAfterRollback() throws {
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        try encoder.writeJSON(#"{"first": 1}"#)
        let first = SQLValue.blob(Data(try encoder.finish()))
        fixture.functions.use(encoder.sharedKeys ?? SharedKeys())
        let statement = "fl_value(?, 'first'), fl_value(?, 'second')"
        let rows = { try fixture.rows("SELECT \(statement)", $0, $0) }
        #expect(try rows(first) == ["1 MISSING"])
        // The transaction is undone, and the number 0 goes to another key.
        encoder.sharedKeys = SharedKeys()
        try encoder.writeJSON(#"{"second": 2}"#)
        let second = SQLValue.blob(Data(try encoder.finish()))
        #expect(first != second)
        fixture.functions.use(encoder.sharedKeys ?? SharedKeys())
        #expect(try rows(second) == ["MISSING 2"])
        #expect(try fixture.value("fl_root(?)", second) == #"{"second":2}"#)
    }
}
