import Testing

import FleeceLite

@Suite("Encoder: shared keys")
struct EncoderSharedKeyTests {
    @Test("Example 41: keys are numbered as they occur, and ineligible ones remain strings")
    func documentWithSharedKeys() throws {
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
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
        let document = try encoder.finish()
        let expected = """
            4661 6e69 6d61 6c00 2800 77be 9f1a 2fdd 5e40 4d74 6875 6d62 6e61 696c 2e6a 7067 \
            5678 7878 7878 7800 7002 0000 3800 800e 8008 7003 0000 801b 0001 8019 0002 800b 8007
            """
        #expect(hex(document) == expected)
        let keys = encoder.sharedKeys?.keys
        #expect(keys == ["type", "mass", "_attachments"])
        let attachments: Tree = [
            "type": true, "thumbnail.jpg": .data(Array("xxxxxx".utf8)),
        ]
        let tree = try Tree(hex: expected, sharedKeys: table(["type", "mass", "_attachments"]))
        #expect(tree == ["type": "animal", "mass": 123.456, "_attachments": attachments])
        let read = try FleeceDocument(
            trusted: document, sharedKeys: table(["type", "mass", "_attachments"]))
        #expect(read.root["_attachments"]?["type"]?.bool == true)
        #expect(read.root["_attachments"]?["thumbnail.jpg"]?.data?.count == 6)
        #expect(read.root["_attachments"]?["mass"] == nil)
    }

    @Test("Examples 42 and 43: numbers come before strings, and the table is an array of its keys")
    func orderAndState() throws {
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        try encoder.writeJSON(#"{"zz top":1,"name":"Bo","age":7,"":9}"#)
        let document = try encoder.finish()
        #expect(
            hex(document)
                == "467a 7a20 746f 7000 4242 6f00 7004 0000 8004 0001 0007 0002 0009 800d 0001 8009"
        )
        let state = try encoder.sharedKeys?.stateData()
        #expect(state.map { hex($0) } == "446e 616d 6500 4361 6765 6003 8006 8004 4000 8004")
        let tree = try Tree(hex: hex(document), sharedKeys: table(["name", "age", ""]))
        #expect(tree == ["name": "Bo", "age": 7, "": 9, "zz top": 1])
    }

    @Test("Example 57: when the table is full, eligible keys are written as strings")
    func fullTable() throws {
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        encoder.beginDictionary()
        for number in 0..<2050 {
            try encoder.writeKey("k" + String("000\(number)".suffix(4)))
            encoder.writeNull()
        }
        try encoder.endDictionary()
        let document = try encoder.finish()
        #expect(document.count == 8218)
        #expect(
            hex(document.prefix(24))
                == "456b 3230 3438 456b 3230 3439 77ff 0300 0000 3000 0001 3000")
        #expect(hex(document.suffix(14)) == "07ff 3000 9008 3000 9007 3000 9006")

