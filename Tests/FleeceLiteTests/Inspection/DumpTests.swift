import SampleData
import Testing

@testable import FleeceLite

@Suite("Dump")
struct DumpTests {
    private static func dump(_ hex: String, _ keys: SharedKeys = SharedKeys()) throws -> FleeceDump
    {
        try FleeceDump(bytes(hex), sharedKeys: keys)
    }

    @Test("Example 38: collections and their slots, pointers and their targets")
    func nested() throws {
        let hex = """
            4374 776f 2400 0000 6040 6006 0001 8007 8006 3000 3800 3400 7001 4162 8009 7001 4161 \
            8005 8003
            """
        let expected = """
            0000  43 74 77 6f               string "two"
            0004  24 00 00 00 60 40         double 3.5, in 4 bytes
            000a  60 06                     array of 6
            000c  00 01                       [0]: integer 1
            000e  80 07                       [1]: pointer back 14 to 0000: string "two"
            0010  80 06                       [2]: pointer back 12 to 0004: double 3.5, in 4 bytes
            0012  30 00                       [3]: null
            0014  38 00                       [4]: true
            0016  34 00                       [5]: false
            0018  70 01                     dictionary of 1
            001a  41 62                       key: string "b"
            001c  80 09                       value: pointer back 18 to 000a: array of 6
            001e  70 01                     dictionary of 1
            0020  41 61                       key: string "a"
            0022  80 05                       value: pointer back 10 to 0018: dictionary of 1
            0024  80 03                     root: pointer back 6 to 001e: dictionary of 1

            """
        #expect(try Self.dump(hex).description == expected)
    }

