import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool at a terminal")
struct TerminalTests {
    private func output(
        _ arguments: [String], columns: Int = 80, rows: Int = 24,
        environment: [String: String] = [:]
    ) throws -> String {
        let end = try PseudoTerminal(
            arguments, columns: columns, rows: rows, environment: environment
        ).end()
        #expect(end.status == 0, "\(end)")
        return end.output.replacing("\r\n", with: "\n")
    }

    private func plain(_ text: String) -> String {
        text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    }

    @Test("A table fits the terminal", arguments: [20, 40, 60, 80, 200])
    func tables(_ columns: Int) throws {
        let lines = [
            #"{"_id":"a long id with many words in it, so that it cannot fit","n":1}"#,
            #"{"_id":"日本語の長い名前がここにあります","n":2}"#, #"{"_id":"\u202e red","n":3}"#,
        ]
        let database = try SampleDatabase(lines: lines)
        let text = try output(["ls", "-l", database.path], columns: columns)
        #expect(!text.isEmpty)
        if columns >= 60 {
            for line in plain(text).split(separator: "\n") {
                let wide = line.unicodeScalars.count { $0.value >= 0x3000 && $0.value < 0xA000 }
                #expect(line.count + wide <= columns, "\(line)")
            }
        }
        // No id can affect the terminal.
        #expect(!text.contains("\u{202E}"))
    }

    @Test func shortListsAreInColumns() throws {
        let database = try SampleDatabase(people: 6)
        #expect(
            try output(["ls", database.path], columns: 30)
                == "person-0001  person-0002\nperson-0003  person-0004\nperson-0005  person-0006\n")
        #expect(try output(["ls", database.path], columns: 20).split(separator: "\n").count == 6)
    }

    @Test func coloursAreForTerminalsThatCan() throws {
        let database = try SampleDatabase(people: 1)
        let list = ["ls", "-l", database.path]
        let bold = "\u{1B}[1m"
        #expect(try output(list).contains(bold))
        #expect(try !output(list, environment: ["NO_COLOR": "1"]).contains(bold))
        #expect(try !output(list, environment: ["CLICOLOR": "0"]).contains(bold))
        #expect(try !output(list, environment: ["TERM": "dumb"]).contains(bold))
        #expect(try !output(list + ["--color", "never"]).contains(bold))
        #expect(
            try output(list + ["--color", "always"], environment: ["NO_COLOR": "1"]).contains(bold))
        let piped = try Kvtool.run(list + ["--color", "always"])
        #expect(piped.stdout.contains(bold))
        #expect(try Kvtool.run(list, environment: ["CLICOLOR_FORCE": "1"]).stdout.contains(bold))
        #expect(try !Kvtool.run(list).stdout.contains(bold))
    }

    @Test func longOutputGoesToThePager() throws {
        let database = try SampleDatabase(people: 30)
        let pager = try database.newFile("pager", Data("#!/bin/sh\necho PAGED; cat\n".utf8))
        try database.setPermissions(0o755, of: pager)
        let list = ["ls", "-l", database.path]
        let variables = ["PAGER": pager]
        let paged = try output(list, rows: 10, environment: variables)
        #expect(paged.hasPrefix("PAGED\n") && paged.contains("person-0030"))
        #expect(try !output(list, rows: 50, environment: variables).contains("PAGED"))
        #expect(
            try !output(list + ["--no-pager"], rows: 10, environment: variables).contains("PAGED"))
        #expect(try !output(list + ["--csv"], rows: 10, environment: variables).contains("PAGED"))
        #expect(try output(list, rows: 10, environment: ["PAGER": "cat"]).contains("person-0030"))
        // One that exits immediately, and one that does not exist.
        #expect(try !output(list, rows: 10, environment: ["PAGER": "false"]).contains("kvtool:"))
        #expect(
            try output(list, rows: 10, environment: ["PAGER": "/no/pager"]).contains("person-0030"))
        let own = ["PAGER": "false", "KVTOOL_PAGER": pager]
        #expect(try output(list, rows: 10, environment: own).contains("PAGED"))
    }

    @Test func aPersonIsAskedBeforeManyGo() throws {
        let database = try SampleDatabase(people: 3)
        let refused = try PseudoTerminal(["rm", database.path, "person-*"])
        try refused.wait(for: "Delete 3 documents? [y/N] ")
        refused.enter("n")
        #expect(try refused.end().status == 1)
        #expect(try database.exported().count == 3)
        let agreed = try PseudoTerminal(["rm", database.path, "person-*"])
        try agreed.wait(for: "[y/N] ")
        agreed.enter("y")
        #expect(try agreed.end().status == 0)
        #expect(try database.exported().isEmpty)
    }

    @Test(
        "A closed pipe is not an error",
        arguments: [
            "ls $0", "ls $0 -0", "ls $0 --json", "export $0", "cat $0 '*'", "info $0",
            "query $0 'SELECT * FROM _'", "query $0 'SELECT * FROM _' --json",
            "explain $0 'SELECT * FROM _'", "generate --count 100000", "help", "completions bash",
        ])
    func closedPipe(_ command: String) throws {
        let database = try SampleDatabase(people: 2000)
        let script = "{ \"$KVTOOL\" \(command); echo $? >&2; } | head -c 1 > /dev/null"
        let outcome = try Kvtool.shell(
            script.replacing("$0", with: "'\(database.path)'"))
        #expect(outcome.stderr == "0\n", "\(outcome)")
    }

    @Test(
        "Ctrl-C ends a command with 130 and one line",
        arguments: [
            [
                "query",
                "SELECT COUNT(*) FROM _ a JOIN _ b ON a.age < b.age JOIN _ c ON b.age < c.age "
                    + "JOIN _ d ON c.age < d.age",
            ]
        ])
    func interruption(_ command: [String]) throws {
        let database = try SampleDatabase(people: 2000)
        let terminal = try PseudoTerminal(
            [command[0], database.path] + command.dropFirst() + ["--progress", "none"])
        // The key is a signal once the tool waits for it; before that it ends the process.
        terminal.type(PseudoTerminal.controlC)
        let end = try terminal.end()
        #expect(end.status == 130)
    }
}
