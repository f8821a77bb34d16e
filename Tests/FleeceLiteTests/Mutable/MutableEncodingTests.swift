import Testing

@testable import FleeceLite

@Suite("Mutable values: encoding")
struct MutableEncodingTests {
    @Test(
        "Values have the bytes of the reference",
        arguments: [
            ([2048], "6801 1100 0800 8003"), ([100_000], "6801 12a0 8601 8003"),
            ([-2048], "6801 1100 f800 8003"), ([16_777_216], "1300 0000 0100 6001 8004 8002"),
            ([.uint(2048)], "6801 1900 0800 8003"), ([-2047, 2047], "6002 0801 07ff 8003"),
            (2048, "1100 0800 8002"), ([], "6000"), ([:], "7000"),
            ([[], [:]], "6002 6000 7000 8003"),
            ([0.5, .float(0.5)], "2400 0000 003f 2000 0000 003f 6002 8007 8005 8003"),
            (["foo": 123], "4366 6f6f 7001 8003 007b 8003"),
            (["b": 1, "a": 2, "": 3], "7003 4000 0003 4161 0002 4162 0001 8007"),
            ([.data([0xDE, 0xAD]), .null, true], "52de ad00 6003 8003 3000 3800 8004"),
        ] as [(MutableFleeceValue, String)])
    func bytes(value: MutableFleeceValue, expected: String) throws {
        #expect(try hex(encoded { try $0.write(value) }) == expected)
    }

