import EngineTestSupport
import FleeceLite
import Foundation
import SQLCore
import SQLPlus
import StoreFormat
import StoreTestSupport
import Testing
@testable import DataFileCore
@testable import StoreTools

@Suite("Blob files left by a change of encryption")
struct EncryptionLeftoverTests {
    let fixture: EncryptionFixture

    init() throws {
        fixture = try EncryptionFixture()
    }

    private var attachments: String { fixture.path + "/Attachments" }

    /// Bytes for a blob of two parts.
    private static func bytes(_ byte: UInt8) -> [UInt8] {
        [UInt8](repeating: byte, count: 70_000)
    }

    private func names() throws -> Set<String> { Set(try fixture.names(attachments)) }

    /// Makes the database, with two blobs to which documents refer.
    private func make(_ key: EncryptionKey?) throws -> [Blob] {
        try fixture.make(key, 1...10)
        let file = try fixture.open(key)
        defer { file.close() }
        let blobs = try (1...2).map { try file.blobs.put(Self.bytes($0)) }
        try file.write { transaction in
            for (number, blob) in blobs.enumerated() {
                _ = try fixture.documents.save("d\(number + 1)", in: transaction) {
                    $0.beginDictionary()
                    try $0.writeKey("photo")
                    try $0.write(blob)
                    try $0.endDictionary()
                }
            }
        }
        return blobs
    }

    /// Creates a plaintext file with the name of a blob's in a plaintext database.
    private func leavePlain(_ blob: Blob, _ byte: UInt8) throws {
        try Data(Self.bytes(byte)).write(
            to: URL(filePath: "\(attachments)/\(blob.digest.fileName)"))
    }

    /// Flips a bit of a blob's file, which is read-only.
    private func damage(_ name: String, at offset: Int) throws {
        let path = "\(attachments)/\(name)"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        try fixture.damage(path, at: offset)
    }

    private func findings(
        _ kind: VerificationKind, in file: DataFile
    ) throws -> [VerificationFinding] {
        try file.verify().findings.filter { $0.kind == kind }
    }

    private func expectBlobs(_ blobs: [Blob], _ key: EncryptionKey?) throws {
        let file = try fixture.open(key, .readOnly)
        defer { file.close() }
        for (number, blob) in blobs.enumerated() {
            #expect(try file.blobs.bytes(of: blob) == Self.bytes(UInt8(number + 1)))
        }
        #expect(try file.blobs.digests().count == blobs.count)
    }
}

// Plain files next to their encrypted forms.
extension EncryptionLeftoverTests {
    @Test("plain blobs are removed by the next opening for writing, however new they are")
    func plain() throws {
        let blobs = try make(fixture.key)
        let before = try names()
        for (number, blob) in blobs.enumerated() { try leavePlain(blob, UInt8(number + 1)) }
        let reader = try fixture.open(fixture.key, .readOnly)
        let found = try findings(.plainBlob, in: reader)
        #expect(found.count == 2)
        #expect(found.allSatisfy { $0.severity == .note && $0.area == .blob })
        #expect(try reader.verify().isIntact)
        reader.close()
        #expect(try names().count == 4)
        var options = fixture.options(fixture.key)
        options.blobGraceSeconds = 3600
        let writer = try DataFile(path: fixture.path, options: options)
        #expect(try names() == before)
        #expect(try findings(.plainBlob, in: writer) == [])
        writer.close()
        try expectBlobs(blobs, fixture.key)
    }

    @Test("a plaintext blob is kept if it has no encrypted form, or a damaged one")
    func plainAlone() throws {
        let blobs = try make(fixture.key)
        let alone = Blob(digest: try Self.bytes(3).withUnsafeBytes { try BlobDigest(of: $0) })
        try leavePlain(alone, 3)
        try leavePlain(blobs[0], 1)
        let file = try fixture.open(fixture.key)
        #expect(try !names().contains(blobs[0].digest.fileName))
        file.close()
        for name in try names() where name.hasSuffix(".encrypted") { try damage(name, at: -1) }
        try leavePlain(blobs[0], 1)
        let again = try fixture.open(fixture.key)
        _ = try again.compact()
        again.close()
        #expect(try names().isSuperset(of: [alone, blobs[0]].map(\.digest.fileName)))
    }

