import Testing

import FleeceLite

@Suite("Checks of a body before it is stored")
struct RawBodyTests {
    private func refers(_ json: String, knowing names: [String] = []) throws -> [Bool] {
        var keys = SharedKeys()
        for name in names { _ = keys.add(name) }
        let plain = try FleeceEncoder.body(json, nil)
        let numbered = try FleeceEncoder.body(json, keys)
        return try [plain, numbered].map { bytes, keys in
            try bytes.withUnsafeBytes {
                let body = try #require(RawBody($0, sharedKeys: keys))
                return body.hasBlobs || body.hasAttachments
            }
        }
    }

    @Test(
        "it refers to blobs if it contains a blob's dictionary, or old attachments",
        arguments: [
            (#"{"a":{"@type":"blob"}}"#, true), (#"{"a":[[{"@type":"blob","x":1}]]}"#, true),
            (#"{"@type":"blob"}"#, true), (#"{"a":{"@type":"Blob"}}"#, false),
            (#"{"a":"@type","b":"blob"}"#, false), (#"{"_attachments":{"x":{}}}"#, true),
            (#"{"_attachments":{"x":{}},"a":1,"z":2,"é":3,"a b":4}"#, true),
            (#"{"_attachments":{}}"#, false), (#"{"_attachments":"x"}"#, false),
            (#"{"a":{"_attachments":{"x":{}}}}"#, false), ("{}", false), (#"{"a b":1}"#, false),
        ])
    func blobs(json: String, expected: Bool) throws {
        #expect(try refers(json) == [expected, expected])
        #expect(try refers(json, knowing: ["a", "_attachments", "x"]) == [expected, expected])
    }

    @Test("old attachments are found by their string if the table of keys is full")
    func fullTable() throws {
        let names = (0..<FleeceLimits.sharedKeys).map { "key\($0)" }
        #expect(try refers(#"{"_attachments":{"x":{}},"key5":1}"#, knowing: names) == [true, true])
        #expect(
            try refers(#"{"_attachment":{"x":{}},"key5":1}"#, knowing: names) == [false, false])
    }
}

extension FleeceEncoder {
    /// A body, and the shared keys with which it was written.
    fileprivate static func body(
        _ json: String, _ keys: SharedKeys?
    ) throws -> ([UInt8], SharedKeys) {
        var encoder = FleeceEncoder(sharedKeys: keys)
        try encoder.writeJSON(json)
        return (try encoder.finish(), encoder.sharedKeys ?? SharedKeys())
    }
}

@Suite("Whether a body has all keys of another")
struct RawBodyKeyTests {
    private func hasAll(_ own: String, _ other: String, depth: Int = 9) throws -> [Bool] {
        var keys = SharedKeys()
        for name in ["a", "b", "c", "d"] { _ = keys.add(name) }
        return try [nil, keys].map { keys in
            let other = try FleeceEncoder.body(other, keys)
            let (bytes, table) = try FleeceEncoder.body(own, keys)
            let document = try FleeceDocument(trusted: other.0, sharedKeys: other.1)
            let properties = try #require(document.root.dictionary)
            return try bytes.withUnsafeBytes {
                try #require(RawBody($0, sharedKeys: table)).hasAllKeys(
                    of: properties, depth: depth)
            }
        }
    }

    @Test(
        "it has them, regardless of their values, in its dictionaries as well",
        arguments: [
            (#"{"a":1,"b":2}"#, #"{"b":"x"}"#, true), (#"{"b":2}"#, #"{"a":1,"b":2}"#, false),
            ("{}", "{}", true), (#"{"a":1}"#, "{}", true), ("{}", #"{"a":1}"#, false),
            (#"{"a":{"b":1,"c":2}}"#, #"{"a":{"c":1}}"#, true),
            (#"{"a":{"b":1}}"#, #"{"a":{"c":1}}"#, false), (#"{"a":1}"#, #"{"a":{"c":1}}"#, true),
            (#"{"a long key of some bytes":1}"#, #"{"a long key of some bytes":2}"#, true),
            (#"{"a key":1,"b key":1,"c":3}"#, #"{"b key":2}"#, true),
            (#"{"a key":1,"c":3}"#, #"{"b key":2}"#, false),
            (#"{"a":[1,{"b":1}]}"#, #"{"a":[1,{"b":2},{"c":1}]}"#, true),
            (#"{"a":[1,[{"b":1}]]}"#, #"{"a":[1,[{"c":1}]]}"#, false),
            (#"{"a":[{"b":1}]}"#, #"{"a":{"b":1}}"#, true),
            (#"{"a":[]}"#, #"{"a":[{"b":1}]}"#, true),
        ])
    func keys(own: String, other: String, expected: Bool) throws {
        #expect(try hasAll(own, other) == [expected, expected])
    }

    @Test("values below the depth are not examined")
    func depth() throws {
        let deep = #"{"a":{"b":{"c":1}}}"#
        #expect(try hasAll(#"{"a":{"b":{}}}"#, deep, depth: 2) == [false, false])
        #expect(try hasAll(#"{"a":{"b":{}}}"#, deep, depth: 1) == [true, true])
    }

    @Test("keys with other numbers are not compared")
    func otherNumbers() throws {
        var (left, right) = (SharedKeys(), SharedKeys())
        _ = left.add("a")
        _ = right.add("b")
        let (bytes, table) = try FleeceEncoder.body(#"{"a":1}"#, left)
        let other = try FleeceEncoder.body(#"{"b":1}"#, right)
        let document = try FleeceDocument(trusted: other.0, sharedKeys: other.1)
        let properties = try #require(document.root.dictionary)
        try bytes.withUnsafeBytes {
            let body = try #require(RawBody($0, sharedKeys: table))
            #expect(!body.hasAllKeys(of: properties, depth: 9))
        }
    }
}
