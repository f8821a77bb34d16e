import SQLCore
import Testing
@testable import StoreFormat
@testable import StoreTools

/// SQL that damages a database, and the expected findings.
struct Spoiling: CustomTestStringConvertible, Sendable {
    let sql: String
    let found: [Found]

    init(_ sql: String, _ found: Found...) {
        self.sql = sql
        self.found = found
    }

    var testDescription: String { sql }
}

@Suite("Verifying rows")
struct VerificationRowTests {
    private func check(_ spoiling: Spoiling, _ versioning: Versioning) throws {
        let fixture = try VerificationFixture(versioning)
        try fixture.spoil(spoiling.sql)
        for level in VerificationOptions.Level.allCases {
            let report = try fixture.verify(.init(level: level))
            #expect(report.found == spoiling.found, "\(report.findings.map(\.message))")
            let errors = spoiling.found.count { $0.kind.severity == .error }
            #expect(report.errors == errors && report.isIntact == (errors == 0))
        }
    }

    @Test(
        "finds bodies that no encoder has written",
        arguments: [
            // A dictionary of 257 pairs in two bytes; an array.
            Spoiling(
                "UPDATE kv_default SET body = x'7101' WHERE key = 'd1'",
                Found(.damagedBody, "default", key: "d1")),
            Spoiling(
                "UPDATE kv_default SET body = x'6000' WHERE key = 'd1'",
                Found(.damagedBody, "default", key: "d1")),
            // {2000: 1}
            Spoiling(
                "UPDATE kv_default SET body = x'700107D000018003' WHERE key = 'd1'",
                Found(.damagedBody, "default", key: "d1")),
            // {"b": 1, "a": 2}, in this order; {"a": 1}
            Spoiling(
                "UPDATE kv_default SET body = x'700241620001416100028005' WHERE key = 'd1'",
                Found(.damagedBody, "default", key: "d1")),
            Spoiling(
                "UPDATE kv_default SET body = x'7001416100018003' WHERE key = 'd1'",
                Found(.unsharedKey, "default", key: "d1")),
            // {"_id": 1}
            Spoiling(
                "UPDATE kv_default SET body = x'435F69647001800300018003' WHERE key = 'd1'",
                Found(.unsharedKey, "default", key: "d1"),
                Found(.reservedProperty, "default", key: "d1")),
            // A string that is not UTF-8, in an array.
            Spoiling(
                "UPDATE \"kv_del_.b\" SET body = x'42C1C1007001416180048003'",
                Found(.damagedBody, ".b", key: "b4")),
        ], [Versioning.versionVectors, .treesInExtra])
    func bodies(spoiling: Spoiling, versioning: Versioning) throws {
        try check(spoiling, versioning)
    }

    @Test(
        "finds keys that no document can have",
        arguments: [
            Spoiling(
                "UPDATE kv_default SET key = CAST(x'61FF' AS TEXT) WHERE key = 'd1'",
                Found(.invalidKey, "default", key: "a\u{FFFD}")),
            Spoiling(
                "UPDATE kv_default SET key = '' WHERE key = 'd1'",
                Found(.invalidKey, "default", key: "")),
            Spoiling(
                "UPDATE kv_default SET key = x'61' WHERE key = 'd1'",
                Found(.invalidKey, "default", key: "a")),
            Spoiling(
                "UPDATE kv_default SET key = NULL WHERE key = 'd1'", Found(.invalidKey, "default")),
            Spoiling(
                "UPDATE kv_default SET key = replace(printf('%241s', ''), ' ', 'k') "
                    + "WHERE key = 'd1'",
                Found(
                    .invalidKey, "default", key: String(repeating: "k", count: 241))),
            Spoiling(
                "UPDATE kv_default SET key = '_design' WHERE key = 'd1'",
                Found(.unusualKey, "default", key: "_design")),
            Spoiling(
                "UPDATE kv_default SET key = 'a' || char(9) WHERE key = 'd1'",
                Found(.unusualKey, "default", key: "a\t")),
            Spoiling(
                """
                UPDATE kvmeta SET lastSeq = 1000 WHERE name = 'default';
                INSERT INTO kv_del_default (key, sequence, flags, version, body, extra)
                    SELECT key, 900, 1, version, body, NULL FROM kv_default
                    WHERE key = 'd1'
                """, Found(.duplicateKey, "default", key: "d1")),
        ])
    func keys(spoiling: Spoiling) throws {
        try check(spoiling, .versionVectors)
    }

