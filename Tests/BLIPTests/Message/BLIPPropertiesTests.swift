import Testing

@testable import BLIP

@Suite("Properties of messages")
struct BLIPPropertiesTests {
    @Test(
        "They are encoded as pairs of strings with U+0000, after their length",
        arguments: [
            ([:], [0]), (["a": "b"], [4, 97, 0, 98, 0]), (["rev": ""], [5, 114, 101, 118, 0, 0]),
            (["z": "1", "a": "ü"], [9, 122, 0, 49, 0, 97, 0, 0xC3, 0xBC, 0]),
        ] as [(BLIPProperties, [UInt8])])
    func encoding(properties: BLIPProperties, bytes: [UInt8]) {
        #expect(properties.encoded == bytes)
        #expect(BLIPProperties(encoded: Array(bytes.dropFirst())) == properties)
    }

    @Test("A length of more than 127 bytes has two bytes")
    func longLength() {
        let properties: BLIPProperties = ["a": String(repeating: "x", count: 197)]
        #expect(properties.encoded.prefix(3) == [0xC8, 0x01, 97])
        #expect(properties.encoded.count == 202)
    }

    @Test(
        "Bytes that are not pairs of UTF-8 with U+0000 are not read",
        arguments: [
            [97], [97, 0], [97, 0, 98], [0], [0, 0, 0], [97, 0, 98, 0, 99, 0],
            [97, 0, 98, 0, 99], [0xFF, 0, 98, 0], [97, 0, 0xC3, 0], [97, 0, 0xED, 0xA0, 0x80, 0],
            [0xC0, 0x80, 0, 98, 0],
        ] as [[UInt8]])
    func badBytes(bytes: [UInt8]) {
        #expect(BLIPProperties(encoded: bytes) == nil)
    }

    @Test("Values are set, replaced and removed; U+0000 is left out")
    func changes() {
        var properties: BLIPProperties = ["Profile": "rev", "id": "doc\u{0}1"]
        #expect(properties["id"] == "doc1")
        properties["id"] = "doc2"
        properties["n\u{0}ew"] = "\u{0}"
        #expect(properties == ["Profile": "rev", "id": "doc2", "new": ""])
        properties["Profile"] = nil
        properties["missing"] = nil
        #expect(properties == ["id": "doc2", "new": ""])
        #expect(!properties.isEmpty)
        #expect(BLIPProperties().isEmpty)
    }

    @Test("Of several properties of a name the first one counts")
    func repeated() throws {
        let properties = try #require(
            BLIPProperties(encoded: Array("a\u{0}1\u{0}a\u{0}2\u{0}".utf8)))
        #expect(properties["a"] == "1")
    }

    @Test(
        "A Boolean is true, yes or a number other than 0",
        arguments: [
            ("true", true), ("TRUE", true), ("yes", true), ("Yes", true), ("1", true),
            ("-2", true), ("false", false), ("no", false), ("0", false), ("", false),
            ("maybe", false),
        ])
    func booleans(value: String, isTrue: Bool) {
        #expect(BLIPProperties(dictionaryLiteral: ("p", value)).bool("p") == isTrue)
        #expect(!BLIPProperties().bool("p"))
    }

    @Test("A number is decimal")
    func numbers() {
        let properties: BLIPProperties = ["a": "200", "b": "-1", "c": "x", "d": "1.5"]
        #expect(properties.int("a") == 200)
        #expect(properties.int("b") == -1)
        #expect(properties.int("c") == nil)
        #expect(properties.int("d") == nil)
        #expect(properties.int("e") == nil)
    }
}
