import DataFileCore
import EngineTestSupport
import Foundation
import StoreTestSupport
import Testing
@testable import StoreTools

@Suite("Verifying a file's properties, its tables and its blobs")
struct VerificationFileTests {
    @Test(
        "finds what is missing, or not as it should be",
        arguments: [
            Spoiling(
                "UPDATE kvmeta SET purgeCnt = -1 WHERE name = 'default'",
                Found(.counts, "default", key: "default")),
            Spoiling(
                "UPDATE kvmeta SET lastSeq = 'many' WHERE name = 'default'",
                Found(.counts, "default", key: "default"), Found(.laggingSequence, "default")),
            Spoiling("INSERT INTO kvmeta (name) VALUES ('nobody')", Found(.unusedCounts)),
            Spoiling(
                "UPDATE kv_info SET body = x'01' WHERE key = 'publicUUID'",
                Found(.info, "info", key: "publicUUID")),
            Spoiling(
                "DELETE FROM kv_info WHERE key = 'privateUUID'",
                Found(.info, "info", key: "privateUUID")),
            Spoiling(
                "DELETE FROM kv_info WHERE key = 'versioning'",
                Found(.info, "info", key: "versioning")),
            Spoiling(
                "UPDATE kv_info SET body = x'0000000000000009' WHERE key = 'versioning'",
                Found(.info, "info", key: "versioning")),
            Spoiling(
                "UPDATE kv_info SET body = x'00' WHERE key = 'maxRowidWithDeletedInDefault'",
                Found(.info, "info", key: "maxRowidWithDeletedInDefault")),
            Spoiling(
                "INSERT OR REPLACE INTO kv_info (key, body) VALUES ('remotes', x'6000')",
                Found(.info, "info", key: "remotes")),
            Spoiling("DROP TABLE \"kv_del_.b\"", Found(.missingTombstoneTable, ".b")),
            Spoiling("DROP TABLE \"kv_.b\"", Found(.missingTable, ".b")),
            Spoiling(
                "ALTER TABLE \"kv_.b\" RENAME COLUMN extra TO other", Found(.missingColumns, ".b")),
            Spoiling("CREATE VIEW kv_nobody AS SELECT 1", Found(.notATable)),
            Spoiling("PRAGMA auto_vacuum=0; VACUUM", Found(.fileSetting)),
            Spoiling(
                "DROP INDEX kv_default_expiration",
                Found(.ownIndex, "default", index: "kv_default_expiration")),
            Spoiling(
                """
                DROP INDEX kv_default_expiration;
                CREATE INDEX kv_default_expiration ON kv_default (flags)
                """, Found(.ownIndex, "default", index: "kv_default_expiration")),
            Spoiling(
                "CREATE INDEX kv_default_seqs ON kv_default (sequence)",
                Found(.ownIndex, "default", index: "kv_default_seqs")),
        ])
    func state(spoiling: Spoiling) throws {
        let fixture = try VerificationFixture()
        try fixture.spoil(spoiling.sql)
        let report = try fixture.verify()
        #expect(report.found == spoiling.found, "\(report.findings.map(\.message))")
    }

    @Test("without shared keys bodies are read as far as possible, and the gap is reported")
    func sharedKeys() throws {
        let fixture = try VerificationFixture(indexes: true)
        try fixture.spoil("UPDATE kv_info SET body = x'7000' WHERE key = 'SharedKeys'")
        let report = try fixture.verify()
        #expect(report.found.first == Found(.sharedKeys, "info", key: "SharedKeys"))
        #expect(
            report.findings.dropFirst().allSatisfy { $0.area == .index }, "\(report.findings)")
        #expect(report.unchecked.map(\.subject).contains("the numbers of keys in bodies"))
        #expect(report.stores.map(\.rows).reduce(0, +) > 12)
    }

    @Test("shared keys with a duplicate are damaged")
    func duplicateKeys() throws {
        let fixture = try VerificationFixture()
        // ["a", "a"]
        try fixture.spoil("UPDATE kv_info SET body = x'6002416141618003' WHERE key = 'SharedKeys'")
        #expect(try fixture.verify().found == [Found(.sharedKeys, "info", key: "SharedKeys")])
    }

    // Blobs.

    private func blob(_ fixture: VerificationFixture) throws -> (path: String, digest: BlobDigest) {
        let directory = fixture.engine.path + "/Attachments"
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: directory).first {
                $0.hasSuffix(".blob")
            })
        return ("\(directory)/\(name)", try #require(BlobDigest(fileName: name)))
    }

    private func replace(_ path: String, with bytes: [UInt8]) throws {
        try FileManager.default.removeItem(atPath: path)
        try Data(bytes).write(to: URL(filePath: path))
    }

    @Test("finds missing blobs")
    func missingBlob() throws {
        let fixture = try VerificationFixture()
        let (path, digest) = try blob(fixture)
        try FileManager.default.removeItem(atPath: path)
        let report = try fixture.verify()
        #expect(report.found == [Found(.missingBlob, "default", key: "d5")])
        #expect(report.findings[0].blob == digest && report.blobs == 0)
    }

    @Test("finds blobs with different or missing bytes")
    func damagedBlob() throws {
        let fixture = try VerificationFixture()
        let (path, digest) = try blob(fixture)
        try replace(path, with: VerificationFixture.photo.reversed())
        #expect(try fixture.verify(.init(level: .quick)).found == [])
        let report = try fixture.verify()
        #expect(report.found == [Found(.damagedBlob)])
        #expect(report.findings[0].blob == digest)
        try replace(path, with: [1])
        #expect(
            try fixture.verify(.init(level: .quick)).found
                == [Found(.blobLength, "default", key: "d5")])
        #expect(
            try fixture.verify().found
                == [Found(.blobLength, "default", key: "d5"), Found(.damagedBlob)])
    }

    @Test("notes unused blobs, unless something unreadable might refer to them")
    func unusedBlob() throws {
        let fixture = try VerificationFixture()
        let file = try fixture.engine.open()
        let digest = try file.blobs.put(Array("nobody's".utf8)).digest
        file.close()
        let report = try fixture.verify()
        #expect(report.found == [Found(.unusedBlob)] && report.isIntact)
        #expect(report.findings[0].blob == digest)
        #expect(report.findings[0].message.contains("8 bytes"))
        #expect(report.blobs == 2 && report.blobBytes == 8 + VerificationFixture.photo.count)
        #expect(try fixture.verify(.init(sample: 1)).found == [])
    }
}
