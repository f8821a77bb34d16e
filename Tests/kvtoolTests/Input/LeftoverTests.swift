import Foundation
import StoreTestSupport
import Testing

@Suite(
    "Files of a writer that crashed",
    .enabled(if: SQLiteShell.isPresent, "needs the sqlite3 command"))
struct LeftoverTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 3)
    }

    private static let reading = [["info"], ["ls"], ["cat", "person-0001"], ["export"]]

    /// Leaves a WAL with a committed change: the last sequence is 50.
    private func crash(keepingIndex: Bool) throws {
        try OtherProcess(database.file, "UPDATE kvmeta SET lastSeq=50;").crash()
        if !keepingIndex {
            try FileManager.default.removeItem(atPath: database.file + "-shm")
        }
    }

    private func lastSequence(asUser user: Kvtool.User = .same) throws -> String? {
        let lines = try database.run("info", asUser: user).lines
        return lines.last?.split(separator: " ").last.map(String.init)
    }

    @Test("are read including the WAL, which is not changed", arguments: [true, false])
    func log(_ hasIndex: Bool) throws {
        try crash(keepingIndex: hasIndex)
        let before = try database.contents
        #expect(try lastSequence() == "50")
        for command in Self.reading {
            try Kvtool.run([command[0], database.path] + command.dropFirst()).success()
        }
        let after = try database.contents
        #expect(after["db.sqlite3"] == before["db.sqlite3"])
        #expect(after["db.sqlite3-wal"] == before["db.sqlite3-wal"])
        // SQLite creates the wal-index again; it belongs to the file's owner.
        #expect(Set(after.names) == Set(before.names + ["db.sqlite3-shm"]))
    }

    @Test(
        "are read without the WAL by another user, whose wal-index would lock the owner out",
        .enabled(if: Kvtool.canRunUnprivileged && Kvtool.isRoot, "needs root and another user"))
    func logOfAnotherUser() throws {
        try crash(keepingIndex: false)
        try database.setPermissions(0o777, of: database.path)
        let before = try database.contents.names
        let outcome = try database.run("ls", asUser: .unprivileged)
        #expect(outcome.status == 0)
        #expect(outcome.complaint().contains("are not visible"))
        #expect(try database.contents.names == before)
    }

    @Test(
        "are read without the WAL, with a note, if the WAL cannot be opened",
        .enabled(if: Kvtool.canRunUnprivileged, "needs setpriv or runuser"))
    func walInReadOnlyDirectory() throws {
        try crash(keepingIndex: false)
        try database.setPermissions(0o555, of: database.path)
        defer { try? database.setPermissions(0o755, of: database.path) }
        let before = try database.contents
        let outcome = try database.run("info", asUser: .unprivileged)
        #expect(outcome.status == 0)
        #expect(outcome.complaint().hasPrefix("note: \(database.path) cannot be locked here, "))
        #expect(outcome.lines.last?.hasSuffix(" 3") == true)
        #expect(try database.contents == before)
    }

    @Test("are checkpointed by the next writer")
    func nextWriter() throws {
        try crash(keepingIndex: false)
        #expect(try database.run("put", "a", "{}").success().stdout.hasSuffix("sequence 51\n"))
        #expect(try database.contents.names == ["db.sqlite3"])
    }

    @Test(
        "an empty WAL, or a wal-index without a WAL, is removed as by any last reader",
        arguments: ["-wal", "-shm"])
    func emptyLeftover(_ suffix: String) throws {
        try Data().write(to: URL(fileURLWithPath: database.file + suffix))
        let before = try database.contents["db.sqlite3"]
        for command in Self.reading {
            try Kvtool.run([command[0], database.path] + command.dropFirst()).success()
        }
        #expect(try database.contents.names == ["db.sqlite3"])
        #expect(try database.contents["db.sqlite3"] == before)
    }

    /// Leaves a journal with the original pages of a transaction that was never committed.
    private func leaveHotJournal() throws {
        try database.rows("PRAGMA journal_mode=DELETE")
        try OtherProcess(
            database.file,
            """
            PRAGMA cache_size=1; BEGIN IMMEDIATE; UPDATE kvmeta SET lastSeq=99;
            UPDATE kv_default SET body=zeroblob(5000);
            """
        ).crash()
        #expect(try database.contents.names == ["db.sqlite3", "db.sqlite3-journal"])
    }

    @Test(
        "a transaction that was never committed is not visible",
        arguments: [Kvtool.User.same, .unprivileged])
    func hotJournal(_ user: Kvtool.User) throws {
        try #require(user == .same || Kvtool.canRunUnprivileged)
        try database.setPermissions(0o755, of: database.directory.path)
        func output(_ command: [String]) throws -> Command.Outcome {
            try Kvtool.run([command[0], database.path] + command.dropFirst(), asUser: user)
        }
        // The size of the file, in another line of `info`, may have grown.
        let expected = try Self.reading.map { try output($0).lines.last }
        try leaveHotJournal()
        let before = try database.contents
        for (command, expected) in zip(Self.reading, expected) {
            let outcome = try output(command)
            // Either the state before the change, or an error with advice.
            if outcome.status == 0 {
                #expect(outcome.lines.last == expected, "\(command)")
                #expect(outcome.stderr == "", "\(command)")
            } else {
                outcome.refusal()
            }
        }
        // A process that may write the database rolls the journal back.
        if user == .same {
            #expect(try database.contents.names == ["db.sqlite3"])
        } else {
            #expect(try database.contents == before)
        }
    }

    @Test("a transaction that was never committed is rolled back by the next writer")
    func hotJournalWriter() throws {
        try leaveHotJournal()
        #expect(try database.run("put", "a", "{}").success().stdout.hasSuffix("sequence 4\n"))
        #expect(try database.contents.names == ["db.sqlite3"])
        #expect(try database.exported().count == 4)
    }

    @Test("are not changed either if the directory is a link, and the WAL is in its target")
    func linkedDirectory() throws {
        try crash(keepingIndex: true)
        let link = database.directory("link.cblite2")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: database.path)
        let before = try database.contents
        try Kvtool.run(["info", link]).success()
        let after = try database.contents
        #expect(after.names == before.names)
        #expect(after["db.sqlite3"] == before["db.sqlite3"])
    }
}
