import Foundation
import StoreTestSupport
import Testing

@testable import KVToolCommands

@Suite("Completion in shells")
struct CompletionInShellTests {
    private static let bash = Command.path(of: "bash")

    @Test("bash offers what is in a database", .enabled(if: bash != nil, "needs bash"))
    func words() throws {
        let program = try #require(Self.bash)
        let database = try SampleDatabase(people: 12)
        try database.run("mkcoll", "hr.staff").success()
        try database.run("mkindex", "byAge", "age").success()
        let script = try CompletionScript("bash", in: database.directory)
        let path = database.path
        #expect(try script.bash("ca", program: program) == ["cat"])
        #expect(
            try script.bash("cat", path, "person-001", program: program)
                == ["person-0010", "person-0011", "person-0012"])
        #expect(try script.bash("cat", path, "--property", "ag", program: program) == ["age"])
        #expect(
            try script.bash("cat", path, "--collection", "", program: program)
                == ["_default", "hr.staff"])
        #expect(
            try script.bash("mv", path, "person-0001", "hr", program: program) == ["hr.staff"])
        #expect(try script.bash("index", "show", path, "", program: program) == ["byAge"])
        #expect(
            try script.bash("ls", String(path.dropLast(4)), program: program) == [path])
        #expect(
            try script.bash("expire", "", program: program).filter { !$0.hasPrefix("-") }
                == ["clear", "ls", "run", "set"])
        #expect(
            try script.bash("ls", path, "--color", "", program: program)
                == ["always", "auto", "never"])
    }

    @Test("bash executes nothing in an ID", .enabled(if: bash != nil, "needs bash"))
    func hostile() throws {
        let program = try #require(Self.bash)
        let trap = try TemporaryDirectory()
        let ids = [
            "$(touch \(trap("one")))", "`touch \(trap("two"))`", "a b", "it's", "~", "$HOME",
            #"x\"#,
        ]
        let lines = try ids.map { id in
            String(decoding: try JSONEncoder().encode(["_id": id]), as: UTF8.self)
        }
        let database = try SampleDatabase(lines: lines)
        let script = try CompletionScript("bash", in: database.directory)
        #expect(
            try script.bash("cat", database.path, "", program: program).filter {
                !$0.hasPrefix("-")
            } == ids.sorted())
        #expect(try FileManager.default.contentsOfDirectory(atPath: trap("")).isEmpty)
    }

    @Test("Tab completes a collection at a terminal", arguments: CompletionTests.present)
    func terminal(_ shell: String) throws {
        let database = try SampleDatabase(people: 1)
        try database.run("mkcoll", "hr.staff").success()
        try database.run("put", "boss", "{}", "--collection", "hr.staff").success()
        let script = try CompletionScript(shell, in: database.directory)
        let terminal = try Self.started(shell, script, database)
        terminal.type("kvtool ls \(database.path) --collection hr.s" + PseudoTerminal.tab)
        try terminal.wait(for: "taff")
        terminal.enter("")
        try terminal.wait(for: "boss")
        try terminal.wait(for: "READY> ")
        terminal.type("kvtool comple" + PseudoTerminal.tab)
        try terminal.wait(for: "tions")
        terminal.enter("no-shell")
        try terminal.wait(for: "READY> ")
        terminal.enter("exit")
        _ = try terminal.end()
    }

    /// Names that a shell must not obey, each with another first letter.
    private static func hostile(_ trap: TemporaryDirectory) -> [String] {
        [
            "a$(touch \(trap("1")))", "b`touch \(trap("2"))`", "c${x:=$(touch \(trap("3")))}",
            "d$((a[$(touch \(trap("4")))]))", "e';touch \(trap("5"));'",
            "f\";touch \(trap("6"));\"", "g;touch \(trap("7"))", "h|touch \(trap("8"))", "i!touch",
            "j <(touch \(trap("9")))", "k*?[a-z]~{x,y}", "l:$(touch \(trap("10"))):m",
            #"n\$(touch \#(trap("11")))\"#, "o(touch \(trap("12")))",
        ]
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// A database whose ids, indexes, collections and properties are called so.
    private static func database(_ names: [String]) throws -> SampleDatabase {
        let database = try SampleDatabase(
            lines: try names.map { try json(["_id": $0, $0: "x", "age": "y"]) })
        for name in names { try database.run("mkindex", name, "age").success() }
        for name in names {
            let table = name.replacing("\"", with: "\"\"")
            _ = try database.rows(
                """
                CREATE TABLE "kv_.\(table)" (key TEXT PRIMARY KEY, sequence INTEGER, \
                flags INTEGER DEFAULT 0, version BLOB, body BLOB, expiration INTEGER, extra BLOB)
                """)
        }
        return database
    }

    @Test(
        "Tab executes nothing from a database", .enabled(if: SQLiteShell.isPresent),
        arguments: CompletionTests.present)
    func trap(_ shell: String) throws {
        let trap = try TemporaryDirectory()
        let names = Self.hostile(trap)
        let database = try Self.database(names)
        let script = try CompletionScript(shell, in: database.directory)
        let terminal = try Self.started(shell, script, database)
        let (tab, path) = (PseudoTerminal.tab, database.path)
        for name in names {
            for quote in ["", "'", "\""] {
                terminal.enter("kvtool cat \(path) \(quote)\(name.prefix(1))\(tab) --raw")
                try terminal.wait(for: "\"_id\":\(try Self.json(name))")
                try terminal.wait(for: "READY> ")
            }
        }
        let lists = [
            "cat \(path) ", "rm \(path) ", "rmindex \(path) ", "index show \(path) ",
            "ls \(path) --collection ", "cat \(path) --property ", "ls \(path)//",
        ]
        for line in lists {
            // The line is dropped when the list is there.
            terminal.type("kvtool \(line)\(tab)\(tab)\u{15}")
            terminal.enter("kvtool --version")
            try terminal.wait(for: "\(KVTool.version)\r\n")
        }
        terminal.enter("exit")
        _ = try terminal.end()
        #expect(try FileManager.default.contentsOfDirectory(atPath: trap("")) == [])
    }

    @Test(
        "bash completes words that it splits at a colon or an equals sign",
        .enabled(if: bash != nil, "needs bash"))
    func brokenWords() throws {
        let database = try SampleDatabase(lines: [#"{"_id":"user::1","a":1}"#])
        try database.run("mkcoll", "hr.staff").success()
        let script = try CompletionScript("bash", in: database.directory)
        let terminal = try Self.started("bash", script, database)
        terminal.enter("kvtool cat \(database.path) user::\(PseudoTerminal.tab) --raw")
        try terminal.wait(for: #"{"_id":"user::1","a":1}"#)
        terminal.enter("kvtool put \(database.path) us\(PseudoTerminal.tab)'{}'")
        try terminal.wait(for: "Updated \"user::1\"")
        terminal.enter("kvtool ls \(database.path) --collection=hr\(PseudoTerminal.tab) --json")
        try terminal.wait(for: #""collection":"hr.staff""#)
        terminal.enter("exit")
        _ = try terminal.end()
    }

    /// A shell that has read the script and waits for a line.
    private static func started(
        _ shell: String, _ script: CompletionScript, _ database: SampleDatabase
    ) throws -> PseudoTerminal {
        let program = try #require(Command.path(of: shell))
        let tools = URL(fileURLWithPath: Kvtool.path).deletingLastPathComponent().path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let home = database.directory("")
        let variables = [
            "TERM": "dumb", "HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home,
            "PATH": "\(tools):\(path)",
        ]
        let options: [String]
        let lines: [String]
        switch shell {
        case "bash":
            options = ["--norc", "--noprofile", "-i"]
            lines = ["PS1='READ''Y> '", "source '\(script.path)'"]
        case "zsh":
            options = ["-f", "-i"]
            lines = [
                "PS1='READ''Y> '",
                "fpath=('\(database.directory(""))' $fpath); autoload -U compinit; compinit -u -D",
            ]
        default:
            // Without this directory it reads all manual pages, for more than a minute.
            try FileManager.default.createDirectory(
                atPath: home + "/fish/generated_completions", withIntermediateDirectories: true)
            // Each of its lines is a command of its own.
            let prompt = "function fish_prompt; echo -n 'READ''Y> '; end"
            options = ["-C", "source '\(script.path)'; \(prompt)"]
            lines = []
        }
        let terminal = try PseudoTerminal(program: [program] + options, environment: variables)
        for line in lines {
            terminal.enter(line)
            try terminal.wait(for: "READY> ")
        }
        if lines.isEmpty { try terminal.wait(for: "READY> ") }
        return terminal
    }
}