    @Test(
        "finds flags that do not match the document",
        arguments: [
            Spoiling(
                "UPDATE kv_default SET flags = 'abc' WHERE key = 'd1'",
                Found(.invalidFlags, "default", key: "d1")),
            Spoiling(
                "UPDATE kv_default SET flags = flags | 2 WHERE key = 'd1'",
                Found(.conflictedFlag, "default", key: "d1")),
            Spoiling(
                "UPDATE kv_default SET flags = flags & ~2 WHERE key = 'ada'",
                Found(.conflictedFlag, "default", key: "ada")),
            Spoiling(
                "UPDATE kv_default SET flags = flags & ~4 WHERE key = 'd5'",
                Found(.attachmentsFlag, "default", key: "d5")),
            Spoiling(
                "UPDATE kv_default SET flags = flags | 4 WHERE key = 'd1'",
                Found(.needlessAttachmentsFlag, "default", key: "d1")),
        ], [Versioning.versionVectors, .treesInExtra])
    func flags(spoiling: Spoiling, versioning: Versioning) throws {
        try check(spoiling, versioning)
    }

    @Test(
        "finds tombstones and documents in each other's tables",
        arguments: [
            Spoiling(
                "UPDATE \"kv_.b\" SET flags = 1 WHERE key = 'b1'",
                Found(.misplacedTombstone, ".b", key: "b1")),
            Spoiling(
                "UPDATE kv_default SET flags = 1 WHERE key = 'd1'",
                Found(.misplacedTombstone, "default", key: "d1")),
            Spoiling(
                "UPDATE \"kv_del_.b\" SET flags = 0", Found(.misplacedDocument, ".b", key: "b4")),
            // They may be there until they are moved.
            Spoiling(
                """
                UPDATE kv_default SET flags = 1 WHERE key = 'd1';
                UPDATE kv_info SET body = x'0000000000000064'
                    WHERE key = 'maxRowidWithDeletedInDefault'
                """),
        ])
    func places(spoiling: Spoiling) throws {
        try check(spoiling, .versionVectors)
    }

    @Test(
        "finds versions and histories that cannot be read",
        arguments: [
            Spoiling(
                "UPDATE kv_default SET version = NULL WHERE key = 'd1'",
                Found(.missingRevision, "default", key: "d1")),
            Spoiling(
                "UPDATE kv_default SET version = x'00FF' WHERE key = 'd1'",
                Found(.damagedRevision, "default", key: "d1")),
            Spoiling(
                "UPDATE kv_default SET version = x'01' WHERE key = 'd1'",
                Found(.damagedRevision, "default", key: "d1")),
            Spoiling(
                "UPDATE kv_default SET extra = x'01020304' WHERE key = 'd1'",
                Found(.damagedHistory, "default", key: "d1")),
            Spoiling(
                "UPDATE kv_default SET extra = x'00000000FFFF' WHERE key = 'ada'",
                Found(.damagedHistory, "default", key: "ada")),
        ])
    func vectors(spoiling: Spoiling) throws {
        try check(spoiling, .versionVectors)
    }

