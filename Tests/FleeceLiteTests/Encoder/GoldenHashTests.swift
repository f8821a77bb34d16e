import Testing

import FleeceLite

/// Lengths and hashes of the reference's encoding of large files; Python is not needed for them.
@Suite("Golden hashes")
struct GoldenHashTests {
    struct Golden: Sendable, CustomTestStringConvertible {
        let file: String
        let length: Int
        let hash: String
        var usesSharedKeys = false
        /// A line of the file is a document, and all of them become one array.
        var isLines = false

        var testDescription: String { file + (usesSharedKeys ? ", shared keys" : "") }

        var json: String? {
            guard let bytes = Oracle.file(file) else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            return isLines ? "[" + text.split(separator: "\n").joined(separator: ",") + "]" : text
        }
    }

    static let golden = [
        Golden(
            file: "1person.json", length: 1036,
            hash: "7957b5e3c17ab5deea6b6de0a966457df82fe59d86d7a321da90258301ffaaf7"),
        Golden(
            file: "1person.json", length: 876,
            hash: "62b4fb39d94568a191792f2ebe836b67e31a9414b06c6a0f9d6a1e7d08cd19f6",
            usesSharedKeys: true),
        Golden(
            file: "1000people.json", length: 819_942,
            hash: "3a1a304b6b5dc2f3ead45ffca58fbaf057933c618bde93acd64e38308fad7687"),
        Golden(
            file: "1000people.json", length: 813_538,
            hash: "e7b1bcce473029af23c38828ae4241878e8537d379b77f952f93772db0ac20c4",
            usesSharedKeys: true),
        Golden(
            file: "../litecore/names_100.json", length: 22_884,
            hash: "82bef3ff1a1ccc8284477921027b105c8c9380fcc0d326f6f6537697f439467b",
            isLines: true),
    ]

    @Test("A file's encoding has the length and the hash of the reference's", arguments: golden)
    func hashes(_ golden: Golden) throws {
        guard let json = golden.json else { return }
        var encoder = FleeceEncoder(sharedKeys: golden.usesSharedKeys ? SharedKeys() : nil)
        // The second time the encoder has cached the keys and their order.
        for _ in 0..<2 {
            try encoder.writeJSON(json)
            let document = try encoder.finish()
            #expect(document.count == golden.length)
            #expect(SHA256.hex(document) == golden.hash)
        }
    }

    @Test("The table of shared keys after a file has its hash")
    func state() throws {
        guard let json = Oracle.file("1000people.json") else { return }
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        try encoder.writeJSON(String(decoding: json, as: UTF8.self))
        _ = try encoder.finish()
        let state = try (encoder.sharedKeys ?? SharedKeys()).stateData()
        #expect(state.count == 208)
        #expect(
            SHA256.hex(state)
                == "7ceac59998cd42759ecaa227d7c89f20c49ed09933ec0130a4861a544650d42a")
        #expect(try SharedKeys(state: state).count == 22)
    }

    @Test(
        "Without shared strings, an encoding is longer",
        arguments: [("1person.json", 1070), ("1000people.json", 1_056_266)])
    func unsharedStrings(file: String, length: Int) throws {
        guard let json = Oracle.file(file) else { return }
        var encoder = FleeceEncoder()
        encoder.sharesStrings = false
        for _ in 0..<2 {
            try encoder.writeJSON(String(decoding: json, as: UTF8.self))
            #expect(try encoder.finish().count == length)
        }
    }
}
