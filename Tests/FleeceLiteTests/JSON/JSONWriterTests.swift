import Testing

import FleeceLite

@Suite("JSON writer: values")
struct JSONWriterTests {
    @Test(
        "A double is the shortest decimal that is parsed as the same, with a point or exponent",
        arguments: [
            (0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (-1.5, "-1.5"), (100, "100.0"), (0.1, "0.1"),
            (0.1 + 0.2, "0.30000000000000004"), (307.79998779296875, "307.79998779296875"),
            (0.0001, "0.0001"), (0.00011, "0.00011"), (0.00001, "1e-05"), (1e-7, "1e-07"),
            (0.000099, "9.9e-05"), (1e20, "1e+20"), (1.25e17, "1.25e+17"), (1e-10, "1e-10"),
            (9007199254740992, "9007199254740992.0"), (-9007199254740992, "-9007199254740992.0"),
            (9007199254740994, "9.007199254740994e+15"), (1e15, "1000000000000000.0"),
            (.leastNonzeroMagnitude, "5e-324"), (1e100, "1e+100"), (1.5e-300, "1.5e-300"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (123456.789, "123456.789"),
            (16_777_218, "16777218.0"),
        ] as [(Double, String)])
    func doubles(value: Double, text: String) throws {
        #expect(try json(encoded { try $0.writeDouble(value) }) == text)
    }

    @Test(
        "A single is the shortest decimal that is parsed as the same single",
        arguments: [
            (307.8, "307.8"), (0.1, "0.1"), (0.5, "0.5"), (-0.0, "-0.0"), (1e-5, "1e-05"),
            (16_777_216, "16777216.0"), (16_777_218, "1.6777218e+07"), (3.4e38, "3.4e+38"),
            (.leastNonzeroMagnitude, "1e-45"),
        ] as [(Float, String)])
    func singles(value: Float, text: String) throws {
        #expect(try json(encoded { try $0.writeFloat(value) }) == text)
    }

    @Test(
        "An integer is its digits",
        arguments: [
            ("0000", "0"), ("07ff", "2047"), ("0800", "-2048"), ("0fff", "-1"),
            ("1100 0800 8002", "2048"), ("1900 8000 8002", "32768"),
            ("17ff ffff ffff ffff 7f00 8005", "9223372036854775807"),
            ("1700 0000 0000 0000 8000 8005", "-9223372036854775808"),
            ("1fff ffff ffff ffff ff00 8005", "18446744073709551615"),
        ])
    func integers(hex: String, text: String) throws {
        #expect(try json(bytes(hex)) == text)
    }

    @Test(
        "Only necessary escapes are written",
        arguments: [
            ("", #""""#), ("a/b", #""a/b""#), ("\"\\", #""\"\\""#), ("\r\n\t", #""\r\n\t""#),
            ("\u{8}\u{C}", #""\u0008\u000c""#), ("\0", #""\u0000""#), ("\u{1F}", #""\u001f""#),
            ("\u{1B}", #""\u001b""#), ("\u{7F}", #""\u007f""#), ("ü☠️𝄞", #""ü☠️𝄞""#),
            ("\u{80}\u{2028}", "\"\u{80}\u{2028}\""), ("a\nb\nc", #""a\nb\nc""#),
            ("\nab\n", #""\nab\n""#),
        ])
    func strings(value: String, text: String) throws {
        #expect(try json(encoded { $0.writeString(value) }) == text)
        let object = try encoded { encoder in
            encoder.beginDictionary()
            try encoder.writeKey(value)
            encoder.writeInt(1)
            try encoder.endDictionary()
        }
        #expect(try json(object) == "{\(text):1}")
    }

    @Test(
        "Data is Base64 with padding",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func data(text: String, base64: String) throws {
        #expect(try json(encoded { $0.writeData(Array(text.utf8)) }) == "\"\(base64)\"")
    }

    @Test("All digits of Base64 are used")
    func base64Digits() throws {
        let all = try encoded { $0.writeData([0xFB, 0xFF, 0xBF, 0x00, 0x10, 0x83, 0xFF, 0xFE]) }
        #expect(try json(all) == #""+/+/ABCD//4=""#)
    }

    @Test("Null, Booleans and empty collections are written")
    func specials() throws {
        let text = #"[null,true,false,[],{},[[]],{"a":{}}]"#
        #expect(try json(encoded(json: text)) == text)
    }

    @Test("Pairs are written in stored order: numeric keys by number, then by bytes")
    func order() throws {
        let text = #"{"zz top":1,"name":2,"é":3,"age":4,"Z Z":5,"":6}"#
        #expect(
            try json(encoded(json: text))
                == #"{"":6,"Z Z":5,"age":4,"name":2,"zz top":1,"é":3}"#)
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        try encoder.writeJSON(text)
        let document = try encoder.finish()
        let keys = encoder.sharedKeys ?? SharedKeys()
        #expect(
            try json(document, sharedKeys: keys)
                == #"{"name":2,"age":4,"":6,"Z Z":5,"zz top":1,"é":3}"#)
    }

    @Test("Pretty JSON has a line for each element and property")
    func pretty() throws {
        var options = JSONWriter.Options()
        options.pretty = true
        let document = try encoded(json: #"{"a":[1,{"b":[]},{}],"c":{"d":null},"e":""}"#)
        #expect(
            try json(document, options: options) == """
                {
                  "a": [
                    1,
                    {
                      "b": []
                    },
                    {}
                  ],
                  "c": {
                    "d": null
                  },
                  "e": ""
                }
                """)
        #expect(try json(encoded(json: "[]"), options: options) == "[]")
        #expect(try json(bytes("0001"), options: options) == "1")
    }

    @Test("Values that JSON lacks are null, or optionally an error")
    func unrepresentable() throws {
        var strict = JSONWriter.Options()
        strict.nullForUnrepresentable = false
        let documents = [
            "3c00", "2800 0000 0000 0000 f07f 8005", "2800 0000 0000 0000 f0ff 8005",
            "2800 0000 0000 0000 f87f 8005", "2000 0000 807f 8003",
        ]
        for hex in documents {
            #expect(try json(bytes(hex)) == "null")
            #expect(code { _ = try json(bytes(hex), options: strict) } == .invalidData)
        }
        #expect(try json(bytes("7002 4161 3c00 4162 0001 8005")) == #"{"a":null,"b":1}"#)
        #expect(try json(encoded(json: "[1.5,null]"), options: strict) == "[1.5,null]")
    }

    @Test("Invalid UTF-8 in a string or key is an error, and is replaced when it is read")
    func notUTF8() throws {
        #expect(code { _ = try json(bytes("41ff")) } == .invalidData)
        #expect(code { _ = try json(bytes("7001 41ff 0001 8003")) } == .invalidData)
        #expect(try Tree(hex: "41ff") == "\u{FFFD}")
        #expect(try Tree(hex: "7001 41ff 0001 8003") == ["\u{FFFD}": 1])
    }

    @Test("Values are appended one after another; one that fails leaves the text unchanged")
    func severalValues() throws {
        var writer = JSONWriter()
        try writer.write(FleeceDocument(trusted: encoded(json: "[1]")).root)
        writer.text.append("\n")
        let corrupt = try FleeceDocument(trusted: bytes("6803 0001 0000 0002 0000 8000 0000 8007"))
        #expect(code { try writer.write(corrupt.root) } == .invalidData)
        #expect(writer.text.string == "[1]\n")
        try writer.write(FleeceDocument(trusted: encoded(json: "[2]")).root)
        #expect(writer.text.string == "[1]\n[2]")
    }

    @Test("An object begins with the given properties, followed by those of a dictionary")
    func properties() throws {
        var id = JSONText()
        id.append(quoted: "x\"y")
        var number = JSONText()
        number.append(UInt64.max)
        let document = try FleeceDocument(trusted: encoded(json: #"{"b":[1],"a":{}}"#))
        func object(_ dictionary: FleeceDictionary?, _ properties: Bool, pretty: Bool) throws
            -> String
        {
            var options = JSONWriter.Options()
            options.pretty = pretty
            var writer = JSONWriter(options: options)
            try writer.write(
                dictionary, after: properties ? [("_id", id), ("_n\n", number)] : [])
            return writer.text.string
        }
        let written = #""_id":"x\"y","_n\n":18446744073709551615"#
        let both = try object(document.root.dictionary, true, pretty: false)
        #expect(both == #"{\#(written),"a":{},"b":[1]}"#)
        #expect(try object(nil, true, pretty: false) == "{\(written)}")
        #expect(try object(nil, false, pretty: true) == "{}")
        let plain = try object(document.root.dictionary, false, pretty: true)
        #expect(plain == "{\n  \"a\": {},\n  \"b\": [\n    1\n  ]\n}")
    }
}
