import Testing

import FleeceLite

@Suite("Shared keys")
struct SharedKeysTests {
    static let eligible = ["", "x", "aZ_019-", "abcdefghijklmnop", "-", "_id", "0"]
    static let ineligible = [
        "@", "abc.jpg", "abcdefghijklmnopq", "two words", "aççents", "☠️", "a\0", " ", "a/b", "[",
        "`", "{", ":", "a:", "\u{7F}", "äöüäöüäö",
    ]

    @Test("Keys of at most 16 plain bytes are added", arguments: eligible)
    func adding(key: String) {
        #expect(SharedKeys.isEligible(key))
        var keys = SharedKeys()
        #expect(keys.add(key) == 0)
        #expect(keys.add(key) == 0)
        #expect(keys.index(of: key) == 0)
        #expect(keys.keys == [key])
    }

    @Test("Other keys are not", arguments: ineligible)
    func refusing(key: String) {
        #expect(!SharedKeys.isEligible(key))
        var keys = SharedKeys()
        #expect(keys.add(key) == nil)
        #expect(keys.index(of: key) == nil)
        #expect(keys.count == 0)
    }

    @Test("Every byte except those of A–Z a–z 0–9 _ - makes a key ineligible")
    func everyByte() {
        let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
        for byte in UInt8(0)..<128 {
            let letter = String(UnicodeScalar(byte))
            #expect(SharedKeys.isEligible("a\(letter)b") == plain.contains(letter), "\(byte)")
        }
    }

    @Test("Keys are numbered in the order in which they are added")
    func numbers() {
        var keys = SharedKeys()
        #expect(keys.add("b") == 0)
        #expect(keys.add("a") == 1)
        #expect(keys.add("b") == 0)
        #expect(keys.add("") == 2)
        #expect(keys.keys == ["b", "a", ""])
        #expect(keys.key(at: 1) == "a")
        #expect(keys.key(at: 3) == nil)
        #expect(keys.key(at: -1) == nil)
        #expect(keys.key(at: -2048) == nil)
    }

    @Test("Copies are independent values")
    func copies() {
        var keys = table(["a"])
        var copy = keys
        #expect(copy.add("b") == 1)
        #expect(keys.index(of: "b") == nil)
        #expect(keys.add("c") == 1)
        #expect(copy.keys == ["a", "b"])
        #expect(keys.keys == ["a", "c"])
    }

    /// Keys that differ in one byte, near the first or the last, or only in length.
    private static func similarKeys() -> [String] {
        var keys = ["", "a", "aa", "aaa", "aaaa", "aaaaa", "aaaaaaaa", "aaaaaaaaa"]
        for number in 0..<1024 {
            let digits = String(number + 1024, radix: 4)
            keys.append("k_\(digits)")
            keys.append("\(digits)_123456789")
        }
        return Array(keys.prefix(FleeceLimits.sharedKeys))
    }

    @Test("2,048 keys fit, are all found again, and keep their numbers")
    func fullTable() throws {
        let names = Self.similarKeys()
        #expect(Set(names).count == 2048)
        var keys = SharedKeys()
        #expect(names.map { keys.add($0) } == Array(0..<2048))
        #expect(keys.count == 2048)
        #expect(keys.add("one-more") == nil)
        #expect(keys.index(of: "one-more") == nil)
        #expect(keys.count == 2048)
        #expect(names.map { keys.add($0) } == Array(0..<2048))
        #expect(names.map { keys.index(of: $0) } == Array(0..<2048))
        #expect((0..<2048).map { keys.key(at: $0) } == names)
        let read = try SharedKeys(state: keys.stateData())
        #expect(read.keys == names)
        #expect(names.map { read.index(of: $0) } == Array(0..<2048))
        let absent = Set(names.map { $0 + "x" }).subtracting(names)
        #expect(absent.filter { keys.index(of: $0) != nil } == [])
    }

    @Test(
        "Example 43: a table is stored as an array of its keys, and read back",
        arguments: [
            ([], "6000"), (["a"], "6001 4161 8002"),
            (["name", "age", ""], "446e 616d 6500 4361 6765 6003 8006 8004 4000 8004"),
            (
                ["abcdefghijklmnop", "x"],
                "4f10 6162 6364 6566 6768 696a 6b6c 6d6e 6f70 6002 800a 4178 8003"
            ),
        ] as [([String], String)])
    func state(keys: [String], expected: String) throws {
        #expect(try hex(table(keys).stateData()) == expected)
        let read = try SharedKeys(state: bytes(expected))
        #expect(read.keys == keys)
        #expect(keys.allSatisfy { read.index(of: $0) == keys.firstIndex(of: $0) })
    }

    @Test("A table that was read continues with the next number")
    func growingAfterReading() throws {
        var keys = try SharedKeys(state: bytes("446e 616d 6500 4361 6765 6003 8006 8004 4000 8004"))
        #expect(keys.add("age") == 1)
        #expect(keys.add("new") == 3)
        #expect(try Tree(hex: hex(keys.stateData())) == ["name", "age", "", "new"])
    }

    @Test("A stored table that is damaged is an error")
    func damagedState() throws {
        let documents = [
            #"["a","b","a"]"#, #"["",""]"#, #"["long enough",1,"long enough"]"#, "[1]", "[null]",
            "[[]]", "{}", #"{"a":"b"}"#, #"["seventeen letters"]"#,
        ]
        for text in documents {
            #expect(
                code { _ = try SharedKeys(state: encoded(json: text)) } == .invalidData, "\(text)")
        }
        let tooMany = "[" + (0...2048).map { "\"k\($0)\"" }.joined(separator: ",") + "]"
        #expect(code { _ = try SharedKeys(state: encoded(json: tooMany)) } == .invalidData)
        let noArrays = ["", "60", "3000", "4161", "0001 8001", "6002 4161 8002", "6001 8003 8002"]
        for hex in noArrays {
            #expect(code { _ = try SharedKeys(state: bytes(hex)) } == .invalidData, "\(hex)")
        }
    }

    /// Two such keys would be repaired to the same string, and stored as a table with duplicates.
    @Test("A stored key that is not UTF-8 is an error", arguments: ["6001 41ff", "6002 41ff 41fe"])
    func notUTF8State(array: String) throws {
        let trailer = array.utf8.count == 9 ? "8002" : "8003"
        #expect(code { _ = try SharedKeys(state: bytes(array + trailer)) } == .invalidData)
    }
}
