import Testing

import FleeceLite

@Suite("Encoder: values that are copied")
struct EncoderValueTests {
    /// The bytes of a copy of a JSON document's root.
    private func copied(_ json: String) throws -> [UInt8] {
        var encoder = FleeceEncoder()
        try encoder.write(document(json: json).root)
        return try encoder.finish()
    }

    @Test(
        "An integer of 3 or 4 bytes goes into the slot and makes all slots wide",
        arguments: [
            ("[2048]", "6801 1900 0800 8003"),
            (
                "[2048,70000,5,\"\",true]",
                "6805 1900 0800 1a70 1101 0005 0000 4000 0000 3800 0000 800b"
            ),
            ("[-2049]", "6801 11ff f700 8003"),
        ])
    func wideIntegers(json: String, expected: String) throws {
        #expect(try hex(copied(json)) == expected)
    }

    @Test(
        "An encoded value without integers of 3 or 4 bytes is copied with the same bytes",
        arguments: [
            "{\"a\":{\"b\":[1,\"two\",3.5,null,true,false]}}", "[16777216,-3000000000,1.1,-0.0]",

            "[[],{},\"\",\"a\",[\"a\",\"hello\",\"hello\"]]",
        ])
    func same(json: String) throws {
        #expect(try hex(copied(json)) == hex(encoded(json: json)))
    }

    @Test("Keys get the numbers of the encoder, regardless of their origin")
    func sharedKeys() throws {
        var source = FleeceEncoder(sharedKeys: SharedKeys())
        try source.writeJSON("{\"b\":1,\"a\":{\"c d\":2,\"b\":3}}")
        let keys = source.sharedKeys ?? SharedKeys()
        let document = try FleeceDocument(trusted: source.finish(), sharedKeys: keys)
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        try encoder.write(document.root)
        let keysOfCopy = encoder.sharedKeys ?? SharedKeys()
        #expect(keysOfCopy.keys == ["b", "a"])
        let copy = try FleeceDocument(
            trusted: encoder.finish(), sharedKeys: keysOfCopy)
        #expect(copy.root == document.root)
        let nameless = try FleeceDocument(trusted: [UInt8](document.bytes))
        #expect(throws: FleeceError.self) { try encoder.write(nameless.root) }
    }

    @Test("A copy of values that share their parts is rejected beyond its budget")
    func budget() throws {
        let bomb = Hostile.doubling(levels: 40)
        var encoder = FleeceEncoder()
        #expect(throws: FleeceError(.outOfRange, "the copy is larger than allowed")) {
            try encoder.write(FleeceDocument(trusted: bomb).root, maximumBytes: 100_000)
        }
    }

    @Test("A value that is written again becomes a pointer")
    func again() throws {
        var encoder = FleeceEncoder()
        encoder.beginArray()
        encoder.beginDictionary()
        try encoder.writeKey("foo")
        encoder.writeInt(17)
        try encoder.endDictionary()
        let last = encoder.lastWrittenValue
        let first = try #require(last)
        encoder.beginDictionary()
        try encoder.writeKey("prev")
        try encoder.write(again: first)
        try encoder.endDictionary()
        try encoder.endArray()
        let expected = "4366 6f6f 7001 8003 0011 4470 7265 7600 7001 8004 8008 6002 800a 8005 8003"
        #expect(try hex(encoder.finish()) == expected)
    }

    @Test("Several values are written to one buffer, and each is read by its offset")
    func items() throws {
        var encoder = FleeceEncoder()
        try encoder.writeJSON("{\"name\":\"Ada\"}")
        let first = try encoder.finishItem()
        encoder.writeInt(5)
        let second = try encoder.finishItem()
        encoder.writeString("name")
        let third = try encoder.finishItem()
        let bytes = try encoder.finishItems()
        #expect(try FleeceDocument(trusted: bytes, rootAt: first).root["name"]?.string == "Ada")
        #expect(try FleeceDocument(trusted: bytes, rootAt: second).root.int == 5)
        #expect(try FleeceDocument(trusted: bytes, rootAt: third).root.string == "name")
        #expect(third == 0, "the string is the key that was written first")
        for offset in [-2, 1, bytes.count, Int.max - 1] {
            #expect(throws: FleeceError.self) {
                try FleeceDocument(trusted: bytes, rootAt: offset)
            }
        }
        #expect(throws: FleeceError.self) { try encoder.finishItem() }
    }
}

