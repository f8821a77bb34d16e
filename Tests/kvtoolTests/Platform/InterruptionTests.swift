import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("Ctrl-C in the middle of", .enabled(if: SQLiteShell.isPresent))
struct InterruptionTests {
    /// Interrupts a command with progress as soon as it has started; returns its last line.
    private func interrupted(
        _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let tool = try RunningTool(arguments + ["--progress", "json"], readsErrors: true)
        let first = try #require(tool.line(), sourceLocation: sourceLocation)
        #expect(first.hasPrefix("{\"progress\":"), sourceLocation: sourceLocation)
        let end = tool.interrupt()
        #expect(!end.isSignalled && end.status == 130, "\(end)", sourceLocation: sourceLocation)
        let last = try #require(end.lines.last, sourceLocation: sourceLocation)
        #expect(last.hasPrefix("kvtool: interrupted"), sourceLocation: sourceLocation)
        return last
    }

    private func isWhole(
        _ database: SampleDatabase, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try database.run("verify")
        #expect(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
    }

    @Test("an import from a pipe keeps everything read so far, also while it waits for more")
    func waitingImport() throws {
        let database = try SampleDatabase(lines: [#"{"_id":"a"}"#])
        let pipe = Child.pipe()
        let tool = try RunningTool(
            ["import", database.path, "-", "--progress", "json"], input: pipe.reading,
            readsErrors: true)
        close(pipe.reading)
        let lines = Array((0..<200).map { "{\"_id\":\"b\($0)\"}\n" }.joined().utf8)
        #expect(write(pipe.writing, lines, lines.count) == lines.count)
        // It is working; the end of the file never comes.
        #expect(tool.line()?.hasPrefix("{\"progress\":") == true)
        let end = tool.interrupt()
        close(pipe.writing)
        #expect(!end.isSignalled && end.status == 130, "\(end)")
        let last = try #require(end.lines.last)
        let ids = try database.run("ls", "-0").success().stdout.split(separator: "\0")
        #expect(ids.count > 1 && ids.contains("b0"))
        #expect(last.contains("interrupted: \(ids.count - 1) document"), "\(last)")
        try isWhole(database)
    }

    @Test("reading a FIFO without a writer ends it immediately")
    func waitingInput() throws {
        let database = try SampleDatabase(lines: [#"{"_id":"a"}"#])
        let fifo = database.directory("input")
        #expect(mkfifo(fifo, 0o600) == 0)
        for arguments in [
            ["import", database.path, fifo], ["put", database.path, "b", "@" + fifo],
            ["patch", database.path, fifo],
            ["rm", database.path, "--ids-from", fifo], ["cat", database.path, "--ids-from", fifo],
            ["query", database.path, "@" + fifo],
            ["load", database.directory("new.cblite2"), fifo],
        ] {
            let tool = try RunningTool(arguments, readsErrors: true)
            // This waits until the tool reads.
            let writer = open(fifo, O_WRONLY | O_CLOEXEC)
            let end = tool.interrupt()
            close(writer)
            #expect(!end.isSignalled && end.status == 130, "\(arguments) \(end)")
        }
        #expect(try database.exported() == [#"{"_id":"a"}"#])
        try isWhole(database)
    }

    @Test("writing to a FIFO without a reader ends it immediately")
    func waitingOutput() throws {
        let text = String(repeating: "x", count: 10_000)
        let database = try SampleDatabase(
            lines: (0..<100).map { "{\"_id\":\"\($0)\",\"t\":\"\(text)\"}" })
        for command in ["export", "dump"] {
            let fifo = database.directory(command)
            #expect(mkfifo(fifo, 0o600) == 0)
            let reader = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            let tool = try RunningTool([command, database.path, fifo], readsErrors: true)
            // It has started, and a FIFO cannot hold everything.
            var waiting = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            #expect(poll(&waiting, 1, 60_000) == 1, "\(command)")
            let end = tool.interrupt()
            close(reader)
            #expect(!end.isSignalled && end.status == 130, "\(command) \(end)")
        }
        try isWhole(database)
    }

    @Test("an import of a file continues at the line that it prints")
    func resumedImport() throws {
        let database = try SampleDatabase()
        let lines = (0..<60_000).map { "{\"_id\":\"\($0)\",\"n\":\($0)}\n" }
        let file = try database.newFile("many.ndjson", Data(lines.joined().utf8))
        let last = try interrupted(["import", database.path, file, "--batch", "500"])
        try isWhole(database)
        let match = try #require(last.firstMatch(of: /--from-line ([0-9]+)/), "\(last)")
        let count = try database.exported().count
        #expect(count < 60_000 && Int(match.1) == count + 1, "\(last)")
        try database.run("import", file, "--from-line", String(match.1)).success()
        #expect(try database.run("ls", "--count").success().stdout == "60000\n")
        #expect(try database.rows("SELECT max(sequence) FROM kv_default") == ["60000"])
        try isWhole(database)
    }

    @Test("a copy of documents into an existing database prints how many are in it")
    func copying() throws {
        let (database, target) = (try large(), try SampleDatabase(lines: []))
        let last = try interrupted(["cp", database.path, target.path, "-x", "--batch", "500"])
        let match = try #require(
            last.firstMatch(of: /: ([0-9]+) documents copied to .* and kept$/), "\(last)")
        let count = try target.exported().count
        #expect(count >= 500 && count < 40_000)
        #expect(Int(match.1) == count, "\(last)")
        try isWhole(target)
    }

    @Test("filling a database with synthetic documents prints how many are in it")
    func generating() throws {
        let target = try SampleDatabase()
        let last = try interrupted(["gen", "--count", "200000", "--database", target.path])
        let match = try #require(
            last.firstMatch(of: /: ([0-9]+) documents? created and kept$/), "\(last)")
        #expect(try target.exported().count == Int(match.1), "\(last)")
        try isWhole(target)
    }

    @Test("creating an index leaves none, and the next attempt creates it")
    func index() throws {
        let database = try large()
        let schema = "SELECT name FROM sqlite_master ORDER BY name"
        let before = try database.rows(schema)
        _ = try interrupted(["mkindex", database.path, "words", "t", "--fts"])
        #expect(try database.rows(schema) == before)
        try isWhole(database)
        try database.run("mkindex", "words", "t", "--fts").success()
        try isWhole(database)
    }

    @Test("a verification changes nothing")
    func verification() throws {
        let database = try large()
        let before = try database.bytes
        _ = try interrupted(["verify", database.path])
        #expect(try database.bytes == before)
        try isWhole(database)
    }

    @Test("removing tombstones keeps the removed ones; the same command continues")
    func tombstones() throws {
        let database = try large()
        try database.run("rm", "*", "--yes").success()
        _ = try interrupted(["compact", database.path, "--purge-deleted", "--yes"])
        try isWhole(database)
        try database.run("compact", "--purge-deleted", "--yes").success()
        #expect(try database.rows("SELECT count(*) FROM kv_del_default") == ["0"])
    }

    @Test(
        "pruning revision trees keeps the pruned ones; the same command continues",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"))
    func pruning() throws {
        let database = try SampleDatabase(golden: "sample_revtree_503")
        for version in 1...2 {
            let lines = (0..<5000).map { "{\"_id\":\"large-\($0)\",\"v\":\(version)}" }
            try database.importing(lines).success()
        }
        let documents = try database.run("export").standardOutput
        let prune = ["--prune", "1", "--yes", "--json"]
        func pruned(_ more: String...) throws -> Int {
            let outcome = try Kvtool.run(["compact", database.path] + prune + more).success()
            return try #require(try outcome.answer()["prunedRevisions"] as? Int)
        }
        let all = try pruned("--dry-run")
        #expect(all >= 5000)
        let last = try interrupted(["compact", database.path, "--prune", "1", "--yes"])
        let match = try #require(
            last.firstMatch(
                of: /: ([0-9]+) revisions? removed so far; run the same command to continue$/),
            "\(last)")
        let done = try #require(Int(match.1))
        #expect(done >= 500 && done < all)
        try isWhole(database)
        #expect(try pruned() == all - done)
        #expect(try pruned() == 0)
        #expect(try database.run("export").standardOutput == documents)
        try isWhole(database)
    }

    @Test("rewriting the whole file changes nothing, and the next attempt succeeds")
    func rewriting() throws {
        let database = try SampleDatabase(people: 100)
        // A table of another program, which takes SQLite a while and is not verified, and free
        // pages between its pages.
        try database.rows(
            """
            CREATE TABLE ballast(n INTEGER PRIMARY KEY, bytes BLOB);
            WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 15000)
            INSERT INTO ballast SELECT i, zeroblob(10000) FROM c;
            DELETE FROM ballast WHERE n <= 1000;
            """)
        func freePages() throws -> Int {
            try #require(Int(try database.rows("PRAGMA freelist_count").joined()))
        }
        let before = try freePages()
        #expect(before >= 2000)
        let documents = try database.exported()
        let full = ["compact", database.path, "--full", "--progress", "json"]
        let tool = try RunningTool(full, readsErrors: true)
        // It has started to copy rows.
        var line = try #require(tool.line())
        while !line.contains(/"task":"rewrite".*"operations":[1-9]/) {
            line = try #require(tool.line())
        }
        let end = tool.interrupt()
        #expect(!end.isSignalled && end.status == 130, "\(end)")
        #expect(
            end.lines.last
                == "kvtool: interrupted: nothing has changed; run the same command to start again")
        #expect(try freePages() == before)
        #expect(try database.exported() == documents)
        try isWhole(database)
        let outcome = try Kvtool.run(full)
        #expect(outcome.status == 0, "\(outcome)")
        // It has reported the number of bytes written.
        #expect(outcome.stderr.contains(/"task":"rewrite","bytes":[1-9]/), "\(outcome)")
        #expect(try freePages() == 0)
        #expect(try database.exported() == documents)
        #expect(
            try database.rows("SELECT count(*), sum(length(bytes)) FROM ballast")
                == ["14000|140000000"])
        try isWhole(database)
    }

    @Test(
        "a conversion keeps the converted documents, and the same command continues",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"))
    func conversion() throws {
        let database = try large(in: SampleDatabase(golden: "sample_revtree_503"))
        let documents = try database.run("export").standardOutput
        let last = try interrupted(["convert", database.path, "--to", "vectors", "--yes"])
        #expect(last.contains("so far; run the same command to continue"))
        try isWhole(database)
        #expect(try database.run("export").standardOutput == documents)
        #expect(try database.run("convert", "--to", "vectors", "--yes").status == 0)
        #expect(try database.run("export").standardOutput == documents)
        try isWhole(database)
    }

    /// Enough documents that no command finishes before the signal.
    private func large(in database: SampleDatabase? = nil) throws -> SampleDatabase {
        let database = try database ?? SampleDatabase()
        let lines = (0..<40_000).map {
            #"{"_id":"large-\#($0)","t":"word\#($0) word\#($0 % 977) and \#($0 % 31)"}"#
        }
        try database.importing(lines).success()
        return database
    }
}
