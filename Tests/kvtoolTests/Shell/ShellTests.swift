import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool's shell")
struct ShellTests {
    private func run(
        _ lines: String, _ database: SampleDatabase, _ options: String...
    ) throws -> Command.Outcome {
        try Kvtool.run(options + [database.path], stdin: Data(lines.utf8))
    }

    @Test func linesFromAPipeAreDoneOneAfterTheOther() throws {
        let database = try SampleDatabase(people: 3)
        let outcome = try run(
            """
            # a comment
            ls --csv -l | cut -d, -f1
            cat person-0001 --raw | head -c 24

            SELECT COUNT(*) AS n
            FROM _; | cat
            select count(*) as m from _ --ndjson
            !echo hello
            quit
            ls
            """ + "\n", database)
        #expect(outcome.stdout.contains("id\nperson-0001\nperson-0002\nperson-0003\n"))
        #expect(outcome.stdout.contains("n\n3\n"))
        #expect(outcome.stdout.contains("{\"m\":3}\n"))
        #expect(outcome.stdout.hasSuffix("hello\n"))
        #expect(outcome.stderr.isEmpty)
    }

    @Test func statementsGoOnWhileSomethingIsOpen() throws {
        let database = try SampleDatabase(people: 3)
        let outcome = try run(
            "SELECT COUNT(*) AS n FROM\n_ WHERE age IN (\n1,\n2)\n;SELECT (1\n\nls --csv | wc -l\n",
            database, "--csv")
        #expect(outcome.stdout.hasPrefix("n\n0\n"))
        // An empty line ends what was never closed.
        #expect(outcome.status != 0)
        #expect(outcome.lines.last?.trimmingCharacters(in: .whitespaces) == "4")
    }

    @Test(".write allows and forbids changes to the database")
    func writing() throws {
        let database = try SampleDatabase(people: 1)
        let refused =
            "the database is open read-only; use .write on, or start with kvtool -w, to "
            + "allow changes"
        let outcome = try run(
            "put a {}\n.write on\nput a {}\n.show\nbegin\n.write off\ncommit\n"
                + ".write off\nput b {}\n",
            database)
        #expect(outcome.stderr.contains(refused))
        #expect(outcome.stderr.contains("a transaction is open"))
        #expect(outcome.stdout.contains(", read-write"))
        #expect(try database.run("ls", "a", "b", "-0").stdout == "a\0")
        #expect(outcome.stderr.components(separatedBy: refused).count == 3)
    }

    @Test func errorsGoOnAndBatchEnds() throws {
        let database = try SampleDatabase(people: 1)
        let lines = "cat nope\nls --csv\nfrobnicate\n"
        let all = try run(lines, database)
        #expect(all.status == 3)
        #expect(all.stdout.contains("person-0001"))
        #expect(all.stderr.contains("frobnicate"))
        let batch = try run(lines, database, "--batch")
        #expect(batch.status == 3)
        #expect(batch.stdout == "")
        #expect(!batch.stderr.contains("frobnicate"))
    }

    @Test func nothingIsWrittenUnlessItMay() throws {
        let database = try SampleDatabase(people: 1)
        let refused = try run("put x {}\nUPDATE _ SET a = 1\nrm person-0001\n", database)
        #expect(refused.status == 1)
        #expect(refused.stderr.components(separatedBy: "start with kvtool -w").count == 4)
        #expect(try database.exported().count == 1)
        let written = try run("put 'an id' {\"a\":\n1}\ncat 'an id' --raw\n", database, "-w")
        #expect(written.status == 0, "\(written)")
        #expect(written.stdout.contains("\"a\":1"))
        let made = try Kvtool.run(
            ["--create", database.directory("new.cblite2")], stdin: Data("put a {}\n".utf8))
        #expect(made.status == 0, "\(made)")
    }

    @Test func aCommandMayHaveATimeoutOfItsOwn() throws {
        let database = try SampleDatabase(people: 1)
        let outcome = try run(
            "ls --count --timeout 3\nput x {} --timeout 3\nls --count\n", database, "-w"
        ).success()
        #expect(outcome.lines.first == "1")
        #expect(outcome.lines.last == "2")
    }

    @Test func theShellsTimeoutHoldsForCommandsWithoutOne() throws {
        let database = try SampleDatabase(people: 1)
        for command in ["put", "cp"] {
            let help = try run("\(command) --help\n", database, "-w", "--timeout", "3").success()
            #expect(help.stdout.contains("(default: 3.0)"), "\(help)")
            #expect(!help.stdout.contains("(default: 10.0)"))
        }
    }

