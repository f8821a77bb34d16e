import Foundation
import StoreTestSupport
import Testing

@Suite("A disk that is full", .enabled(if: SmallDisk.isPossible, "needs unshare of Linux"))
struct FullDiskTests {
    /// Documents of this size in bytes, `d00000` and so on.
    private static func lines(_ count: Int, bytes: Int) -> [String] {
        let text = String(repeating: "x", count: bytes)
        return (0..<count).map { #"{"_id":"d\#(String(format: "%05d", $0))","x":"\#(text)"}"# }
    }

    private static func save(_ name: String) -> String {
        #"; status=$?; cp -r "$DISK/\#(name)" "$2"; exit $status"#
    }

    @Test("under an import: committed batches are kept, and the error states how to continue")
    func importing() throws {
        let database = try SampleDatabase()
        let text = Self.lines(4000, bytes: 1000).map { $0 + "\n" }.joined()
        let file = try database.newFile("many.ndjson", Data(text.utf8))
        let disk = try SmallDisk(database.directory, kilobytes: 2600)
        let outcome = try disk.run(
            #""$KVTOOL" import "$DISK/a.cblite2" "$1" --batch 1000"# + Self.save("a.cblite2"),
            file, database.path)
        let complaint = outcome.refusal(status: 1)
        let said = try #require(
            complaint.firstMatch(
                of: /a.cblite2: the disk is full; ([0-9]+) documents imported; continue/))
        let count = try #require(Int(said.1))
        #expect(count % 1000 == 0 && count > 0 && count < 4000)
        #expect(complaint.hasSuffix("\(file) at --from-line \(count + 1)"), "\(complaint)")
        // The database contains what the message states.
        #expect(try database.exported().count == count)
        try database.run("import", file, "--from-line", "\(count + 1)").success()
        #expect(try database.exported().count == 4000)
        try database.run("verify").success()
    }

    @Test("under a load: the same command continues")
    func loading() throws {
        let database = try SampleDatabase(lines: Self.lines(8000, bytes: 300))
        let dump = try database.dump()
        let disk = try SmallDisk(database.directory, kilobytes: 2600)
        let target = database.directory("loaded.cblite2")
        let outcome = try disk.run(
            #""$KVTOOL" load "$DISK/a.cblite2" "$1""# + Self.save("a.cblite2"), dump, target)
        #expect(
            outcome.refusal(status: 1)
                == "the disk of \(disk.path)/a.cblite2 is full; loaded rows are kept; run the same "
                + "command to continue")
        let answer = try Kvtool.run(["load", target, dump, "--json"]).success().answer()
        #expect(answer["resumedAfterLine"] as? Int ?? 0 > 5000)
        #expect(try Kvtool.run(["export", target]).success().lines == database.exported())
        try Kvtool.run(["verify", target]).success()
    }

    @Test(
        "under a copy: the error names the copy, which is removed",
        arguments: ["snapshot", "cp"], [false, true])
    func copying(_ command: String, _ hasBlob: Bool) throws {
        let count = hasBlob ? 10 : 3000
        let database = try SampleDatabase(lines: Self.lines(count, bytes: 1000))
        if hasBlob {
            let blob = try database.newFile("photo", Data(count: 3 << 20))
            try Kvtool.run(["blob", "put", database.path, blob]).success()
        }
        let disk = try SmallDisk(database.directory, kilobytes: 2000)
        let before = try database.contents
        let outcome = try disk.run(
            #""$KVTOOL" "$2" "$1" "$DISK/copy.cblite2"; status=$?; ls -A "$DISK"; exit $status"#,
            database.path, command)
        #expect(
            outcome.refusal(status: 1)
                == "the disk is full; \(disk.path)/copy.cblite2 was not created")
        #expect(try database.contents == before)
    }

    @Test(
        "without space for a new database: it is removed",
        arguments: [
            #"cp "$1//_default" "$DISK/new.cblite2""#, #"import "$DISK/new.cblite2" "$2""#,
            #"gen --database "$DISK/new.cblite2""#,
        ], [24, 40, 80])
    func making(_ command: String, _ kilobytes: Int) throws {
        let database = try SampleDatabase(people: 2)
        let disk = try SmallDisk(database.directory, kilobytes: kilobytes)
        let outcome = try disk.run(
            #""$KVTOOL" "# + command + #"; status=$?; ls -A "$DISK"; exit $status"#,
            database.path, database.directory("new.ndjson"))
        #expect(
            outcome.refusal(status: 1)
                == "the disk is full; \(disk.path)/new.cblite2 was not created")
    }

    @Test("under compact --full: the error states the required space, and the file is unchanged")
    func rewriting() throws {
        let database = try SampleDatabase(lines: Self.lines(4000, bytes: 1000))
        let disk = try SmallDisk(database.directory, kilobytes: 6000)
        let saved = database.directory("saved.cblite2")
        let outcome = try disk.run(
            #"cp -r "$1" "$DISK/a.cblite2" && "$KVTOOL" compact --full "$DISK/a.cblite2""#
                + Self.save("a.cblite2"), database.path, saved)
        #expect(
            outcome.refusal(status: 1)
                == "the disk is full; \(disk.path)/a.cblite2 was not changed: rewriting it needs "
                + "free space of its size, both on its disk and on that of temporary files "
                + "(TMPDIR)")
        #expect(try Kvtool.run(["export", saved]).success().lines == database.exported())
        try Kvtool.run(["verify", saved]).success()
    }

    @Test(
        "of temporary files is not reported as that of the database",
        arguments: [
            (
                #"query "$1" 'SELECT x, META().id FROM _ ORDER BY x, META().id' > /dev/null"#,
                "changed"
            ),
            (#"mkindex "$1" byX x"#, "changed"), (#"compact --full "$1""#, "changed"),
        ])
    func temporary(_ command: String, _ consequence: String) throws {
        let database = try SampleDatabase(lines: Self.lines(9000, bytes: 1000))
        let before = try database.exported()
        let disk = try SmallDisk(database.directory, kilobytes: 64)
        let outcome = try disk.run(
            #"TMPDIR="$DISK" SQLITE_TMPDIR="$DISK" "$KVTOOL" "# + command, database.path)
        #expect(
            outcome.refusal(status: 1)
                == "the disk of temporary files, \(disk.path), is full; \(database.path) was not "
                + "\(consequence); set TMPDIR to another directory")
        #expect(try database.exported() == before)
    }

    @Test(
        "to its last byte prevents opening a database, and is reported",
        arguments: [
            "compact", "ls", "info",
        ])
    func lastByte(_ command: String) throws {
        let database = try SampleDatabase(people: 10)
        let disk = try SmallDisk(database.directory, kilobytes: 2000)
        let fill = #"dd if=/dev/zero of="$DISK/fill" bs=1024 2>/dev/null"#
        let script =
            #"cp -r "$1" "$DISK/a.cblite2" && { "# + fill
            + #"; "$KVTOOL" "$2" "$DISK/a.cblite2"; }"#
        #expect(
            try disk.run(script, database.path, command).refusal(status: 1)
                == "the disk is full; \(disk.path)/a.cblite2 needs disk space for db.sqlite3-shm "
                + "even for reading")
    }
}
