import Testing

import FleeceLite

@Suite("Encoder: scalars")
struct EncoderScalarTests {
    static let specials = [
        Example(1, "null", "3000", .null) { $0.writeNull() },
        Example(2, "false", "3400", .bool(false)) { $0.writeBool(false) },
        Example(2, "true", "3800", .bool(true)) { $0.writeBool(true) },
        Example(3, "undefined", "3c00", .undefined) { $0.writeUndefined() },
    ]

    static let integers = [
        integer(4, 0, "0000"),
        integer(4, 128, "0080"),
        integer(4, 1234, "04d2"),
        integer(5, -1, "0fff"),
        integer(5, -1234, "0b2e"),
        integer(6, 2047, "07ff"),
        integer(6, -2048, "0800"),
        integer(7, 2048, "1100 0800 8002"),
        integer(8, -2049, "11ff f700 8002"),
        integer(9, 32767, "11ff 7f00 8002"),
        integer(9, 32768, "1200 8000 8002"),
        integer(10, -32768, "1100 8000 8002"),
        integer(10, -32769, "12ff 7fff 8002"),
        integer(11, 0x22_3344, "1244 3322 8002"),
        integer(12, 12_345_678, "134e 61bc 0000 8003"),
        integer(12, -12_345_678, "13b2 9e43 ff00 8003"),
        integer(13, .max, "17ff ffff ffff ffff 7f00 8005"),
        integer(13, .min, "1700 0000 0000 0000 8000 8005"),
    ]

    static let unsigned = [
        unsigned(4, 0, "0000"),
        unsigned(6, 2047, "07ff"),
        unsigned(14, 2048, "1900 0800 8002"),
        unsigned(14, 32768, "1900 8000 8002"),
        unsigned(15, 1_234_567_890, "1bd2 0296 4900 8003"),
        Example(16, "UInt64.max", "1fff ffff ffff ffff ff00 8005", .unsigned(.max)) {
            $0.writeUInt(.max)
        },
    ]

    static let floatingPoint = [
        float(17, 0.5, "2000 0000 003f 8003"),
        float(17, Float(Double.pi), "2000 db0f 4940 8003"),
        double(18, 0.5, "2400 0000 003f 8003"),
        double(18, -0.0, "2400 0000 0080 8003"),
        double(19, .pi, "2800 182d 4454 fb21 0940 8005"),
        double(19, 0.1, "2800 9a99 9999 9999 b93f 8005"),
        double(19, .infinity, "2800 0000 0000 0000 f07f 8005"),
        double(20, 307.79998779296875, "2400 66e6 9943 8003"),
    ]

    static let strings = [
        string(21, "", "4000"),
        string(21, "a", "4161"),
        string(21, "ab", "4261 6200 8002"),
        string(22, "abcdefghijklmn", "4e61 6263 6465 6667 6869 6a6b 6c6d 6e00 8008"),
        string(23, "abcdefghijklmno", "4f0f 6162 6364 6566 6768 696a 6b6c 6d6e 6f00 8009"),
        string(24, "müßchop", "496d c3bc c39f 6368 6f70 8005"),
        string(
            25, String(repeating: "a", count: 300),
            "4fac 02" + String(repeating: "61", count: 300) + "00 8098"),
    ]

    static let data = [
        data(26, [], "5000"),
        data(26, [0xDE, 0xAD, 0xBE, 0xEF], "54de adbe ef00 8003"),
        data(26, [0x61], "5161"),
        data(
            26, Array(repeating: 0x61, count: 15),
            "5f0f" + String(repeating: "61", count: 15)
                + "00 8009"),
    ]

    static let all = specials + integers + unsigned + floatingPoint + strings + data

    @Test("A scalar at the root has the bytes of the reference", arguments: all)
    func encoding(_ example: Example) throws {
        #expect(try hex(encoded(example.write)) == hex(bytes(example.hex)))
    }

    @Test("A scalar at the root is read back", arguments: all)
    func decoding(_ example: Example) throws {
        #expect(try Tree(hex: example.hex) == example.value)
    }

    @Test("An integer has as few bytes as hold it and its sign", arguments: 1...8)
    func integerWidths(byteCount: Int) throws {
        let top = Int64.max >> Int64(64 - 8 * byteCount)
        for value in [top, ~top] where value > 2047 || value < -2048 {
            let document = try encoded { $0.writeInt(value) }
            #expect(document[0] == 0x10 + UInt8(byteCount - 1), "\(value)")
            #expect(try Tree(hex: hex(document)) == .integer(value))
        }
        let largest = UInt64.max >> UInt64(64 - 8 * byteCount)
        guard largest > 2047 else { return }
        let document = try encoded { $0.writeUInt(largest) }
        #expect(document[0] == 0x18 + UInt8(byteCount - 1), "\(largest)")
        #expect(try FleeceDocument(trusted: document).root.uint == largest)
    }

    @Test("NaN is an error, for single and for double precision")
    func notANumber() {
        #expect(code { _ = try encoded { try $0.writeDouble(.nan) } } == .invalidData)
        #expect(code { _ = try encoded { try $0.writeFloat(.nan) } } == .invalidData)
    }

    @Test(
        "A double takes 4 bytes only if the conversion is exact",
        arguments: [
            (1.0, 0x24), (Double(Float.greatestFiniteMagnitude), 0x24), (0x1p-149, 0x24),
            (0x1p-150, 0x28), (3.4028235e38, 0x28), (16_777_217, 0x28), (0.2, 0x28), (1e300, 0x28),
            (-.infinity, 0x28), (.leastNonzeroMagnitude, 0x28),
        ] as [(Double, UInt8)])
    func doubleWidths(value: Double, header: UInt8) throws {
        let document = try encoded { try $0.writeDouble(value) }
        #expect(document[0] == header)
        #expect(try Tree(hex: hex(document)) == .double(value))
    }
}

extension EncoderScalarTests {
    private static func integer(_ number: Int, _ value: Int64, _ hex: String) -> Example {
        Example(number, "\(value)", hex, .integer(value)) { $0.writeInt(value) }
    }

    private static func unsigned(_ number: Int, _ value: UInt64, _ hex: String) -> Example {
        Example(number, "\(value) unsigned", hex, .integer(Int64(value))) { $0.writeUInt(value) }
    }

    private static func double(_ number: Int, _ value: Double, _ hex: String) -> Example {
        Example(number, "double \(value)", hex, .double(value)) { try $0.writeDouble(value) }
    }

    private static func float(_ number: Int, _ value: Float, _ hex: String) -> Example {
        Example(number, "float \(value)", hex, .double(Double(value))) { try $0.writeFloat(value) }
    }

    private static func string(_ number: Int, _ value: String, _ hex: String) -> Example {
        Example(number, "\"\(value.prefix(20))\"", hex, .string(value)) { $0.writeString(value) }
    }

    private static func data(_ number: Int, _ value: [UInt8], _ hex: String) -> Example {
        Example(number, "data of \(value.count)", hex, .data(value)) { $0.writeData(value) }
    }
}