    @Test("copies and recovery exclude plain files next to encrypted blobs")
    func copies() throws {
        let blobs = try make(fixture.key)
        let encrypted = try names()
        try leavePlain(blobs[0], 1)
        let drafts = ["incoming_x"]
        try Data([1]).write(to: URL(filePath: "\(attachments)/\(drafts[0])"))
        let copy = fixture.directory("copy.cblite2")
        let reader = try fixture.open(fixture.key, .readOnly)
        try reader.copy(to: copy)
        reader.close()
        #expect(try Set(fixture.names(copy + "/Attachments")) == encrypted)
        let saved = fixture.directory("saved.cblite2")
        _ = try Salvage(from: fixture.path, to: saved, encryption: fixture.key).run()
        #expect(try Set(fixture.names(saved + "/Attachments")) == encrypted)
        #expect(
            try names() == encrypted.union(drafts).union([blobs[0].digest.fileName]))
    }

    @Test("both forms of an unused blob are removed")
    func unused() throws {
        let blobs = try make(fixture.key)
        let before = try names()
        let file = try fixture.open(fixture.key)
        let unused = try file.blobs.put(Self.bytes(3))
        try leavePlain(unused, 3)
        try leavePlain(blobs[0], 1)
        #expect(try file.compact().removedBlobs == 1)
        #expect(try names() == before)
        file.close()
        try expectBlobs(blobs, fixture.key)
    }
}

// Encrypted files.
extension EncryptionLeftoverTests {
    /// Decrypts the database as another tool does, which does not know blobs.
    private func decryptAlone() throws {
        let plain = fixture.directory("plain.db")
        let noKey: EncryptionKey? = nil
        let context = try fixture.sqlite(fixture.key)
        try context.export(plain, key: noKey)
        try context.close()
        let database = fixture.path + "/db.sqlite3"
        try FileManager.default.removeItem(atPath: database)
        try FileManager.default.moveItem(atPath: plain, toPath: database)
    }

    @Test("encrypted blobs are kept in a database that another tool has decrypted")
    func decryptedAlone() throws {
        let blobs = try make(fixture.key)
        let before = try names()
        try decryptAlone()
        let file = try fixture.open(nil)
        // Something to collect, so that leftovers are searched for, too.
        _ = try file.blobs.put([1])
        _ = try file.compact()
        #expect(try names() == before)
        let found = try findings(.encryptedBlobs, in: file)
        #expect(found.count == 1)
        #expect(found.first?.severity == .error)
        #expect(found.first?.message.contains("another tool") == true)
        file.close()
        try DataFile.encrypt(path: fixture.path, key: fixture.key)
        #expect(try names() == before)
        try expectBlobs(blobs, fixture.key)
        try DataFile.decrypt(path: fixture.path, key: fixture.key)
        try expectBlobs(blobs, nil)
        let plain = try fixture.open(nil)
        #expect(try findings(.encryptedBlobs, in: plain) == [])
    }

    @Test("in a plaintext database without their key encrypted blobs are leftovers as before")
    func keyGone() throws {
        let blobs = try make(fixture.key)
        try DataFile.decrypt(path: fixture.path, key: fixture.key)
        let before = try names()
        let name = "AAAAAAAAAAAAAAAAAAAAAAAAAAA=.encrypted"
        try Data([1]).write(to: URL(filePath: "\(attachments)/\(name)"))
        let file = try fixture.open(nil)
        #expect(try findings(.encryptedBlobs, in: file) == [])
        _ = try file.compact()
        #expect(try names() == before)
        file.close()
        try expectBlobs(blobs, nil)
    }

