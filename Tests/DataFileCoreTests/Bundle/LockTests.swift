import DataFileCore
import EngineTestSupport
import StoreFormat
import StoreTestSupport
import Testing

@Suite(
    "Locks against other processes", .enabled(if: ChildProcess.exists("sqlite3"), "no sqlite3"))
struct LockTests {
    /// Leaving WAL mode requires that no other connection has the file open.
    private func otherProcessLeavesLog(_ path: String) throws -> Bool {
        let result = try ChildProcess.run([
            "sqlite3", path + "/db.sqlite3", "PRAGMA journal_mode=delete",
        ])
        return result.output.hasPrefix("delete")
    }

    @Test("persist while other handles on the same file are opened and closed")
    func stay() throws {
        let fixture = try StoreFixture()
        let file = try fixture.open()
        try fixture.save("a", "{}", in: file)
        for access in [DataFileOptions.Access.readOnly, .readWrite, .create] {
            let other = try fixture.open(access)
            _ = try other.read { try fixture.people.count(in: $0) }
            other.close()
            #expect(try !otherProcessLeavesLog(fixture.path), "\(access)")
        }
        try fixture.save("b", "{}", in: file)
        #expect(try file.read { try fixture.people.count(in: $0) } == (2, 0))
        file.close()
        #expect(try otherProcessLeavesLog(fixture.path), "the check can fail")
    }

    @Test("a path that starts with file: is a path, not a URI")
    func uriPath() throws {
        #expect(BundlePath("file:a.cblite2").directory.hasSuffix("/file:a.cblite2"))
        #expect(BundlePath("file:a.cblite2").directory.hasPrefix("/"))
        #expect(BundlePath("/a b/?#%.cblite2//").directory == "/a b/?#%.cblite2")
        let directory = try TemporaryDirectory()
        for name in ["file:a?mode=memory.cblite2", "50%#x é.cblite2"] {
            let path = directory(name)
            try DataFile(path: path, options: DataFileOptions(access: .create)).close()
            #expect(FileSystem.kind(path + "/db.sqlite3") == .file)
        }
    }
}