    @Test func outputGoesToFiles() throws {
        let database = try SampleDatabase(people: 2)
        let (one, all) = (database.directory("one"), database.directory("all"))
        let outcome = try run(
            """
            .mode csv
            ls > \(one)
            ls >> \(one)
            .once \(all)
            select meta().id as k from _
            .output \(all)2
            ls
            .output
            select 1 as o limit 1; > \(all)3
            .show
            """, database)
        #expect(outcome.status == 0, "\(outcome)")
        let lists = try String(contentsOfFile: one, encoding: .utf8)
        #expect(lists.components(separatedBy: "person-0002").count == 3)
        #expect(
            try String(contentsOfFile: all, encoding: .utf8) == "k\nperson-0001\nperson-0002\n")
        #expect(try String(contentsOfFile: all + "2", encoding: .utf8).contains("person-0001"))
        #expect(try String(contentsOfFile: all + "3", encoding: .utf8) == "o\n1\n")
        #expect(outcome.stdout.hasPrefix("file:   \(database.path), read-only\nmode:   csv"))
    }

    @Test func collectionsAreEnteredAndLeft() throws {
        let database = try SampleDatabase(people: 1)
        try database.run("mkcoll", "hr.staff").success()
        try database.run("put", "boss", "{}", "--collection", "hr.staff").success()
        let outcome = try run(
            "cd hr/staff\nls --csv | tail -1 | cut -d, -f1\ncd\nls --csv | tail -1 | cut -d, -f1\n"
                + "cd nope\ncat boss --collection hr.staff --raw\n", database)
        #expect(outcome.stdout.hasPrefix("boss\nperson-0001\n{"))
        #expect(outcome.status == 3)
        #expect(outcome.complaint() == "\(database.path) has no collection nope")
        let inside = try Kvtool.run(
            [database.path + "//hr.staff"], stdin: Data("ls --csv\n".utf8))
        #expect(inside.stdout.contains("boss"))
    }

    @Test func filesAreReadAndOthersOpened() throws {
        let database = try SampleDatabase(people: 1)
        let other = try SampleDatabase(people: 2)
        let script = try database.newFile(
            "a.kv", Data("ls --csv | wc -l\n.read \(database.directory("a.kv"))".utf8))
        let endless = try run(".bail on\n.read \(script)\n", database)
        #expect(endless.stderr.contains("is nested too deeply"))
        let outcome = try run(
            ".open '\(other.path)'\nls --csv | wc -l\n.timer on\n!true\n", database)
        #expect(outcome.lines.first?.trimmingCharacters(in: .whitespaces) == "3")
        #expect(outcome.stderr.contains(" µs)") || outcome.stderr.contains("s)"))
        let lines = try other.newFile("b.kv", Data("ls --csv | wc -l\nquit\nls\n".utf8))
        let sourced = try run("source \(lines)\nls\n", other).success()
        #expect(sourced.stdout.trimmingCharacters(in: .whitespacesAndNewlines) == "3")
        let timed = try run(".timing on\nls --count\n.timing off\n.timing x\n", database)
        #expect(timed.stdout == "1\n")
        #expect(timed.stderr.hasPrefix("("))
        #expect(timed.stderr.hasSuffix("s)\nkvtool: .timing takes on or off\n"))
    }

    @Test func errorsAreInTheModeOfTheRowsForPrograms() throws {
        let database = try SampleDatabase(people: 1)
        let outcome = try run(".mode json\ncat nope\n.frob\n.mode table\ncat nope\n", database)
        let lines = outcome.stderr.split(separator: "\n")
        #expect(lines.count == 3, "\(outcome)")
        #expect(lines.prefix(2).allSatisfy { $0.hasPrefix(#"{"error":{"status":"#) })
        #expect(lines.last?.hasPrefix("kvtool: ") == true)
    }

    @Test func theModeOfOneCommandsErrorsIsNotThatOfTheNextOnes() throws {
        let database = try SampleDatabase(people: 1)
        func areJSON(_ outcome: Command.Outcome) -> [Bool] {
            outcome.stderr.split(separator: "\n").map { $0.hasPrefix(#"{"error":{"status":"#) }
        }
        let words = try run("cat nope --json\n.frob\nls --frob\ncat nope\n", database)
        #expect(areJSON(words) == [true, false, false, false], "\(words)")
        let json = try run("ls nope --csv\n.frob\nls --frob\ncat nope\n", database, "--json")
        #expect(areJSON(json) == [false, true, true, true], "\(json)")
    }

    @Test func helpListsCommandsAndUnknownWordsSayWhichThereAre() throws {
        let database = try SampleDatabase(people: 1)
        let outcome = try run("help\nhelp ls\n.frob\n.mode x\n", database)
        #expect(outcome.stdout.contains("  query "))
        #expect(outcome.stdout.contains("USAGE: kvtool ls"))
        #expect(outcome.stderr.contains("unknown command .frob; use one of .bail .begin .cd"))
        #expect(outcome.stderr.contains("unknown mode x; use one of table, json"))
        #expect(outcome.status == 2)
    }

    @Test func aDatabaseThatIsNotThereEndsAtOnce() throws {
        let directory = try TemporaryDirectory()
        try Kvtool.run([directory("nope.cblite2")]).refusal(status: 3)
    }
}
