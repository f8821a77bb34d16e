import Foundation
import StoreTestSupport
import Testing

@Suite("Beside another process", .enabled(if: SQLiteShell.isPresent, "needs the sqlite3 command"))
struct OtherProcessTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 3)
    }

    private static let reading = [
        ["info"], ["ls"], ["ls", "--json"], ["cat", "person-0001"], ["export"],
    ]
    private static let writing = [
        ["put", "a", "{}"], ["rm", "person-0001"], ["purge", "person-0001", "--yes"],
        ["import", "-"],
    ]

    private func run(_ command: [String], _ rest: [String] = []) throws -> Command.Outcome {
        try Kvtool.run(
            [command[0], database.path] + command.dropFirst() + rest, stdin: Data("{}\n".utf8))
    }

    @Test("that is writing, reading sees what is committed, and changes no file")
    func liveWriter() throws {
        let writer = try OtherProcess(
            database.file,
            """
            PRAGMA wal_autocheckpoint=0;
            DELETE FROM kv_default WHERE key='person-0002'; UPDATE kvmeta SET lastSeq=50;
            BEGIN IMMEDIATE; DELETE FROM kv_default; UPDATE kvmeta SET lastSeq=99;
            """)
        let before = try database.contents
        #expect(before.names == ["db.sqlite3", "db.sqlite3-shm", "db.sqlite3-wal"])
        for command in Self.reading { try run(command).success() }
        #expect(
            try database.run("info").success().lines.last?.split(separator: " ").map(String.init)
                == ["_default", "2", "0", "50"])
        #expect(try database.exported().count == 2)
        // The wal-index contains the readers' marks; the other two must not change at all.
        let after = try database.contents
        #expect(after.names == before.names)
        #expect(after["db.sqlite3"] == before["db.sqlite3"])
        #expect(after["db.sqlite3-wal"] == before["db.sqlite3-wal"])
        writer.finish()
        #expect(try database.exported().count == 2)
    }

    @Test(
        "that is writing, a reader without write permission sees the WAL too, without a note",
        .enabled(if: Kvtool.canRunUnprivileged, "needs setpriv or runuser"))
    func liveWriterOfAnotherUser() throws {
        let writer = try OtherProcess(
            database.file, "DELETE FROM kv_default WHERE key='person-0002';")
        try database.setPermissions(0o555, of: database.path)
        defer { try? database.setPermissions(0o755, of: database.path) }
        let outcome = try database.run("export", asUser: .unprivileged)
        #expect(outcome.lines.count == 2)
        #expect(outcome.stderr == "")
        writer.finish()
    }

    @Test(
        "that holds the write lock, writing is refused and reading continues",
        arguments: ["0.2", "0"])
    func lockedForWriting(_ timeout: String) throws {
        let writer = try OtherProcess(database.file, "BEGIN IMMEDIATE; DELETE FROM kv_default;")
        for command in Self.writing {
            let complaint = try run(command, ["--timeout", timeout]).refusal(status: 4)
            #expect(
                complaint == "\(database.path) is locked by another process; "
                    + "try again, or wait longer for it with --timeout SECONDS")
        }
        for command in Self.reading { try run(command, ["--timeout", timeout]).success() }
        writer.finish()
        #expect(try database.exported().count == 3)
        try database.run("put", "a", "{}").success()
    }

    @Test("that locks a file without a WAL, cp waits for the timeout, and names it")
    func lockedForCopying() throws {
        try database.rows("PRAGMA journal_mode=DELETE")
        let writer = try OtherProcess(database.file, "BEGIN EXCLUSIVE;")
        let copy = database.directory("copy.cblite2")
        let complaint = try Kvtool.run(["cp", database.path, copy, "--timeout", "0.2"])
            .refusal(status: 4)
        #expect(complaint.hasSuffix("wait longer for it with --timeout SECONDS"))
        writer.finish()
        try Kvtool.run(["cp", database.path, copy, "--timeout", "20"]).success()
    }

    @Test("that releases the lock in time, writing waits for it")
    func waiting() throws {
        let writer = try OtherProcess(database.file, "BEGIN IMMEDIATE;")
        let script = #""$KVTOOL" put "$1" a {} --timeout 20 & kill -KILL "$2"; wait $!"#
        let outcome = try Kvtool.shell(script, [database.path, "\(writer.id)"])
        writer.crash()
        #expect(outcome.success().stdout.hasPrefix("Created \"a\""))
    }

    @Test(
        "that locks a file without a WAL, nothing can be read or written",
        arguments: [
            "BEGIN EXCLUSIVE;", "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE;",
        ])
    func exclusive(_ sql: String) throws {
        try database.rows("PRAGMA journal_mode=DELETE")
        let before = try database.contents
        let writer = try OtherProcess(database.file, sql)
        for command in Self.reading + Self.writing {
            let complaint = try run(command, ["--timeout", "0.2"]).refusal(status: 4)
            #expect(complaint.hasPrefix("\(database.path) is locked by another process; "))
        }
        writer.finish()
        #expect(try database.contents == before)
    }

    @Test("that locks a file with a WAL exclusively, nothing can be read or written")
    func exclusiveLog() throws {
        let writer = try OtherProcess(
            database.file, "PRAGMA locking_mode=EXCLUSIVE; UPDATE kvmeta SET lastSeq=50;")
        let before = try database.contents
        for command in Self.reading + Self.writing {
            let complaint = try run(command, ["--timeout", "0.2"]).refusal(status: 4)
            #expect(complaint.hasPrefix("\(database.path) is locked by another process; "))
        }
        #expect(try database.contents == before)
        writer.finish()
    }

    @Test("a file without a WAL is read and written too")
    func rollbackJournal() throws {
        try database.rows("PRAGMA journal_mode=DELETE")
        for command in Self.reading { try run(command).success() }
        for command in Self.writing { try run(command).success() }
        #expect(try database.contents.names == ["db.sqlite3"])
        #expect(try database.exported().count == 4)
    }

    @Test("an import that is killed leaves whole batches, and a usable database")
    func killedImport() throws {
        let pad = String(repeating: "x", count: 390)
        let lines = (10_001...21_000).map { #"{"_id":"\#($0)","x":"\#(pad)"}"# }
        let file = try database.newFile(
            "many.ndjson", Data(lines.map { $0 + "\n" }.joined().utf8))
        // The import never reads the end of its input; the loop ends when a batch is committed.
        let script = """
            mkfifo "$3" && (cat "$2"; read x < "$3.end") > "$3" & mkfifo "$3.end"
            while ! [ -p "$3" ]; do :; done
            "$KVTOOL" import "$1" - < "$3" & pid=$!
            while ! "$KVTOOL" cat "$1" 20000 > /dev/null 2>&1; do :; done
            kill -KILL $pid; wait $pid; status=$?; echo > "$3.end"; exit $status
            """
        let outcome = try Kvtool.shell(
            script, [database.path, file, database.directory("fifo")])
        #expect(outcome.status == 128 + SIGKILL, "\(outcome)")
        #expect(try database.exported().count == 3 + 10_000)
        #expect(try database.run("put", "a", "{}").success().stdout.hasSuffix("sequence 10004\n"))
        #expect(try database.contents.names == ["db.sqlite3"])
    }
}
