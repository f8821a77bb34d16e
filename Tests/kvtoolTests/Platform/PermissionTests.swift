import Foundation
import StoreTestSupport
import Testing

@Suite(
    "Without permission", .enabled(if: Kvtool.canRunUnprivileged, "needs setpriv or runuser"))
struct PermissionTests {
    private let database: SampleDatabase

    private static let note =
        " cannot be locked here, so changes that a running application has not yet checkpointed "
        + "are not visible"

    init() throws {
        database = try SampleDatabase(people: 3)
        try database.setPermissions(0o755, of: database.directory.path)
    }

    /// Runs `body` with these permissions of the directory and the file.
    private func with(directory: Int, file: Int, _ body: () throws -> Void) throws {
        try database.setPermissions(file, of: database.file)
        try database.setPermissions(directory, of: database.path)
        defer { try? database.setPermissions(0o755, of: database.path) }
        try body()
    }

    @Test(
        "to write the directory, reading works, reports what it cannot see, and leaves no files",
        arguments: [["info"], ["ls"], ["export"], ["cat", "person-0001"]])
    func readOnlyDirectory(_ command: [String]) throws {
        let expected = try Kvtool.run([command[0], database.path] + command.dropFirst()).success()
        let before = try database.contents
        try with(directory: 0o555, file: 0o444) {
            let outcome = try Kvtool.run(
                [command[0], database.path] + command.dropFirst(), asUser: .unprivileged)
            #expect(outcome.status == 0)
            #expect(outcome.stdout == expected.stdout)
            #expect(outcome.stderr == "kvtool: note: \(database.path)\(Self.note)\n")
        }
        #expect(try database.contents == before)
    }

    @Test("to write the directory, the note also appears if the path needs escapes in a URI")
    func oddPath() throws {
        let odd = database.directory("a b?mode=rw#%41é&'.cblite2")
        try FileManager.default.moveItem(atPath: database.path, toPath: odd)
        try database.setPermissions(0o444, of: "\(odd)/db.sqlite3")
        try database.setPermissions(0o555, of: odd)
        defer { try? database.setPermissions(0o755, of: odd) }
        let outcome = try Kvtool.run(["export", odd], asUser: .unprivileged)
        #expect(outcome.lines.count == 3)
        #expect(outcome.stderr == "kvtool: note: \(odd)\(Self.note)\n")
        #expect(try DirectoryContents(odd).names == ["db.sqlite3"])
    }

    @Test(
        "to write, every command that writes is refused, and leaves no files",
        arguments: [(0o555, 0o444), (0o555, 0o644), (0o777, 0o444)])
    func refusedWrites(_ directory: Int, _ file: Int) throws {
        let before = try database.contents
        try with(directory: directory, file: Kvtool.isRoot ? file : 0o444) {
            for command in [
                ["put", "a", "{}"], ["rm", "person-0001"], ["purge", "person-0001", "--yes"],
                ["import", "-"],
            ] {
                let outcome = try Kvtool.run(
                    [command[0], database.path] + command.dropFirst(),
                    stdin: Data("{}\n".utf8), asUser: .unprivileged)
                let complaint = outcome.refusal(status: 1)
                #expect(complaint.hasPrefix("\(database.path) cannot be written: "))
            }
            // A WAL of another user would lock the application out.
            #expect(try database.contents == before)
        }
    }

    @Test("to read the file, every command reports it")
    func unreadableFile() throws {
        try with(directory: 0o755, file: 0) {
            for command in [["info"], ["export"], ["put", "a", "{}"], ["import", "-"]] {
                let outcome = try Kvtool.run(
                    [command[0], database.path] + command.dropFirst(), stdin: Data(),
                    asUser: .unprivileged)
                #expect(
                    outcome.refusal(status: 4) == "no permission to read \(database.file)")
            }
        }
    }

    @Test("to search the directory, every command reports it")
    func unreadableDirectory() throws {
        try with(directory: 0, file: 0o644) {
            for command in [["info"], ["export"], ["put", "a", "{}"], ["import", "-"]] {
                let outcome = try Kvtool.run(
                    [command[0], database.path] + command.dropFirst(), stdin: Data(),
                    asUser: .unprivileged)
                #expect(
                    outcome.refusal(status: 4)
                        == "no permission to read the directory \(database.path)")
            }
        }
    }

    @Test("to create a directory, import reports it")
    func newDirectory() throws {
        try database.setPermissions(0o555, of: database.directory.path)
        defer { try? database.setPermissions(0o755, of: database.directory.path) }
        let path = database.directory("new.cblite2")
        let outcome = try Kvtool.run(["import", path, "-"], stdin: Data(), asUser: .unprivileged)
        #expect(
            outcome.refusal(status: 4)
                == "the directory \(path) cannot be created: Permission denied")
    }

    @Test("to read the documents, import says so, and it is no case of \"not found\"")
    func unreadableDocuments() throws {
        let file = try database.newFile("new.ndjson", Data("{}\n".utf8))
        try database.setPermissions(0, of: file)
        let outcome = try Kvtool.run(
            ["import", database.directory("new.cblite2"), file], asUser: .unprivileged)
        #expect(outcome.refusal(status: 4) == "no permission to read \(file)")
        #expect(!FileManager.default.fileExists(atPath: database.directory("new.cblite2")))
    }
}
