import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool's shell at a terminal")
struct TerminalShellTests {
    private let database: SampleDatabase
    private var history: String { database.directory("history") }

    init() throws { database = try SampleDatabase(people: 200) }

    private func shell(_ options: String...) throws -> PseudoTerminal {
        let shell = try PseudoTerminal(
            options + [database.path], columns: 100,
            environment: ["KVTOOL_HISTORY": history, "NO_COLOR": "1"])
        try shell.wait(for: "Opened ")
        try shell.wait(for: "people")
        return shell
    }

    /// A statement whose rows take hours: it runs once its heading is shown.
    private let endless = """
        SELECT a.age AS streamed FROM _ a JOIN _ b ON b.age > 0 JOIN _ c ON c.age > 0 \
        JOIN _ d ON d.age > 0;
        """

    /// The same in SQL.
    private let endlessSQL = """
        WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM r) SELECT i AS streamed FROM r;
        """

    private func finish(_ shell: PseudoTerminal) throws {
        shell.type(PseudoTerminal.controlD)
        #expect(try shell.end().status == 0)
    }

    @Test func thePromptTellsThePlaceAndCommandsWork() throws {
        let shell = try shell()
        try shell.wait(for: "people> ")
        shell.enter("select count(*) as n from _;")
        try shell.wait(for: "200\r\n")
        try shell.wait(for: "people> ")
        shell.enter("cat nope")
        try shell.wait(for: "kvtool: ")
        try shell.wait(for: "people> ")
        try finish(shell)
        let writing = try self.shell("-w")
        try writing.wait(for: "people> ")
        writing.enter("begin")
        try writing.wait(for: "people*> ")
        writing.enter("rollback")
        try writing.wait(for: "people> ")
        writing.enter("begin")
        try writing.wait(for: "people*> ")
        writing.enter("quit")
        let end = try writing.end()
        #expect(end.status == 0)
        #expect(end.output.contains("the transaction was rolled back, since there was no commit"))
    }

    @Test func theHistoryIsPrivateAndKeepsNoSecret() throws {
        let shell = try shell()
        try shell.wait(for: "people> ")
        shell.enter("info --csv")
        try shell.wait(for: "people> ")
        shell.enter("cat --key secret x")
        try shell.wait(for: "people> ")
        try finish(shell)
        #expect(try String(contentsOfFile: history, encoding: .utf8) == "info --csv\n")
        let mode = try FileManager.default.attributesOfItem(atPath: history)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        // The next one has it.
        let next = try self.shell()
        try next.wait(for: "people> ")
        next.type(PseudoTerminal.up)
        try next.wait(for: "info --csv")
        next.type(PseudoTerminal.controlC)
        try next.wait(for: "people> ")
        try finish(next)
    }

    @Test func tabCompletes() throws {
        let shell = try shell()
        try shell.wait(for: "people> ")
        shell.type("cat person-00" + PseudoTerminal.tab)
        try shell.wait(for: "person-0010")
        try shell.wait(for: "people> ")
        try shell.wait(for: "person-00")
        shell.type("42" + PseudoTerminal.tab)
        try shell.wait(for: "42")
        shell.enter("--raw")
        try shell.wait(for: "\"_id\":\"person-0042\"")
        try shell.wait(for: "people> ")
        shell.type("expo" + PseudoTerminal.tab)
        try shell.wait(for: "rt ")
        shell.type("--coll" + PseudoTerminal.tab)
        try shell.wait(for: "ection ")
        shell.type(PseudoTerminal.controlC)
        try shell.wait(for: "people> ")
        shell.type("SELECT conta" + PseudoTerminal.tab)
        try shell.wait(for: "contact    contains(")
        try shell.wait(for: "people> SELECT conta")
        shell.type(PseudoTerminal.controlC)
        try shell.wait(for: "people> ")
        try finish(shell)
    }

