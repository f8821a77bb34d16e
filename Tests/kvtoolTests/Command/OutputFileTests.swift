import Foundation
import StoreTestSupport
import Testing

@Suite("A file or directory that cannot be written")
struct OutputFileTests {
    @Test("because the directory does not exist, or is not a directory, ends with 4")
    func places() throws {
        let database = try SampleDatabase(people: 2)
        let missing = database.directory("none/x")
        let before = try DirectoryContents(database.directory.path)
        for arguments in [
            ["export", missing], ["export", missing + "/"], ["dump", missing],
            ["dump", database.directory.path], ["snapshot", missing],
        ] {
            try database.run(arguments[0], arguments[1]).refusal(status: 4)
        }
        #expect(
            try database.run("put", "x", "@\(database.directory.path)").refusal(status: 4)
                == "\(database.directory.path) is a directory, not a file")
        #expect(try DirectoryContents(database.directory.path) == before)
    }

    @Test(
        "because there is no permission, ends with 4",
        .enabled(if: Kvtool.canRunUnprivileged, "needs setpriv or runuser"))
    func permission() throws {
        let database = try SampleDatabase(people: 2)
        try database.setPermissions(0o555, of: database.directory.path)
        defer { try? database.setPermissions(0o755, of: database.directory.path) }
        let target = database.directory("out")
        for command in ["export", "dump"] {
            let outcome = try database.run(command, target, asUser: .unprivileged)
            #expect(outcome.status == 4 && outcome.stdout == "")
            // There may be a note before it, that the database cannot be locked.
            #expect(
                outcome.stderr.hasSuffix(
                    "kvtool: \(target) cannot be written: Permission denied\n"))
        }
        #expect(try database.run("snapshot", target, asUser: .unprivileged).status == 4)
    }
}
