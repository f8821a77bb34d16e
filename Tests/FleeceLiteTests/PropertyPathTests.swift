import FleeceLite
import Testing

@Suite("PropertyPath")
struct PropertyPathTests {
    private static func key(_ name: String) -> PropertyPath.Component { .key(name) }

    @Test(
        "a text is read as its steps",
        arguments: [
            ("$", []), ("$.", []), (".", []), ("name", [.key("name")]),
            ("$.name", [.key("name")]), ("name.last", [.key("name"), .key("last")]),
            ("likes[0]", [.key("likes"), .index(0)]), ("[1]", [.index(1)]),
            ("$[1][-2]", [.index(1), .index(-2)]),
            ("a[1].b", [.key("a"), .index(1), .key("b")]),
            (#"a\.b\[c\\"#, [.key(#"a.b[c\"#)]), (#"\$id"#, [.key("$id")]),
            ("a$b.ü", [.key("a$b"), .key("ü")]), ("a b", [.key("a b")]),
            ("[2147483647]", [.index(2_147_483_647)]), ("a]", [.key("a]")]),
        ] as [(String, [PropertyPath.Component])])
    func reading(text: String, components: [PropertyPath.Component]) throws {
        let path = try PropertyPath(parsing: text)
        #expect(path.components == components)
        #expect(try PropertyPath(parsing: text, syntax: .lenient) == path)
        #expect(try PropertyPath(parsing: path.description) == path)
    }

    @Test(
        "a mistake is an error in either syntax",
        arguments: [
            "", "$foo", "[]", "[x]", "[+1]", "[ 1]", "a[1]b", #"a\"#, "[2147483648]", "[-]",
        ])
    func mistakes(text: String) {
        for syntax in [PropertyPath.Syntax.strict, .lenient] {
            #expect(throws: FleeceError.self) { try PropertyPath(parsing: text, syntax: syntax) }
        }
    }

    @Test(
        "what only the reference lets pass is an error unless it is asked for",
        arguments: [
            ("foo..bar", "foo.bar"), ("foo.", "foo"), (".foo", "foo"), ("foo[0", "foo[0]"),
            ("foo.[0]", "foo[0]"),
        ])
    func leniency(text: String, meaning: String) throws {
        #expect(throws: FleeceError.self) { try PropertyPath(parsing: text) }
        let path = try PropertyPath(parsing: text, syntax: .lenient)
        #expect(path.description == meaning)
    }

    @Test("an error says where it is")
    func place() {
        let error = #expect(throws: FleeceError.self) { try PropertyPath(parsing: "name[x]") }
        #expect(error?.offset == 5)
    }

    @Test(
        "a path leads to a value, or to none",
        arguments: [
            ("name.first", "Ada"), ("tags[0]", "a"), ("tags[-1]", "c"), ("tags[3]", nil),
            ("tags[-4]", nil), ("name.none", nil), ("name[0]", nil), ("tags.a", nil),
            ("deep[1].x[0]", "y"), (#"dot\.ted"#, "z"),
        ])
    func evaluation(text: String, expected: String?) throws {
        var encoder = FleeceEncoder()
        try encoder.writeJSON(
            #"{"name":{"first":"Ada"},"tags":["a","b","c"],"deep":[0,{"x":["y"]}],"dot.ted":"z"}"#)
        let document = try FleeceDocument(trusted: encoder.finish())
        let path = try PropertyPath(parsing: text)
        #expect(document.root[path]?.string == expected)
        #expect(document.root.dictionary?[path]?.string == expected)
    }
}