        let keys = encoder.sharedKeys ?? SharedKeys()
        #expect(keys.count == 2048)
        let read = try FleeceDocument(trusted: document, sharedKeys: keys).root.dictionary
        #expect(read?.count == 2050)
        for key in ["k0000", "k0001", "k1024", "k2047", "k2048", "k2049"] {
            #expect(read?[key]?.isNull == true, "\(key)")
        }
        #expect(read?["k2050"] == nil)
        #expect(read?.keys.prefix(2) == ["k0000", "k0001"])
        #expect(read?.keys.suffix(2) == ["k2048", "k2049"])
    }

    @Test("Numbers come before all strings, and strings go by their bytes, then their length")
    func orderOfKeys() throws {
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        let sorted = [
            "zz", "a", "", "\0", "\0\0", "\0\0\0\0\0\0\0\0", "\0\0\0\0\0\0\0\0a", " ", "1234567.",
            "1234567.8", "1234567.9", "1234567é", "two words", "two words!", "é", "𝄞",
        ]
        for key in ["zz", "a", ""] { _ = encoder.sharedKeys?.add(key) }
        encoder.beginDictionary()
        for key in sorted.reversed() {
            try encoder.writeKey(key)
            encoder.writeNull()
        }
        try encoder.endDictionary()
        let document = try encoder.finish()
        let keys = encoder.sharedKeys ?? SharedKeys()
        let read = try FleeceDocument(trusted: document, sharedKeys: keys).root.dictionary
        #expect(keys.count == 3)
        #expect(read?.keys == sorted)
        #expect(sorted.allSatisfy { read?[$0]?.isNull == true })
    }

    @Test("A key keeps its number in later documents")
    func reusableKeys() throws {
        var encoder = FleeceEncoder(sharedKeys: table(["b"]))
        try encoder.writeJSON(#"{"a":1,"b":2}"#)
        let first = try encoder.finish()
        #expect(hex(first) == "7002 0000 0002 0001 0001 8005")
        try encoder.writeJSON(#"{"a":{"c":3}}"#)
        let second = try encoder.finish()
        #expect(hex(second) == "7001 0002 0003 7001 0001 8005 8003")
        let keys = encoder.sharedKeys?.keys
        #expect(keys == ["b", "a", "c"])
    }

    @Test("Only keys are numbered, never values")
    func values() throws {
        let document = try encoded(sharedKeys: table(["name"])) {
            try $0.writeJSON(#"{"name":"name"}"#)
        }
        #expect(hex(document) == "446e 616d 6500 7001 0000 8005 8003")
    }

    @Test("A key in the table is written as its number even if it could not be added today")
    func ineligibleKeyInTable() throws {
        var state = FleeceEncoder()
        try state.writeJSON(#"["two words"]"#)
        let keys = try SharedKeys(state: state.finish())
        let document = try encoded(sharedKeys: keys) { try $0.writeJSON(#"{"two words":1}"#) }
        #expect(hex(document) == "7001 0000 0001 8003")
        #expect(try Tree(hex: hex(document), sharedKeys: keys) == ["two words": 1])
    }

    @Test("A key outside the table is a shared key when another table has it")
    func keyInLaterTable() throws {
        var encoder = FleeceEncoder(sharedKeys: table(["a"]))
        try encoder.writeJSON(#"{"a":1,"two words":1}"#)
        _ = try encoder.finish()
        encoder.sharedKeys = try SharedKeys(state: encoded(json: #"["a","two words"]"#))
        try encoder.writeJSON(#"{"a":1,"two words":1}"#)
        #expect(try hex(encoder.finish()) == "7002 0000 0001 0001 0001 8005")
    }

    @Test("Keys that become numbers are sorted again among the pairs")
    func orderInLaterTable() throws {
        let json = #"{"a b":1,"a c":2}"#
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        try encoder.writeJSON(json)
        _ = try encoder.finish()
        encoder.sharedKeys = try SharedKeys(state: encoded(json: #"["a c","a b"]"#))
        try encoder.writeJSON(json)
        #expect(try hex(encoder.finish()) == "7002 0000 0002 0001 0001 8005")
    }
}

extension EncoderSharedKeyTests {
    private func expect(_ encoder: borrowing FleeceEncoder, _ hasTextKeys: Bool) {
        // A macro cannot access noncopyable values.
        let found = encoder.hasTextKeys
        #expect(found == hasTextKeys)
    }

    @Test(
        "an encoder reports whether a key of the document is a string",
        arguments: [
            (#"{"a":1,"b":{"c":[{"d":2}]}}"#, false), (#"{"a":{"@type":"blob"}}"#, true),
            (#"{"a key with blanks":1}"#, true), (#"{"aKeyOfMoreThan16Bytes":1}"#, true),
            ("[1]", false), ("{}", false),
        ])
    func textKeys(json: String, expected: Bool) throws {
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        // Twice: the caches of the first document are used for the second.
        for _ in 0..<2 {
            try encoder.writeJSON(json)
            expect(encoder, expected)
            let document = try FleeceDocument(
                trusted: encoder.finish(), sharedKeys: encoder.sharedKeys ?? SharedKeys())
            expect(encoder, false)
            // The same by copying.
            try encoder.write(document.root)
            expect(encoder, expected)
            encoder.reset()
        }
    }

    @Test("without shared keys, or if the table is full, all keys are strings")
    func allTextKeys() throws {
        var plain = FleeceEncoder()
        try plain.writeJSON(#"{"a":1}"#)
        expect(plain, true)
        var keys = SharedKeys()
        for number in 0..<FleeceLimits.sharedKeys { _ = keys.add("key\(number)") }
        var full = FleeceEncoder(sharedKeys: keys)
        try full.writeJSON(#"{"key1":1}"#)
        expect(full, false)
        full.reset()
        try full.writeJSON(#"{"other":1}"#)
        expect(full, true)
    }
}