    @Test(
        "leftovers of a first encryption are removed by the second one, which has another key",
        arguments: [BlobNames.keyed, .digests])
    func firstEncryption(blobNames: BlobNames) throws {
        let blobs = try make(nil)
        let crashed = try fixture.copyFiles(to: "crashed.cblite2")
        try DataFile.encrypt(path: crashed, key: EncryptionKey.random(), blobNames: blobNames)
        let left = try fixture.names(crashed + "/Attachments")
        #expect(left.count == 2)
        for name in left {
            try FileManager.default.copyItem(
                atPath: "\(crashed)/Attachments/\(name)", toPath: "\(attachments)/\(name)")
        }
        try DataFile.encrypt(path: fixture.path, key: fixture.key, blobNames: blobNames)
        #expect(try names().count == 2)
        #expect(try names().isDisjoint(with: left) || blobNames == .digests)
        try expectBlobs(blobs, fixture.key)
    }

    @Test("a plaintext blob with other bytes than its name stops the encryption, and is named")
    func damagedPlain() throws {
        let blobs = try make(nil)
        let name = blobs[1].digest.fileName
        try damage(name, at: 100)
        let before = try fixture.contents(attachments)
        let error = storeError(.corruptData) {
            try DataFile.encrypt(path: fixture.path, key: fixture.key)
        }
        #expect(try #require(error).message.contains("\(attachments)/\(name)"))
        #expect(try fixture.contents(attachments) == before)
        #expect(try fixture.names() == ["Attachments", "db.sqlite3"])
        #expect(try fixture.wholeNumbers(nil) == Array(1...10))
        try damage(name, at: 100)
        try DataFile.encrypt(path: fixture.path, key: fixture.key)
        try expectBlobs(blobs, fixture.key)
    }
}

// Damaged files that do not identify their blob.
extension EncryptionLeftoverTests {
    /// The name of a blob's file.
    private func fileName(_ blob: Blob) throws -> String {
        let file = try fixture.open(fixture.key, .readOnly)
        defer { file.close() }
        let directory = try #require(file.shared.blobs as? BlobDirectory)
        return directory.fileName(blob.digest)
    }

    @Test("damaged blobs that documents refer to are listed", arguments: [9, -40, -1])
    func damaged(offset: Int) throws {
        let blobs = try make(fixture.key)
        let writer = try fixture.open(fixture.key)
        let unused = try writer.blobs.put(Self.bytes(3))
        #expect(try writer.read { try $0.damagedBlobs(in: writer.blobs) } == [])
        writer.close()
        for blob in [blobs[0], unused] { try damage(fileName(blob), at: offset) }
        let file = try fixture.open(fixture.key, .readOnly)
        #expect(try file.read { try $0.damagedBlobs(in: file.blobs) } == [blobs[0].digest])
        let report = try file.verify()
        #expect(!report.isIntact)
        let found = report.findings.filter { $0.kind == .damagedBlob }
        #expect(found.map(\.blob) == [blobs[0].digest])
        #expect(found.first?.key == "d1")
    }

    @Test("an emptied or truncated file is reported as damaged", arguments: [0, 50])
    func cut(length: Int) throws {
        let blobs = try make(fixture.key)
        let path = try "\(attachments)/\(fileName(blobs[0]))"
        let bytes = try Data(contentsOf: URL(filePath: path))
        try FileManager.default.removeItem(atPath: path)
        try bytes.prefix(length).write(to: URL(filePath: path))
        let file = try fixture.open(fixture.key, .readOnly)
        let findings = try file.verify().findings.filter { $0.area == .blob }
        #expect(findings.map(\.kind) == [.damagedBlob])
        #expect(findings.first?.message.contains("is damaged") == true)
    }

    @Test("the key of the blobs does not remain in the bytes of a decrypted database")
    func keyOverwritten() throws {
        _ = try make(fixture.key)
        let context = try fixture.sqlite(fixture.key)
        let value = try context.selectValue(
            sql: "SELECT body FROM kv_info WHERE key = 'blobKey'")
        try context.close()
        let stored = try #require(value?.bytesValue)
        #expect(stored.count == 33)
        try DataFile.decrypt(path: fixture.path, key: fixture.key)
        let bytes = try Data(contentsOf: URL(filePath: fixture.path + "/db.sqlite3"))
        #expect(bytes.range(of: Data(stored)) == nil)
    }
}
