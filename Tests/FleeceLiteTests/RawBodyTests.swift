import Testing

@testable import FleeceLite

@Suite("What a body is asked before it is stored")
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
        "it refers to blobs if a dictionary in it is one's, or if it has old attachments",
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

    @Test("old attachments are found by their text when there is no number left for it")
    func fullTable() throws {
        let names = (0..<FleeceLimits.sharedKeys).map { "key\($0)" }
        #expect(try refers(#"{"_attachments":{"x":{}},"key5":1}"#, knowing: names) == [true, true])
        #expect(
            try refers(#"{"_attachment":{"x":{}},"key5":1}"#, knowing: names) == [false, false])
    }
}

extension FleeceEncoder {
    /// A body, and the shared keys that it was written with.
    fileprivate static func body(
        _ json: String, _ keys: SharedKeys?
    ) throws -> ([UInt8], SharedKeys) {
        var encoder = FleeceEncoder(sharedKeys: keys)
        try encoder.writeJSON(json)
        return (try encoder.finish(), encoder.sharedKeys ?? SharedKeys())
    }
}
