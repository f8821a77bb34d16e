import DataFileCore
import EngineTestSupport
import FleeceLite
import Foundation
import SQLCore
import SQLPlus
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Blobs of encrypted databases, and files next to them")
struct EncryptionBlobTests {
    let fixture: EncryptionFixture

    init() throws {
        fixture = try EncryptionFixture()
    }

    private var attachments: String { fixture.path + "/Attachments" }
    /// Where the second part of a blob begins in its file: header, part, end of part.
    private static let secondPart = 32 + 65_536 + 16

    /// Bytes for a blob of three parts.
    private static func bytes(_ byte: UInt8) -> [UInt8] {
        [UInt8](repeating: byte, count: 150_000)
    }

    private func open(_ names: BlobNames, _ access: DataFileOptions.Access) throws -> DataFile {
        var options = fixture.options(fixture.key, access)
        options.blobNames = names
        return try DataFile(path: fixture.path, options: options)
    }

    /// Puts a blob; returns it with the path of its file.
    private func put(_ bytes: [UInt8], in file: DataFile) throws -> (blob: Blob, path: String) {
        let before = Set((try? fixture.names(attachments)) ?? [])
        let blob = try file.blobs.put(bytes)
        let new = try Set(fixture.names(attachments)).subtracting(before)
        #expect(new.count == 1)
        return (blob, try "\(attachments)/\(#require(new.first))")
    }

    private func swap(_ first: String, _ second: String) throws {
        let manager = FileManager.default
        try manager.moveItem(atPath: first, toPath: first + "-aside")
        try manager.moveItem(atPath: second, toPath: first)
        try manager.moveItem(atPath: first + "-aside", toPath: second)
    }

    @Test(
        "with their names exchanged neither of two can be read as the other",
        arguments: [BlobNames.keyed, .digests])
    func swapped(names: BlobNames) throws {
        let file = try open(names, .create)
        let first = try put(Self.bytes(1), in: file)
        let second = try put(Self.bytes(2), in: file)
        try swap(first.path, second.path)
        for (blob, path) in [first, second] {
            // Their lengths are the same; without one in the reference, too.
            for reference in [blob, Blob(digest: blob.digest)] {
                let calls: [() throws -> Void] = [
                    { _ = try file.blobs.bytes(of: reference) },
                    { _ = try file.blobs.open(reference) },
                    { try file.blobs.verify(reference) },
                ]
                for call in calls {
                    let error = storeError(.corruptData, call)
                    #expect(error?.message.contains(path) == true)
                }
            }
        }
        try swap(first.path, second.path)
        #expect(try file.blobs.bytes(of: first.blob) == Self.bytes(1))
        #expect(try file.blobs.bytes(of: second.blob) == Self.bytes(2))
    }

    @Test(
        "with their names exchanged both are fixed by putting their bytes again",
        arguments: [BlobNames.keyed, .digests])
    func swappedAndPut(names: BlobNames) throws {
        let file = try open(names, .create)
        let first = try put(Self.bytes(1), in: file)
        let second = try put(Self.bytes(2), in: file)
        let files = try fixture.names(attachments)
        try swap(first.path, second.path)
        #expect(try file.blobs.put(Self.bytes(1)) == first.blob)
        #expect(try file.blobs.put(Self.bytes(2)) == second.blob)
        #expect(try file.blobs.bytes(of: first.blob) == Self.bytes(1))
        #expect(try file.blobs.bytes(of: second.blob) == Self.bytes(2))
        #expect(try fixture.names(attachments) == files)
    }

    @Test(
        "a damaged blob is fixed by putting the same bytes again",
        arguments: [0, 9, 40, secondPart + 5, -40, -1], [false, true])
    func fixed(offset: Int, isStreamed: Bool) throws {
        let file = try open(.keyed, .create)
        let (blob, path) = try put(Self.bytes(1), in: file)
        let files = try fixture.names(attachments)
        try fixture.damage(path, at: offset)
        storeError(.corruptData) { try file.blobs.verify(blob) }
        if isStreamed {
            let writer = try file.blobs.writer()
            try writer.write(Self.bytes(1))
            #expect(try writer.finish() == blob)
        } else {
            #expect(try file.blobs.put(Self.bytes(1)) == blob)
        }
        try file.blobs.verify(blob)
        #expect(try file.blobs.bytes(of: blob) == Self.bytes(1))
        #expect(try fixture.names(attachments) == files)
    }

    @Test("an in-memory database does not accept a key, and reports that keys are for files")
    func inMemory() throws {
        let error = storeError(.invalidParameter) {
            _ = try DataFile(inMemory: fixture.options(fixture.key, .create))
        }
        #expect(fixture.cause(error) == .noFile)
        let plain = try DataFile(inMemory: fixture.options(nil, .create))
        try fixture.save(1...3, in: plain)
        #expect(try fixture.numbers(in: plain) == [1, 2, 3])
    }
}

// Encrypting and decrypting a database.
extension EncryptionBlobTests {
    /// Makes an encrypted database with documents and three blobs; returns those, with their files.
    private func makeBlobs() throws -> [(blob: Blob, path: String)] {
        try fixture.make(fixture.key)
        let file = try fixture.open(fixture.key)
        defer { file.close() }
        return try (1...3).map { try put(Self.bytes($0), in: file) }
    }