@Suite("Encoder: a base")
struct EncoderBaseTests {
    private func base() throws -> FleeceDocument {
        let base = try document(json: "{\"foo\":123,\"bar\":\"hello\"}")
        #expect(
            hex([UInt8](base.bytes))
                == "4366 6f6f 4362 6172 4568 656c 6c6f 7002 8006 8005 800a 007b 8005")
        return base
    }

    private func child(
        _ base: FleeceDocument, extern: Bool, value: (inout FleeceEncoder) -> Void
    ) throws -> [UInt8] {
        var encoder = FleeceEncoder()
        try encoder.amend(base, reusingStrings: true, externPointers: extern)
        try encoder.beginDictionary(inheriting: #require(base.root.dictionary))
        try encoder.writeKey("foo")
        value(&encoder)
        try encoder.endDictionary()
        return try encoder.finish()
    }

    @Test("A child dictionary contains the differences; its bytes are appended to the base's")
    func append() throws {
        let base = try base()
        let delta = try child(base, extern: false) { $0.writeInt(456) }
        #expect(hex(delta) == "7002 0800 8008 8010 01c8 8005")
        let whole = try FleeceDocument(trusted: [UInt8](base.bytes) + delta)
        #expect(try json(whole.root) == "{\"bar\":\"hello\",\"foo\":456}")
    }

    @Test("Without reuse of strings the key is written again")
    func ownStrings() throws {
        let base = try base()
        var encoder = FleeceEncoder()
        try encoder.amend(base, externPointers: true)
        try encoder.beginDictionary(inheriting: #require(base.root.dictionary))
        try encoder.writeKey("foo")
        encoder.writeInt(456)
        try encoder.endDictionary()
        let delta = try encoder.finish()
        #expect(hex(delta) == "4366 6f6f 7002 0800 c00a 8005 01c8 8005")
        let child = try FleeceDocument(trusted: delta, base: base)
        #expect(try json(child.root) == "{\"bar\":\"hello\",\"foo\":456}")
        #expect(child.root.dictionary?.count == 2)
        #expect(try FleeceDocument(trusted: delta).root["bar"] == nil, "no base, nothing inherited")
        #expect(throws: FleeceError.self) { try FleeceDocument(trusted: delta, base: child) }
    }

    @Test("undefined deletes an inherited property")
    func delete() throws {
        let base = try base()
        let delta = try child(base, extern: true) { $0.writeUndefined() }
        let child = try FleeceDocument(trusted: delta, base: base)
        #expect(try json(child.root) == "{\"bar\":\"hello\"}")
        #expect(child.root["foo"] == nil)
    }

    @Test("The unchanged root is a pointer into the base")
    func unchanged() throws {
        let base = try base()
        var encoder = FleeceEncoder()
        try encoder.amend(base)
        try encoder.write(base.root)
        let used = encoder.baseBytesUsed
        #expect(used == 12)
        #expect(try hex(encoder.finish()) == "8006")
    }

    @Test("Parts of the base become pointers, unless they fit into a slot")
    func parts() throws {
        let base = try document(json: "{\"a\":[1,2,3],\"b\":[],\"c\":7,\"d\":\"text\",\"e\":\"x\"}")
        var encoder = FleeceEncoder()
        try encoder.amend(base, externPointers: true)
        encoder.beginArray()
        for key in ["a", "b", "c", "d", "e"] { try encoder.write(#require(base.root[key])) }
        try encoder.endArray()
        let bytes = try encoder.finish()
        #expect(bytes.count == 2 + 5 * 2 + 2)
        let document = try FleeceDocument(trusted: bytes, base: base)
        #expect(try json(document.root) == "[[1,2,3],[],7,\"text\",\"x\"]")
    }

    @Test("Values before the reach are copied")
    func reach() throws {
        let base = try document(json: "[[1,2,3],[4,5,6],[7,8,9]]")
        var encoder = FleeceEncoder()
        try encoder.amend(base, reach: 26)
        encoder.beginArray()
        for value in try #require(base.root.array) { try encoder.write(value) }
        try encoder.endArray()
        let used = encoder.baseBytesUsed
        #expect(used > 0 && used <= 26)
        let whole = try FleeceDocument(trusted: [UInt8](base.bytes) + encoder.finish())
        #expect(try json(whole.root) == "[[1,2,3],[4,5,6],[7,8,9]]")
    }

    @Test("Pointers into a distant base have 4 bytes")
    func far() throws {
        let long = String(repeating: "x", count: 40_000)
        let base = try document(json: "[[\"first\"],\"\(long)\"]")
        let first = try #require(base.root.array?[0])
        for extern in [false, true] {
            var encoder = FleeceEncoder()
            try encoder.amend(base, externPointers: extern)
            encoder.beginArray()
            try encoder.write(first)
            encoder.writeInt(1)
            try encoder.endArray()
            let bytes = try encoder.finish()
            #expect(bytes.prefix(3) == [0x68, 0x02, extern ? 0xC0 : 0x80])
            let document =
                try extern
                ? FleeceDocument(trusted: bytes, base: base)
                : FleeceDocument(trusted: [UInt8](base.bytes) + bytes)
            #expect(try json(document.root) == "[[\"first\"],1]")
        }
    }

    @Test("A part is snipped off as a document, and the rest refers to it")
    func snip() throws {
        var encoder = FleeceEncoder()
        encoder.beginArray()
        func writePart(_ number: Int64, _ encoder: inout FleeceEncoder) throws {
            encoder.beginDictionary()
            try encoder.writeKey("part")
            encoder.writeInt(number)
            try encoder.writeKey("name")
            encoder.writeString("Snip Test")
            try encoder.endDictionary()
        }
        try writePart(1, &encoder)
        let first = try encoder.snip()
        try writePart(2, &encoder)
        #expect(throws: FleeceError.self) { try encoder.snip() }
        try encoder.endArray()
        let second = try encoder.finish()
        #expect(
            hex(first)
                == "4470 6172 7400 446e 616d 6500 4953 6e69"
                + " 7020 5465 7374 7002 8009 8007 800e 0001 8005"
        )
        #expect(hex(second) == "7002 c00f c00d c014 0002 6002 c00c 8007 8003")
        let base = try FleeceDocument(trusted: first)
        let document = try FleeceDocument(trusted: second, base: base)
        #expect(
            try json(document.root)
                == "[{\"name\":\"Snip Test\",\"part\":1},{\"name\":\"Snip Test\",\"part\":2}]")
    }

    @Test("A short root after a base is found", arguments: ["{}", "[]"])
    func shortRoot(text: String) throws {
        let base = try base()
        var encoder = FleeceEncoder()
        try encoder.amend(base)
        try encoder.writeJSON(text)
        let whole = try FleeceDocument(trusted: [UInt8](base.bytes) + encoder.finish())
        #expect(try json(whole.root) == text)
    }

    @Test("A base is set first, and only its dictionaries can be parents")
    func misuse() throws {
        let base = try base()
        let other = try document(json: "{}")
        var encoder = FleeceEncoder()
        encoder.writeNull()
        #expect(throws: FleeceError.self) { try encoder.amend(base) }
        encoder.reset()
        #expect(throws: FleeceError.self) { try encoder.snip() }
        try encoder.amend(base)
        #expect(throws: FleeceError.self) {
            try encoder.beginDictionary(inheriting: #require(other.root.dictionary))
        }
        let isIn = [encoder.isInBase(base.root), encoder.isInBase(other.root)]
        #expect(isIn == [true, false])
    }
}
