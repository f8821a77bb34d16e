import FleeceLite
import Testing

@Suite("JSONPointer")
struct JSONPointerTests {
    /// The document of RFC 6901, section 5.
    private static let example =
        ##"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"##
        + ##""k\"l":6," ":7,"m~n":8}"##

    private static func document(_ json: String) throws -> FleeceDocument {
        var encoder = FleeceEncoder()
        try encoder.writeJSON(json)
        return try FleeceDocument(trusted: encoder.finish())
    }

    @Test(
        "The examples of RFC 6901 have the values given there",
        arguments: [
            (
                "",
                #"{"":0," ":7,"a/b":1,"c%d":2,"e^f":3,"foo":["bar","baz"],"g|h":4,"i\\j":5,"#
                    + #""k\"l":6,"m~n":8}"#
            ),
            ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"),
            ("/c%d", "2"), ("/e^f", "3"), ("/g|h", "4"), (#"/i\j"#, "5"), (#"/k"l"#, "6"),
            ("/ ", "7"), ("/m~0n", "8"),
        ])
    func examples(text: String, json: String) throws {
        let pointer = try JSONPointer(parsing: text)
        var writer = JSONWriter()
        try writer.write(#require(Self.document(Self.example).root[pointer]))
        #expect(writer.text.string == json)
        #expect(pointer.description == text)
    }

    @Test(
        "A pointer is parsed into its steps, and written unchanged",
        arguments: [
            ("", []), ("/", [""]), ("//", ["", ""]), ("/a/b", ["a", "b"]), ("/~01", ["~1"]),
            ("/~10", ["/0"]), ("/ü☠️/0", ["ü☠️", "0"]), ("/~0~1~0", ["~/~"]),
        ] as [(String, [String])])
    func reading(text: String, tokens: [String]) throws {
        #expect(try JSONPointer(parsing: text).tokens == tokens)
        #expect(JSONPointer(tokens).description == text)
    }

    @Test(
        "An invalid pointer is an error with its offset",
        arguments: [("a", 0), ("a/b", 0), ("/~", 1), ("/a~2", 2), ("/ok/~~0", 4), ("~0", 0)])
    func mistakes(text: String, offset: Int) {
        let error = #expect(throws: FleeceError.self) { try JSONPointer(parsing: text) }
        #expect(error?.code == .invalidData)
        #expect(error?.offset == offset)
    }

    @Test(
        "An index is decimal, without a sign or leading zeros, and inside the array",
        arguments: [
            "/2", "/-1", "/-", "/01", "/00", "/+1", "/ 1", "/1 ", "/", "/x", "/1.0", "/٢",
            "/99999999999999999999", "/0/0", "/0/a",
        ])
    func noElement(text: String) throws {
        let value = try Self.document("[10,11]").root
        #expect(try value[JSONPointer(parsing: "/1")]?.int == 11)
        #expect(try value[JSONPointer(parsing: text)] == nil)
    }

    @Test("In a dictionary digits are an ordinary key")
    func digitsAsKey() throws {
        let value = try Self.document(#"{"01":[{"0":"x"}],"-":"y"}"#).root
        #expect(try value[JSONPointer(parsing: "/01/0/0")]?.string == "x")
        #expect(try value[JSONPointer(parsing: "/-")]?.string == "y")
        #expect(try value[JSONPointer(parsing: "/1")] == nil)
    }
}
