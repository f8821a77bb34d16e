import EngineTestSupport
import SampleData
import StoreFormat
import Testing
@testable import DataFileCore

@Suite("A blob's digest")
struct BlobDigestTests {
    @Test("is written in documents and file names as in Couchbase Lite")
    func forms() throws {
        let digest = try BlobDigest("sha1-tsgOzj5esl4upx/NQogsyltg9fE=")
        #expect(digest.fileName == "tsgOzj5esl4upx_NQogsyltg9fE=.blob")
        #expect(BlobDigest(fileName: "tsgOzj5esl4upx_NQogsyltg9fE=.blob") == digest)
        #expect(digest.description == "sha1-tsgOzj5esl4upx/NQogsyltg9fE=")
    }

    @Test(
        "is the SHA-1 of the bytes",
        arguments: [
            ("", "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="),
            ("hello world", "sha1-Kq5sNclPz7QV2+lfQIuc6R7oRu0="),
        ])
    func known(text: String, expected: String) throws {
        let digest = try Array(text.utf8).withUnsafeBytes { try BlobDigest(of: $0) }
        #expect(digest.description == expected)
        #expect(try BlobDigest(expected) == digest)
    }

    @Test("is created from 20 bytes only")
    func bytes() throws {
        let bytes = (0..<20).map { UInt8($0 * 13 % 256) }
        #expect(try #require(BlobDigest(bytes: bytes)).bytes == bytes)
        #expect(BlobDigest(bytes: bytes.dropLast()) == nil)
        #expect(BlobDigest(bytes: bytes + [0]) == nil)
        #expect(BlobDigest(bytes: []) == nil)
    }

    @Test("is the same after both of its text forms, and each byte counts")
    func roundTrips() throws {
        var random = SeededGenerator(printing: "BlobDigestTests.roundTrips")
        var names: Set<String> = []
        for _ in 0..<20_000 {
            let bytes = random.bytes(20)
            let digest = try #require(BlobDigest(bytes: bytes))
            #expect(try BlobDigest(digest.description) == digest)
            #expect(BlobDigest(fileName: digest.fileName) == digest)
            #expect(digest.bytes == bytes)
            names.insert(digest.fileName)
        }
        #expect(names.count == 20_000)
        #expect(names.allSatisfy { !$0.contains("/") && $0.utf8.count == 33 })
    }

    @Test(
        "is rejected if it is not exactly 28 characters of Base64, so it cannot be another path",
        arguments: [
            "", "sha1-", "tsgOzj5esl4upx/NQogsyltg9fE=", "sha1-tsgOzj5esl4upx/NQogsyltg9fE",
            "sha1-tsgOzj5esl4upx/NQogsyltg9fE==", "sha1-tsgOzj5esl4upx/NQogsyltg9f=",
            "sha1-tsgOzj5esl4upx_NQogsyltg9fE=", "sha1-tsgOzj5esl4upx/NQogsyltg9fF=",
            "SHA1-tsgOzj5esl4upx/NQogsyltg9fE=", "sha1-../../../../../../etc/passwd=",
            "sha1-../../../../../../../../..=", "sha1-tsgOzj5esl4upx/NQogsyltg9f\0=",
            "sha1-tsgOzj5esl4upx/NQogsyltg9 E=", "sha1-tsgOzj5esl4upx/NQogsyltg9fÉ=",
            "sha1-tsgOzj5esl4upx/NQogsyltg9fE=\n", " sha1-tsgOzj5esl4upx/NQogsyltg9fE=",
            "md5-XrY7u+Ae7tCTyyK7j1rNww==", "sha1-====" + String(repeating: "A", count: 24),
        ])
    func refused(text: String) throws {
        let error = storeError(.invalidParameter) { _ = try BlobDigest(text) }
        let message = try #require(error).message
        #expect(message.contains("is not the digest of a blob"))
        #expect(message.unicodeScalars.allSatisfy { $0.value >= 32 })
        #expect(message.count < 200)
    }

    @Test(
        "is not read from a file with another name",
        arguments: [
            "", ".blob", "tsgOzj5esl4upx_NQogsyltg9fE=", "tsgOzj5esl4upx_NQogsyltg9fE=.BLOB",
            "tsgOzj5esl4upx/NQogsyltg9fE=.blob", "incoming_tsgOzj5esl4upx_NQogsyltg9fE=.blob",
            "tsgOzj5esl4upx_NQogsyltg9fE=.blob~", "tsgOzj5esl4upx_NQogsyltg9fF=.blob",
            "../Attachments/tsgOzj5esl4upx_.blob", "b6c80ece3e5eb25e2ea71fcd42882cca5b60f5f1.blob",
        ])
    func otherNames(name: String) {
        #expect(BlobDigest(fileName: name) == nil)
    }

    @Test("that is damaged is rejected, or is written as it was read")
    func fuzz() throws {
        var random = SeededGenerator(printing: "BlobDigestTests.fuzz")
        var refused = 0
        for _ in 0..<100_000 {
            var text = Array("sha1-tsgOzj5esl4upx/NQogsyltg9fE=".utf8)
            for _ in 0...random.below(3) {
                text[random.below(text.count)] = UInt8(truncatingIfNeeded: random.next())
            }
            let string = String(decoding: text, as: UTF8.self)
            guard let digest = try? BlobDigest(string) else {
                refused += 1
                continue
            }
            #expect(digest.description == string)
        }
        #expect(refused > 50_000 && refused < 100_000)
    }
}
