import FleeceLite
import SampleData
import Testing

@Suite("PropertyPath")
struct PropertyPathTests {
    private static func key(_ name: String) -> PropertyPath.Component { .key(name) }

    @Test(
        "a path is parsed into its steps",
        arguments: [
            ("$", []), ("$.", []), (".", []), ("name", [.key("name")]),
            ("$.name", [.key("name")]), ("name.last", [.key("name"), .key("last")]),
            ("likes[0]", [.key("likes"), .index(0)]), ("[1]", [.index(1)]),
            ("$[1][-2]", [.index(1), .index(-2)]),
            ("a[1].b", [.key("a"), .index(1), .key("b")]),
            (#"a\.b\[c\\"#, [.key(#"a.b[c\"#)]), (#"\$id"#, [.key("$id")]),
            ("a$b.ü", [.key("a$b"), .key("ü")]), ("a b", [.key("a b")]),
            ("[2147483647]", [.index(2_147_483_647)]), ("a]", [.key("a]")]),
            (#"[""]"#, [.key("")]), (#"$[""][""]"#, [.key(""), .key("")]),
            (#"a["b.c"][1][""].d"#, [.key("a"), .key("b.c"), .index(1), .key(""), .key("d")]),
            (#"["]\"\\\$[ü"]"#, [.key(#"]"\$[ü"#)]), (#"a"b"#, [.key(#"a"b"#)]),
        ] as [(String, [PropertyPath.Component])])
    func reading(text: String, components: [PropertyPath.Component]) throws {
        let path = try PropertyPath(parsing: text)
        #expect(path.components == components)
        #expect(try PropertyPath(parsing: text, syntax: .lenient) == path)
        #expect(try PropertyPath(parsing: path.description) == path)
    }

    @Test(
        "an invalid path is an error in either syntax",
        arguments: [
            "", "$foo", "[]", "[x]", "[+1]", "[ 1]", "a[1]b", #"a\"#, "[2147483648]", "[-]",
            #"["]"#, #"["a"#, #"["a\"]"#, #"["a"b]"#, #"["a"]b"#, #"["a\"#, "['a']", #"[a""]"#,
        ])
    func mistakes(text: String) {
        for syntax in [PropertyPath.Syntax.strict, .lenient] {
            #expect(throws: FleeceError.self) { try PropertyPath(parsing: text, syntax: syntax) }
        }
    }

    @Test(
        "what only the reference accepts is an error unless the syntax is lenient",
        arguments: [
            ("foo..bar", "foo.bar"), ("foo.", "foo"), (".foo", "foo"), ("foo[0", "foo[0]"),
            ("foo.[0]", "foo[0]"),
        ])
    func leniency(text: String, meaning: String) throws {
        #expect(throws: FleeceError.self) { try PropertyPath(parsing: text) }
        let path = try PropertyPath(parsing: text, syntax: .lenient)
        #expect(path.description == meaning)
    }

    @Test("a path of any steps is parsed from its text")
    func randomPaths() throws {
        var generator = SeededGenerator(for: "PropertyPath")
        let parts = [
            "", ".", "[", "]", "\\", "\"", "$", "0", "-", " ", "a", "é", "e\u{301}", "\u{301}",
            "\0",
            "☠️", "\r\n", "[0]", "\"]", "[\"",
        ]
        for _ in 0..<20_000 {
            let steps = (0..<generator.below(5)).map { _ -> PropertyPath.Component in
                guard generator.below(3) > 0 else {
                    let index = Int32(truncatingIfNeeded: Int(truncatingIfNeeded: generator.next()))
                    return .index(Int(index >> generator.below(32)))
                }
                return .key((0..<generator.below(4)).map { _ in generator.pick(parts) }.joined())
            }
            let text = PropertyPath(steps).description
            for syntax in [PropertyPath.Syntax.strict, .lenient] {
                let back = try PropertyPath(parsing: text, syntax: syntax)
                #expect(back.description.utf8.elementsEqual(text.utf8))
                // Not by `==` alone: Swift's strings are also equal in other forms of Unicode.
                #expect(back.components.map(Self.bytes) == steps.map(Self.bytes), "\(text)")
            }
        }
    }

    private static func bytes(_ step: PropertyPath.Component) -> [UInt8] {
        switch step {
        case .key(let key): Array("k\(key)".utf8)
        case .index(let index): Array("\(index)".utf8)
        }
    }

    @Test("an error has its offset")
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
            (#"["dot.ted"]"#, "z"), (#"[""].x"#, "e"), (#"[""][""]"#, nil),
        ])
    func evaluation(text: String, expected: String?) throws {
        var encoder = FleeceEncoder()
        try encoder.writeJSON(
            #"{"name":{"first":"Ada"},"tags":["a","b","c"],"deep":[0,{"x":["y"]}],"#
                + #""dot.ted":"z","":{"x":"e"}}"#
        )
        let document = try FleeceDocument(trusted: encoder.finish())
        let path = try PropertyPath(parsing: text)
        #expect(document.root[path]?.string == expected)
        #expect(document.root.dictionary?[path]?.string == expected)
    }
}