    @Test("Example 53: slots of 4 bytes")
    func wide() throws {
        let hex = "6805 1900 0800 1a70 1101 0005 0000 4000 0000 3800 0000 800b"
        let expected = """
            0000  68 05                     array of 5, wide
            0002  19 00 08 00                 [0]: integer 2048, unsigned
            0006  1a 70 11 01                 [1]: integer 70000, unsigned
            000a  00 05 00 00                 [2]: integer 5
            000e  40 00 00 00                 [3]: string ""
            0012  38 00 00 00                 [4]: true
            0016  80 0b                     root: pointer back 22 to 0000: array of 5, wide

            """
        #expect(try Self.dump(hex).description == expected)
        let other = """
            0000  42 68 69                  string "hi"
            0003  00                        padding
            0004  80 00 00 02               wide pointer back 4 to 0000: string "hi"
            0008  60 01                     array of 1
            000a  80 03                       [0]: pointer back 6 to 0004
            000c  68 01                     array of 1, wide
            000e  80 00 00 03                 [0]: wide pointer back 6 to 0008: array of 1
            0012  80 03                     root: pointer back 6 to 000c: array of 1, wide

            """
        #expect(
            try Self.dump("4268 6900 8000 0002 6001 8003 6801 8000 0003 8003").description == other)
    }

    @Test("Examples 45 and 46: a child dictionary, and the end of the document before it")
    func child() throws {
        let hex = """
            4366 6f6f 4362 6172 4568 656c 6c6f 7002 8006 8005 800a 007b 8005 \
            4366 6f6f 7002 0800 800a 8005 01c8 8005
            """
        let expected = """
            0000  43 66 6f 6f               string "foo"
            0004  43 62 61 72               string "bar"
            0008  45 68 65 6c 6c 6f         string "hello"
            000e  70 02                     dictionary of 2
            0010  80 06                       key: pointer back 12 to 0004: string "bar"
            0012  80 05                       value: pointer back 10 to 0008: string "hello"
            0014  80 0a                       key: pointer back 20 to 0000: string "foo"
            0016  00 7b                       value: integer 123
            0018  80 05                     not reached: pointer back 10 to 000e: dictionary of 2
            001a  43 66 6f 6f               string "foo"
            001e  70 02                     dictionary of 2
            0020  08 00                       key: integer -2048, inherits from
            0022  80 0a                       value: pointer back 20 to 000e: dictionary of 2
            0024  80 05                       key: pointer back 10 to 001a: string "foo"
            0026  01 c8                       value: integer 456
            0028  80 05                     root: pointer back 10 to 001e: dictionary of 2

            """
        #expect(try Self.dump(hex).description == expected)
    }

    @Test("Example 47: a pointer into the preceding document")
    func externPointer() throws {
        let dump = try Self.dump("4366 6f6f 7002 0800 c00a 8005 01c8 8005")
        let expected = """
            0000  43 66 6f 6f               string "foo"
            0004  70 02                     dictionary of 2
            0006  08 00                       key: integer -2048, inherits from
            0008  c0 0a                       value: extern pointer back 20, 12 bytes before 0000
            000a  80 05                       key: pointer back 10 to 0000: string "foo"
            000c  01 c8                       value: integer 456
            000e  80 05                     root: pointer back 10 to 0004: dictionary of 2

            """
        #expect(dump.description == expected)
        #expect(!dump.hasProblems)
    }

    @Test("Examples 45 and 47: an extern pointer is followed into a known base")
    func base() throws {
        let base = try bytes("4366 6f6f 4362 6172 4568 656c 6c6f 7002 8006 8005 800a 007b 8005")
        let child = try bytes("4366 6f6f 7002 0800 c00a 8005 01c8 8005")
        let document = try FleeceDocument(trusted: child, base: FleeceDocument(trusted: base))
        let expected = """
            0000  43 66 6f 6f               string "foo"
            0004  70 02                     dictionary of 2
            0006  08 00                       key: integer -2048, inherits from
            0008  c0 0a                       value: extern pointer back 20 to 000e of the base: \
            dictionary of 2
            000a  80 05                       key: pointer back 10 to 0000: string "foo"
            000c  01 c8                       value: integer 456
            000e  80 05                     root: pointer back 10 to 0004: dictionary of 2

            """
        #expect(document.dump().description == expected)
        #expect(document.description == #"{"bar":"hello","foo":456}"#)
        let root = FleeceDump([0xC0, 6], base: base)
        #expect(
            root.description
                == "0000  c0 06                     "
                + "root: extern pointer back 12 to 000e of the base: dictionary of 2\n")
        let lost = FleeceDump([0xC0, 0x20], base: base)
        #expect(lost.lines.map(\.problem) == ["points 38 bytes before the base"])
        let cutOff = FleeceDump([0xC0, 1], base: try bytes("4561"))
        #expect(cutOff.lines.map(\.problem) == ["the target is cut off"])
    }

    private static let numbered =
        "467a 7a20 746f 7000 4242 6f00 7004 0000 8004 0001 0007 0002 0009 800d 0001 8009"

    @Test("Example 42: shared keys with their table")
    func sharedKeys() throws {
        let expected = """
            0000  46 7a 7a 20 74 6f 70      string "zz top"
            0007  00                        padding
            0008  42 42 6f                  string "Bo"
            000b  00                        padding
            000c  70 04                     dictionary of 4
            000e  00 00                       key: integer 0, the shared key "name"
            0010  80 04                       value: pointer back 8 to 0008: string "Bo"
            0012  00 01                       key: integer 1, the shared key "age"
            0014  00 07                       value: integer 7
            0016  00 02                       key: integer 2, the shared key ""
            0018  00 09                       value: integer 9
            001a  80 0d                       key: pointer back 26 to 0000: string "zz top"
            001c  00 01                       value: integer 1
            001e  80 09                     root: pointer back 18 to 000c: dictionary of 4

            """
        #expect(try Self.dump(Self.numbered, table(["name", "age", ""])).description == expected)
    }

    @Test("Shared keys without their table are numbers; a number that a table lacks is a problem")
    func absentKeys() throws {
        let without = try Self.dump(Self.numbered)
        #expect(without.lines[5].meaning == "key: integer 0")
        #expect(!without.hasProblems)
        let short = try Self.dump(Self.numbered, table(["name"]))
        #expect(
            short.lines.filter { $0.problem != nil } == [
                FleeceDump.Line(
                    offset: 0x12, count: 2, isSlot: true, meaning: "key: integer 1",
                    problem: "no shared key has this number"),
                FleeceDump.Line(
                    offset: 0x16, count: 2, isSlot: true, meaning: "key: integer 2",
                    problem: "no shared key has this number"),
            ])
        let document = try FleeceDocument(
            trusted: bytes(Self.numbered), sharedKeys: table(["name", "age", ""]))
        #expect(
            try document.dump().description
                == Self.dump(Self.numbered, table(["name", "age", ""])).description)
    }

    @Test("A corrupt pointer is reported, and its intended target is shown nevertheless")
    func corruptPointer() throws {
        let dump = try Self.dump("4366 6f6f 7001 8004 007b 8003")
        let expected = """
            0000  43 66 6f 6f               not reached: string "foo"
            0004  70 01                     dictionary of 1
            0006  80 04                       key: pointer back 8 ! points 2 bytes before 0000
            0008  00 7b                       value: integer 123
            000a  80 03                     root: pointer back 6 to 0004: dictionary of 1

            """
        #expect(dump.description == expected)
        #expect(dump.hasProblems)
    }

    @Test("A truncated document is shown from its beginning")
    func cutShort() throws {
        let expected = """
            0000  43 66 6f 6f               not reached: string "foo"
            0004  70 01                     not reached: dictionary of 1
            0006  80 03                       key: pointer back 6 to 0000: string "foo"
            0008  00 7b                       value: integer 123
            000a                            end ! the last 2 bytes are not a pointer: no root

            """
        #expect(try Self.dump("4366 6f6f 7001 8003 007b").description == expected)
        let other = """
            0000  00 00 00 00 00 00         not reached: 6 zero bytes
            0006  42 68 69                  not reached: string "hi"
            0009  00                        padding
            000a  ff 12 34 56 78 9a bc de   not reached
            0012  f0 12 34                  not reached
            0015                            end ! the length is odd: no root

            """
        #expect(
            try Self.dump("0000 0000 0000 4268 6900 ff12 3456 789a bcde f012 34").description
                == other)
    }

    @Test(
        "A document of one small value, of a root alone, or of nothing has one line",
        arguments: [
            ("3000", "0000  30 00                     root: null\n"),
            ("07ff", "0000  07 ff                     root: integer 2047\n"),
            ("6000", "0000  60 00                     root: array of 0\n"),
            ("", "0000                            nothing ! an empty document is not Fleece\n"),
            ("8000", "0000  80 00                     root: pointer back 0 ! points to itself\n"),
        ])
    func small(hex: String, text: String) throws {
        #expect(try Self.dump(hex).description == text)
    }
}

