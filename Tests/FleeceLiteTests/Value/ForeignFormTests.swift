import Testing

import FleeceLite

/// Forms that this module's encoder does not write, but others do or did.
@Suite("Reading: foreign forms")
struct ForeignFormTests {
    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let hex: String
        let value: Tree

        init(_ description: String, _ hex: String, _ value: Tree) {
            testDescription = description
            self.hex = hex
            self.value = value
        }
    }

    static let inlineInWideSlots = [
        Form("a string of 3 bytes", "7801 4366 6f6f 007b 0000 8005", ["foo": 123]),
        Form("a string of 2 bytes", "6801 4268 6900 8003", ["hi"]),
        Form("data of 3 bytes", "6801 5301 0203 8003", [.data([1, 2, 3])]),
        Form("51: [2048]", "6801 1100 0800 8003", [2048]),
        Form("51: [100000]", "6801 12a0 8601 8003", [100_000]),
        Form("51: [-2048]", "6801 1100 f800 8003", [-2048]),
        Form("52: [16777216]", "1300 0000 0100 6001 8004 8002", [16_777_216]),
        Form(
            "53: a copy of [2048,70000,5,\"\",true]",
            "6805 1900 0800 1a70 1101 0005 0000 4000 0000 3800 0000 800b",
            [2048, 70_000, 5, "", true]),
        Form("empty collections", "6802 6000 0000 7000 0000 8005", [[], [:]]),
    ]

    static let garbageInPadding = [
        Form("a short integer", "6801 0005 0004 8003", [5]),
        Form("null", "6801 3000 0006 8003", [nil]),
        Form("a short string", "6801 4161 ffff 8003", ["a"]),
        Form("an empty array", "6801 6000 ffff 8003", [[]]),
        Form("after a string of even length", "4261 62ff 8002", "ab"),
        Form("byte 1 of null", "30ff", .null),
        Form("byte 1 of true", "38ff", true),
        Form("byte 1 of a double", "242e 0000 003f 8003", 0.5),
    ]

    static let unusualNumbers = [
        Form("a single", "2000 0000 003f 8003", 0.5),
        Form("a double stored in 4 bytes", "2400 0000 003f 8003", 0.5),
        Form("a double stored in 8 bytes", "2800 0000 0000 0000 e03f 8005", 0.5),
        Form("5 in one byte", "1005 8001", 5),
        Form("-1 in one byte", "10ff 8001", -1),
        Form("255 unsigned in one byte", "18ff 8001", 255),
        Form("0 in 8 bytes", "1700 0000 0000 0000 0000 8005", 0),
        Form("-1 in 3 bytes", "12ff ffff 8002", -1),
        Form("2^63 unsigned", "1f00 0000 0000 0000 8000 8005", .unsigned(1 << 63)),
    ]

    static let unusualCounts = [
        Form("a varint for 5 bytes of text", "4f05 6162 6364 6500 8004", "abcde"),
        Form("a varint of two bytes for them", "4f85 0061 6263 6465 8004", "abcde"),
        Form("a varint of ten bytes for 1", "4f81 8080 8080 8080 8080 0061 8006", "a"),
        Form("a varint for no text", "4f00 8001", ""),
        Form("a varint for 2 bytes of data", "5f02 0102 8002", .data([1, 2])),
    ]

    static let specials = [
        Form("31 00 is null", "3100", .null),
        Form("33 00 is null", "3300", .null),
        Form("a special value at a pointer", "3800 8001", true),
    ]

    static let pointers = [
        Form("wide to narrow collection", "6001 0007 6801 8000 0003 8003", [[7]]),
        Form("through a pointer in between", "4268 6900 8000 0002 6001 8003 8002", ["hi"]),
        Form("through two of them", "4268 6900 8000 0002 8000 0002 6001 8003 8002", ["hi"]),
        Form(
            "44: twice to one value",
            """
            4366 6f6f 7001 8003 0011 4470 7265 7600 7001 8004 8008 6002 800a 8005 8003
            """, [["foo": 17], ["prev": ["foo": 17]]]),
        Form(
            "50: the first part of a snip",
            """
            4470 6172 7400 446e 616d 6500 4953 6e69 7020 5465 7374 7002 8009 8007 800e 0001 8005
            """, ["name": "Snip Test", "part": 1]),
    ]

    static let all =
        inlineInWideSlots + garbageInPadding + unusualNumbers + unusualCounts + specials + pointers

    @Test("A foreign form is read", arguments: all)
    func reading(_ form: Form) throws {
        #expect(try Tree(hex: form.hex) == form.value)
    }

    @Test("An integer with the unsigned flag is read as either kind while it fits")
    func unsignedFlag() throws {
        let document = try FleeceDocument(trusted: bytes("1900 0800 8002"))
        #expect(document.root.int == 2048)
        #expect(document.root.uint == 2048)
        let large = try FleeceDocument(trusted: bytes("1fff ffff ffff ffff ff00 8005"))
        #expect(large.root.int == nil)
        #expect(large.root.uint == .max)
        #expect(large.root.double == 0x1p64)
        let negative = try FleeceDocument(trusted: bytes("0fff"))
        #expect(negative.root.int == -1)
        #expect(negative.root.uint == nil)
        #expect(negative.root.double == -1)
    }

    @Test("NaN is read as such, and written as null or rejected")
    func notANumber() throws {
        let document = try bytes("2800 0000 0000 0000 f87f 8005")
        #expect(try FleeceDocument(trusted: document).root.double?.isNaN == true)
        #expect(try json(document) == "null")
    }

    @Test("In a document older than the extern flag, a 2-byte pointer reaches 65,534 bytes")
    func legacyPointer() throws {
        var document = try bytes("4268 6900")
        document += Array(repeating: 0, count: 0x8000 - 4)
        // The array stands at 0x8000, its slot at 0x8002.
        document += try bytes("6001 c001 8002")
        #expect(try Tree(hex: unspacedHex(document)) == ["hi"])
    }

    @Test("A golden file of an older encoder reads as today's encoding of the same JSON")
    func olderEncoder() throws {
        guard let old = Oracle.file("1person.fleece"), let text = Oracle.file("1person.json") else {
            return
        }
        let today = try encoded(json: String(decoding: text, as: UTF8.self))
        #expect(old.count == 1044)
        #expect(today.count == 1036)
        #expect(try json(old) == json(today))
        #expect(try Tree(hex: unspacedHex(old)) == Tree(hex: unspacedHex(today)))
    }

    @Test(
        "Bytes without a root are an error",
        arguments: [
            "", "30", "3000 00", "3000 3000", "4361 6263", "8000", "8001", "0000 8000", "0000 8002",
            "8000 0001 8002", "c001 8001", "0000 c001",
        ])
    func noRoot(hex: String) {
        #expect(code { _ = try FleeceDocument(trusted: bytes(hex)) } == .invalidData)
    }

    @Test(
        "A value that ends one byte or slot after its pointer cannot be read",
        arguments: [
            "4661 6161 6161 8003", "4f05 6161 6161 8003", "5f05 6161 6161 8003",
            "6003 0001 0002 8003",
            "7002 4161 0001 4162 8004", "6802 0001 0000 8003", "1300 0000 8002", "2000 0000 8002",
            "2800 0000 0000 0000 8004", "0000 67ff 8001", "4f81 8080 8080 8080 8080 0261 8006",
        ])
    func oneTooFew(hex: String) throws {
        #expect(try Tree(hex: hex) == .corrupt)
        #expect(code { _ = try json(bytes(hex)) } == .invalidData)
    }

    @Test(
        "A value that is larger than its slot cannot be read",
        arguments: [
            "6001 4261 8002", "6001 5261 8002", "6001 1000 8002", "6001 1100 8002",
            "6001 2000 8002",
            "6801 4461 6161 8003", "6801 1300 0000 8003", "6801 2400 0000 8003",
            "6801 6001 0000 8003",
            "6001 6001 8002", "6001 7001 8002", "6001 4f00 8002",
        ])
    func largerThanSlot(hex: String) throws {
        // Of these only the integer of one byte and the empty string fit.
        let value = try Tree(hex: hex)
        switch hex {
        case "6001 1000 8002": #expect(value == [0])
        case "6001 4f00 8002": #expect(value == [""])
        case "6801 6001 0000 8003": #expect(value == [[0]])
        default: #expect(value == [.corrupt])
        }
    }

    @Test(
        "An unreadable value has a kind and no value",
        arguments: [
            ("4661 6200 8002", FleeceValue.Kind.string), ("1700 0000 8002", .integer),
            ("2800 0000 8002", .double), ("2400 8001", .double), ("5361 8001", .data),
            ("6003 3000 8002", .array), ("7001 3000 8002", .dictionary),
            ("4fff ffff ffff ffff ffff 7f00 8006", .string), ("67ff ffff ffff 0f00 8004", .array),
        ])
    func corrupt(hex: String, kind: FleeceValue.Kind) throws {
        let document = try FleeceDocument(trusted: bytes(hex))
        #expect(document.root.kind == kind)
        #expect(Tree(document.root) == .corrupt)
        #expect(code { _ = try json(bytes(hex)) } == .invalidData)
    }
}
