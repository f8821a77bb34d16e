import DocumentStore
import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("Temporary stores, directories, golden files, other programs")
struct StoreTests {
    @Test("a temporary store can be written and opened again, and is deleted with its value")
    func temporaryStore() throws {
        let path: String
        do {
            let store = try TemporaryStore()
            path = store.path
            try FaultSweepTests.save(["a"], in: store.file)
            let again = try store.reopened()
            #expect(try again.read { try DocumentCollection(.default).count(in: $0).live } == 1)
            again.close()
            let copy = try TemporaryStore(copyOf: path)
            #expect(copy.path != path)
            try FaultSweepTests.save(["b"], in: copy.file)
            #expect(try copy.file.read { try DocumentCollection(.default).count(in: $0).live } == 2)
            #expect(
                try store.file.read { try DocumentCollection(.default).count(in: $0).live } == 1)
            let reading = try TemporaryStore(
                copyOf: path, options: DataFileOptions(access: .readOnly))
            #expect(throws: StoreError.self) { try FaultSweepTests.save(["c"], in: reading.file) }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(
            !FileManager.default.fileExists(atPath: (path as NSString).deletingLastPathComponent))
    }

    @Test("a temporary directory is new and empty, and removed with its contents")
    func temporaryDirectory() throws {
        let other = try TemporaryDirectory()
        let path: String
        do {
            let directory = try TemporaryDirectory()
            path = directory.path
            #expect(path != other.path)
            #expect(!path.hasSuffix("/"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
            #expect(directory("a") == path + "/a")
            try Data("x".utf8).write(to: URL(fileURLWithPath: directory("a")))
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a copy of a read-only file is writable")
    func copies() throws {
        let directory = try TemporaryDirectory()
        let target = try TemporaryDirectory()
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: directory("d/e"), withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: directory("d/e/f")))
        try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: directory("d/e/f"))
        let copy = try target.copy(of: directory("d"))
        #expect(copy == target("d"))
        let mode = try manager.attributesOfItem(atPath: copy + "/e/f")[.posixPermissions]
        #expect(mode as? Int == 0o644)
        #expect(manager.contents(atPath: copy + "/e/f") == Data("x".utf8))
    }

    @Test("golden files are below their directory, or there are none")
    func goldenFiles() {
        #expect(GoldenFiles.arePresent == (GoldenFiles.path != nil))
        #expect(GoldenFiles.file("a/b") == (GoldenFiles.path ?? "") + "/a/b")
        if let path = GoldenFiles.path {
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test("another program's status and output, from both of its streams")
    func otherProgram() throws {
        let ended = try ChildProcess.run(["sh", "-c", "echo out; echo err >&2; exit 3"])
        #expect(ended.status == 3)
        #expect(ended.output == "out\nerr\n")
        #expect(ChildProcess.exists("sh"))
        #expect(!ChildProcess.exists("no-such-program"))
        let directory = try TemporaryDirectory()
        try Data([0, 0x0A, 0xFF]).write(to: URL(fileURLWithPath: directory("a")))
        #expect(try ChildProcess.hexadecimalBytes(ofFile: directory("a")) == " 00 0a ff\n")
    }
}