@Suite("Dump: the description of a value")
struct DumpLineTests {
    @Test(
        "A scalar is described by its kind, its value and its form",
        arguments: [
            ("1100 0800 8002", "integer 2048"), ("1900 0800 8002", "integer 2048, unsigned"),
            ("1fff ffff ffff ffff ff00 8005", "integer 18446744073709551615, unsigned"),
            ("2000 cdcc cc3d 8003", "float 0.1"), ("2400 0000 003f 8003", "double 0.5, in 4 bytes"),
            ("2800 9a99 9999 9999 b93f 8005", "double 0.1"),
            ("2800 0000 0000 0000 f07f 8005", "double inf"), ("3800 8001", "true"),
            ("3c00 8001", "undefined"), ("54de adbe ef00 8003", "data, 4 bytes"),
            ("4422 5c0a 0900 8003", #"string "\"\\\n\t""#), ("4f00 8001", #"string """#),
        ])
    func scalars(hex: String, meaning: String) throws {
        let dump = try FleeceDump(bytes(hex))
        #expect(dump.lines[0].meaning == meaning)
        #expect(!dump.hasProblems)
    }

    @Test("A long string is truncated at a character, and its length shown")
    func longString() throws {
        let document = try encoded { $0.writeString(String(repeating: "é", count: 40)) }
        let lines = FleeceDump(document).lines
        let shown = String(repeating: "é", count: 24)
        #expect(lines[0].meaning == "string \"\(shown)\"…, 80 bytes")
        #expect(lines[0].count == 82)
        #expect(lines[1].meaning.hasSuffix("string \"\(shown.prefix(12))\"…, 80 bytes"))
        #expect(
            FleeceDump(document).text(of: lines[0])
                == "0000  4f 50 c3 a9 c3 a9 c3 a9…  string \"\(shown)\"…, 80 bytes")
    }

