import DataFileCore
import EngineTestSupport
import FleeceLite
import Foundation
import QueryEngine
import SQLCore
import SQLPlus
import StoreFormat
import StoreTestSupport
import StoreTools
import Testing

@Suite("Encrypted data files")
struct EncryptionTests {
    let directory: TemporaryDirectory
    let path: String
    let key = EncryptionKey.random()
    private static let marker = "a very particular marker"

    init() throws {
        directory = try TemporaryDirectory()
        path = directory("people.cblite2")
    }

    private func options(
        _ key: EncryptionKey?, _ access: DataFileOptions.Access = .create
    ) -> DataFileOptions {
        var options = DataFileOptions(access: access)
        options.encryption = key
        options.blobGraceSeconds = 0
        return options
    }

    private func open(
        _ key: EncryptionKey?, _ access: DataFileOptions.Access = .create
    ) throws -> DataFile {
        try DataFile(path: path, options: options(key, access))
    }

    /// Documents, one with a blob, and an index that calls functions of the engine.
    @discardableResult
    private func fill(_ file: DataFile) throws -> Blob {
        let bytes = Array(String(repeating: Self.marker, count: 10_000).utf8)
        let blob = try file.blobs.put(bytes, contentType: "text/plain")
        try file.write { transaction in
            let people = try DocumentCollection(CollectionName("people"))
            try people.create(in: transaction)
            for number in 1...200 {
                _ = try people.save("p\(number)", in: transaction) {
                    $0.beginDictionary()
                    try $0.writeKey("name")
                    $0.writeString("\(Self.marker) \(number)")
                    try $0.writeKey("number")
                    $0.writeInt(number)
                    if number == 7 {
                        try $0.writeKey("photo")
                        try $0.write(blob)
                    }
                    try $0.endDictionary()
                }
            }
            _ = try people.createIndex(.value("byNumber", on: "number"), in: transaction)
            _ = try people.createIndex(.fullText("words", on: "name"), in: transaction)
        }
        return blob
    }

    /// Checks the contents of a filled file.
    private func check(_ file: DataFile, _ blob: Blob) throws {
        let query = try Query(
            "SELECT count(*) FROM people WHERE number > 100 AND MATCH(words, 'particular')")
        let rows = try file.read { try query.rows(in: $0).all() }
        #expect(rows.first?[0].int == 100)
        #expect(try file.integrityCheck().isIntact)
        #expect(try file.blobs.verifyAll().isIntact)
        #expect(try file.blobs.verifyAll().count == 1)
        let bytes = try file.blobs.bytes(of: blob)
        #expect(bytes.count == 240_000)
        #expect(bytes.starts(with: Self.marker.utf8))
    }

