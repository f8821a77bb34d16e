import Testing

import FleeceLite

@Suite("JSON reader: numbers")
struct JSONReaderNumberTests {
    @Test(
        "An integer has the bytes of the reference, unsigned unless it has a minus sign",
        arguments: [
            ("0", "6001 0000 8002"), ("-0", "6001 0000 8002"), ("2047", "6001 07ff 8002"),
            ("-2048", "6001 0800 8002"), ("2048", "1900 0800 6001 8003 8002"),
            ("-2049", "11ff f700 6001 8003 8002"), ("32768", "1900 8000 6001 8003 8002"),
            ("-32769", "12ff 7fff 6001 8003 8002"),
            ("2147483647", "1bff ffff 7f00 6001 8004 8002"),
            ("2147483648", "1b00 0000 8000 6001 8004 8002"),
            ("4294967295", "1bff ffff ff00 6001 8004 8002"),
            ("4294967296", "1c00 0000 0001 6001 8004 8002"),
            ("-2147483648", "1300 0000 8000 6001 8004 8002"),
            ("-2147483649", "14ff ffff 7fff 6001 8004 8002"),
            ("1000000000000000000", "1f00 0064 a7b3 b6e0 0d00 6001 8006 8002"),
            ("9223372036854775807", "1fff ffff ffff ffff 7f00 6001 8006 8002"),
            ("9223372036854775808", "1f00 0000 0000 0000 8000 6001 8006 8002"),
            ("10000000000000000000", "1f00 00e8 8904 23c7 8a00 6001 8006 8002"),
            ("18446744073709551615", "1fff ffff ffff ffff ff00 6001 8006 8002"),
            ("-9223372036854775808", "1700 0000 0000 0000 8000 6001 8006 8002"),
        ])
    func integers(text: String, expected: String) throws {
        #expect(try hex(encoded(json: "[\(text)]")) == expected)
    }

    @Test(
        "A fraction, an exponent or more than 64 bits make a double",
        arguments: [
            ("1.0", 1), ("1e2", 100), ("1E2", 100), ("1e+2", 100), ("100e-2", 1), ("-0.0", -0.0),
            ("-0e5", -0.0), ("0e999", 0), ("0.000", 0), ("18446744073709551616", 0x1p64),
            ("-9223372036854775809", -0x1p63), ("99999999999999999999", 1e20),
            ("-99999999999999999999", -1e20), ("1e308", 1e308),
            ("1.7976931348623157e308", 0x1.fffffffffffffp1023),
            ("2.2250738585072014e-308", 0x1p-1022), ("5e-324", 0x1p-1074), ("2e-324", 0),
            ("1e-400", 0), ("-1e-99999999999999999999", -0.0), ("0.1", 0.1),
            ("0.30000000000000004", 0.1 + 0.2),
            ("9007199254740993.0", 9007199254740992), ("9007199254740993e0", 9007199254740992),
            ("123456789012345678e-8", 1_234_567_890.12345678), ("7.0e-10", 7e-10),
            ("1.000000000000000000000000000000000000001", 1), ("8.41e21", 8.41e21),
            ("9.5e-22", 9.5e-22), ("1e23", 1e23), ("3.4028234663852886e38", 0x1.fffffep127),
            ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown), ("4e-7", 4e-7),
            ("1e22", 1e22),
            ("1" + String(repeating: "0", count: 308), 1e308),
            ("0." + String(repeating: "0", count: 320) + "1", Double(bitPattern: 202)),
            ("0." + String(repeating: "0", count: 30) + "1e31", 1),
        ] as [(String, Double)])
    func doubles(text: String, value: Double) throws {
        let number = try FleeceDocument(trusted: encoded(json: "[\(text)]")).root.array?[0]
        #expect(number?.kind == .double)
        #expect(number?.double?.bitPattern == value.bitPattern)
    }

    @Test(
        "A number ends where its text ends", arguments: ["1", "-1", "1.5", "1e5", "123456789012"])
    func numbersInPlace(text: String) throws {
        for after in ["", " ", "\n", ",0"] {
            let array = try FleeceDocument(trusted: encoded(json: "[\(text)\(after)]")).root.array
            #expect(array?[0].double == Double(text))
            #expect(array?.count == (after == ",0" ? 2 : 1))
        }
    }
}