    @Test("A root far back has a wide pointer before the last one")
    func wideTrailer() throws {
        let document = try encoded { encoder in
            encoder.beginArray()
            for _ in 0..<16_382 { encoder.writeInt(1) }
            try encoder.endArray()
        }
        let lines = FleeceDump(document).lines
        #expect(lines.count == 1 + 16_382 + 2)
        #expect(lines[0].meaning == "array of 16382" && lines[0].count == 4)
        #expect(lines[16_382].meaning == "[16381]: integer 1")
        #expect(lines[16_383].meaning == "wide pointer back 32768 to 0000: array of 16382")
        #expect(lines[16_384].meaning == "root: pointer back 4 to 8000")
    }

    @Test("A pointer that predates the extern flag is marked")
    func oldPointer() throws {
        var document = try bytes("4268 6900")
        document += Array(repeating: 0, count: 0x8000 - 4)
        document += try bytes("6001 c001 8002")
        let dump = FleeceDump(document)
        #expect(
            dump.lines.map(\.meaning) == [
                "string \"hi\"", "padding", "not reached: 32764 zero bytes", "array of 1",
                "[0]: pointer (predates the extern flag) back 32770 to 0000: string \"hi\"",
                "root: pointer back 4 to 8000: array of 1",
            ])
        #expect(!dump.hasProblems)
    }

    @Test(
        "A problem is reported at its offset",
        arguments: [
            ("3100 8001", 0, "a special value that the format does not have"),
            ("41ff 8001", 0, "not UTF-8 from its byte 0 on"),
            ("4661 6161 6161 8003", 6, "the target does not end before the pointer"),
            ("5661 6161 6161 8003", 0, "overlaps 0006"),
            ("67ff ffff ffff 0f00 8004", 0, "cut off"),
            ("6001 8000 8002", 2, "points to itself"),
            ("6001 8001 8002", 2, "points into its own collection"),
            ("6001 ffff 8002", 2, nil),
            ("6801 c000 0001 8003", 2, "points into this document, not into the base"),
            ("8000 0001 8002", 4, "points to a chain of pointers without a value"),
            ("6001 4261 8002", 2, "larger than its slot"),
            ("7001 3000 0000 8003", 2, "a key is a string or a small number"),
            ("7002 4162 0001 4161 0001 8005", 6, "out of order, or a duplicate"),
            ("7002 4161 0001 4161 0001 8005", 6, "out of order, or a duplicate"),
            ("4268 6900 7002 8003 0001 8005 0002 8005", 10, "out of order, or a duplicate"),
            ("7002 0001 0001 0001 0002 8005", 6, "out of order, or a duplicate"),
            ("7001 0800 0001 8003", 4, "the parent is not a dictionary"),
        ] as [(String, Int, String?)])
    func problems(hex: String, offset: Int, problem: String?) throws {
        let lines = try FleeceDump(bytes(hex)).lines.filter { $0.offset == offset }
        #expect(lines.map(\.problem).contains(problem), "\(lines)")
    }
}

@Suite("Safety: dumps", .timeLimit(.minutes(20)))
struct DumpSafetyTests {
    @Test("The lines of a document that an encoder wrote are its bytes, each once and in order")
    func everyByte() throws {
        var random = RandomJSON(random: SeededGenerator(for: "Dumped documents"))
        for number in 0..<200 {
            let text = random.document(number)
            var encoder = FleeceEncoder(sharedKeys: number % 2 == 0 ? SharedKeys() : nil)
            try encoder.writeJSON(text)
            let document = try encoder.finish()
            let dump = FleeceDump(document, sharedKeys: encoder.sharedKeys ?? SharedKeys())
            var end = 0
            for line in dump.lines {
                #expect(line.offset == end, "\(text)")
                #expect(line.problem == nil && !line.meaning.hasPrefix("not reached"), "\(text)")
                end = line.offset + line.count
            }
            #expect(end == document.count, "\(text)")
        }
    }

