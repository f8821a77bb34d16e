import Testing
@testable import StoreFormat

@Suite("VersionVector: bytes")
struct VersionVectorTests {
    private static let peer = [UInt8](0..<16)

    @Test(
        "a stored version has the text that LiteCore prints",
        arguments: [
            // Bytes and text of golden/litecore/sample_vectors_503 and its cblite listing.
            (
                [0x00, 0x87, 0x80, 0x88, 0xF0, 0xF3, 0xAD, 0xF8, 0xE9, 0x31, 0x80],
                "18e9f0b79f010003@*"
            ),
            ([0x00, 0xFC, 0xFB, 0xBC, 0x8B, 0xBE, 0xBA, 0x0C, 0x80], "18e9f0b79efe0000@*"),
            // The other revision of its document "conflicted": another database, of zeros.
            (
                [0x00, 0x9C, 0xB4, 0xE4, 0xA3, 0xDD, 0xDC, 0x0B, 0x90]
                    + [UInt8](repeating: 0, count: 16),
                "1772ea3c8d0e0000@AAAAAAAAAAAAAAAAAAAAAA"
            ),
        ] as [([UInt8], String)])
    func knownVersions(bytes: [UInt8], text: String) throws {
        let vector = try VersionVector(binary: bytes)
        #expect(vector.currentText == text)
        #expect(vector.text == text)
        #expect(try VersionVector(text: text) == vector)
        #expect(vector.binary == bytes)
        #expect(try RevisionID(binary: bytes).description == text)
    }

