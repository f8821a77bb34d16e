import Foundation
import QueryFunctions
import SQLCore
import Testing

@Suite("SQL functions: properties of a body")
struct PropertyFunctionTests {
    let fixture: FunctionFixture
    let body: SQLValue

    init() throws {
        fixture = try FunctionFixture()
        body = try fixture.body(Self.json)
    }

    private static let json = #"""
        {"name": {"first": "Ada", "last": "Lovelace"}, "born": 1815, "height": 1.65, "is": true,
         "was": false, "none": null, "empty": "", "tags": ["a", 2, null, [true, {"x": 5}]],
         "large": 18446744073709551615, "$cost": 7, "a.b": 8, "zero": [], "nothing": {}}
        """#

    @Test(
        "fl_value returns the value at a path; NULL if it does not exist",
        arguments: [
            ("name.first", "'Ada'"), ("born", "1815"), ("height", "1.65"), ("is", "1"),
            ("was", "0"), ("none", "null"), ("empty", "''"), ("tags[0]", "'a'"), ("tags[1]", "2"),
            ("tags[2]", "null"), ("tags[-1][1].x", "5"), ("tags[3][0]", "1"), (#"\$cost"#, "7"),
            (#"a\.b"#, "8"), ("name", #"{"first":"Ada","last":"Lovelace"}"#),
            ("tags", #"["a",2,null,[true,{"x":5}]]"#), ("zero", "[]"), ("nothing", "{}"),
            ("large", "-1"), (".born", "1815"), ("nope", "MISSING"), ("name.nope", "MISSING"),
            ("born.x", "MISSING"), ("tags.x", "MISSING"), ("tags[4]", "MISSING"),
            ("tags[-5]", "MISSING"), ("name[0]", "MISSING"), ("tags[2147483647]", "MISSING"),
        ])
    func values(path: String, expected: String) throws {
        #expect(try fixture.value("fl_value(?, ?)", body, .text(path)) == expected)
    }

    @Test("fl_root is the whole document, also with the path '$', empty or NULL")
    func root() throws {
        let name = try fixture.body(#"{"a": {"b": [1, "x"]}}"#)
        let whole = #"{"a":{"b":[1,"x"]}}"#
        #expect(try fixture.value("fl_root(?)", name) == whole)
        #expect(try fixture.value("fl_value(?, '$')", name) == whole)
        #expect(try fixture.value("fl_value(?, '')", name) == whole)
        #expect(try fixture.value("fl_value(?, NULL)", name) == whole)
    }

    @Test(
        "A value that is not a body has no properties",
        arguments: [
            "NULL", "5", "2.5", "'text'", "x''", "x'00'", "x'0102030405'", "zeroblob(8)",
        ])
    func noBody(argument: String) throws {
        for call in ["fl_value(\(argument), 'a')", "fl_count(\(argument), 'a')"] {
            #expect(try fixture.value(call) == "MISSING")
        }
        #expect(try fixture.value("fl_exists(\(argument), 'a')") == "0")
        #expect(try fixture.value("fl_fts_value(\(argument), 'a')") == "MISSING")
        #expect(try fixture.value("fl_nested_value(\(argument), 'a')") == "MISSING")
        #expect(try fixture.value("fl_blob(\(argument), 'a')") == "MISSING")
        #expect(try fixture.value("fl_contains(\(argument), 'a', 1)") == "MISSING")
        #expect(try fixture.rows("SELECT 1 FROM fl_each(\(argument), 'a')") == [])
    }

    @Test(
        "Subtypes distinguish Booleans, null and large integers",
        arguments: [
            ("is", 0x68), ("was", 0x68), ("none", 0x67), ("large", 0x69), ("born", 0),
            ("name", 0), ("height", 0), ("nope", 0),
        ])
    func marks(path: String, expected: Int) throws {
        #expect(
            try fixture.value("subtype_of(fl_value(?, ?))", body, .text(path)) == "\(expected)")
    }

    @Test(
        "An invalid path is an error that names it",
        arguments: ["tags[", "tags[x]", "a]b[", "tags[99999999999]", "$x", "a\\"])
    func invalidPath(path: String) throws {
        for call in [
            "fl_value(?, ?)", "fl_exists(?, ?)", "fl_count(?, ?)", "fl_fts_value(?, ?)",
            "fl_blob(?, ?)", "fl_nested_value(?, ?)", "fl_contains(?, ?, 1)",
            "count(*) FROM fl_each(?, ?)",
        ] {
            let message = fixture.error(call, body, .text(path))
            // A missing `]` at the end is overlooked, as LiteCore does.
            #expect(message?.contains("'\(path)'") == true, "\(call): \(message ?? "no error")")
        }
    }

    @Test("A path of 100,000 steps is followed to where it ends")
    func longPath() throws {
        let path = Array(repeating: "a", count: 100_000).joined(separator: ".")
        #expect(try fixture.value("fl_value(?, ?)", body, .text(path)) == "MISSING")
        let indexes = "tags[3]" + String(repeating: "[0]", count: 100_000)
        #expect(try fixture.value("fl_exists(?, ?)", body, .text(indexes)) == "0")
        // More different paths than are cached.
        for index in 0..<2000 {
            let path = "tags[\(index % 4)]\(index % 7 == 0 ? "" : ".x\(index)")"
            let exists = try fixture.value("fl_exists(?, ?)", body, .text(path))
            #expect(exists == (index % 7 == 0 ? "1" : "0"), "\(path)")
        }
    }

    @Test("fl_nested_value reads a computed value, and nothing else")
    func nested() throws {
        #expect(
            try fixture.value("fl_nested_value(fl_value(?, 'name'), 'last')", body) == "'Lovelace'")
        #expect(try fixture.value("fl_nested_value(dict_of('a', array_of(4)), 'a[0]')") == "4")
        #expect(try fixture.value("fl_nested_value(fl_value(?, 'born'), 'x')", body) == "MISSING")
        #expect(try fixture.value("fl_nested_value(fl_null(), 'x')") == "MISSING")
    }

    @Test("fl_unnested_value returns an element itself, or a property of it")
    func unnested() throws {
        #expect(try fixture.value("fl_unnested_value('x')") == "'x'")
        #expect(try fixture.value("fl_unnested_value(5)") == "5")
        #expect(try fixture.value("fl_unnested_value(NULL)") == "MISSING")
        #expect(try fixture.value("fl_unnested_value(x'')") == "null")
        #expect(try fixture.value("fl_unnested_value('x', 'a')") == "MISSING")
        #expect(try fixture.value("fl_unnested_value(x'', 'a')") == "MISSING")
        #expect(try fixture.value("fl_unnested_value(dict_of('a', 3), 'a')") == "3")
        #expect(try fixture.value("fl_unnested_value(dict_of('a', 3))") == #"{"a":3}"#)
        #expect(fixture.error("fl_unnested_value()")?.contains("fl_unnested_value") == true)
        #expect(fixture.error("fl_unnested_value(1, 2, 3)")?.contains("arguments") == true)
    }

    @Test("fl_exists is a Boolean, and null exists")
    func existence() throws {
        #expect(try fixture.value("fl_exists(?, 'none')", body) == "1")
        #expect(try fixture.value("fl_exists(?, 'nope')", body) == "0")
        #expect(try fixture.value("subtype_of(fl_exists(?, 'none'))", body) == "\(0x68)")
    }

    @Test("fl_count counts elements that are not null, and entries of a dictionary")
    func count() throws {
        #expect(try fixture.value("fl_count(?, 'tags')", body) == "3")
        #expect(try fixture.value("fl_count(?, 'zero')", body) == "0")
        #expect(try fixture.value("fl_count(?, 'nothing')", body) == "0")
        #expect(try fixture.value("fl_count(?, 'name')", body) == "2")
        let nulls = try fixture.body(
            #"{"d": {"a": null, "b": 1}, "a": [null, false, null, 0, ""]}"#)
        #expect(try fixture.value("fl_count(?, 'd')", nulls) == "2")
        #expect(try fixture.value("fl_count(?, 'a')", nulls) == "3")
        #expect(try fixture.value("fl_count(?, 'born')", body) == "MISSING")
        #expect(try fixture.value("fl_count(?, 'none')", body) == "MISSING")
    }

    @Test("fl_blob returns the content for the digest, marked as data")
    func blobs() throws {
        let document = try fixture.body(
            #"{"photo": {"@type": "blob", "digest": "sha1-x"}, "n": 1}"#)
        #expect(try fixture.value("fl_blob(?, 'photo')", document) == "MISSING")
        fixture.functions.readBlob = { $0 == "sha1-x" ? [1, 2, 3] : nil }
        #expect(try fixture.value("hex(fl_blob(?, 'photo'))", document) == "'010203'")
        #expect(try fixture.value("subtype_of(fl_blob(?, 'photo'))", document) == "\(0x66)")
        #expect(try fixture.value("fl_result(fl_blob(?, 'photo'))", document) == "data(3)")
        #expect(try fixture.value("fl_blob(?, 'n')", document) == "MISSING")
        #expect(try fixture.value("fl_blob(?, 'nope')", document) == "MISSING")
    }

    @Test("fl_fts_value writes the scalars, those of inner collections later, the last ones first")
    func texts() throws {
        let document = try fixture.body(
            #"{"b":[1,{"c":2}],"a":{"d":3},"e":null,"t":true,"f":false,"s":"x y","r":-1.5}"#)
        #expect(try fixture.value("fl_fts_value(?, 's')", document) == "'x y'")
        #expect(try fixture.value("fl_fts_value(?, 't')", document) == "'T'")
        #expect(try fixture.value("fl_fts_value(?, 'f')", document) == "'F'")
        #expect(try fixture.value("fl_fts_value(?, 'e')", document) == "''")
        #expect(try fixture.value("fl_fts_value(?, 'r')", document) == "'-1.5'")
        #expect(try fixture.value("fl_fts_value(?, 'nope')", document) == "MISSING")
        let list = try fixture.body(
            #"{"l": [[1, [2]], "a", null, {"x": [3, {"y": 4}], "z": 5}, true, "#
                + "18446744073709551615]}"
        )
        #expect(
            try fixture.value("fl_fts_value(?, 'l')", list)
                == "'a  T 18446744073709551615 5 3 4 1 2'")
    }
}