    private func filesHold(_ text: String) throws -> [String] {
        let names = FileManager.default.enumerator(atPath: directory.path)?.compactMap {
            $0 as? String
        }
        return try (names ?? []).filter { name in
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: directory(name), isDirectory: &isDirectory)
            guard !isDirectory.boolValue else { return false }
            // Another process reads it: this one would release SQLite's locks.
            return try ChildProcess.run(["grep", "-qaF", text, directory(name)]).status == 0
        }
    }

    private func failure(_ body: () throws -> Void) -> StoreError? {
        do {
            try body()
            return nil
        } catch {
            return error as? StoreError
        }
    }

    @Test("contain documents, indexes and blobs, and nothing of them is readable in any file")
    func holdsEverything() throws {
        let file = try open(key)
        let blob = try fill(file)
        try check(file, blob)
        #expect(try filesHold(Self.marker) == [])
        #expect(try filesHold("SQLite format 3") == [])
        #expect(try filesHold("kv_default") == [])
        file.close()
        #expect(try filesHold(Self.marker) == [])
        try check(open(key, .readOnly), blob)
        try check(open(key, .readWrite), blob)
    }

    @Test("are opened only with their key, and each error is distinguished")
    func wrongKeys() throws {
        let file = try open(key)
        try fill(file)
        let inUse = failure { _ = try open(EncryptionKey.random(), .readWrite) }
        #expect(inUse?.underlying as? EncryptionError == .wrongKeyOrNotADatabase)
        file.close()
        for access in [DataFileOptions.Access.readOnly, .readWrite, .create] {
            let wrong = failure { _ = try open(EncryptionKey.random(), access) }
            #expect(wrong?.has(.notADatabaseFile) == true)
            #expect(wrong?.underlying as? EncryptionError == .wrongKeyOrNotADatabase)
            let missing = failure { _ = try open(nil, access) }
            #expect(missing?.has(.notADatabaseFile) == true)
            #expect(missing?.underlying as? EncryptionError == .keyRequired)
        }
        let plain = directory("plain.cblite2")
        try DataFile(path: plain, options: options(nil)).close()
        for access in [DataFileOptions.Access.readOnly, .readWrite, .create] {
            let notEncrypted = failure {
                _ = try DataFile(path: plain, options: options(key, access))
            }
            #expect(notEncrypted?.has(.notADatabaseFile) == true)
            #expect(notEncrypted?.underlying as? EncryptionError == .notEncrypted)
        }
    }

    @Test("a passphrase is derived once per file, not per connection")
    func derivesOnce() throws {
        let key = try EncryptionKey("a passphrase")
        let file = try open(key)
        try fill(file)
        file.close()
        let clock = ContinuousClock()
        let first = try clock.measure {
            try EncryptionKey("another").checked(path + "/db.sqlite3")
        }
        let again = try clock.measure {
            let file = try open(key, .readWrite)
            try file.read { _ in try file.read { _ in } }
            try file.write { _ in }
            file.close()
        }
        #expect(again < first, "\(again) with the key derived, \(first) for one derivation")
    }

    @Test(
        "are encrypted and decrypted in place, with their blobs",
        arguments: [BlobNames.keyed, .digests])
    func inPlace(names: BlobNames) throws {
        let plain = try open(nil)
        let blob = try fill(plain)
        let busy = failure { try DataFile.encrypt(path: path, key: key, blobNames: names) }
        #expect(busy?.has(.busy) == true)
        plain.close()
        #expect(try filesHold(Self.marker).count == 2)
        try DataFile.encrypt(path: path, key: key, blobNames: names)
        #expect(try filesHold(Self.marker) == [])
        let name = blob.digest.fileName.dropLast(".blob".count)
        let files = try FileManager.default.contentsOfDirectory(atPath: path + "/Attachments")
        #expect(files.count == 1)
        #expect(files.allSatisfy { $0.hasSuffix(".encrypted") })
        #expect(files.allSatisfy { $0.hasPrefix(name) } == (names == .digests))
        let file = try open(key, .readWrite)
        try check(file, blob)
        file.close()
        #expect(
            failure { try DataFile.decrypt(path: path, key: EncryptionKey.random()) }?
                .has(.notADatabaseFile) == true)
        try DataFile.decrypt(path: path, key: key)
        try check(open(nil, .readWrite), blob)
        #expect(try filesHold(Self.marker).count == 2)
    }

    @Test("get another key in place; blobs are not changed")
    func rekey() throws {
        let file = try open(key)
        let blob = try fill(file)
        let new = EncryptionKey.random()
        #expect(failure { try DataFile.rekey(path: path, from: key, to: new) }?.has(.busy) == true)
        file.close()
        #expect(
            failure { try DataFile.rekey(path: path, from: new, to: key) }?
                .has(.notADatabaseFile) == true)
        try DataFile.rekey(path: path, from: key, to: new)
        let again = try open(new, .readWrite)
        try check(again, blob)
        again.close()
        #expect(failure { _ = try open(key, .readWrite) }?.has(.notADatabaseFile) == true)
    }

    private enum Conversion: String, CaseIterable { case encrypt, decrypt, rekey }

    @Test(
        "are not changed if the converting task is cancelled",
        arguments: [
            Conversion.encrypt, .decrypt, .rekey,
        ])
    private func cancelled(conversion: Conversion) async throws {
        let old = conversion == .encrypt ? nil : key
        let file = try open(old)
        let blob = try fill(file)
        file.close()
        let (path, key, new) = (path, key, EncryptionKey.random())
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            switch conversion {
            case .encrypt: try DataFile.encrypt(path: path, key: key)
            case .decrypt: try DataFile.decrypt(path: path, key: key)
            case .rekey: try DataFile.rekey(path: path, from: key, to: new)
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try names() == ["Attachments", "db.sqlite3"])
        try check(open(old, .readWrite), blob)
    }

    /// The contents of the database's directory, except the WAL and its files.
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }

    @Test("are copied encrypted by a task, too")
    func asyncCopy() async throws {
        let fixture = try EncryptionFixture()
        let file = try fixture.open(fixture.key, .create)
        defer { file.close() }
        try await file.write {
            _ = try DocumentCollection(.default).save("a", in: $0) { try $0.writeJSON("{}") }
        }
        let target = fixture.directory("copy.cblite2")
        try await file.copy(to: target)
        #expect(throws: StoreError.self) { try fixture.open(nil, at: target) }
        let copy = try fixture.open(fixture.key, at: target)
        defer { copy.close() }
        let isThere = try await copy.read {
            try DocumentCollection(.default).get("a", in: $0) != nil
        }
        #expect(isThere)
    }

    @Test("are copied with their key, renamed and deleted like others")
    func bundles() throws {
        let file = try open(key)
        let blob = try fill(file)
        let copyPath = directory("copy.cblite2")
        try file.copy(to: copyPath, newUUIDs: true)
        #expect(failure { try DataFile.delete(path: path) }?.has(.busy) == true)
        file.close()
        #expect(try filesHold(Self.marker) == [])
        try check(DataFile(path: copyPath, options: options(key, .readWrite)), blob)
        try DataFile.rename(path: path, to: directory("moved.cblite2"))
        try check(
            DataFile(path: directory("moved.cblite2"), options: options(key, .readOnly)), blob)
        try DataFile.delete(path: copyPath)
        #expect(!FileManager.default.fileExists(atPath: copyPath))
    }

    @Test("keep blobs that documents refer to when others are collected")
    func collection() throws {
        let file = try open(key)
        let blob = try fill(file)
        _ = try file.blobs.put(Array("nobody's".utf8))
        #expect(try file.compact().removedBlobs == 1)
        try check(file, blob)
        try file.write { _ = try DocumentCollection(CollectionName("people")).purge("p7", in: $0) }
        #expect(try file.compact().removedBlobs == 1)
        #expect(try file.blobs.digests() == [])
    }

    @Test("report each blob that was changed, truncated, or swapped for another one")
    func damagedBlobs() throws {
        let file = try open(key)
        let long = try file.blobs.put([UInt8](repeating: 7, count: 200_000))
        let other = try file.blobs.put([UInt8](repeating: 8, count: 200_000))
        let empty = try file.blobs.put([])
        #expect(try file.blobs.bytes(of: empty) == [])
        let reader = try file.blobs.open(long)
        reader.seek(to: 131_070)
        #expect(try reader.readChunk(maximum: 5) == [7, 7, 7, 7, 7])
        let place = path + "/Attachments/"
        let names = try FileManager.default.contentsOfDirectory(atPath: place)
        let sizes = try names.map {
            try FileManager.default.attributesOfItem(atPath: place + $0)[.size] as? Int ?? 0
        }
        #expect(sizes.sorted() == [76, 200_140, 200_140])
        let contents = try names.map { try Data(contentsOf: URL(filePath: place + $0)) }
        func damaged(_ blob: Blob) -> Bool {
            failure { _ = try file.blobs.bytes(of: blob) }?.has(.corruptData) == true
        }
        func replace(_ index: Int, _ bytes: Data) throws {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: place + names[index])
            try bytes.write(to: URL(filePath: place + names[index]))
        }
        for index in names.indices {
            for offset in [0, 9, 31, 40, contents[index].count - 1] {
                var bytes = contents[index]
                bytes[offset] ^= 1
                try replace(index, bytes)
                #expect([long, other, empty].filter(damaged).count == 1, "\(index) \(offset)")
            }
            try replace(index, contents[index].dropLast(16))
            #expect([long, other, empty].filter(damaged).count == 1)
            try replace(index, contents[index])
        }
        let longOnes = names.indices.filter { contents[$0].count > 76 }
        try replace(longOnes[0], contents[longOnes[1]])
        try replace(longOnes[1], contents[longOnes[0]])
        #expect(try file.blobs.verifyAll().count == 1)
        #expect(
            [long, other].filter { blob in failure { try file.blobs.verify(blob) } != nil }.count
                == 2)
    }
}

