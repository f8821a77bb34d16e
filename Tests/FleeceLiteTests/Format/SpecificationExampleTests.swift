import Testing

import FleeceLite

/// Calls of an encoder, the base if there is one, and the resulting bytes and value.
struct SpecificationExample: Sendable, CustomTestStringConvertible {
    /// The shared keys: for an encoder with a table, its keys at the end.
    enum Keys: Sendable {
        case none
        /// Numbered as they occur.
        case added([String])
        /// Numbered before.
        case given([String])
    }

    let number: Int
    let meaning: String
    var keys = Keys.none
    /// The base.
    var base: String?
    var usesExternPointers = false
    let hex: String
    let value: Tree
    let write: @Sendable (inout FleeceEncoder, FleeceDocument?) throws -> Void

    var testDescription: String { "\(number): \(meaning)" }

    var table: SharedKeys {
        switch keys {
        case .none: SharedKeys()
        case .added(let keys), .given(let keys): FleeceLiteTests.table(keys)
        }
    }

    var baseDocument: FleeceDocument? {
        get throws { try base.map { try FleeceDocument(trusted: bytes($0)) } }
    }

    /// Copies the value of JSON, for an example of one value.
    static func copies(_ json: String)
        -> @Sendable (inout FleeceEncoder, FleeceDocument?) throws
        -> Void
    { { encoder, _ in try encoder.write(document(json: json).root) } }

    /// A mutable array of one integer.
    static func made(
        _ value: Int64
    ) -> @Sendable (inout FleeceEncoder, FleeceDocument?) throws -> Void {
        { encoder, _ in try encoder.write([.int(value)] as MutableFleeceValue) }
    }

    /// A dictionary that inherits from the base's root, with one own property.
    static func inherits(
        _ write: @escaping @Sendable (inout FleeceEncoder) -> Void
    ) -> @Sendable (inout FleeceEncoder, FleeceDocument?) throws -> Void {
        { encoder, base in
            try encoder.beginDictionary(inheriting: #require(base?.root.dictionary))
            try encoder.writeKey("foo")
            write(&encoder)
            try encoder.endDictionary()
        }
    }
}

/// The examples that `EncoderScalarTests` and `EncoderCollectionTests` lack: all together are 58.
extension SpecificationExample {
    private static let base = "4366 6f6f 4362 6172 4568 656c 6c6f 7002 8006 8005 800a 007b 8005"