    /// Decrypting is rejected, and nothing is changed.
    private func expectRefusal(naming path: String, sound: [Blob]) throws {
        let before = try fixture.contents(attachments)
        let refusal = storeError(.corruptData) {
            try DataFile.decrypt(path: fixture.path, key: fixture.key)
        }
        #expect(try #require(refusal).message.contains(path))
        #expect(try fixture.names() == ["Attachments", "db.sqlite3"])
        #expect(try fixture.contents(attachments) == before)
        #expect(try fixture.wholeNumbers(fixture.key) == Array(1...100))
        #expect(try fixture.journalMode(fixture.key) == "wal")
        let file = try fixture.open(fixture.key, .readOnly)
        for blob in sound { try file.blobs.verify(blob) }
        file.close()
    }

    @Test(
        "with a damaged blob a database is not decrypted: the error names it, nothing is changed",
        arguments: 0..<3, [40, secondPart + 5])
    func damaged(index: Int, offset: Int) throws {
        var blobs = try makeBlobs()
        let damaged = blobs.remove(at: index)
        try fixture.damage(damaged.path, at: offset)
        try expectRefusal(naming: damaged.path, sound: blobs.map(\.blob))
        let file = try fixture.open(fixture.key)
        #expect(try file.blobs.put(Self.bytes(UInt8(index + 1))) == damaged.blob)
        file.close()
        try DataFile.decrypt(path: fixture.path, key: fixture.key)
        let plain = try fixture.open(nil, .readOnly)
        #expect(try plain.blobs.verifyAll().count == 3)
        #expect(try plain.blobs.verifyAll().isIntact)
        #expect(try plain.blobs.bytes(of: damaged.blob) == Self.bytes(UInt8(index + 1)))
    }

    @Test(
        "nor is it with a file that is damaged where it identifies its blob",
        arguments: [9, -40, -1])
    func damagedEnds(offset: Int) throws {
        var blobs = try makeBlobs()
        let damaged = blobs.removeFirst()
        let file = try fixture.open(fixture.key)
        try file.write { transaction in
            _ = try fixture.documents.save("d100", in: transaction) {
                $0.beginDictionary()
                try $0.writeKey("n")
                $0.writeInt(100)
                try $0.writeKey("photo")
                try $0.write(damaged.blob)
                try $0.endDictionary()
            }
        }
        file.close()
        try fixture.damage(damaged.path, at: offset)
        try expectRefusal(naming: damaged.path, sound: blobs.map(\.blob))
    }

    /// Files that are not blobs: their paths and contents. One has the name of a blob's file.
    private static let foreign: [String: Data] = [
        "notes.txt": Data("notes".utf8), ".hidden": Data(), "a.blob": Data([1]),
        "a.encrypted": Data([2]), "AAAAAAAAAAAAAAAAAAAAAAAAAAA=.encrypted": Data("KVBLOB".utf8),
        "AQEBAQEBAQEBAQEBAQEBAQEBAQE=.encrypted": Data(repeating: 3, count: 300),
        "directory/inner.blob": Data([4]), "AAAA=.blob/inner": Data([5]),
        "incoming_x": Data([6]),
    ]

    @Test("a directory instead of a blob is an error, and both stay unchanged")
    func directory() throws {
        try fixture.make(nil)
        let name = "AAAAAAAAAAAAAAAAAAAAAAAAAAA=.blob"
        let directory = "\(attachments)/\(name)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        let error = storeError(.unsupported) {
            try DataFile.encrypt(path: fixture.path, key: fixture.key)
        }
        #expect(error?.message.contains("\(name) is a link, directory or device") == true)
        #expect(FileManager.default.fileExists(atPath: directory))
        try fixture.open(nil).close()
    }

    private func leaveForeign() throws {
        for (name, contents) in Self.foreign {
            let url = URL(filePath: "\(attachments)/\(name)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try contents.write(to: url)
        }
    }

    @Test("files that are not blobs are not changed when a database is encrypted and decrypted")
    func foreignFiles() throws {
        try fixture.make(nil)
        let plain = try fixture.open(nil)
        let blob = try plain.blobs.put(Self.bytes(1))
        plain.close()
        try leaveForeign()
        func others(than suffix: String) throws -> [String: Data] {
            let files = try fixture.contents(attachments)
            let blobs = files.keys.filter { Self.foreign[$0] == nil }
            #expect(blobs.count == 1)
            #expect(blobs.allSatisfy { $0.hasSuffix(suffix) })
            return files.filter { Self.foreign[$0.key] != nil }
        }
        try DataFile.encrypt(path: fixture.path, key: fixture.key)
        #expect(try others(than: ".encrypted") == Self.foreign)
        let encrypted = try fixture.open(fixture.key, .readOnly)
        #expect(try encrypted.blobs.bytes(of: blob) == Self.bytes(1))
        #expect(try encrypted.blobs.digests() == [blob.digest])
        encrypted.close()
        try DataFile.decrypt(path: fixture.path, key: fixture.key)
        #expect(try others(than: ".blob") == Self.foreign)
        let again = try fixture.open(nil, .readOnly)
        #expect(try again.blobs.bytes(of: blob) == Self.bytes(1))
        #expect(try again.blobs.digests() == [blob.digest])
    }
}
