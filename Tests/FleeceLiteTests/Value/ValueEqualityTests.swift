import Testing

import FleeceLite

@Suite("Equality, order and hash of values")
struct ValueEqualityTests {
    private func value(_ hex: String, keys: [String] = []) throws -> FleeceValue {
        try FleeceDocument(trusted: bytes(hex), sharedKeys: table(keys)).root
    }

    private func value(json: String, sharedKeys: Bool = false) throws -> FleeceValue {
        var encoder = FleeceEncoder(sharedKeys: sharedKeys ? SharedKeys() : nil)
        try encoder.writeJSON(json)
        let document = try encoder.finish()
        return try FleeceDocument(
            trusted: document, sharedKeys: encoder.sharedKeys ?? SharedKeys()
        ).root
    }

    @Test(
        "values are equal that differ in representation only",
        arguments: [
            ("1100 0800 8002", "1900 0800 8002"), ("0001", "2400 0000 803f 8003"),
            ("2000 0000 003f 8003", "2800 0000 0000 0000 e03f 8005"),
            ("0000", "2400 0000 0080 8003"),
            ("2400 0000 0000 8003", "2400 0000 0080 8003"),
            ("6002 0001 3000 8003", "6802 0001 beef 3000 0000 8005"),
            ("1fff ffff ffff ffff ff00 8005", "1fff ffff ffff ffff ff00 8005"),
            ("3000", "3100"), ("4161", "4f01 6100 8002"),
            ("2800 0000 0000 00f8 7f00 8005", "2800 0000 0000 00f8 7f00 8005"),
            ("7002 4161 3c00 4162 0001 8005", "7001 4162 0001 8003"),
        ])
    func equal(left: String, right: String) throws {
        let (left, right) = (try value(left), try value(right))
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(!(left < right) && !(right < left))
    }

    @Test("dictionaries are equal regardless of their keys' numbers and order")
    func sharedKeys() throws {
        let texts = [#"{"b":1,"a":[{"c":null}]}"#, #"{"a":[{"c":null}],"b":1.0}"#]
        let values = try texts.flatMap {
            [try value(json: $0), try value(json: $0, sharedKeys: true)]
        }
        #expect(Set(values).count == 1)
    }

    @Test("a child dictionary equals the dictionary that has all the pairs itself")
    func children() throws {
        let base = "4366 6f6f 4362 6172 4568 656c 6c6f 7002 8006 8005 800a 007b 8005"
        let child = try value(base + "4366 6f6f 7002 0800 800a 8005 01c8 8005")
        #expect(try child == value(json: #"{"bar":"hello","foo":456}"#))
    }

    @Test("each of these comes before the next, and equals itself only")
    func order() throws {
        let arrays = [
            "[]", "[null]", "[false]", "[true]", "[-1e300]", "[-9223372036854775808]",
            "[-2.5]", "[-2]", "[0]", "[0.1]", "[1]", "[9007199254740992]", "[9007199254740993]",
            "[18446744073709551615]", "[1.9e19]", #"[""]"#, #"["A"]"#, #"["a"]"#, #"["ab"]"#,
            #"["é"]"#, "[[]]", "[[1]]", "[[1,0]]", "[[2]]", "[{}]", #"[{"a":1}]"#,
            #"[{"a":1,"b":1}]"#, #"[{"a":2}]"#, #"[{"b":0}]"#,
        ]
        let values = try arrays.map { try value(json: $0) }
        for (left, one) in values.enumerated() {
            for (right, other) in values.enumerated() {
                #expect((one < other) == (left < right), "\(arrays[left]) and \(arrays[right])")
                #expect((one == other) == (left == right), "\(arrays[left]) and \(arrays[right])")
            }
        }
        #expect(values.shuffled().sorted() == values)
    }

    @Test("NaN equals itself and sorts before all numbers")
    func notANumber() throws {
        let nan = try value("2800 0000 0000 0000 f87f 8005")
        #expect(nan == nan)
        #expect(try nan < value(json: "[-1e308]")[PropertyPath([.index(0)])] ?? nan)
    }

    @Test("canonically equivalent strings with different bytes are different")
    func unicode() throws {
        #expect(try value(json: #"["\u00e9"]"#) != value(json: #"["e\u0301"]"#))
        #expect(try value(json: #"{"\u00e9":1}"#) != value(json: #"{"e\u0301":1}"#))
    }

    @Test("data is not a string, null is not undefined, false is not 0")
    func kinds() throws {
        #expect(try value("4161") != value("5161"))
        #expect(try value("3000") != value("3c00"))
        #expect(try value("3400") != value("0000"))
    }

    @Test("parts that are referred to 2^60 times are compared once", .timeLimit(.minutes(20)))
    func doubling() throws {
        let one = try FleeceDocument(trusted: Hostile.doubling(levels: 60)).root
        let other = try FleeceDocument(trusted: Hostile.doubling(levels: 60)).root
        #expect(one == other)
        #expect(try one != FleeceDocument(trusted: Hostile.doubling(levels: 61)).root)
        let deep = try FleeceDocument(trusted: Hostile.nested(levels: 200_000)).root
        #expect(deep == deep)
    }

    @Test(
        "Unreadable arrays and dictionaries are like empty ones", .timeLimit(.minutes(20)))
    func unreadable() throws {
        // Collections of 100 items in a document of a few bytes.
        for (hex, empty) in [("6064 8001", "6000"), ("7064 8001", "7000")] {
            let corrupt = try FleeceDocument(trusted: bytes(hex)).root
            #expect(try corrupt == FleeceDocument(trusted: bytes(hex)).root)
            #expect(try corrupt == FleeceDocument(trusted: bytes(empty)).root)
            #expect(
                try corrupt < FleeceDocument(trusted: encoded(json: "[[1]]")).root
                    || empty == "7000")
        }
    }
}
