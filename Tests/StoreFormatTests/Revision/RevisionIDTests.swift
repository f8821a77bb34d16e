import FleeceLite
import StoreFormat
import Testing

@Suite("RevisionID")
struct RevisionIDTests {
    @Test(
        "a digest has a text and a binary form",
        arguments: [
            ("1-abcd", [0x01, 0xAB, 0xCD]),
            ("300-00ff", [0xAC, 0x02, 0x00, 0xFF]),
            (
                "2-34a18aba59147265d962224cc8541bdec3568970",
                [
                    0x02, 0x34, 0xA1, 0x8A, 0xBA, 0x59, 0x14, 0x72, 0x65, 0xD9, 0x62, 0x22, 0x4C,
                    0xC8, 0x54, 0x1B, 0xDE, 0xC3, 0x56, 0x89, 0x70,
                ]
            ),
        ] as [(String, [UInt8])])
    func forms(text: String, bytes: [UInt8]) throws {
        let id = try RevisionID(text)
        #expect(id.binary == bytes)
        #expect(id.description == text)
        #expect(try RevisionID(binary: bytes) == id)
        #expect(try bytes.withUnsafeBytes { try RevisionID(binary: $0) } == id)
    }

    @Test("upper-case digits are read, lower-case ones are written")
    func capitals() throws {
        #expect(
            try RevisionID("18446744073709551615-AbCd").description
                == "18446744073709551615-abcd")
    }

    @Test(
        "text that is not a digest is rejected",
        arguments: [
            "", "1", "-", "1-", "-ab", "1-a", "1-abc", "0-ab", "01-ab", "+1-ab", "1-ab-cd", "1-ag",
            "1 -ab", "a-ab", "1-ä0", "1-ab ", "18446744073709551616-ab", "1-\u{FF11}\u{FF11}",
        ])
    func badTexts(text: String) {
        let error = #expect(throws: StoreError.self) { try RevisionID(text) }
        #expect(error?.has(.badRevisionID) == true)
    }

    @Test("an id may have 42 bytes")
    func longTexts() throws {
        let longest = "1-" + String(repeating: "ab", count: 41)
        #expect(try RevisionID(longest).binary.count == 42)
        for text in [longest + "ab", "128" + longest.dropFirst()] {
            let error = #expect(throws: StoreError.self) { try RevisionID(text) }
            #expect(error?.has(.badRevisionID) == true)
        }
    }

    @Test(
        "bytes that are not an id are damage",
        arguments: [
            [], [1], [0x80], [0x80, 0x80], [0], [0, 1], [0x81, 0x00],
            [255, 255, 255, 255, 255, 255, 255, 255, 255, 2, 1],
        ] as [[UInt8]])
    func badBytes(bytes: [UInt8]) {
        let error = #expect(throws: StoreError.self) { try RevisionID(binary: bytes) }
        #expect(error?.has(.corruptRevisionData) == true)
    }

    @Test("the first revision of an empty document has the digest of two zeros and {}")
    func first() throws {
        // printf '\0\0{}' | sha1sum
        let empty = try RevisionID.child(of: nil, isDeleted: false, body: nil)
        #expect(empty.description == "1-a5bb2524156f3e56dcc4e5c52c73c46f82c2efb0")
        let body = try FleeceDocument(json: "{}")
        #expect(
            try RevisionID.child(of: nil, isDeleted: false, body: body.root.dictionary) == empty)
    }

    @Test("a deletion has the digest that LiteCore gave it in sample_revtree_503")
    func deletion() throws {
        let parent = try RevisionID("1-e4cc4c7deb08f389d883bf1859f723354d888110")
        let id = try RevisionID.child(of: parent, isDeleted: true, body: nil)
        #expect(id.description == "2-34a18aba59147265d962224cc8541bdec3568970")
    }

    @Test("a digest depends on the values of properties, not on their order")
    func properties() throws {
        func id(_ json: String) throws -> RevisionID {
            let body = try FleeceDocument(json: json)
            return try .child(of: nil, isDeleted: false, body: body.root.dictionary)
        }
        // printf '\0\0{"a":[1,2.5],"b":null}' | sha1sum
        #expect(
            try id(#"{"b":null,"a":[1,2.5]}"#).description
                == "1-9d966de877770e4985efbc1433caa691486c9b2f")
        #expect(try id(#"{"a":[1,2.5],"b":null}"#) == id(#"{"b":null,"a":[1,2.5]}"#))
        #expect(try id(#"{"a":[1,2.5],"b":0}"#) != id(#"{"b":null,"a":[1,2.5]}"#))
    }

    @Test("only the first 255 characters of a long parent count")
    func longParent() throws {
        let digest = [UInt8](repeating: 0xAB, count: 200)
        var other = digest
        other[199] = 0
        let ids = try [digest, other].map {
            try RevisionID.child(
                of: .digest(generation: 9, digest: $0), isDeleted: false, body: nil)
        }
        // (printf '\xff9-'; printf 'ab%.0s' {1..126}; printf 'a\0{}') | sha1sum
        #expect(ids[0].description == "10-7ab5975b62f44c1afa260a7781ce36ef87503f63")
        #expect(ids[0] == ids[1])
    }

    @Test("a vector and the last generation have no digest as a successor")
    func noChild() throws {
        let vector = VersionVector(localTime: LogicalTime.valid.lowerBound)
        let last = RevisionID.digest(generation: 2_147_483_647, digest: [1])
        for parent in [.vector(vector), last, .digest(generation: .max, digest: [1])] {
            let error = #expect(throws: StoreError.self) {
                try RevisionID.child(of: parent, isDeleted: false, body: nil)
            }
            #expect(error?.has(.badRevisionID) == true)
        }
    }
}
