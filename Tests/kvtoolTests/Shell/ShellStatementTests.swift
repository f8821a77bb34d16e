import Foundation
import StoreTestSupport
import Testing

@Suite("Statements in kvtool's shell")
struct ShellStatementTests {
    private func run(
        _ lines: String, _ database: SampleDatabase, _ options: String...
    ) throws -> Command.Outcome {
        try Kvtool.run(options + [database.path], stdin: Data(lines.utf8))
    }

    private func database() throws -> SampleDatabase {
        try SampleDatabase(lines: (1...4).map { #"{"_id":"d\#($0)","n":\#($0)}"# })
    }

    @Test("A statement in a file ends with a semicolon, an empty line, or another command")
    func ends() throws {
        let database = try database()
        for end in [";\n", "\n\n", " --csv\n", "", "\nls --count\n", "\n.show\n", "\n# over\n"] {
            let outcome = try run("SELECT n\nFROM _\nWHERE n > 3\(end)", database, "--csv")
            #expect(outcome.stdout.hasPrefix("n\n4\n"), "\(end.debugDescription): \(outcome)")
            #expect(outcome.status == 0 && outcome.stderr.isEmpty)
        }
        let several = try run(
            "WITH t AS (SELECT n FROM _)\nSELECT n\nFROM t\nWHERE n < 2\n"
                + "SELECT 5 AS five FROM _ LIMIT 1\n",
            database,
            "--ndjson")
        #expect(several.success().lines == [#"{"n":1}"#, #"{"five":5}"#])
        let explained = try run("explain SELECT n\nFROM _\nWHERE n > 3;\n", database)
        #expect(explained.success().stdout.contains("n > 3"))
    }

    @Test("A condition on the next line applies before anything is deleted or changed")
    func changes() throws {
        let database = try database()
        try run("DELETE FROM _\nWHERE n = 1;\n", database, "-w").success()
        try run("UPDATE _\nSET n = 9\nWHERE n = 2\n\n", database, "-w").success()
        try run("query DELETE FROM _\nWHERE n = 3\n", database, "-w").success()
        let left = try database.run("query", "SELECT META().id AS id, n FROM _", "--csv")
        #expect(left.success().lines == ["id,n", "d2,9", "d4,4"])
    }

    @Test("At a terminal typed lines are one statement up to a semicolon or an empty line")
    func typed() throws {
        let database = try database()
        let shell = try shell(database)
        for (line, end) in [("WHERE n > 3;", ""), ("WHERE n > 3", "")] {
            shell.enter("SELECT n + 40 AS result")
            try shell.wait(for: "...> ")
            shell.enter("FROM _")
            try shell.wait(for: "...> ")
            shell.enter(line)
            if !line.hasSuffix(";") {
                try shell.wait(for: "...> ")
                shell.enter(end)
            }
            try shell.wait(for: "result\r\n    44\r\n")
            try shell.wait(for: "> ")
        }
        // What has no end is not meant.
        shell.enter("SELECT 'never' AS shown")
        try shell.wait(for: "...> ")
        shell.type(PseudoTerminal.controlD)
        let end = try shell.end()
        #expect(end.status == 0 && !end.output.contains("never\r\n"))
    }

    @Test("Pasted lines form one text that waits for Enter")
    func pasted() throws {
        let database = try database()
        let shell = try shell(database)
        #expect(shell.transcript.contains("\u{1B}[?2004h"))
        let text =
            "SELECT n + 40 AS result\rFROM _\r\nWHERE n > 3\n;\n.mode csv\n"
            + "SELECT 'ü' AS t FROM _ LIMIT 1;\r\n"
        shell.type("\u{1B}[200~\(text)\u{1B}[201~")
        try shell.wait(for: "LIMIT 1;")
        #expect(!shell.transcript.contains("    44"))
        shell.enter("")
        try shell.wait(for: "result\r\n    44\r\n")
        try shell.wait(for: "t\r\nü\r\n")
        try shell.wait(for: "> ")
        shell.type("\u{1B}[200~SELECT 1 AS\u{7} \u{1B}]one\u{1B}[201~")
        shell.enter(" FROM _ LIMIT 1;")
        try shell.wait(for: "kvtool: ")
        try shell.wait(for: "> ")
        shell.type(PseudoTerminal.controlD)
        #expect(try shell.end().status == 0)
    }

    @Test("Waiting lines are not passed to the pager")
    func pager() throws {
        let database = try SampleDatabase(people: 100)
        let shell = try shell(database, pager: "sh -c 'cat; read x </dev/tty; echo PAGED'")
        shell.type("SELECT META().id AS id FROM _;\rSELECT 6*7 AS n FROM _ LIMIT 1;\r")
        try shell.wait(for: "person-0100\r\n")
        try shell.wait(for: "42\r\n")
        try shell.wait(for: "> ")
        shell.type(PseudoTerminal.controlD)
        #expect(try shell.end().status == 0)
        #expect(!shell.transcript.contains("PAGED"))
    }

    private func shell(
        _ database: SampleDatabase, pager: String = "cat"
    ) throws -> PseudoTerminal {
        let shell = try PseudoTerminal(
            [database.path], columns: 100,
            environment: ["NO_COLOR": "1", "KVTOOL_PAGER": pager])
        try shell.wait(for: "Opened ")
        try shell.wait(for: "> ")
        return shell
    }
}
