import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("Destructive commands require confirmation")
struct ConfirmationTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: ["a", "b", "c"].map { #"{"_id":"\#($0)","n":1}"# })
    }

    static let commands: [[String]] = [
        ["rm", "*"], ["rm", "a?", "b*"], ["rm", "--where", "n = 1"], ["rm", "--purge", "a"],
        ["purge", "a"], ["purge", "*"], ["purge", "--where", "n = 1"], ["put", "a", "--purge"],
        ["rmcoll", "x"], ["query", "DELETE FROM _"], ["query", "DELETE FROM _ WHERE TRUE"],
        ["query", "DELETE FROM _ WHERE 1 = 1 LIMIT 1"], ["query", "UPDATE _ SET n = 2"],
        ["query", "UPDATE _ UNSET n"], ["compact", "--purge-deleted"],
        ["convert", "--to", "vectors"],
    ]

    private func prepare(_ command: [String]) throws -> SampleDatabase {
        if command[0] == "convert" { return try SampleDatabase(golden: "sample_revtree_503") }
        if command[0] == "rmcoll" { try database.run("mkcoll", "x").success() }
        if command[0] == "compact" { try database.run("rm", "b").success() }
        return database
    }

    @Test(
        "without a terminal they are refused with a hint to --yes, and nothing is changed",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"), arguments: commands)
    func refused(_ command: [String]) throws {
        let database = try prepare(command)
        let before = try database.contents
        for options in [[], ["--json"]] {
            let outcome = try Kvtool.run(
                [command[0], database.path] + command.dropFirst() + options)
            let complaint = outcome.refusal(status: 2)
            #expect(
                complaint.contains("confirmation is required, but there is no terminal ("),
                "\(command)")
            #expect(complaint.hasSuffix("); use --yes"), "\(command)")
        }
        #expect(try database.contents == before)
        let agreed = try Kvtool.run([command[0], database.path] + command.dropFirst() + ["--yes"])
        // Ids that do not exist, or trees that are not changed.
        #expect([0, 7].contains(agreed.status), "\(agreed)")
        #expect(try database.contents != before)
    }

    @Test(
        "it is not required for named documents, a condition, or without changes",
        arguments: [
            ["rm", "a", "b"], ["rm", #"a\*"#, "a"], ["query", "DELETE FROM _ WHERE n = 1"],
            ["query", "UPDATE _ SET n = 2 WHERE META().id > 'a'"], ["rm", "*", "-n"],
            ["purge", "*", "-n"], ["query", "DELETE FROM _", "-n"], ["rmcoll", "x", "--if-exists"],
            ["compact", "--purge-deleted"], ["compact", "--prune", "3"], ["verify", "--fix"],
            ["query", "DELETE FROM _", "--explain"], ["put", "a", "--delete"],
        ])
    func notAsked(_ command: [String]) throws {
        let outcome = try Kvtool.run([command[0], database.path] + command.dropFirst())
        #expect([0, 7].contains(outcome.status), "\(command): \(outcome)")
    }

    @Test("a shell that reads a file does not prompt either")
    func shell() throws {
        let lines = "begin\nDELETE FROM _\nrm *\nquery --yes DELETE FROM _\nrollback\nls --count\n"
        let outcome = try Kvtool.run(["-w", database.path], stdin: Data(lines.utf8))
        #expect(outcome.status == 2)
        #expect(outcome.stderr.split(separator: "\n").count == 2, "\(outcome)")
        #expect(outcome.lines == ["3 documents changed", "3"])
    }

    @Test("the prompt at a terminal shows the number, and accepts no")
    func asked() throws {
        for (command, question) in [
            (["query", "DELETE FROM _"], "Delete 3 documents? [y/N] "),
            (["query", "UPDATE _ SET n = 2"], "Change 3 documents? [y/N] "),
            (["rm", "a*"], "Delete 1 document? [y/N] "), (["purge", "a"], "Purge 1 document? "),
            (["put", "a", "--purge"], "Purge 1 document? "),
        ] {
            let before = try database.contents
            let refused = try PseudoTerminal([command[0], database.path] + command.dropFirst())
            try refused.wait(for: question)
            refused.enter("n")
            #expect(try refused.end().status == 1)
            #expect(try database.exported().count == 3, "\(command)")
            #expect(try database.contents["db.sqlite3"] == before["db.sqlite3"], "\(command)")
        }
        let agreed = try PseudoTerminal(["query", database.path, "DELETE FROM _"])
        try agreed.wait(for: "[y/N] ")
        agreed.enter("y")
        #expect(try agreed.end().status == 0)
        #expect(try database.exported().isEmpty)
    }

    @Test("more than 1000 documents require it at a terminal, regardless of the condition")
    func many() throws {
        let database = try SampleDatabase(lines: (0...1000).map { #"{"_id":"\#($0)","n":\#($0)}"# })
        func update(_ condition: String) -> [String] {
            ["query", database.path, "UPDATE _ SET m = 1 WHERE \(condition)"]
        }
        let few = try PseudoTerminal(update("n < 1000"))
        #expect(try few.end().output.contains("1000 documents changed"))
        let asked = try PseudoTerminal(update("n >= 0"))
        try asked.wait(for: "Change 1001 documents? [y/N] ")
        // Documents added in the meantime are not included in the confirmation.
        try database.run("put", "more", #"{"n":5}"#).success()
        asked.enter("y")
        try asked.wait(for: "Change 1002 documents? [y/N] ")
        asked.enter("y")
        #expect(try asked.end().output.contains("1002 documents changed"))
        // Scripts need no confirmation here.
        try Kvtool.run(update("n >= 0")).success()
    }

    @Test(
        "verify --fix shows its findings before the prompt", .enabled(if: SQLiteShell.isPresent))
    func fixing() throws {
        let database = try SampleDatabase(people: 20)
        try database.run("mkindex", "byLikes", "--array", "likes").success()
        let index = try WrongIndex(in: database)
        let refused = try database.run("verify", "--fix")
        #expect(refused.status == 2)
        #expect(refused.stdout.contains("index byLikes"))
        #expect(refused.complaint().hasSuffix("use --yes"))
        let terminal = try PseudoTerminal(["verify", "--fix", database.path], columns: 200)
        try terminal.wait(for: "fixable with --fix")
        try terminal.wait(for: "Fix ")
        try terminal.wait(for: "? [y/N] ")
        terminal.enter("n")
        #expect(try terminal.end().status == 1)
        #expect(try !index.isRight)
    }
}
