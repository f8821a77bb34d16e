import Testing

import FleeceLite

@Suite("Encoder: collections")
struct EncoderCollectionTests {
    static let arrays = [
        Example(27, json: "[]", "6000", []),
        Example(27, json: "[null]", "6001 3000 8002", [nil]),
        Example(28, json: "[1,2,3]", "6003 0001 0002 0003 8004", [1, 2, 3]),
        Example(
            29, json: #"["a","hello","a","hello"]"#,
            "4568 656c 6c6f 6004 4161 8005 4161 8007 8005", ["a", "hello", "a", "hello"]),
        Example(30, json: "[2048]", "1900 0800 6001 8003 8002", [2048]),
        Example(30, json: "[-2049]", "11ff f700 6001 8003 8002", [-2049]),
        Example(
            31, json: "[0.0,-0.0,-0]",
            "2400 0000 0000 2400 0000 0080 6003 8007 8005 0000 8004", [0.0, -0.0, 0]),
        Example(
            32, json: "[18446744073709551616]", "2400 0000 805f 6001 8004 8002",
            [.double(0x1p64)]),
    ]

    static let dictionaries = [
        Example(27, json: "{}", "7000", [:]),
        Example(33, json: #"{"f":42}"#, "7001 4166 002a 8003", ["f": 42]),
        Example(33, json: #"{"o-o":42}"#, "436f 2d6f 7001 8003 002a 8003", ["o-o": 42]),
        Example(34, json: #"{"foo":123}"#, "4366 6f6f 7001 8003 007b 8003", ["foo": 123]),
        Example(
            35, json: #"{"hello":"hello"}"#, "4568 656c 6c6f 7001 8004 8005 8003",
            ["hello": "hello"]),
        Example(
            36, json: #"{"b":1,"a":2,"":3}"#, "7003 4000 0003 4161 0002 4162 0001 8007",
            ["": 3, "a": 2, "b": 1]),
        Example(
            37, json: #"{"é":1,"z":2,"Z":3,"aa":4,"a":5}"#,
            """
            42c3 a900 4261 6100 7005 415a 0003 4161 0005 8007 0004 417a 0002 800d 0001 800b
            """, ["Z": 3, "a": 5, "aa": 4, "z": 2, "é": 1]),
        Example(
            38, json: #"{"a":{"b":[1,"two",3.5,null,true,false]}}"#,
            """
            4374 776f 2400 0000 6040 6006 0001 8007 8006 3000 3800 3400 7001 4162 8009 7001 4161
            8005 8003
            """, ["a": ["b": [1, "two", 3.5, nil, true, false]]]),
        Example(
            45, json: #"{"foo":123,"bar":"hello"}"#,
            "4366 6f6f 4362 6172 4568 656c 6c6f 7002 8006 8005 800a 007b 8005",
            ["bar": "hello", "foo": 123]),
    ]

    static let documented = Example(
        39,
        json: """
            {"hello":"world!","time":1234567890,"float":0.01234,"boolean":true,"otherbool":false,\
            "null":null,"obj":{"what":"that"},"arr":[1,2,3]}
            """,
        """
        4568 656c 6c6f 4677 6f72 6c64 2100 4474 696d 6500 1bd2 0296 4900 4566 6c6f 6174 2800 f60b
        76c3 b645 893f 4762 6f6f 6c65 616e 496f 7468 6572 626f 6f6c 446e 756c 6c00 436f 626a 4477
        6861 7400 4474 6861 7400 7001 8007 8005 4361 7272 6003 0001 0002 0003 7008 8007 8006 8020
        3800 802a 8028 8039 8037 801d 3000 801c 8015 8026 3400 803a 8038 8011
        """,
        [
            "arr": [1, 2, 3], "boolean": true, "float": 0.01234, "hello": "world!", "null": nil,
            "obj": ["what": "that"], "otherbool": false, "time": 1_234_567_890,
        ])

    static let undefined = Example(
        58, "undefined in a dictionary", "7002 4161 3c00 4162 0001 8005",
        ["a": .undefined, "b": 1]
    ) { encoder in
        encoder.beginDictionary()
        try encoder.writeKey("a")
        encoder.writeUndefined()
        try encoder.writeKey("b")
        encoder.writeInt(1)
        try encoder.endDictionary()
    }

    static let all = arrays + dictionaries + [documented, undefined]

    @Test("A collection has the bytes of the reference", arguments: all)
    func encoding(_ example: Example) throws {
        #expect(try hex(encoded(example.write)) == hex(bytes(example.hex)))
    }

    @Test("A collection is read back, its pairs in the order of their keys", arguments: all)
    func decoding(_ example: Example) throws {
        #expect(try Tree(hex: example.hex) == example.value)
    }

    @Test("Zero and negative zero are distinguished")
    func minusZero() throws {
        let zeros = try FleeceDocument(trusted: encoded(json: "[0.0,-0.0]")).root.array
        #expect(zeros?.map { $0.double?.sign } == [.plus, .minus])
    }

    @Test("A reused encoder shares nothing with the previous document")
    func reuse() throws {
        var encoder = FleeceEncoder()
        for _ in 0..<3 {
            try encoder.writeJSON(#"{"hello":"hello"}"#)
            let document = try encoder.finish()
            #expect(hex(document) == "4568 656c 6c6f 7001 8004 8005 8003")
        }
    }

    @Test("Of equal keys the last one wins", arguments: [2, 31, 32, 33, 100])
    func equalKeys(count: Int) throws {
        for key in ["a", "aa", "a long key of more than 15 bytes"] {
            // Keys are written in descending order, so that they must be sorted, with `key` in all
            // positions.
            let others = (0..<count).map { #""z\#(count - $0)":0,"\#(key)":\#($0)"# }
            let document = try FleeceDocument(
                trusted: encoded(json: "{\(others.joined(separator: ","))}"))
            let dictionary = document.root.dictionary
            #expect(dictionary?.count == count + 1)
            #expect(dictionary?[key]?.int == Int64(count - 1))
            #expect(dictionary?.keys.filter { $0 == key }.count == 1)
        }
    }

    @Test("Equal keys leave one pair even if they are written in order")
    func equalKeysInOrder() throws {
        let document = try encoded(json: #"{"a":1,"a":2}"#)
        #expect(hex(document) == "7001 4161 0002 8003")
    }

    @Test(
        "A key at which the string table grows is found again",
        arguments: [128, 256, 512])
    func keyAtGrowth(stringsBefore: Int) throws {
        // The positions in the string table differ for each of so many keys.
        for number in 0..<50 {
            let before = (0..<stringsBefore).map { #""s\#(number)x\#($0)""# }
            let after = (0..<(stringsBefore - 10)).map { #""t\#(number)x\#($0)""# }
            let record = #"{"key\#(number)":1}"#
            let json = "[\((before + [record] + after + [record]).joined(separator: ","))]"
            let document = try FleeceDocument(validating: encoded(json: json))
            var writer = JSONWriter()
            try writer.write(document.root)
            #expect(writer.text.string == json)
        }
    }
}
