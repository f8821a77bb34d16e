import Testing

@testable import FleeceLite

@Suite("Coding: numbers and strings")
struct CodingNumberTests {
    @Test("The extremes of every integer type are decoded unchanged")
    func extremes() throws {
        func check<Number: FixedWidthInteger & Codable>(_ type: Number.Type) throws {
            let numbers: [Number] = [.min, .max, 0, 1, .max / 2, .min / 2, 100]
            try expectRoundTrip(numbers)
            for number in numbers { try expectRoundTrip(["number": number]) }
            for number in numbers { try expectRoundTrip([number, nil]) }
        }
        try check(Int.self)
        try check(Int8.self)
        try check(Int16.self)
        try check(Int32.self)
        try check(Int64.self)
        try check(Int128.self)
        try check(UInt.self)
        try check(UInt8.self)
        try check(UInt16.self)
        try check(UInt32.self)
        try check(UInt64.self)
        try check(UInt128.self)
    }

    @Test("Integers beyond 64 bits are strings of digits")
    func digits() throws {
        #expect(
            try codedJSON([Int128.min])
                == #"["-170141183460469231731687303715884105728"]"#)
        #expect(try codedJSON([UInt128(UInt64.max)]) == "[18446744073709551615]")
        #expect(try decoded(Int128.self, json: #""-12""#) == -12)
        #expect(try decoded(UInt128.self, json: "3.0") == 3)
        let failure = try codingFailure { _ = try decoded(UInt128.self, json: #""-1""#) }
        #expect(
            failure
                == CodingFailure(
                    "dataCorrupted", "", "the string is not an integer that fits in UInt128"))
    }

    @Test("Floating-point numbers, including infinity, are decoded unchanged")
    func floats() throws {
        try expectRoundTrip([0.0, -0.0, 0.1, 1e300, .infinity, -.infinity, .leastNonzeroMagnitude])
        try expectRoundTrip([Float(0.1), .infinity, .greatestFiniteMagnitude, -0.0])
        try expectRoundTrip(["number": Double.pi])
        let zero = try FleeceRowDecoder().decode(
            Double.self, from: FleeceRowEncoder().encode(-0.0))
        #expect(zero.sign == .minus)
    }

    @Test("NaN is rejected with its coding path")
    func notANumber() throws {
        struct Measured: Encodable {
            var values: [[Double]]
            var one: Float = 0
        }
        let message = "NaN cannot be written"
        let inside = try codingFailure {
            _ = try FleeceRowEncoder().encode(Measured(values: [[], [0, .nan]]))
        }
        #expect(inside == CodingFailure("invalidValue", "values.1.1", message))
        let property = try codingFailure {
            _ = try FleeceRowEncoder().encode(Measured(values: [], one: .nan))
        }
        #expect(property == CodingFailure("invalidValue", "one", message))
        let root = try codingFailure { _ = try FleeceRowEncoder().encode(Double.nan) }
        #expect(root == CodingFailure("invalidValue", "", message))
        let optional = try codingFailure {
            _ = try FleeceRowEncoder().encode([1, nil, Double.nan])
        }
        #expect(optional == CodingFailure("invalidValue", "2", message))
    }

    @Test(
        "A number is read as any type that it fits in",
        arguments: [
            ("5", "5"), ("5.0", "5"), ("-1e3", "-1000"), ("9007199254740992", "9007199254740992"),
        ])
    func fits(text: String, expected: String) throws {
        #expect(try decoded(Int.self, json: text) == Int(expected))
        #expect(try decoded(Int64.self, json: text) == Int64(expected))
        #expect(try decoded(Double.self, json: text) == Double(expected))
        #expect(try decoded(Float.self, json: text) == Float(expected))
    }

    @Test("A single-precision number is the nearest to a double")
    func nearest() throws {
        #expect(try decoded(Float.self, json: "0.1") == 0.1)
        #expect(
            try codingFailure { _ = try decoded([Float].self, json: "[1e39]") }
                == CodingFailure("dataCorrupted", "0", "the number does not fit in Float"))
    }

    @Test("A number that does not fit is an error with its coding path")
    func misfits() throws {
        func check<Number: Decodable>(_ type: Number.Type, _ number: String) throws {
            let failure = try codingFailure {
                _ = try decoded([String: [Number]].self, json: #"{"a":[0,\#(number)]}"#)
            }
            #expect(failure?.kind == "dataCorrupted", "\(type) \(number)")
            #expect(failure?.path == "a.1", "\(type) \(number)")
            #expect(failure?.message.hasSuffix("does not fit in \(type)") == true)
        }
        try check(Int8.self, "128")
        try check(Int16.self, "-40000")
        try check(UInt.self, "-1")
        try check(UInt8.self, "256.0")
        try check(Int.self, "9223372036854775808")
        try check(Int.self, "1e19")
        try check(Int.self, "0.5")
        try check(UInt128.self, "-1")
        try check(Double.self, "9007199254740993")
        try check(Float.self, "16777217")
    }

    @Test("Only numbers are decoded as numbers, and only strings as strings")
    func otherTypes() throws {
        func check<Value: Decodable>(_ type: Value.Type, _ json: String, _ found: String) throws {
            let failure = try codingFailure { _ = try decoded([Value].self, json: "[\(json)]") }
            #expect(
                failure
                    == CodingFailure("typeMismatch", "0", "\(type) expected, but found \(found)"))
        }
        try check(Int.self, "true", "a Boolean")
        try check(Int.self, #""5""#, "a string")
        try check(Double.self, "{}", "a dictionary")
        try check(Bool.self, "1", "an integer")
        try check(String.self, "[]", "an array")
        try check(String.self, "0.5", "a floating-point number")
    }

    @Test("Strings of every length are decoded unchanged; invalid UTF-8 is an error")
    func strings() throws {
        for length in 0...70 {
            let text = String(repeating: "x", count: length)
            try expectRoundTrip(["a": text, "b": text + "é", "c": "é" + text, "d": "🙂" + text])
        }
        for bad in ["c328", "6161 6161 6161 6161 6161 ff", "f09f 98"] {
            let document = try encoded { encoder in
                encoder.beginArray()
                try bytes(bad).withUnsafeBytes { encoder.writeString($0) }
                try encoder.endArray()
            }
            let failure = try codingFailure {
                _ = try FleeceRowDecoder().decode([String].self, from: document)
            }
            #expect(failure == CodingFailure("dataCorrupted", "0", "the string is not UTF-8"))
        }
    }
}
