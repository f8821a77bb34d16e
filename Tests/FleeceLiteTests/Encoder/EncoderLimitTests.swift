import Testing

import FleeceLite

@Suite("Encoder: changes of form")
struct EncoderLimitTests {
    @Test(
        "Example 54: from 2,047 elements on the count needs a varint",
        arguments: [
            (2046, "67fe 3000"), (2047, "67ff 0000 3000"), (2048, "67ff 0100 3000"),
            (2174, "67ff 7f00 3000"), (2175, "67ff 8001 3000"),
        ])
    func arrayCounts(count: Int, start: String) throws {
        let document = try encoded { encoder in
            encoder.beginArray()
            for _ in 0..<count { encoder.writeNull() }
            try encoder.endArray()
        }
        let head = try bytes(start)
        #expect(hex(document.prefix(head.count)) == start)
        #expect(document.count == head.count - 2 + 2 * count + 2)
        let array = try FleeceDocument(trusted: document).root.array
        #expect(array?.count == count)
        #expect(array?.allSatisfy(\.isNull) == true)
    }

    @Test(
        "A dictionary counts its pairs",
        arguments: [(2046, "77fe"), (2047, "77ff 0000"), (2048, "77ff 0100")])
    func dictionaryCounts(count: Int, start: String) throws {
        let keys = table((0..<2048).map { "k\($0)" })
        let document = try encoded(sharedKeys: keys) { encoder in
            encoder.beginDictionary()
            for number in 0..<count {
                try encoder.writeKey("k\(number)")
                encoder.writeInt(Int64(number))
            }
            try encoder.endDictionary()
        }
        let head = try bytes(start)
        #expect(hex(document.prefix(head.count)) == start)
        let read = try FleeceDocument(trusted: document, sharedKeys: keys).root.dictionary
        #expect(read?.count == count)
        #expect((0..<count).allSatisfy { read?["k\($0)"]?.int == Int64($0) })
        #expect(read?["k\(count)"] == nil)
    }

    @Test(
        "Example 55: a root over 32,766 bytes back is reached in two steps",
        arguments: [(16_381, "0001 bfff"), (16_382, "0001 8000 4000 8002")])
    func distantRoot(count: Int, end: String) throws {
        let document = try encoded { encoder in
            encoder.beginArray()
            for _ in 0..<count { encoder.writeInt(1) }
            try encoder.endArray()
        }
        #expect(try hex(document.suffix(bytes(end).count)) == end)
        let array = try FleeceDocument(trusted: document).root.array
        #expect(array?.count == count)
        #expect(array?.last?.int == 1)
    }

    @Test(
        "Example 56: slots take 4 bytes as soon as one pointer does not fit 2",
        arguments: [
            (32_756, "60", "6002 bfff bffe 8003"),
            (32_757, "68", "6802 8000 4000 8000 4000 8005"),
        ])
    func wideArray(count: Int, header: String, end: String) throws {
        let text = String(repeating: "x", count: count)
        let document = try encoded { encoder in
            encoder.beginArray()
            encoder.writeString("hi")
            encoder.writeString(text)
            try encoder.endArray()
        }
        #expect(try hex(document.suffix(bytes(end).count)) == end)
        #expect(try Tree(hex: unspacedHex(document)) == ["hi", .string(text)])
    }

    @Test("In wide slots small values are padded with zeros")
    func paddingOfWideSlots() throws {
        let text = String(repeating: "x", count: 40_000)
        let document = try encoded { encoder in
            encoder.beginArray()
            encoder.writeString(text)
            encoder.writeString(text)
            encoder.writeInt(5)
            encoder.writeInt(-1)
            encoder.writeNull()
            encoder.writeBool(true)
            encoder.writeString("a")
            encoder.writeString("")
            encoder.beginArray()
            try encoder.endArray()
            encoder.beginDictionary()
            try encoder.endDictionary()
            try encoder.endArray()
        }
        let inline = """
            0005 0000 0fff 0000 3000 0000 3800 0000 4161 0000 4000 0000 6000 0000 7000 0000
            """
        #expect(hex(document.suffix(34).prefix(32)) == inline)
        let array = try FleeceDocument(trusted: document).root.array
        #expect(
            array?.dropFirst(2).map { Tree($0) } == [5, -1, nil, true, "a", "", [], [:]])
        #expect(array?.prefix(2).allSatisfy { $0.string == text } == true)
    }

    @Test(
        "Strings of 2 to 15 bytes are written once",
        arguments: [
            (1, "6002 4178 4178 8003"),
            (2, "4278 7800 6002 8003 8004 8003"),
            (15, "4f0f 7878 7878 7878 7878 7878 7878 7878 7800 6002 800a 800b 8003"),
        ])
    func sharedStrings(count: Int, expected: String) throws {
        let text = String(repeating: "x", count: count)
        #expect(try hex(encoded(json: #"["\#(text)","\#(text)"]"#)) == expected)
    }

    @Test("Strings that differ only in their length are distinguished")
    func lengthAlone() throws {
        for letter in ["x", "\0", "ab", "abc"] {
            let texts = (0...20).map { String(String(repeating: letter, count: 20).prefix($0)) }
            let twice = texts + texts.reversed()
            let document = try encoded { encoder in
                encoder.beginArray()
                for text in twice { encoder.writeString(text) }
                try encoder.endArray()
            }
            let array = try FleeceDocument(trusted: document).root.array
            #expect(array?.map(\.string) == twice)
        }
    }

    @Test("Strings of 16 bytes and data are written each time")
    func unsharedStrings() throws {
        let text = String(repeating: "x", count: 16)
        #expect(try encoded(json: #"["\#(text)","\#(text)"]"#).count == 18 + 18 + 6 + 2)
        let document = try encoded { encoder in
            encoder.beginArray()
            encoder.writeData([1, 2])
            encoder.writeData([1, 2])
            try encoder.endArray()
        }
        #expect(hex(document) == "5201 0200 5201 0200 6002 8005 8004 8003")
    }

    /// The string is at 0 and the filler after it; the second use is at `distance`.
    @Test(
        "A string is rewritten where the first one is over 32,734 bytes back",
        arguments: [(32_734, false), (32_736, true)])
    func distantString(distance: Int, isWrittenAnew: Bool) throws {
        let filler = String(repeating: "x", count: distance - 4 - 4)
        let document = try encoded { encoder in
            encoder.beginArray()
            encoder.writeString("hi")
            encoder.writeString(filler)
            encoder.writeString("hi")
            try encoder.endArray()
        }
        let copies = document.indices.dropLast(3).filter {
            document[$0..<($0 + 3)] == [0x42, 0x68, 0x69]
        }
        #expect(copies.count == (isWrittenAnew ? 2 : 1))
        #expect(try Tree(hex: unspacedHex(document)) == ["hi", .string(filler), "hi"])
    }
}