    @Test("a later version is stored as the difference to the time before, with or without counter")
    func steps() throws {
        let vector = try VersionVector(
            text:
                "30000000000@*, 20000000000@AAECAwQFBgcICQoLDA0ODw; "
                + "30000000001@/////////////////////w")
        // 3·2⁴⁰ / 2¹⁵, then a step of 2⁴⁰ / 2¹⁵, then one of -(2⁴⁰ + 1) with its counter.
        let expected: [UInt8] =
            [0x00, 0x80, 0x80, 0x80, 0x30, 0x80]
            + [0x80, 0x80, 0x80, 0x10, 0x90] + Self.peer
            + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBF, 0xFF, 0xFF, 0xFF, 0x01, 0x10]
            + [UInt8](repeating: 0xFF, count: 16)
        #expect(vector.binary == expected)
        #expect(try VersionVector(binary: expected) == vector)
        #expect(vector.currentCount == 2)
    }

    @Test("times at both ends of the valid range survive next to each other")
    func extremes() throws {
        for times in [["7fffffffffffffff", "10000000000"], ["10000000001", "7fffffffffff0000"]] {
            let vector = try VersionVector(
                text: "\(times[0])@*, \(times[1])@AAECAwQFBgcICQoLDA0ODw")
            #expect(try VersionVector(binary: vector.binary) == vector)
        }
    }

    @Test("if no version is marked, the first one is current")
    func unmarked() throws {
        let bytes: [UInt8] =
            [0, 0x80, 0x80, 0x80, 0x30, 0, 0x80, 0x80, 0x80, 0x10, 0x10] + Self.peer
        let vector = try VersionVector(binary: bytes)
        #expect(vector.versions.map(\.isCurrent) == [true, false])
        #expect(vector.text == "30000000000@*; 20000000000@AAECAwQFBgcICQoLDA0ODw")
    }

    @Test(
        "what is not a vector is rejected with a reason",
        arguments: [
            ([], "begin with 0"), ([1, 2, 3], "begin with 0"), ([0], "cut off"),
            ([0, 0x80], "cut off"), ([0, 0x80, 0x80, 0x80, 0x10], "cut off"),
            // A time below 2⁴⁰, and one of over 63 bits.
            ([0, 0x02, 0x80], "out of range"),
            ([0, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x80], "out of range"),
            (
                [0, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0x80],
                "out of range"
            ),
            // A number of over 64 bits.
            ([0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02, 0x80], "cut off"),
            // A source of 15 bytes, of 17, of 127, and 16 that are not there.
            ([0, 0x80, 0x80, 0x80, 0x10, 0x8F] + peer.dropLast(), "15 bytes"),
            ([0, 0x80, 0x80, 0x80, 0x10, 0x91] + peer + [16], "17 bytes"),
            ([0, 0x80, 0x80, 0x80, 0x10, 0xFF] + [UInt8](repeating: 1, count: 127), "127 bytes"),
            ([0, 0x80, 0x80, 0x80, 0x10, 0x90] + peer.dropLast(), "cut off"),
            // Trailing bytes; a source twice; a step out of what is valid.
            ([0, 0x80, 0x80, 0x80, 0x10, 0x80, 0x00], "cut off"),
            ([0, 0x80, 0x80, 0x80, 0x30, 0x80, 0x80, 0x80, 0x80, 0x10, 0x00], "twice"),
            ([0, 0x80, 0x80, 0x80, 0x10, 0x80, 0x80, 0x80, 0x80, 0x20, 0x10] + peer, "range"),
            (
                [0, 0x80, 0x80, 0x80, 0x10, 0x80]
                    + [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x10] + peer, "range"
            ),
        ] as [([UInt8], String)])
    func refused(bytes: [UInt8], reason: String) throws {
        let error = #expect(throws: StoreError.self) { try VersionVector(binary: bytes) }
        #expect(error?.has(.corruptRevisionData) == true)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "no error")")
    }

    @Test("10,001 versions are rejected, and 10,000 are read")
    func many() throws {
        func bytes(_ count: Int) -> [UInt8] {
            let times = (0..<count).map { LogicalTime(rawValue: 1 << 50 + UInt64($0)) }
            let versions = times.map {
                VersionVector.Version(time: $0, source: .peer(.init(high: 1, low: $0.rawValue)))
            }
            return VersionVector(first: versions[0], others: Array(versions.dropFirst())).binary
        }
        #expect(try VersionVector(binary: bytes(10_000)).count == 10_000)
        #expect(throws: StoreError.self) { try VersionVector(binary: bytes(10_001)) }
        // A source of the beginning once more, at the end.
        let twice = bytes(100) + bytes(1).dropFirst()
        #expect(throws: StoreError.self) { try VersionVector(binary: twice) }
    }

    @Test("the id of a database has 16 bytes")
    func peers() throws {
        #expect(try VersionVector.PeerID(Self.peer).bytes == Self.peer)
        #expect(try VersionVector.Source.peer(bytes: Self.peer).description.count == 22)
        for count in [0, 15, 17] {
            #expect(throws: StoreError.self) {
                try VersionVector.PeerID([UInt8](repeating: 0, count: count))
            }
        }
    }

    @Test("a change puts this database first and keeps the other peers")
    func adding() throws {
        let old = try VersionVector(
            text: "2000000000000@AAECAwQFBgcICQoLDA0ODw, 1000000000000@*, "
                + "1100000000000@AAAAAAAAAAAAAAAAAAAAAA;")
        let new = old.adding(localTime: LogicalTime(rawValue: 0x3_0000_0000_0000))
        #expect(
            new.text == "3000000000000@*; 2000000000000@AAECAwQFBgcICQoLDA0ODw, "
                + "1100000000000@AAAAAAAAAAAAAAAAAAAAAA")
        let own = try VersionVector(text: "2000000000000@*")
        #expect(own.adding(localTime: LogicalTime(rawValue: 3 << 48)).text == "3000000000000@*")
        #expect(own.adding(localTime: LogicalTime(rawValue: 3 << 48)).others.isEmpty)
        #expect(VersionVector(localTime: own.first.time) == own)
    }

    @Test("a version that represents a tree revision has its generation and digest")
    func legacy() throws {
        let digest: [UInt8] = [0x0F, 0x3A, 0x51, 0x22, 0x90, 0x77, 0x88]
        let version = try #require(VersionVector.Version(legacy: 2, digest))
        #expect(version.description == "20f3a512290@Revision+Tree+Encoding")
        #expect(version.source == .legacy && version.isLegacy)
        let revision = try #require(version.legacyRevision)
        #expect(revision.generation == 2 && revision.prefix == Array(digest.prefix(5)))
        // A digest that is too short is padded with zeros.
        #expect(VersionVector.Version(legacy: 1, [0xAB])?.time.rawValue == 0x1AB_0000_0000)
        #expect(VersionVector.Version(legacy: 0, digest) == nil)
        #expect(VersionVector.Version(legacy: 0x7F_FFFF, digest) != nil)
        #expect(VersionVector.Version(legacy: 0x80_0000, digest) == nil)
        #expect(VersionVector.Version(legacy: .max, digest) == nil)
        #expect(try VersionVector(text: "20f3a512290@*").first.legacyRevision == nil)
    }
}