    static let numberedKeys = [
        SpecificationExample(
            number: 40, meaning: "keys that are numbers", keys: .given((0..<2048).map { "k\($0)" }),
            hex: "7003 0000 0017 0001 002a 07ff 0fff 8007",
            value: ["k0": 23, "k1": 42, "k2047": -1]
        ) { encoder, _ in try encoder.writeJSON(#"{"k2047":-1,"k1":42,"k0":23}"#) },
        SpecificationExample(
            number: 41, meaning: "keys that get numbers, and one that cannot",
            keys: .added(["type", "mass", "_attachments"]),
            hex: """
                4661 6e69 6d61 6c00 2800 77be 9f1a 2fdd 5e40 4d74 6875 6d62 6e61 696c 2e6a 7067 \
                5678 7878 7878 7800 7002 0000 3800 800e 8008 7003 0000 801b 0001 8019 0002 800b 8007
                """,
            value: [
                "type": "animal", "mass": 123.456,
                "_attachments": [
                    "type": true, "thumbnail.jpg": .data(Array(repeating: 0x78, count: 6)),
                ],
            ]
        ) { encoder, _ in
            encoder.beginDictionary()
            try encoder.writeKey("type")
            encoder.writeString("animal")
            try encoder.writeKey("mass")
            try encoder.writeDouble(123.456)
            try encoder.writeKey("_attachments")
            encoder.beginDictionary()
            try encoder.writeKey("thumbnail.jpg")
            encoder.writeData(Array("xxxxxx".utf8))
            try encoder.writeKey("type")
            encoder.writeBool(true)
            try encoder.endDictionary()
            try encoder.endDictionary()
        },
        SpecificationExample(
            number: 42, meaning: "numbered keys before a string, also an empty one",
            keys: .added(["name", "age", ""]),
            hex: "467a 7a20 746f 7000 4242 6f00 7004 0000 8004 0001 0007 0002 0009 800d 0001 8009",
            value: ["name": "Bo", "age": 7, "": 9, "zz top": 1]
        ) { encoder, _ in try encoder.writeJSON(#"{"zz top":1,"name":"Bo","age":7,"":9}"#) },
        SpecificationExample(
            number: 43, meaning: "the stored table of those keys",
            hex: "446e 616d 6500 4361 6765 6003 8006 8004 4000 8004",
            value: ["name", "age", ""]
        ) { encoder, _ in try encoder.writeJSON(#"["name","age",""]"#) },
    ]

    static let continuations = [
        SpecificationExample(
            number: 44, meaning: "one dictionary pointed to twice",
            hex: "4366 6f6f 7001 8003 0011 4470 7265 7600 7001 8004 8008 6002 800a 8005 8003",
            value: [["foo": 17], ["prev": ["foo": 17]]]
        ) { encoder, _ in
            encoder.beginArray()
            try encoder.writeJSON(#"{"foo":17}"#)
            let last = encoder.lastWrittenValue
            encoder.beginDictionary()
            try encoder.writeKey("prev")
            try encoder.write(again: #require(last))
            try encoder.endDictionary()
            try encoder.endArray()
        },
        SpecificationExample(
            number: 46, meaning: "a child dictionary after its base, with another value for a key",
            base: base, hex: "4366 6f6f 7002 0800 800a 8005 01c8 8005",
            value: ["bar": "hello", "foo": 456], write: inherits { $0.writeInt(456) }),
        SpecificationExample(
            number: 47, meaning: "the same dictionary, stored elsewhere", base: base,
            usesExternPointers: true, hex: "4366 6f6f 7002 0800 c00a 8005 01c8 8005",
            value: ["bar": "hello", "foo": 456], write: inherits { $0.writeInt(456) }),
        SpecificationExample(
            number: 48, meaning: "a child dictionary without one of the inherited keys", base: base,
            hex: "4366 6f6f 7002 0800 800a 8005 3c00 8005", value: ["bar": "hello"],
            write: inherits { $0.writeUndefined() }),
        SpecificationExample(
            number: 49, meaning: "the base's root, unchanged", base: base, hex: "8006",
            value: ["bar": "hello", "foo": 123]
        ) { encoder, base in try encoder.write(#require(base?.root)) },
        SpecificationExample(
            number: 50, meaning: "the part after a part that was snipped off",
            base: """
                4470 6172 7400 446e 616d 6500 4953 6e69 7020 5465 7374 7002 8009 8007 800e 0001 8005
                """,
            usesExternPointers: true, hex: "7002 c00f c00d c014 0002 6002 c00c 8007 8003",
            value: [["name": "Snip Test", "part": 1], ["name": "Snip Test", "part": 2]],
            write: snipped),
    ]

    /// Snips off the first of two equal dictionaries, which is then the base.
    private static let snipped: @Sendable (inout FleeceEncoder, FleeceDocument?) throws -> Void = {
        encoder, base in
        encoder.reset()
        encoder.beginArray()
        for part: Int64 in 1...2 {
            if part == 2 { #expect(try encoder.snip() == base.map { [UInt8]($0.bytes) }) }
            encoder.beginDictionary()
            try encoder.writeKey("part")
            encoder.writeInt(part)
            try encoder.writeKey("name")
            encoder.writeString("Snip Test")
            try encoder.endDictionary()
        }
        try encoder.endArray()
    }

    static let copies = [
        SpecificationExample(
            number: 51, meaning: "2048 from an array that a program made",
            hex: "6801 1100 0800 8003", value: [2048], write: made(2048)),
        SpecificationExample(
            number: 51, meaning: "100,000 from an array that a program made",
            hex: "6801 12a0 8601 8003", value: [100_000], write: made(100_000)),
        SpecificationExample(
            number: 51, meaning: "-2048 from an array that a program made",
            hex: "6801 1100 f800 8003", value: [-2048], write: made(-2048)),
        SpecificationExample(
            number: 52, meaning: "an integer that is too long for a slot",
            hex: "1300 0000 0100 6001 8004 8002", value: [16_777_216], write: made(16_777_216)),
        SpecificationExample(
            number: 53, meaning: "a copied array with integers of 3 and of 4 bytes",
            hex: "6805 1900 0800 1a70 1101 0005 0000 4000 0000 3800 0000 800b",
            value: [2048, 70_000, 5, "", true], write: copies(#"[2048,70000,5,"",true]"#)),
    ]

    static let all = numberedKeys + continuations + copies
}

@Suite("The examples of the format's description")
struct SpecificationExampleTests {
    @Test("All 58 are tested, here or with the scalars or the collections")
    func complete() {
        let here = SpecificationExample.all.map(\.number)
        let others = (EncoderScalarTests.all + EncoderCollectionTests.all).map(\.number)
        // Those that are only partly written down have their own tests.
        #expect(Set(here + others + [54, 55, 56, 57]) == Set(1...58))
    }

    @Test("The bytes are those of the example", arguments: SpecificationExample.all)
    func encoding(_ example: SpecificationExample) throws {
        var encoder: FleeceEncoder
        switch example.keys {
        case .none: encoder = FleeceEncoder()
        case .added: encoder = FleeceEncoder(sharedKeys: SharedKeys())
        case .given: encoder = FleeceEncoder(sharedKeys: example.table)
        }
        let base = try example.baseDocument
        if let base { try encoder.amend(base, externPointers: example.usesExternPointers) }
        try example.write(&encoder, base)
        #expect(try hex(encoder.finish()) == hex(bytes(example.hex)))
        #expect(encoder.sharedKeys?.keys ?? [] == example.table.keys)
    }

    @Test("The bytes are read as the value of the example", arguments: SpecificationExample.all)
    func decoding(_ example: SpecificationExample) throws {
        let own = try bytes(example.hex)
        let base = try example.baseDocument
        let document: FleeceDocument
        if let base, !example.usesExternPointers {
            document = try FleeceDocument(trusted: [UInt8](base.bytes) + own)
        } else {
            document = try FleeceDocument(trusted: own, sharedKeys: example.table, base: base)
        }
        #expect(Tree(document.root) == example.value)
        if base == nil {
            _ = try FleeceDocument(
                validating: own, sharedKeys: example.table, level: .strict)
        }
    }

    @Test("43: the stored table is read as the keys in their order")
    func state() throws {
        let state = try bytes("446e 616d 6500 4361 6765 6003 8006 8004 4000 8004")
        let keys = try SharedKeys(state: state)
        #expect(keys.keys == ["name", "age", ""])
        #expect(try keys.stateData() == state)
    }

    @Test(
        "54: from 2,047 items on the header has a varint of the excess",
        arguments: [
            (2046, "67fe 3000"), (2047, "67ff 0000 3000"), (2048, "67ff 0100 3000"),
            (2175, "67ff 8001 3000"),
        ])
    func manyItems(count: Int, start: String) throws {
        let document = try encoded { encoder in
            encoder.beginArray()
            for _ in 0..<count { encoder.writeNull() }
            try encoder.endArray()
        }
        #expect(try document.starts(with: bytes(start)))
        #expect(document.count == (count < 2047 ? 2 : 4) + 2 * count + 2)
        let array = try FleeceDocument(trusted: document).root.array
        #expect(array?.count == count)
        #expect(array?.allSatisfy(\.isNull) == true)
    }

    @Test(
        "55: a root too far back for 2 bytes has a pointer of 4, and one of 2 to that",
        arguments: [(16_381, "0001 bfff"), (16_382, "0001 8000 4000 8002")])
    func farRoot(count: Int, end: String) throws {
        let json = "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
        let document = try encoded(json: json)
        #expect(try document.suffix(bytes(end).count) == bytes(end)[...])
        let array = try FleeceDocument(trusted: document).root.array
        #expect(array?.count == count)
        #expect(array?.allSatisfy { $0.int == 1 } == true)
    }

    @Test(
        "56: one pointer that reaches too far makes all slots of its array wide",
        arguments: [
            (32_756, "6002 bfff bffe 8003"), (32_757, "6802 8000 4000 8000 4000 8005"),
        ])
    func wideArray(length: Int, end: String) throws {
        let text = String(repeating: "x", count: length)
        let document = try encoded(json: #"["hi","\#(text)"]"#)
        #expect(try hex(document.suffix(bytes(end).count)) == end)
        #expect(try Tree(FleeceDocument(trusted: document).root) == ["hi", .string(text)])
    }

    @Test("57: keys that do not fit into the table are strings")
    func fullTable() throws {
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        let names = (0..<2050).map { "k" + String("000\($0)".suffix(4)) }
        try encoder.writeJSON("{" + names.map { "\"\($0)\":null" }.joined(separator: ",") + "}")
        let document = try encoder.finish()
        let keys = encoder.sharedKeys ?? SharedKeys()
        #expect(document.count == 8218)
        #expect(
            hex(document.prefix(24))
                == "456b 3230 3438 456b 3230 3439 77ff 0300 0000 3000 0001 3000")
        #expect(hex(document.suffix(14)) == "07ff 3000 9008 3000 9007 3000 9006")
        #expect(keys.keys == Array(names.prefix(2048)))
        let value = try FleeceDocument(trusted: document, sharedKeys: keys).root
        #expect(Tree(value) == .dictionary(names.map { Tree.Pair(key: $0, value: .null) }))
    }
}

@Suite("The hash function of the tests")
struct SHA256Tests {
    @Test("The examples of its standard have their hashes")
    func examples() {
        #expect(
            SHA256.hex([])
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            SHA256.hex(Array("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            SHA256.hex(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }
}
