import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("Transactions of kvtool's shell")
struct ShellTransactionTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [#"{"_id":"a","n":1}"#, #"{"_id":"b","n":2}"#])
    }

    private func run(_ lines: String..., options: [String] = ["-w"]) throws -> Command.Outcome {
        let text = lines.map { $0 + "\n" }.joined()
        return try Kvtool.run(options + [database.path], stdin: Data(text.utf8))
    }

    /// The tool in a line of the shell, as a program of its own.
    private func other(_ command: String, _ rest: String) -> String {
        "!'\(Kvtool.path)' \(command) '\(database.path)' \(rest)"
    }

    @Test("commands up to commit see each other's changes, other processes see them afterwards")
    func commit() throws {
        let outcome = try run(
            "begin", "put c {\"n\":3} > /dev/null",
            "query --yes UPDATE _ SET n = n + 10; > /dev/null",
            "select n from _ order by n --ndjson", other("ls", "--count"), "commit",
            other("ls", "--count"))
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.stderr == "")
        #expect(
            outcome.stdout.contains("{\"n\":11}\n{\"n\":12}\n{\"n\":13}\n2\n3\n"), "\(outcome)")
        #expect(
            try database.exported() == [
                #"{"_id":"a","n":11}"#, #"{"_id":"b","n":12}"#, #"{"_id":"c","n":13}"#,
            ])
    }

    @Test("rollback undoes all of it; the commands may be written as in SQL")
    func rollback() throws {
        let before = try database.exported()
        let outcome = try run(
            "BEGIN TRANSACTION;", "rm a > /dev/null", "mkcoll x > /dev/null", "cd x",
            "put d {} > /dev/null", "ls --count", "cd", "ls --count", "Rollback;", "ls --count")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.stdout == "1\n1\n2\n")
        #expect(try database.exported() == before)
        #expect(try database.run("lscoll", "--csv").success().lines.count == 2)
    }

    @Test("a command that fails is rolled back alone")
    func failure() throws {
        let outcome = try run(
            "begin", "put c {} > /dev/null", "put d {\"a\":}", "cat nope", "mkindex i n",
            "mkindex i m", "commit")
        #expect(outcome.status != 0)
        #expect(outcome.stderr.contains("invalid JSON"))
        #expect(outcome.stderr.contains("the index i exists with another definition"))
        #expect(!outcome.stderr.contains("rolled back"))
        #expect(try database.run("ls", "--count").success().stdout == "3\n")
        #expect(
            try database.run("index ls", "--ndjson").success().stdout
                .contains(#""expressions":"n""#))
    }

    @Test("the changes of a partially successful command stay")
    func part() throws {
        let outcome = try run("begin", "rm a nope --yes > /dev/null", "commit")
        #expect(outcome.status == 7, "\(outcome)")
        #expect(try database.exported() == [#"{"_id":"b","n":2}"#])
    }

    @Test("one that is not committed at the end is rolled back, which is a failure")
    func end() throws {
        let outcome = try run("begin", "put c {} > /dev/null")
        #expect(outcome.status == 1)
        #expect(
            outcome.complaint() == "the transaction was rolled back, since there was no commit")
        #expect(try database.run("ls", "--count").success().stdout == "2\n")
        let batch = try run("begin", "rm a > /dev/null", "cat nope", options: ["-w", "--batch"])
        #expect(batch.status == 3)
        #expect(batch.stderr.contains("rolled back"))
        #expect(try database.run("ls", "--count").success().stdout == "2\n")
    }

    @Test("unsupported commands fail, and the transaction continues")
    func refusals() throws {
        let outcome = try run(
            "commit", "begin", "put c {} > /dev/null", "begin", "verify", "info",
            ".open \(database.path)", "begin now", "commit", "rollback")
        let inside: Substring =
            "kvtool: this command does not work in a transaction; end it with commit or rollback"
        #expect(
            outcome.stderr.split(separator: "\n") == [
                "kvtool: no transaction is open; start one with begin",
                "kvtool: a transaction is open; end it with commit or rollback",
                inside, inside,
                "kvtool: a transaction is open; end it with commit or rollback",
                "kvtool: begin takes only --upgrade",
                "kvtool: no transaction is open; start one with begin",
            ], "\(outcome)")
        #expect(outcome.status == 6)
        #expect(try database.run("ls", "--count").success().stdout == "3\n")
    }

    @Test("it holds the lock, and waits for other locks; a read-only shell has none")
    func locks() throws {
        let outcome = try run("begin", other("put", "z '{}' --timeout 0"), "commit")
        #expect(outcome.status == 1)
        #expect(outcome.stderr.contains("is locked by another process"))
        #expect(try database.run("ls", "--count").success().stdout == "2\n")
        let reading = try run("begin", "commit", options: [])
        #expect(reading.status == 1)
        #expect(reading.stderr.contains("or start with kvtool -w, to allow changes"))
        #expect(reading.stderr.hasSuffix("kvtool: the remaining lines were skipped\n"))
    }

    @Test(
        "lines of a file that belong to one are not executed without it",
        .enabled(if: SQLiteShell.isPresent))
    func noBeginning() throws {
        let writer = try OtherProcess(database.file, "BEGIN IMMEDIATE;")
        let outcome = try run(
            "begin", "!kill -KILL \(writer.id)", "put c {}", "rollback",
            options: ["-w", "--timeout", "0.1"])
        writer.crash()
        #expect(outcome.status == 4)
        #expect(outcome.stderr.contains("is locked by another process"))
        #expect(outcome.stderr.hasSuffix("kvtool: the remaining lines were skipped\n"))
        #expect(try database.run("ls", "--count").success().stdout == "2\n")
    }

    @Test("Ctrl-C ends the lines of a file, and rolls their transaction back")
    func interruption() throws {
        let endless =
            "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM r) SELECT i FROM r"
        let lines = ["begin", "put c {}", "sql '\(endless)'", "put d {}", "commit"]
        let path = try database.newFile("lines", Data(lines.map { $0 + "\n" }.joined().utf8))
        let input = try Child.open(path, O_RDONLY)
        defer { close(input) }
        let tool = try RunningTool(["-w", database.path], input: input, readsErrors: true)
        #expect(tool.lines(upTo: "1000") != nil)
        let end = tool.interrupt()
        #expect(!end.isSignalled && end.status == 130, "\(end.lines.suffix(4))")
        #expect(
            end.lines.suffix(3) == [
                "kvtool: interrupted", "kvtool: the remaining lines were skipped",
                "kvtool: the transaction was rolled back, since there was no commit",
            ])
        #expect(try database.run("ls", "--count").success().stdout == "2\n")
    }

    @Test(
        "begin --upgrade upgrades an older file in the transaction; begin alone suggests it",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"))
    func upgrade() throws {
        let old = try SampleDatabase(golden: "upgrade_2.7")
        func run(_ lines: String...) throws -> Command.Outcome {
            let text = lines.map { $0 + "\n" }.joined()
            return try Kvtool.run(["-w", old.path], stdin: Data(text.utf8))
        }
        let refused = try run("begin", "put x {}")
        #expect(refused.status == 4)
        #expect(refused.stderr.contains("; use begin --upgrade to upgrade it first\n"))
        #expect(refused.stderr.hasSuffix("kvtool: the remaining lines were skipped\n"))
        let undone = try run("begin --upgrade", "put x {} > /dev/null", "rollback")
        #expect(undone.status == 0, "\(undone)")
        #expect(try old.run("put", "x", "{}").status == 4)
        let wrong = try run("begin --upgrad", "put x {} --upgrade")
        #expect(wrong.status == 2)
        #expect(wrong.stderr.hasSuffix("kvtool: the remaining lines were skipped\n"))
        let done = try run(
            "BEGIN TRANSACTION --upgrade;", "put x {} > /dev/null", "commit",
            "put y {} > /dev/null")
        #expect(done.status == 0, "\(done)")
        #expect(done.stderr == "")
        try old.run("put", "x", "{}").success()
    }
}
