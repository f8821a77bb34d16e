import DataFileCore
import EngineTestSupport
import FleeceLite
import Foundation
import SQLPlus
import StoreFormat
import StoreTestSupport
import StoreTools
import Testing

@Suite("Permissions of files derived from a private database")
struct PrivateDatabaseTests {
    let fixture: EncryptionFixture

    init() throws { fixture = try EncryptionFixture() }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? Int ?? 0) & 0o777
    }

    private func blobModes(_ path: String) throws -> [Int] {
        try fixture.names(path + "/Attachments").map { try mode("\(path)/Attachments/\($0)") }
    }

    /// A database with a blob, for its owner only.
    private func makePrivate(_ key: EncryptionKey?) throws {
        try fixture.make(key)
        #expect(chmod(fixture.path, 0o700) == 0)
        #expect(chmod(fixture.path + "/db.sqlite3", 0o600) == 0)
        let file = try fixture.open(key)
        let blob = try file.blobs.put(Array("hello".utf8))
        try file.write { transaction in
            _ = try fixture.documents.save("blob", in: transaction) {
                $0.beginDictionary()
                try $0.writeKey("file")
                try $0.write(blob)
                try $0.endDictionary()
            }
        }
        file.close()
    }

    private func expectPrivate(
        _ path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try mode(path) == 0o700, sourceLocation: sourceLocation)
        #expect(try mode(path + "/db.sqlite3") == 0o600, sourceLocation: sourceLocation)
        #expect(try mode(path + "/Attachments") == 0o700, sourceLocation: sourceLocation)
        #expect(try blobModes(path) == [0o400], sourceLocation: sourceLocation)
    }

    @Test(
        "its blobs, its copies and its recovered files are private, too", arguments: [true, false])
    func copies(isEncrypted: Bool) throws {
        let key = isEncrypted ? fixture.key : nil
        try makePrivate(key)
        try expectPrivate(fixture.path)
        let file = try fixture.open(key, .readOnly)
        try file.copy(to: fixture.directory("copy.cblite2"))
        file.close()
        try expectPrivate(fixture.directory("copy.cblite2"))
        let saved = fixture.directory("saved.cblite2")
        _ = try Salvage(from: fixture.path, to: saved, encryption: key).run()
        try expectPrivate(saved)
    }

    @Test("its blobs keep their permissions when it is encrypted and decrypted")
    func encryption() throws {
        try makePrivate(nil)
        try DataFile.encrypt(path: fixture.path, key: fixture.key)
        try expectPrivate(fixture.path)
        try DataFile.decrypt(path: fixture.path, key: fixture.key)
        try expectPrivate(fixture.path)
        let names = try fixture.names(fixture.path + "/Attachments")
        #expect(chmod("\(fixture.path)/Attachments/\(names[0])", 0o444) == 0)
        try DataFile.encrypt(path: fixture.path, key: fixture.key)
        #expect(try blobModes(fixture.path) == [0o444])
    }

    @Test("a database for all users has copies and blobs for all users")
    func open() throws {
        try fixture.make(nil)
        #expect(chmod(fixture.path, 0o755) == 0)
        #expect(chmod(fixture.path + "/db.sqlite3", 0o644) == 0)
        let file = try fixture.open(nil)
        _ = try file.blobs.put([1])
        let copy = fixture.directory("copy.cblite2")
        try file.copy(to: copy)
        let mask = umask(0o022)
        umask(mask)
        #expect(try mode(copy) == 0o755 & ~Int(mask) | 0o700)
        #expect(try mode(copy + "/db.sqlite3") == 0o644 & ~Int(mask))
        #expect(try blobModes(copy) == [0o444 & ~Int(mask)])
    }

    @Test(
        "a link instead of a blob stops a change of the encryption before anything is changed")
    func linkedBlob() throws {
        try makePrivate(nil)
        let directory = fixture.path + "/Attachments/"
        for isEncrypted in [false, true] {
            if isEncrypted { try DataFile.encrypt(path: fixture.path, key: fixture.key) }
            let key = isEncrypted ? fixture.key : nil
            let name = try #require(fixture.names(directory).first)
            let elsewhere = fixture.directory("elsewhere-\(isEncrypted)")
            try FileManager.default.moveItem(atPath: directory + name, toPath: elsewhere)
            try FileManager.default.createSymbolicLink(
                atPath: directory + name, withDestinationPath: elsewhere)
            let error = storeError(.unsupported) {
                if isEncrypted {
                    try DataFile.decrypt(path: fixture.path, key: fixture.key)
                } else {
                    try DataFile.encrypt(path: fixture.path, key: fixture.key)
                }
            }
            #expect(error?.message.hasPrefix(directory + name) == true)
            #expect(try fixture.names(directory) == [name])
            #expect(try fixture.wholeNumbers(key).count == 101)
            #expect(unlink(directory + name) == 0)
            try FileManager.default.moveItem(atPath: elsewhere, toPath: directory + name)
        }
    }
}

@Suite("Directories left by killed processes")
struct AbandonedBundleTests {
    let fixture: EncryptionFixture

    init() throws {
        fixture = try EncryptionFixture()
        try fixture.make(nil, 1...3)
    }

    private func leave(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: fixture.directory(name) + "/Attachments", withIntermediateDirectories: true)
        try Data([1]).write(to: URL(filePath: fixture.directory(name) + "/db.sqlite3"))
    }

    private func names() throws -> [String] { try fixture.names(fixture.directory.path) }

    @Test("are removed by the next copy, recovery or deletion next to them")
    func removed() throws {
        for turn in 0..<3 {
            for name in [".store-new-1f", ".store-deleted-0123456789abcdef"] { try leave(name) }
            let copy = fixture.directory("copy-\(turn).cblite2")
            switch turn {
            case 0:
                let file = try fixture.open(nil)
                try file.copy(to: copy)
                file.close()
            case 1: _ = try Salvage(from: fixture.path, to: copy).run()
            default: try DataFile.delete(path: fixture.directory("copy-0.cblite2"))
            }
            #expect(try names().allSatisfy { !$0.hasPrefix(".") }, "\(turn)")
        }
        #expect(try names() == ["copy-1.cblite2", "test.cblite2"])
    }

    @Test("are kept while they are in use, or if they have another name")
    func kept() throws {
        let others = [".store-new-1f", ".store-new-", ".store-new-xyz", ".store-other-1"]
        for name in others { try leave(name) }
        let lock = try #require(try OpenDirectory(fixture.directory(others[0])))
        #expect(try lock.lock(.exclusive, waits: false) == .locked)
        let file = try fixture.open(nil)
        try file.copy(to: fixture.directory("copy.cblite2"))
        file.close()
        #expect(try Set(names()).isSuperset(of: others))
        withExtendedLifetime(lock) {}
    }

    @Test("two concurrent copies do not remove each other's directories")
    func together() async throws {
        let file = try fixture.open(nil, .readOnly)
        let fixture = fixture
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask { try file.copy(to: fixture.directory("copy-\(number).cblite2")) }
            }
            try await group.waitForAll()
        }
        file.close()
        #expect(try names().count == 9)
        for number in 0..<8 {
            let copy = fixture.directory("copy-\(number).cblite2")
            #expect(try fixture.wholeNumbers(nil, at: copy) == [1, 2, 3])
        }
    }
}
