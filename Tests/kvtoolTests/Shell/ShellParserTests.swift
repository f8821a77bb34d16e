import Testing

@testable import KVToolCommands
import KVToolCore

@Suite("Lines of the shell")
struct ShellParserTests {
    private let parser: ShellParser

    init() throws { parser = ShellParser(table: try CommandTable(KVTool.self)) }

    private func only(_ line: String) throws -> ShellInstruction {
        let instructions = try parser.instructions(line)
        return try #require(instructions.count == 1 ? instructions.first : nil, "\(instructions)")
    }

    private func query(_ text: String, _ options: [String] = []) -> ShellInstruction.Action {
        .raw(name: ["query"], options: options, values: [text])
    }

    @Test func commandsKeepTheirWords() throws {
        #expect(
            try only("ls -l 'a b*'").action == .command(name: ["ls"], rest: ["-l", "a b*"]))
        #expect(try only("!ls | wc").action == .system("ls | wc"))
        #expect(try only("cd hr.staff").action == .own("cd", ["hr.staff"]))
        #expect(try only(".mode json").action == .own(".mode", ["json"]))
        #expect(try only("source 'a b.kv'").action == .own("source", ["a b.kv"]))
        for line in ["begin", "BEGIN;", "Begin Transaction ;"] {
            #expect(try only(line).action == .own("begin", []))
        }
        for line in ["begin --upgrade", "BEGIN TRANSACTION --upgrade;"] {
            #expect(try only(line).action == .own("begin", ["--upgrade"]))
        }
        #expect(try only("commit x").action == .own("commit", ["x"]))
        #expect(try parser.instructions("  ").isEmpty)
        #expect(try parser.instructions("# a comment").isEmpty)
    }

    @Test func statementsAreTakenAsTheyStand() throws {
        #expect(
            try only("SELECT 'a | b' || x FROM _").action == query("SELECT 'a | b' || x FROM _"))
        #expect(
            try only("select * from _ where a > 3;").action == query("select * from _ where a > 3"))
        #expect(try only("query SELECT \"a\\\" FROM _").action == query("SELECT \"a\\\" FROM _"))
        #expect(try only("query 'SELECT 1'").action == query("SELECT 1"))
        #expect(try only("SELECT 1 --json").action == query("SELECT 1", ["--json"]))
        #expect(
            try only("query --limit 5 SELECT 1 --csv").action
                == query("SELECT 1", ["--limit", "5", "--csv"]))
        #expect(
            try only("UPDATE _ SET a = '--json'").action == query("UPDATE _ SET a = '--json'"))
        #expect(
            try parser.instructions("SELECT 1; SELECT 2;").map(\.action)
                == [query("SELECT 1"), query("SELECT 2")])
    }

    @Test func jsonAndExpressionsAreTakenAsTheyStand() throws {
        #expect(
            try only(#"put 'an id' {"a": "b|c"}"#).action
                == .raw(name: ["put"], options: [], values: ["an id", #"{"a": "b|c"}"#]))
        #expect(
            try only("put --collection x -a {}").action
                == .raw(name: ["put"], options: ["--collection", "x"], values: ["-a", "{}"]))
        #expect(
            try only("mkindex byAge age > 3 --collection x").action
                == .raw(
                    name: ["mkindex"], options: ["--collection", "x"],
                    values: ["byAge", "age > 3"]))
    }

    @Test func outputGoesElsewhere() throws {
        #expect(try only("ls > 'a file'").output == .file("a file", appends: false))
        #expect(try only("ls >> a").output == .file("a", appends: true))
        #expect(try only("ls | head -1 > b").output == .pipe("head -1 > b"))
        #expect(try only("SELECT a > b FROM _ | wc -l").output == .pipe("wc -l"))
        #expect(try only("SELECT a > b FROM _").output == nil)
        #expect(try only("SELECT a FROM _; > out.txt").output == .file("out.txt", appends: false))
        #expect(try only(#"put x {"a":1} > out"#).output == .file("out", appends: false))
        #expect(throws: ToolError.self) { try parser.instructions("ls >") }
        #expect(throws: ToolError.self) { try parser.instructions("ls |") }
        #expect(throws: ToolError.self) { try parser.instructions("ls > a b") }
    }

    @Test(
        "A line that is open at its end continues on the next line",
        arguments: [
            "SELECT", "SELECT a,", "SELECT (1", "SELECT 'a", "SELECT a FROM", "select `a",
            "SELECT /* a", "query SELECT [1,", "put x {\"a\":", "put x {\"a\": \"}", "WITH",
            "UPDATE _ SET",
        ])
    func unfinished(_ text: String) { #expect(parser.isUnfinished(text)) }

    @Test(
        "A complete line does not",
        arguments: [
            "", "ls", "ls (", "SELECT 1", "SELECT 1;", "SELECT '(' FROM _", "SELECT 1 -- (",
            "put x {}", "put x {\"a\": \"{\"}", "cat it's", "!echo (", ".read (",
        ])
    func finished(_ text: String) { #expect(!parser.isUnfinished(text)) }

    @Test(
        "A statement waits for its end",
        arguments: [
            "SELECT 1", "select a\nfrom _", "DELETE FROM _", "UPDATE _ SET a = ';'",
            "WITH a AS (1)",
            "SELECT 1; SELECT 2", "query SELECT 1", "explain --sql SELECT 1",
            "sql PRAGMA page_size",
            "SELECT 1 -- ;", "SELECT a > b FROM _", "query --limit 5 DELETE FROM _",
        ])
    func waits(_ text: String) { #expect(parser.awaitsEnd(text)) }

    @Test(
        "Other complete lines do not",
        arguments: [
            "", "ls", "SELECT 1;", "SELECT 1; ", "SELECT 1; > out", "SELECT 1 | wc",
            "SELECT 1; | wc",
            "SELECT 1 --json", "SELECT 1; -- one", "query 'SELECT 1'", "query @file",
            "query --help",
            "mkindex a b", "put x {}", "query [\"a\"]", "explain", "!select", "rm 'select x'",
        ])
    func goesOn(_ text: String) { #expect(!parser.awaitsEnd(text)) }

    @Test func anUnknownCommandIsAnErrorOfUsage() {
        let error = #expect(throws: ToolError.self) { try parser.instructions("frobnicate x") }
        #expect(error?.message == "there is no command frobnicate; help lists the commands")
        #expect(error?.status == .usage)
    }
}
