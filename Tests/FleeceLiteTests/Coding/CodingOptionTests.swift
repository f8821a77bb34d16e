import Foundation
import Testing

import FleeceLite

@Suite("Coding: nil, dates and Foundation's types")
struct CodingOptionTests {
    private struct Optionals: Encodable {
        var number: Int?
        var text: String?
        var list: [Int?] = [nil]
        var inner: Inner?
        var always: Int?
        var alwaysInner: Inner?

        struct Inner: Encodable { var a = 1 }

        private enum Keys: CodingKey { case number, text, list, inner, always, alwaysInner, none }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encodeIfPresent(number, forKey: .number)
            try container.encodeIfPresent(text, forKey: .text)
            try container.encode(list, forKey: .list)
            try container.encodeIfPresent(inner, forKey: .inner)
            try container.encode(always, forKey: .always)
            try container.encode(alwaysInner, forKey: .alwaysInner)
            try container.encodeNil(forKey: .none)
        }
    }

    @Test("Nil is encoded as the type requests, omitted, or null")
    func nils() throws {
        var form = FleeceRowEncoder()
        #expect(
            try codedJSON(Optionals(), as: form)
                == #"{"always":null,"alwaysInner":null,"list":[null],"none":null}"#)
        form.nils = .leftOut
        #expect(try codedJSON(Optionals(), as: form) == #"{"list":[null]}"#)
        form.nils = .null
        #expect(
            try codedJSON(Optionals(), as: form)
                == #"{"always":null,"alwaysInner":null,"inner":null,"list":[null],"none":null,"#
                + #""number":null,"text":null}"#)
        let full = Optionals(number: 0, text: "", inner: .init(), always: 1, alwaysInner: .init())
        for nils in [FleeceRowEncoder.NilForm.asCoded, .null] {
            form.nils = nils
            #expect(
                try codedJSON(full, as: form)
                    == #"{"always":1,"alwaysInner":{"a":1},"inner":{"a":1},"list":[null],"#
                    + #""none":null,"number":0,"text":""}"#)
        }
    }

    @Test("Null, undefined and a missing value are decoded as nil")
    func readingNil() throws {
        struct Read: Decodable, Equatable {
            var number: Int?
            var inner: [String: Int]?
        }
        #expect(try decoded(Read.self, json: #"{"number":null,"inner":null}"#) == Read())
        #expect(try decoded(Read.self, json: "{}") == Read())
        #expect(try decoded([Int?].self, json: "[null,1]") == [nil, 1])
        let undefined = try encoded { encoder in
            encoder.beginDictionary()
            try encoder.writeKey("number")
            encoder.writeUndefined()
            try encoder.writeKey("inner")
            encoder.beginDictionary()
            try encoder.writeKey("a")
            encoder.writeUndefined()
            try encoder.endDictionary()
            try encoder.endDictionary()
        }
        let read = try FleeceRowDecoder().decode(Read.self, from: undefined)
        #expect(read == Read(inner: [:]))
        let elements = try encoded { encoder in
            encoder.beginArray()
            encoder.writeUndefined()
            try encoder.endArray()
        }
        #expect(try FleeceRowDecoder().decode([Int?].self, from: elements) == [nil])
    }

    private struct Everything: Codable, Equatable {
        var data = Data([1, 2, 255])
        var date = Date(timeIntervalSince1970: 1_218_086_331.589)
        var uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))
        var url = URL(string: "https://example.com/a?b=c#d")
        var decimal = Decimal(string: "-12345678901234567890.123456789")
        var lists = [Data()]
        var dates: [Date?] = [nil, Date(timeIntervalSince1970: 0)]
    }

    @Test("Foundation's types are decoded unchanged")
    func foundation() throws {
        try expectRoundTrip(Everything())
        try expectRoundTrip([Data([0]), Data(repeating: 7, count: 1000)])
        try expectRoundTrip(Date(timeIntervalSince1970: -1.5))
        try expectRoundTrip(Data([1]))
        try expectRoundTrip([Decimal.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0, -1])
        try expectRoundTrip([UUID(), UUID()])
    }

    @Test("The encoded forms of Foundation's types")
    func foundationForms() throws {
        #expect(
            try codedJSON(Everything())
                == #"{"data":"AQL/","date":"2008-08-07T05:18:51.589Z","#
                + #""dates":[null,"1970-01-01T00:00:00Z"],"#
                + #""decimal":"-12345678901234567890.123456789","lists":[""],"#
                + #""url":"https://example.com/a?b=c#d","#
                + #""uuid":"01020304-0506-0708-090A-0B0C0D0E0FFF"}"#)
        let bytes = try FleeceRowEncoder().encode([Data([0xAB, 0xCD])])
        #expect(hex(bytes) == "52ab cd00 6001 8003 8002")
    }

    @Test("Dates are text or milliseconds, and are decoded from both")
    func dates() throws {
        var form = FleeceRowEncoder()
        let date = Date(timeIntervalSince1970: 1_218_086_331.589)
        #expect(try codedJSON(["d": date], as: form) == #"{"d":"2008-08-07T05:18:51.589Z"}"#)
        form.dates = .milliseconds
        #expect(try codedJSON(["d": date], as: form) == #"{"d":1218086331589}"#)
        #expect(try decoded(Date.self, json: "1218086331589") == date)
        #expect(try decoded(Date.self, json: "1218086331589.0") == date)
        #expect(
            try decoded(Date.self, json: #""2008-08-07 07:18:51.589+02:00""#) == date)
        #expect(
            try decoded(Date.self, json: #""2008-08-07""#)
                == Date(timeIntervalSince1970: 1_218_067_200))
    }

    @Test("Dates out of the range of text are rejected, but not as milliseconds")
    func dateRange() throws {
        let last = Date(timeIntervalSince1970: 253_402_300_799.999)
        let first = Date(timeIntervalSince1970: -62_167_219_200)
        try expectRoundTrip([last, first, .distantPast, .distantFuture])
        var form = FleeceRowEncoder()
        let late = Date(timeIntervalSince1970: 253_402_300_800)
        let endless = Date(timeIntervalSince1970: .infinity)
        for date in [late, endless, first - 1, Date(timeIntervalSince1970: .nan)] {
            let failure = try codingFailure { _ = try form.encode(["a": [date]]) }
            #expect(failure == CodingFailure("invalidValue", "a.0", "the date is out of range"))
        }
        form.dates = .milliseconds
        #expect(try codedJSON(late, as: form) == "253402300800000")
        #expect(try codingFailure { _ = try form.encode(endless) }?.kind == "invalidValue")
    }

    @Test("Data is decoded from Base64 as well, and decimal numbers from numbers")
    func otherForms() throws {
        #expect(try decoded(Data.self, json: #""AQL/""#) == Data([1, 2, 255]))
        #expect(try decoded(Data.self, json: #""""#) == Data())
        #expect(try decoded(Decimal.self, json: "0.1") == Decimal(string: "0.1"))
        #expect(try decoded(Decimal.self, json: "-5") == -5)
        #expect(
            try decoded(Decimal.self, json: "18446744073709551615")
                == Decimal(string: "18446744073709551615"))
        #expect(try decoded(Decimal.self, json: #""1e3""#) == 1000)
        #expect(try decoded(Decimal.self, json: #""+.5E-1""#) == Decimal(string: "0.05"))
    }

    @Test("An invalid value of those types is an error with its coding path")
    func badValues() throws {
        func check<Value: Decodable>(_ type: Value.Type, _ json: String, _ message: String) throws {
            let failure = try codingFailure {
                _ = try decoded([String: Value].self, json: #"{"a":\#(json)}"#)
            }
            #expect(failure == CodingFailure("dataCorrupted", "a", message), "\(type) \(json)")
        }
        try check(Data.self, #""AQL""#, "the string is not base64")
        try check(Date.self, #""yesterday""#, "the string is not a date of ISO 8601")
        try check(UUID.self, #""1234""#, "the string is not a UUID")
        try check(URL.self, #""""#, "the string is not a URL")
        for text in ["", "1x", "1 ", "--1", "1.2.3", "1e", "e1", ".", "+", "NaN", "1-2", "0x1"] {
            try check(Decimal.self, "\"\(text)\"", "the value is not a decimal number")
        }
        let failure = try codingFailure { _ = try decoded([Data].self, json: "[5]") }
        #expect(
            failure == CodingFailure("typeMismatch", "0", "Data expected, but found an integer"))
        let refused = try codingFailure { _ = try FleeceRowEncoder().encode([Decimal.nan]) }
        #expect(refused == CodingFailure("invalidValue", "0", "NaN cannot be written"))
    }
}
