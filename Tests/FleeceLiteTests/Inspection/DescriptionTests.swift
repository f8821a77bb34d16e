import Testing

import FleeceLite

@Suite("Description of values")
struct DescriptionTests {
    @Test("It is compact JSON for values of JSON, and plain text for others")
    func values() throws {
        let document = try FleeceDocument(
            trusted: encoded { encoder in
                encoder.beginDictionary()
                try encoder.writeKey("a b")
                encoder.writeData([0xCA, 0xFE, 0x00])
                try encoder.writeKey("list")
                encoder.beginArray()
                encoder.writeUndefined()
                try encoder.writeDouble(.infinity)
                try encoder.writeDouble(-.infinity)
                try encoder.writeFloat(0.1)
                encoder.writeUInt(.max)
                encoder.writeString("q\"\n")
                encoder.writeNull()
                encoder.writeBool(true)
                encoder.beginArray()
                try encoder.endArray()
                encoder.beginDictionary()
                try encoder.endDictionary()
                try encoder.endArray()
                try encoder.writeKey("z")
                encoder.writeBool(false)
                try encoder.endDictionary()
            })
        let list =
            #"[undefined,inf,-inf,0.1,18446744073709551615,"q\"\n",null,true,[],{}]"#
        let all = #"{"a b":<cafe00>,"list":\#(list),"z":false}"#
        #expect(document.description == all)
        #expect("\(document.root)" == all)
        #expect(document.root.dictionary?.description == all)
        #expect(document.root["list"]?.description == list)
        #expect(document.root["list"]?.array?.description == list)
        #expect(document.root["z"]?.description == "false")
    }

    @Test(
        "Nested collections are closed where they end",
        arguments: ["[]", "{}", "[[[]],[],[[1],2]]", #"{"a":{"b":{}},"c":[{"d":1},{"e":2}]}"#])
    func nesting(text: String) throws {
        let root = try FleeceDocument(trusted: encoded(json: text)).root
        #expect(root.description == text)
        #expect(root.array?.description ?? text == text)
        #expect(root.dictionary?.description ?? text == text)
    }

    @Test("Inherited pairs are among a dictionary's own")
    func inheritance() throws {
        let hex = """
            4366 6f6f 4362 6172 4568 656c 6c6f 7002 8006 8005 800a 007b 8005 \
            4366 6f6f 7002 0800 800a 8005 01c8 8005
            """
        let root = try FleeceDocument(trusted: bytes(hex)).root
        #expect(root.description == #"{"bar":"hello","foo":456}"#)
        #expect(root.dictionary?.description == #"{"bar":"hello","foo":456}"#)
    }

    @Test(
        "An unreadable value is described as corrupt",
        arguments: [
            "4661 6200 8002", "1700 0000 8002", "2800 0000 8002", "5361 8001", "6003 3000 8002",
            "7001 3000 8002",
        ])
    func corrupt(hex: String) throws {
        #expect(try FleeceDocument(trusted: bytes(hex)).description == "corrupt")
    }

    @Test("At most 1000 bytes are shown, up to the end of a character")
    func length() throws {
        func description(_ write: (inout FleeceEncoder) throws -> Void) throws -> String {
            try FleeceDocument(trusted: encoded(write)).description
        }
        let fitting = String(repeating: "a", count: 998)
        #expect(try description { $0.writeString(fitting) } == "\"\(fitting)\"")
        #expect(try description { $0.writeString(fitting + "b") } == "\"\(fitting)b…")
        #expect(try description { $0.writeString(fitting + "é") } == "\"\(fitting)…")
        let umlauts = String(repeating: "ü", count: 100_000)
        #expect(try description { $0.writeString(umlauts) } == "\"\(umlauts.prefix(499))…")
        let data = [UInt8](repeating: 0xAB, count: 100_000)
        let hexadecimal = String(repeating: "ab", count: 500).dropLast()
        #expect(try description { $0.writeData(data) } == "<\(hexadecimal)…")
        let numbers = try encoded { encoder in
            encoder.beginArray()
            for _ in 0..<100_000 { encoder.writeInt(7) }
            try encoder.endArray()
        }
        let shown = "[" + String(repeating: "7,", count: 499) + "7…"
        #expect(try FleeceDocument(trusted: numbers).description == shown)
    }

    @Test("A malicious document has a short description")
    func hostile() throws {
        let doubling = try FleeceDocument(trusted: Hostile.doubling(levels: 60)).description
        #expect(doubling.hasPrefix("[[[[") && doubling.hasSuffix("…"))
        let deep = try FleeceDocument(trusted: Hostile.nested(levels: 800)).description
        #expect(deep == String(repeating: "[", count: 513) + "…")
        let work = try FleeceDocument(
            trusted: Hostile.disinherited(pairs: 1000, levels: 8, uses: 2000),
            sharedKeys: table((0..<1000).map { "k\($0)" }))
        #expect(work.root.array?.description.hasPrefix("[{},{},") == true)
    }
}