    @Test func tabCompletesPathsInTheHomeDirectory() throws {
        let lines = Data("select count(*) as n from _\n".utf8)
        _ = try database.newFile("home lines", lines)
        let shell = try PseudoTerminal(
            [database.path], columns: 100,
            environment: [
                "KVTOOL_HISTORY": history, "NO_COLOR": "1", "HOME": database.directory(""),
            ])
        try shell.wait(for: "Opened ")
        try shell.wait(for: "people> ")
        shell.type("source ~/home" + PseudoTerminal.tab)
        try shell.wait(for: #"\ lines"#)
        shell.enter("")
        try shell.wait(for: "200\r\n")
        try shell.wait(for: "people> ")
        shell.type("begin --" + PseudoTerminal.tab)
        try shell.wait(for: "upgrade")
        shell.type(PseudoTerminal.controlC)
        try shell.wait(for: "people> ")
        try finish(shell)
    }

    @Test func controlCDropsTheLineAndEndsWhatRuns() throws {
        let shell = try shell()
        try shell.wait(for: "people> ")
        shell.type("put x {")
        try shell.wait(for: "put x {")
        shell.type(PseudoTerminal.controlC)
        try shell.wait(for: "people> ")
        shell.enter("SELECT (1")
        try shell.wait(for: "...> ")
        shell.type(PseudoTerminal.controlC)
        try shell.wait(for: "people> ")
        shell.enter(endless)
        try shell.wait(for: "streamed\r\n")
        shell.type(PseudoTerminal.controlC)
        try shell.wait(for: "interrupted")
        try shell.wait(for: "people> ")
        shell.enter("select 6*7 as n;")
        try shell.wait(for: "42\r\n")
        try shell.wait(for: "people> ")
        try finish(shell)
    }

    @Test func controlCEndsACommandOfATransactionAndLeavesTheRest() throws {
        let shell = try shell("-w")
        try shell.wait(for: "people> ")
        shell.enter("begin")
        try shell.wait(for: "people*> ")
        shell.enter("put x {}")
        try shell.wait(for: "Created \"x\"")
        try shell.wait(for: "people*> ")
        shell.enter(endless)
        try shell.wait(for: "streamed\r\n")
        shell.type(PseudoTerminal.controlC)
        try shell.wait(for: "interrupted")
        try shell.wait(for: "people*> ")
        // Its connection writes again, too, after SQL that it may only read by.
        shell.enter("sql \(endlessSQL)")
        try shell.wait(for: "streamed\r\n")
        shell.type(PseudoTerminal.controlC)
        try shell.wait(for: "interrupted")
        try shell.wait(for: "people*> ")
        shell.enter("put y {}")
        try shell.wait(for: "Created \"y\"")
        try shell.wait(for: "people*> ")
        shell.enter("commit")
        try shell.wait(for: "people> ")
        try finish(shell)
        #expect(!shell.transcript.contains("rolled back"))
        #expect(try database.run("ls", "--count").success().stdout == "202\n")
    }

    @Test func controlCUndoesTheWritingCommandOfATransactionThatItEnds() throws {
        let shell = try shell("-w")
        try shell.wait(for: "people> ")
        shell.enter("begin")
        try shell.wait(for: "people*> ")
        shell.enter("put x {}")
        try shell.wait(for: "Created \"x\"")
        try shell.wait(for: "people*> ")
        // The second statement runs for hours; the output of the first one shows that it started.
        shell.enter(
            """
            select count(*) as started from _; UPDATE _ SET n = (SELECT COUNT(*) FROM _ a \
            JOIN _ b ON b.age > 0 JOIN _ c ON c.age > 0 JOIN _ d ON d.age > 0);
            """)
        try shell.wait(for: "started\r\n")
        shell.type(PseudoTerminal.controlC)
        try shell.wait(for: "interrupted")
        try shell.wait(for: "people*> ")
        shell.enter("rm person-0001")
        try shell.wait(for: "people*> ")
        shell.enter("commit")
        try shell.wait(for: "people> ")
        try finish(shell)
        #expect(!shell.transcript.contains("rolled back"))
        let left = "SELECT COUNT(*) AS total FROM _ WHERE n IS MISSING"
        #expect(try database.run("query", left, "--ndjson").success().stdout == "{\"total\":200}\n")
    }

    @Test func errorsAreWordsWhateverFormRowsHave() throws {
        let shell = try shell("--json")
        try shell.wait(for: "people> ")
        shell.enter("cat nope")
        try shell.wait(for: "kvtool: ")
        try shell.wait(for: "people> ")
        shell.enter(".mode ndjson")
        try shell.wait(for: "people> ")
        shell.enter("ls --limit x")
        try shell.wait(for: "kvtool: ")
        try shell.wait(for: "people> ")
        #expect(!shell.transcript.contains(#"{"error":"#))
        try finish(shell)
    }

    @Test func statementsOfSeveralLinesAreOne() throws {
        let shell = try shell()
        try shell.wait(for: "people> ")
        shell.enter("SELECT COUNT(*) AS n,")
        try shell.wait(for: "...> ")
        shell.enter("'two' AS t FROM _;")
        try shell.wait(for: "200  two\r\n")
        try shell.wait(for: "people> ")
        shell.type(PseudoTerminal.up)
        try shell.wait(for: "SELECT COUNT(*) AS n, 'two' AS t FROM _;")
        shell.type(PseudoTerminal.controlC)
        try shell.wait(for: "people> ")
        try finish(shell)
    }
}