    @Test(
        "finds revision trees that cannot be read, or are of another revision",
        arguments: [
            Spoiling(
                "UPDATE kv_default SET version = NULL WHERE key = 'd1'",
                Found(.missingRevision, "default", key: "d1")),
            Spoiling(
                "UPDATE kv_default SET version = x'01AA' WHERE key = 'd1'",
                Found(.otherRevision, "default", key: "d1")),
            Spoiling(
                "UPDATE kv_default SET extra = x'0000' WHERE key = 'd1'",
                Found(.damagedHistory, "default", key: "d1")),
            Spoiling(
                "UPDATE kv_default SET flags = 1 WHERE key = 'd1'",
                Found(.misplacedTombstone, "default", key: "d1"),
                Found(.deletedFlag, "default", key: "d1")),
            Spoiling(
                "UPDATE kv_del_default SET expiration = extra, extra = NULL WHERE key = 'gone'",
                Found(.swappedColumns, "default", key: "gone")),
        ])
    func trees(spoiling: Spoiling) throws {
        try check(spoiling, .treesInExtra)
    }

    @Test("finds damaged bodies of other revisions in a tree")
    func olderBodies() throws {
        let fixture = try VerificationFixture(.treesInExtra)
        var tree = try RevisionTree(binary: fixture.column("extra", of: "ada"))
        let other = try #require(tree.revisions.indices.first { tree.revisions[$0].body != nil })
        tree.revisions[other].body = [0x71, 0x01]
        let extra = tree.written(withCurrentBody: false)
        try fixture.spoil(
            "UPDATE kv_default SET extra = ? WHERE key = 'ada'",
            [.blob(extra)])
        let report = try fixture.verify()
        #expect(report.found == [Found(.damagedBody, "default", key: "ada")])
        #expect(report.findings[0].message.hasPrefix("the body of its revision 1-0101"))
    }

    @Test(
        "finds missing and duplicate sequences, and a count that is too low",
        arguments: [
            Spoiling(
                "UPDATE kv_default SET sequence = NULL WHERE key = 'd1'",
                Found(.missingSequence, "default", key: "d1")),
            Spoiling(
                "UPDATE kv_default SET sequence = -1 WHERE key = 'd1'",
                Found(.missingSequence, "default", key: "d1")),
            Spoiling(
                "UPDATE kv_default SET sequence = 2 WHERE key = 'd1'",
                Found(.duplicateSequence, "default", key: "d1")),
            Spoiling(
                "UPDATE kv_del_default SET sequence = 2",
                Found(.duplicateSequence, "default", key: "d2")),
            Spoiling(
                "UPDATE kvmeta SET lastSeq = 1 WHERE name = '.b'", Found(.laggingSequence, ".b")),
            Spoiling(
                "DELETE FROM kvmeta WHERE name = '.b'", Found(.laggingSequence, ".b")),
        ])
    func sequences(spoiling: Spoiling) throws {
        try check(spoiling, .versionVectors)
    }

    @Test(
        "finds expirations that are none, and those that are over",
        arguments: [
            Spoiling(
                "UPDATE kv_default SET expiration = -5 WHERE key = 'd6'",
                Found(.invalidExpiration, "default", key: "d6")),
            Spoiling(
                "UPDATE kv_default SET expiration = 'soon' WHERE key = 'd6'",
                Found(.invalidExpiration, "default", key: "d6")),
            Spoiling(
                "UPDATE kv_default SET expiration = 1700000000 WHERE key = 'd6'",
                Found(.unusualExpiration, "default", key: "d6")),
            Spoiling(
                "UPDATE kv_default SET expiration = 300000000000000 WHERE key = 'd6'",
                Found(.unusualExpiration, "default", key: "d6")),
            Spoiling(
                "UPDATE kv_default SET expiration = 1600000000000 WHERE key = 'd6'",
                Found(.expired, "default", key: "d6")),
        ])
    func expirations(spoiling: Spoiling) throws {
        try check(spoiling, .versionVectors)
    }

    @Test("an expiration has passed according to the file's clock")
    func clock() throws {
        let fixture = try VerificationFixture()
        #expect(try fixture.verify(now: 3_999_999_999_999).found == [])
        let found = try fixture.verify(now: 4_000_000_000_000).found
        #expect(found == [Found(.expired, "default", key: "d6")])
    }
}
