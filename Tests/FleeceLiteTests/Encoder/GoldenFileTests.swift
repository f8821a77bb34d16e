import Testing

import FleeceLite

@Suite("Golden files")
struct GoldenFileTests {
    /// Lengths and SHA-256 of the reference's encoding of a file, with padding set to zero.
    struct Golden: Sendable, CustomTestStringConvertible {
        let file: String
        let length: Int
        let hash: String
        let keysLength: Int
        let keysHash: String
        let keyCount: Int

        var testDescription: String { file }
    }

    static let golden = [
        Golden(
            file: "1person.json",
            length: 1036,
            hash: "7957b5e3c17ab5deea6b6de0a966457df82fe59d86d7a321da90258301ffaaf7",
            keysLength: 876,
            keysHash: "62b4fb39d94568a191792f2ebe836b67e31a9414b06c6a0f9d6a1e7d08cd19f6",
            keyCount: 22),
        Golden(
            file: "1000people.json",
            length: 819_942,
            hash: "3a1a304b6b5dc2f3ead45ffca58fbaf057933c618bde93acd64e38308fad7687",
            keysLength: 813_538,
            keysHash: "e7b1bcce473029af23c38828ae4241878e8537d379b77f952f93772db0ac20c4",
            keyCount: 22),
    ]

    /// Prints, for plain and for shared keys, the hash and the bytes of the oracle's encoding;
    /// then the hash and the bytes of the table of shared keys.
    private static let script = """
        import sys, json, hashlib, fleece_oracle as oracle
        value = json.load(open(sys.argv[1], encoding="utf-8"))
        def show(data):
            print(hashlib.sha256(data).hexdigest())
            print(data.hex())
        keys = {}
        for table in (None, keys):
            encoder = oracle.Encoder(table)
            encoder.value(value)
            show(encoder.finish())
        encoder = oracle.Encoder()
        encoder.value([key.decode() for key in keys])
        show(encoder.finish())
        """

    @Test("A golden file has the bytes of the reference", arguments: golden)
    func bytes(_ golden: Golden) throws {
        guard let json = Oracle.file(golden.file) else { return }
        let text = String(decoding: json, as: UTF8.self)
        let oracle = try withFile(of: [text]) { try Oracle.lines(of: Self.script, [$0]) }
        var encoder = FleeceEncoder()
        try encoder.writeJSON(text)
        let plain = try encoder.finish()
        encoder.sharedKeys = SharedKeys()
        try encoder.writeJSON(text)
        let shared = try encoder.finish()
        let table = encoder.sharedKeys
        let keys = try #require(table)
        let state = try keys.stateData()

        #expect(plain.count == golden.length)
        #expect(shared.count == golden.keysLength)
        #expect(keys.count == golden.keyCount)
        guard let oracle else { return }
        #expect(oracle[0] == golden.hash)
        expectSame(plain, oracle[1], "plain")
        #expect(oracle[2] == golden.keysHash)
        expectSame(shared, oracle[3], "with shared keys")
        expectSame(state, oracle[5], "the table")
    }

    /// Reports only where two large documents differ.
    private func expectSame(_ bytes: [UInt8], _ expected: String, _ what: String) {
        let text = unspacedHex(bytes)
        let difference = zip(text.utf8, expected.utf8).enumerated().first { $1.0 != $1.1 }
        #expect(text.utf8.count == expected.utf8.count, "\(what)")
        #expect(difference.map { $0.offset / 2 } == nil, "\(what): the first byte that differs")
    }
}