    @Test("Every byte of any bytes is shown, and the text is of limited length")
    func anyBytes() throws {
        var random = SeededGenerator(for: "Dumped bytes")
        let document = try encoded(
            json:
                #"{"name":"Ada","a":[1,70000,0.5,"name",[{}]],"more":{"name":[true,"\u0001"]}}"#
        )
        var damaged = 0
        for number in 0..<5000 {
            var mutant = document
            if number % 4 == 0 {
                mutant = (0..<random.below(80)).map { _ in UInt8(random.below(256)) }
            }
            for _ in 0...random.below(4) where !mutant.isEmpty {
                mutant[random.below(mutant.count)] = random.pick([
                    0, 1, 0x14, 0x41, 0x4F, 0x61, 0x68, 0x72, 0x7F, 0x80, 0xFF,
                ])
            }
            let dump = FleeceDump(mutant, sharedKeys: table(["a"]))
            if dump.hasProblems { damaged += 1 }
            var shown = Array(repeating: false, count: mutant.count)
            for line in dump.lines {
                for offset in line.offset..<(line.offset + line.count) { shown[offset] = true }
            }
            #expect(!shown.contains(false), "\(hex(mutant))")
            #expect(dump.description.utf8.count < 400 * mutant.count + 200, "\(hex(mutant))")
        }
        #expect((500...4750).contains(damaged))
    }

    @Test("Overlapping collections are not shown repeatedly")
    func overlaps() {
        // Arrays at every even offset, each of which reaches up to the pointers after all of them.
        let count = 2000
        var document: [UInt8] = []
        for index in 0..<count {
            let slots = min(2000, count - index - 1)
            document += [0x60 | UInt8(slots >> 8), UInt8(slots & 0xFF)]
        }
        document += [0x60 | UInt8(count >> 8), UInt8(count & 0xFF)]
        for _ in 0..<count {
            let units = count + 1
            document += [0x80 | UInt8(units >> 8), UInt8(units & 0xFF)]
        }
        document += [0x80 | UInt8((count + 1) >> 8), UInt8((count + 1) & 0xFF)]
        // The pointers lead to each of the arrays in turn.
        let dump = FleeceDump(document)
        let lines = dump.lines
        #expect(lines.count < 3 * document.count)
        #expect(lines.contains { $0.problem == "not shown twice" })
        #expect(lines.contains { $0.problem?.hasPrefix("overlaps") == true })
    }

    @Test("A long string with many pointers to it is not examined repeatedly")
    func longString() throws {
        let dump = FleeceDump(Hostile.oneKey(length: 1 << 20, pairs: 10_000))
        let lines = dump.lines
        #expect(lines.count == 20_004)
        #expect(lines[1].meaning == "dictionary of 10000, wide")
        #expect(lines.allSatisfy { $0.problem == nil })
    }

    @Test("Strings of control characters with many pointers to them stay within the length")
    func longestText() throws {
        let document = try encoded { encoder in
            encoder.beginArray()
            for _ in 0..<5000 { encoder.writeString(String(repeating: "\u{1}", count: 15)) }
            try encoder.endArray()
        }
        let length = FleeceDump(document).description.utf8.count
        #expect(length < 400 * document.count)
        #expect(length > 20 * document.count)
    }

    @Test("Chains, cycles and deep nesting are harmless")
    func hostile() throws {
        let pointers = Array(repeating: [UInt8]([0x80, 0, 0, 2]), count: 10_000).joined()
        let chain: [UInt8] = [0x42, 0x68, 0x69, 0] + pointers + [0x60, 1, 0x80, 3, 0x80, 2]
        #expect(FleeceDump(chain).lines.count == 10_005)
        #expect(FleeceDump(Hostile.doubling(levels: 1000)).lines.count == 3004)
        #expect(try FleeceDump(Hostile.nested(levels: 5000)).hasProblems == false)
        #expect(FleeceDump(Hostile.generations(count: 100)).lines.count == 304)
    }
}