    @Test("Changed values are written together with unchanged ones")
    func changes() throws {
        let source = try document(json: #"{"a":[1,{"b":2}],"c":3,"d":70000}"#)
        var value = MutableFleeceDictionary(try #require(source.root.dictionary))
        value["a"][1]["b"] = "new"
        value["c"] = nil
        value["e"] = 1.5
        let written = try FleeceDocument(trusted: encoded { try $0.write(value) })
        #expect(try json(written.root) == #"{"a":[1,{"b":"new"}],"d":70000,"e":1.5}"#)
        #expect(MutableFleeceValue.value(written.root) == .dictionary(value))
        let array = MutableFleeceArray([.dictionary(value), .value(source.root)])
        let both = try FleeceDocument(trusted: encoded { try $0.write(array) })
        #expect(both.root.array?[1] == source.root)
    }

    @Test("NaN and values that are nested too deep are rejected")
    func errors() throws {
        let nan: MutableFleeceArray = [.double(.nan)]
        #expect(code { _ = try encoded { try $0.write(nan) } } == .invalidData)
        var deep: MutableFleeceValue = []
        for _ in 1..<FleeceLimits.walkDepth { deep = [deep] }
        _ = try encoded { try $0.write(deep) }
        let deeper: MutableFleeceArray = [deep]
        #expect(code { _ = try encoded { try $0.write(deeper) } } == .outOfRange)
        let property: MutableFleeceDictionary = ["a": deep]
        #expect(code { _ = try encoded { try $0.write(property) } } == .outOfRange)
    }

    @Test("Elements that refer to a small document's string repeatedly are rejected early")
    func doubling() throws {
        // A string of 20,000 bytes, an array that has it 700 times, and one that has that 10 times.
        var bytes: [UInt8] = [0x4F, 0xA0, 0x9C, 0x01]
        bytes += Array(repeating: UInt8(ascii: "x"), count: 20_000)
        func point(to place: Int) {
            let units = (bytes.count - place) / 2
            bytes += [0x80 | UInt8(units >> 8), UInt8(units & 0xFF)]
        }
        bytes += [0x62, 0xBC]
        for _ in 0..<700 { point(to: 0) }
        bytes += [0x60, 0x0A]
        for _ in 0..<10 { point(to: 20_004) }
        point(to: 21_406)
        let document = try FleeceDocument(validating: bytes)
        var array = MutableFleeceArray(try #require(document.root.array))
        array.append(1)
        var encoder = FleeceEncoder()
        let error = #expect(throws: FleeceError.self) { try encoder.write(array) }
        #expect(error?.code == .outOfRange)
        encoder.reset()
        array.removeSubrange(1...)
        try encoder.write(array)
        #expect(try encoder.withFinishedBytes { $0.count } > 13_000_000)
    }

    @Test("An unchanged dictionary of the base becomes a pointer")
    func unchanged() throws {
        let base = try document(json: #"{"foo":123,"bar":"hello"}"#)
        let value = MutableFleeceDictionary(try #require(base.root.dictionary))
        #expect(try hex(amended(base) { try $0.write(value) }) == "8006")
    }

    @Test("A dictionary of the base with few changes becomes a child dictionary")
    func child() throws {
        let base = try document(
            json: #"{"foo":123,"bar":"hello","list":[1,2],"more":true,"z":{"y":1,"x":2,"w":3}}"#)
        var value = MutableFleeceDictionary(try #require(base.root.dictionary))
        value["foo"] = 456
        value["list"] = nil
        let bytes = try amended(base) { try $0.write(value) }
        let whole = try FleeceDocument(trusted: [UInt8](base.bytes) + bytes)
        let child = try #require(whole.root.dictionary)
        #expect(child.raw.parent != nil)
        #expect(child.raw.count == 3)
        #expect(
            try json(whole.root)
                == #"{"bar":"hello","foo":456,"more":true,"z":{"w":3,"x":2,"y":1}}"#)

        // Nested ones as well; unchanged values in them are not written again.
        value["z"]["x"] = .null
        let nested = try amended(base) { try $0.write(value) }
        let wholeNested = try FleeceDocument(trusted: [UInt8](base.bytes) + nested)
        #expect(wholeNested.root["z"]?.dictionary?.raw.parent != nil)
        #expect(
            try json(wholeNested.root)
                == #"{"bar":"hello","foo":456,"more":true,"z":{"w":3,"x":null,"y":1}}"#)
    }

    @Test("With many changes it is written in full, with pointers to its children")
    func manyChanges() throws {
        let base = try document(json: #"{"foo":123,"bar":"hello","list":[1,2,3,4,5,6,7,8]}"#)
        var value = MutableFleeceDictionary(try #require(base.root.dictionary))
        value["foo"] = 456
        value["bar"] = nil
        let bytes = try amended(base) { try $0.write(value) }
        let whole = try FleeceDocument(trusted: [UInt8](base.bytes) + bytes)
        #expect(whole.root.dictionary?.raw.parent == nil)
        #expect(try json(whole.root) == #"{"foo":456,"list":[1,2,3,4,5,6,7,8]}"#)
        #expect(bytes.count == 22)
    }

    @Test("A chain of child dictionaries has three links, then a dictionary is written in full")
    func chain() throws {
        var document = try document(json: #"{"a":1,"b":2,"c":3,"d":4,"e":5}"#)
        var hasParent: [Bool] = []
        for number in 10..<16 {
            var value = MutableFleeceDictionary(try #require(document.root.dictionary))
            value["a"] = .int(Int64(number))
            let bytes = try amended(document) { try $0.write(value) }
            document = try FleeceDocument(trusted: [UInt8](document.bytes) + bytes)
            hasParent.append(document.root.dictionary?.raw.parent != nil)
            #expect(try json(document.root) == #"{"a":\#(number),"b":2,"c":3,"d":4,"e":5}"#)
        }
        #expect(hasParent == [true, true, false, true, true, false])
    }

    @Test("Extern pointers and shared keys can be combined with child dictionaries")
    func externChild() throws {
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        try encoder.writeJSON(#"{"foo":123,"bar":"hello","list":[1,2],"not eligible":true}"#)
        let numbered = encoder.sharedKeys
        let keys = try #require(numbered)
        let base = try FleeceDocument(trusted: encoder.finish(), sharedKeys: keys)
        var value = MutableFleeceDictionary(try #require(base.root.dictionary))
        value["bar"] = nil
        value["new"] = 1
        encoder.sharedKeys = keys
        try encoder.amend(base, externPointers: true)
        try encoder.write(value)
        let now = encoder.sharedKeys
        let document = try FleeceDocument(
            trusted: encoder.finish(), sharedKeys: try #require(now), base: base)
        #expect(document.root.dictionary?.raw.parent != nil)
        #expect(try json(document.root) == #"{"foo":123,"list":[1,2],"new":1,"not eligible":true}"#)
        #expect(document.root["bar"] == nil)
    }

    private func amended(
        _ base: FleeceDocument, _ write: (inout FleeceEncoder) throws -> Void
    ) throws -> [UInt8] {
        var encoder = FleeceEncoder()
        try encoder.amend(base)
        try write(&encoder)
        return try encoder.finish()
    }
}
