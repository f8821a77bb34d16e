import EngineTestSupport
import Foundation
import ProjectTestSupport
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing
@testable import DataFileCore

@Suite("Copying a database", .timeLimit(.minutes(20)))
struct CopyTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    private var target: String { fixture.directory("copy.cblite2") }

    private func count(_ path: String) throws -> Int {
        try DataFile(path: path).read { try fixture.people.count(in: $0).live }
    }

    private func uuids(_ path: String) throws -> [[UInt8]?] {
        try DataFile(path: path).read { snapshot in
            [
                try snapshot.info(InfoKey.publicUUID), try snapshot.info(InfoKey.privateUUID),
                try snapshot.info(InfoKey.previousPrivateUUID),
            ]
        }
    }

    @Test("is the state of the database when it started, however much is added meanwhile")
    func snapshot() throws {
        let file = try fixture.open()
        try fixture.fill(file, count: 300, bytes: 3000)
        let writer = try fixture.open()
        var copied: [Int] = []
        var written = 0
        try file.withReaderContext { context in
            var copy = BundleCopy(
                source: context, bundle: BundlePath(fixture.path), newUUIDs: false,
                progress: { progress in
                    copied.append(progress.copiedPages)
                    try fixture.fill(writer, from: 1000 + written, count: 2, bytes: 3000)
                    written += 2
                    return true
                })
            copy.pagesPerStep = 20
            try copy.run(to: BundlePath(target))
        }
        #expect(copied.count > 10)
        #expect(copied == copied.sorted() && Set(copied).count == copied.count, "restarted")
        #expect(try count(target) == 300)
        #expect(try count(fixture.path) == 300 + written)
    }

    @Test("would restart without the transaction that it keeps open")
    func restart() throws {
        let file = try fixture.open()
        try fixture.fill(file, count: 100, bytes: 3000)
        let source = try fixture.sqlite()
        let copy = try SQLContext(path: fixture.directory("plain.sqlite3"))
        var remaining: [Int] = []
        try source.backup(to: copy, pages: 20) { progress in
            remaining.append(progress.remaining)
            if remaining.count == 2 { try fixture.fill(file, from: 1000, count: 1) }
            return true
        }
        #expect(remaining != remaining.sorted(by: >))
    }

    @Test("includes the blobs, and no other files of the directory; its WAL is checkpointed")
    func attachments() throws {
        let file = try fixture.open()
        try fixture.save("a", #"{"n":1}"#, in: file)
        let blobs = fixture.path + "/Attachments"
        try FileManager.default.createDirectory(
            atPath: blobs + "/deep", withIntermediateDirectories: true)
        for name in ["a=.blob", "deep/b=.blob"] {
            try Data(name.utf8).write(to: URL(filePath: blobs + "/" + name))
        }
        try Data("?".utf8).write(to: URL(filePath: fixture.path + "/notes.txt"))
        try file.copy(to: target)
        let names = try FileManager.default.subpathsOfDirectory(atPath: target).sorted()
        #expect(
            names == [
                "Attachments", "Attachments/a=.blob", "Attachments/deep",
                "Attachments/deep/b=.blob", "db.sqlite3",
            ])
        let blob = try String(contentsOfFile: target + "/Attachments/deep/b=.blob", encoding: .utf8)
        #expect(blob == "deep/b=.blob")
        #expect(try fixture.json("a", in: DataFile(path: target)) == #"{"_id":"a","n":1}"#)
        #expect(try uuids(target) == uuids(fixture.path))
    }

    @Test("has new UUIDs on request, and stores the private one of its source")
    func newUUIDs() throws {
        let file = try fixture.open()
        try file.copy(to: target, newUUIDs: true)
        let (old, new) = (try uuids(fixture.path), try uuids(target))
        #expect(old[2] == nil && new[2] == old[1])
        #expect(new[0] != old[0] && new[1] != old[1])
        #expect(new[0]?.count == 16 && new[1]?.count == 16)
        let files = try FileManager.default.contentsOfDirectory(atPath: target)
        #expect(files == ["db.sqlite3"])
    }

    @Test("does not replace an existing file")
    func exists() throws {
        let file = try fixture.open()
        for make in [createDirectory, makeFile, makeLink] {
            try make(target)
            let error = #expect(throws: StoreError.self) { try file.copy(to: target) }
            #expect(error?.domain == .posix && error?.code == Int(EEXIST))
            try FileManager.default.removeItem(atPath: target)
        }
        #expect(try leftovers() == ["test.cblite2"])
    }

    private func createDirectory(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    private func makeFile(_ path: String) throws { try Data().write(to: URL(filePath: path)) }

    private func makeLink(_ path: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: fixture.directory("nowhere"))
    }

    private func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path).sorted()
    }

    @Test("leaves nothing when it fails at any of its steps")
    func failure() throws {
        let file = try fixture.open()
        try fixture.fill(file, count: 800, bytes: 3000)
        var steps = 0
        try file.copy(to: target) { _ in
            steps += 1
            return true
        }
        try DataFile.delete(path: target)
        #expect(steps >= 3)
        struct Stop: Error {}
        for last in 1...steps {
            var calls = 0
            #expect(throws: Stop.self) {
                try file.copy(to: target) { _ in
                    calls += 1
                    if calls == last { throw Stop() }
                    return true
                }
            }
            #expect(try leftovers() == ["test.cblite2"])
        }
        #expect(throws: CancellationError.self) { try file.copy(to: target) { _ in false } }
        #expect(try leftovers() == ["test.cblite2"])
    }

    @Test("leaves nothing when its task is cancelled")
    func cancellation() async throws {
        let file = try fixture.open()
        try fixture.fill(file, count: 800, bytes: 3000)
        let (steps, step) = AsyncStream<Void>.makeStream()
        let isCancelled = DispatchSemaphore(value: 0)
        let task = Task { [target] in
            try await file.copy(to: target) { _ in
                step.yield()
                isCancelled.wait()
                return true
            }
        }
        for await _ in steps { break }
        task.cancel()
        for _ in 0..<100 { isCancelled.signal() }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try leftovers() == ["test.cblite2"])
    }

    @Test("does not follow a link in the directory of blobs: it is an error")
    func link() throws {
        let file = try fixture.open()
        try createDirectory(fixture.path + "/Attachments")
        try makeLink(fixture.path + "/Attachments/x=.blob")
        let error = #expect(throws: StoreError.self) { try file.copy(to: target) }
        #expect(error?.has(.unsupported) == true)
        #expect(try leftovers() == ["test.cblite2"])
    }

    @Test(
        "of a file of every version has all its records",
        .enabled(if: GoldenFiles.arePresent, "no golden files"),
        arguments: [
            "upgrade_2.7", "upgrade_2.8_index", "db_3_0_0_names_100_with_deleted",
            "upgrade_3.1_peerCheckpoints", "sample_revtree_503", "sample_vectors_503",
        ])
    func golden(name: String) throws {
        let path = try fixture.directory.copy(of: GoldenFiles.file("litecore/\(name).cblite2"))
        let file = try DataFile(path: path)
        try file.copy(to: target, newUUIDs: true)
        let copy = try DataFile(path: target)
        let stores = try file.read { try $0.keyStoreNames() }
        #expect(try copy.read { try $0.keyStoreNames() } == stores)
        for store in stores where store != .info {
            #expect(try keys(store, copy) == keys(store, file))
        }
        #expect(copy.schemaVersion == file.schemaVersion)
    }

    private func keys(_ store: KeyStoreName, _ file: DataFile) throws -> [String] {
        try file.read { snapshot in
            var keys: [String] = []
            let records = try KeyStore(store).records(in: snapshot)
            while let record = try records.next() {
                keys.append("\(record.key) \(record.sequence) \(record.bodySize)")
            }
            return keys.sorted()
        }
    }
}
