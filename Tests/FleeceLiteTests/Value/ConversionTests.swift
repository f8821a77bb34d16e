import Testing

import FleeceLite

@Suite("Conversions of values")
struct ConversionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let hex: String
        let bool: Bool
        let int: Int64
        let uint: UInt64
        let double: Double
        let text: String?

        init(
            _ description: String, _ hex: String, _ bool: Bool, _ int: Int64, _ uint: UInt64,
            _ double: Double, _ text: String?
        ) {
            testDescription = description
            self.hex = hex
            self.bool = bool
            self.int = int
            self.uint = uint
            self.double = double
            self.text = text
        }
    }

    static let specials = [
        Row("null", "3000", false, 0, 0, 0, "null"),
        Row("false", "3400", false, 0, 0, 0, "false"),
        Row("true", "3800", true, 1, 1, 1, "true"),
        Row("undefined", "3c00", false, 0, 0, 0, "undefined"),
    ]

    static let integers = [
        Row("0", "0000", false, 0, 0, 0, "0"),
        Row("0 in 8 bytes", "1700 0000 0000 0000 0000 8005", false, 0, 0, 0, "0"),
        Row("7", "0007", true, 7, 7, 7, "7"),
        Row("-1", "0fff", true, -1, 0, -1, "-1"),
        Row("2048 unsigned", "1900 0800 8002", true, 2048, 2048, 2048, "2048"),
        Row(
            "Int64.max", "17ff ffff ffff ffff 7f00 8005", true, .max, 1 << 63 - 1, 0x1p63,
            "9223372036854775807"),
        Row(
            "Int64.min", "1700 0000 0000 0000 8000 8005", true, .min, 0, -0x1p63,
            "-9223372036854775808"),
        Row(
            "UInt64.max", "1fff ffff ffff ffff ff00 8005", true, .max, .max, 0x1p64,
            "18446744073709551615"),
    ]

    static let floats = [
        Row("0.0", "2400 0000 0000 8003", false, 0, 0, 0, "0.0"),
        Row("-0.0", "2400 0000 0080 8003", false, 0, 0, 0, "-0.0"),
        Row("0.5", "2400 0000 003f 8003", true, 0, 0, 0.5, "0.5"),
        Row("0.5 single", "2000 0000 003f 8003", true, 0, 0, 0.5, "0.5"),
        Row(
            "0.1 single", "2000 cdcc cc3d 8003", true, 0, 0, 0.10000000149011612, "0.1"),
        Row("-1.75", "2400 0000 e0bf 8003", true, -1, 0, -1.75, "-1.75"),
        Row("1e20", "2800 408c b578 1daf 1544 8005", true, .max, .max, 1e20, "1e+20"),
        Row("-1e20", "2800 408c b578 1daf 15c4 8005", true, .min, 0, -1e20, "-1e+20"),
        Row("2^63", "2400 0000 005f 8003", true, .max, 1 << 63, 0x1p63, "9.223372036854776e+18"),
        Row("inf", "2800 0000 0000 0000 f07f 8005", true, .max, .max, .infinity, "inf"),
        Row("-inf", "2800 0000 0000 0000 f0ff 8005", true, .min, 0, -.infinity, "-inf"),
    ]

    static let others = [
        Row("an empty string", "4000", true, 0, 0, 0, ""),
        Row("a string of digits", "4131", true, 0, 0, 0, "1"),
        Row("data", "5131", true, 0, 0, 0, nil),
        Row("no data", "5000", true, 0, 0, 0, nil),
        Row("an empty array", "6000", true, 0, 0, 0, nil),
        Row("an empty dictionary", "7000", true, 0, 0, 0, nil),
    ]

    @Test("Each value has conversions", arguments: specials + integers + floats + others)
    func conversions(_ row: Row) throws {
        let value = try FleeceDocument(trusted: bytes(row.hex)).root
        #expect(value.asBool == row.bool)
        #expect(value.asInt == row.int)
        #expect(value.asUInt == row.uint)
        #expect(value.asDouble == row.double)
        #expect(value.asFloat == Float(row.double))
        #expect(value.text == row.text)
    }

    @Test("A number's text is what JSONWriter writes", arguments: integers + floats)
    func numberText(_ row: Row) throws {
        let written = try json(bytes(row.hex))
        let value = try FleeceDocument(trusted: bytes(row.hex)).root
        if row.double.isFinite { #expect(value.text == written) }
        #expect(value.double == row.double)
    }

    @Test("NaN is true, not an integer, and nan")
    func notANumber() throws {
        let value = try FleeceDocument(trusted: bytes("2800 0000 0000 0000 f87f 8005")).root
        #expect(value.asBool && value.asInt == 0 && value.asUInt == 0)
        #expect(value.asDouble.isNaN && value.asFloat.isNaN)
        #expect(value.text == "nan")
    }

    @Test("A number too large for single precision converts to infinity")
    func largeFloat() throws {
        let value = try FleeceDocument(trusted: encoded { try $0.writeDouble(1e300) }).root
        #expect(value.asFloat == .infinity)
        // An integer is rounded once, not first to a double: 2^53 + 2^29 + 1.
        let integer = try FleeceDocument(
            trusted: encoded { $0.writeInt(9_007_199_791_611_905) }
        ).root
        #expect(integer.asFloat == 9_007_200_328_482_816)
    }

    @Test(
        "The stored form of a number can be queried",
        arguments: [
            ("07ff", true, false, false), ("0fff", true, false, false),
            ("1100 0800 8002", true, false, false), ("1900 0800 8002", true, true, false),
            ("1fff ffff ffff ffff ff00 8005", true, true, false), ("18ff 8001", true, true, false),
            ("2000 0000 003f 8003", false, false, false),
            ("2400 0000 003f 8003", false, false, true),
            ("2800 0000 0000 0000 f07f 8005", false, false, true),
            ("3800", false, false, false), ("4131", false, false, false),
            ("6000", false, false, false), ("7000", false, false, false),
        ])
    func forms(hex: String, isInteger: Bool, isUnsigned: Bool, isDouble: Bool) throws {
        let value = try FleeceDocument(trusted: bytes(hex)).root
        #expect(value.isInteger == isInteger)
        #expect(value.isUnsigned == isUnsigned)
        #expect(value.isDouble == isDouble)
    }

    @Test(
        "A number is a timestamp, and so is the text of a date",
        arguments: [
            ("\"2008-08-07T05:18:51.589Z\"", 1_218_086_331_589),
            ("\"2008-08-07T05:18:51+02:00\"", 1_218_079_131_000),
            ("\"2008-08-07\"", 1_218_067_200_000), ("1234.9", 1234), ("-5", -5),
            ("1e300", .max), ("\"no date\"", nil), ("\"1234\"", nil), ("true", nil),
            ("null", nil), ("[]", nil), ("{}", nil),
        ] as [(String, Int64?)])
    func timestamps(json: String, milliseconds: Int64?) throws {
        let root = try FleeceDocument(trusted: encoded(json: "[\(json)]")).root
        #expect(root.array?[0].asTimestamp()?.milliseconds == milliseconds)
    }

    @Test("A date without a zone is in the zone that the caller passes")
    func zones() throws {
        let value = try FleeceDocument(trusted: encoded { $0.writeString("2008-08-07T02:00") }).root
        #expect(value.asTimestamp()?.milliseconds == 1_218_074_400_000)
        #expect(value.asTimestamp(zoneMinutes: 120)?.milliseconds == 1_218_067_200_000)
    }

    @Test(
        "A truncated number has no value",
        arguments: ["1700 0000 8002", "2800 0000 8002"])
    func corrupt(hex: String) throws {
        let value = try FleeceDocument(trusted: bytes(hex)).root
        #expect(!value.asBool && value.asInt == 0 && value.asUInt == 0 && value.asDouble == 0)
        #expect(value.text == nil && value.asTimestamp() == nil)
    }
}