extension EncryptionKey {
    /// Tries the key on a file, as an attacker would.
    fileprivate func checked(_ path: String) throws {
        #expect(throws: SQLError.self) {
            let context = try SQLContext(path: path, configuration: .plus(key: self))
            _ = try context.selectValue(sql: "SELECT 1 FROM sqlite_master")
        }
    }
}

extension EncryptionTests {
    @Test("lose an incomplete frame, and report how much is not read")
    func tornLog() throws {
        let file = try open(key)
        try fill(file)
        try file.write { transaction in
            _ = try DocumentCollection(.default).save("last", in: transaction) {
                try $0.writeJSON(#"{"n": 1}"#)
            }
        }
        #expect(file.unreadWALBytes == 0)
        let copy = directory("copy.cblite2")
        #expect(try ChildProcess.run(["cp", "-r", path, copy]).status == 0)
        file.close()
        let wal = copy + "/db.sqlite3-wal"
        try FileManager.default.removeItem(atPath: copy + "/db.sqlite3-shm")
        let bytes = try Data(contentsOf: URL(filePath: wal))
        try bytes.dropLast(1000).write(to: URL(filePath: wal))
        let opened = try DataFile(path: copy, options: options(key, .readOnly))
        #expect(opened.unreadWALBytes == 4120 - 1000)
        let (last, count) = try opened.read { snapshot in
            let last = try DocumentCollection(.default).get("last", in: snapshot)
            return (
                last?.id, try DocumentCollection(CollectionName("people")).count(in: snapshot).live
            )
        }
        #expect(last == nil)
        #expect(count == 200)
    }
}

extension EncryptionTests {
    @Test("are recovered from damage with their key, encrypted again, including their blobs")
    func salvage() throws {
        let file = try open(key)
        let blob = try fill(file)
        file.close()
        var bytes = try Data(contentsOf: URL(filePath: path + "/db.sqlite3"))
        let pages = bytes.count / 4096
        for page in stride(from: 30, to: pages, by: 2) { bytes[page * 4096 + 100] ^= 4 }
        try bytes.write(to: URL(filePath: path + "/db.sqlite3"))
        let saved = directory("saved.cblite2")
        #expect(throws: StoreError.self) {
            try Salvage(from: path, to: saved, encryption: EncryptionKey.random()).run()
        }
        let report = try Salvage(from: path, to: saved, encryption: key).run()
        let people = try #require(report.stores.first { $0.name.rawName == ".people" })
        #expect((20..<200).contains(people.liveRecords), "\(people.liveRecords) of 200")
        let opened = try DataFile(path: saved, options: options(key, .readWrite))
        #expect(try opened.integrityCheck().isIntact)
        #expect(try opened.blobs.bytes(of: blob).count == 240_000)
        opened.close()
        #expect(try filesHold(Self.marker) == [])
    }
}
