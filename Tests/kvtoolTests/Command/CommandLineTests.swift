import Foundation
import StoreTestSupport
import Testing

@testable import KVToolCommands

@Suite("A command line")
struct CommandLineTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [#"{"_id":"-3aW8Ve","n":1}"#, #"{"_id":"b","n":2}"#])
    }

    @Test("the command is found by name or alias, in a group, or is the shell for a database alone")
    func naming() throws {
        let table = try CommandTable(KVTool.self)
        for command in table.commands where command.name != "help" && command.commands.isEmpty {
            for name in [command.name] + command.aliases {
                let named = try #require(NamedCommand([name, "a.cblite2", "--json"]))
                let options = CommandTable.options(of: named.type).map(\.names)
                #expect(options == command.options.map(\.names).filter { $0 != ["--version"] })
                #expect(named.arguments == ["a.cblite2", "--json"])
            }
        }
        for (line, type, arguments) in [
            (["expire", "ls", "a"], ExpireListCommand.self, ["a"]),
            (["expire", "a", "x", "--in", "7d"], ExpireSetCommand.self, ["a", "x", "--in", "7d"]),
            (["a.cblite2"], ShellCommand.self, ["a.cblite2"]),
            (["a.cblite2//hr.staff"], ShellCommand.self, ["a.cblite2//hr.staff"]),
            (["-w", "a.cblite2/"], ShellCommand.self, ["-w", "a.cblite2/"]),
        ] as [([String], Any.Type, [String])] {
            let named = try #require(NamedCommand(line))
            #expect("\(named.type)" == "\(type)")
            #expect(named.arguments == arguments)
        }
        for line in [[], ["nope", "a"], ["blob", "nope"], ["blob"]] as [[String]] {
            #expect(NamedCommand(line) == nil, "\(line)")
        }
    }

    @Test("a database alone opens the shell, with its options before or after the database")
    func shell() throws {
        let input = Data("put x {}\nls --count\n".utf8)
        #expect(try Kvtool.run([database.path, "-w"], stdin: input).success().lines.last == "3")
        let options = ["--color", "never", "-w", "--batch"]
        #expect(
            try Kvtool.run(options + [database.path], stdin: input).success().lines.last == "3")
        #expect(
            try Kvtool.run(["-w", database.path, "junk"]).refusal(status: 2)
                == "unexpected argument 'junk'; see kvtool --help")
    }

    @Test("options before the command are an error that shows the right order")
    func optionsFirst() throws {
        for (line, command) in [
            (["--color", "never", "ls", database.path], "ls"),
            (["--writeable", "rm", database.path, "b"], "rm"),
            (["--json", "expire", "ls", database.path], "expire"),
        ] {
            let complaint = try Kvtool.run(line).refusal(status: 2)
            #expect(
                complaint.contains(
                    "options come after the command: kvtool \(command) DATABASE OPTIONS"))
        }
        #expect(try database.exported().count == 2)
    }

    @Test("values that begin with a dash go after --, where nothing is an option")
    func dashes() throws {
        let document = #"{"_id":"-3aW8Ve","n":1}"# + "\n"
        #expect(try database.run("cat", "--raw", "--", "-3aW8Ve").success().stdout == document)
        let query = "-- all of them\nSELECT n FROM _ ORDER BY n"
        #expect(try database.run("query", "--csv", "--", query).success().lines == ["n", "1", "2"])
        let hint = "; a value that begins with a dash goes after --"
        for words in [
            ["cat", "-3aW8Ve"], ["cat", "-3aWhVe"], ["rm", "b", "-3aW8Ve"], ["query", query],
            ["rm", "b", "-1"], ["rm", "-1.5"], ["put", "neg", "-5"], ["cat", "-x"],
            ["cat", "-a=b"],
        ] {
            let line = [words[0], database.path] + words.dropFirst()
            #expect(try Kvtool.run(line).refusal(status: 2).contains(hint), "\(words)")
        }
        #expect(try database.exported().count == 2)
        #expect(try !database.run("ls", "--limit", "-1").refusal(status: 2).contains(hint))
    }

    @Test("an ID in which the parser finds -h is not a request for help")
    func accidentalHelp() throws {
        for words in [
            ["rm", "b", "-hi"], ["rm", "-hello", "--", "b"], ["put", "-h1", "{}"],
            ["put", "-h=x", "{}"], ["purge", "-h1", "--yes"], ["mv", "-h1", "--to", "c"],
            ["expire", "-h1", "--never"], ["import", "-h1"], ["rm", "b", "-yh"],
        ] {
            let word = words.first { $0.hasPrefix("-") } ?? ""
            let line = words.prefix(1) + [database.path] + words.dropFirst()
            let complaint = try Kvtool.run(Array(line)).refusal(status: 2)
            #expect(complaint.hasPrefix("unknown option '\(word)'"), "\(words)")
        }
        #expect(try database.exported().count == 2)
        #expect(try database.run("rm", "-y", "-h").success().stdout.hasPrefix("OVERVIEW"))
    }

    @Test("-h, --help and help show help, before or after the command")
    func help() throws {
        let help = try Kvtool.run(["help", "ls"]).success().stdout
        #expect(help.contains("kvtool ls"))
        for line in [["--help", "ls"], ["-h", "ls"], ["ls", "--help"], ["ls", "-h"]] {
            #expect(try Kvtool.run(line).success().stdout == help, "\(line)")
        }
        let shell = try Kvtool.run(["help", "shell"]).success().stdout
        #expect(try Kvtool.run([database.path, "-w", "--help"]).success().stdout == shell)
        #expect(
            try Kvtool.run(["--help", "nope"]).refusal(status: 2)
                == "there is no command nope; kvtool help lists the commands")
        #expect(try Kvtool.run(["--version", "ls"]).success().lines.count == 1)
        #expect(try Kvtool.run(["--experimental-dump-help"]).success().stdout.hasPrefix("{"))
    }

    @Test("a subcommand precedes the database; after the database it is an ID")
    func groups() throws {
        try database.run("put", "run", "{}").success()
        let group = try Kvtool.run(["index", database.path, "ls"]).refusal(status: 2)
        #expect(
            group
                == "the command of index comes before the database: kvtool index ls "
                + database.path)
        let alone = try Kvtool.run(["blob", database.path]).refusal(status: 2)
        #expect(alone.contains("kvtool blob check|"))
        try database.run("expire", "run", "--in", "1d").success()
        #expect(try database.run("expire", "run").refusal(status: 2).contains("--in"))
        #expect(try database.exported().count == 3)
    }

    @Test("an unknown option is reported, before a command or after a database")
    func unknownOptions() throws {
        for (line, option) in [
            (["--nope"], "--nope"), (["-vv"], "-vv"), ([database.path, "--bogus"], "--bogus"),
        ] {
            let complaint = try Kvtool.run(line).refusal(status: 2)
            #expect(complaint.hasPrefix("unknown option '\(option)'"), "\(line)")
        }
        let moved = try Kvtool.run([database.path, "ls", "--key", "secret"]).refusal(status: 2)
        #expect(moved == "the command comes first: kvtool ls \(database.path) --key=KEY")
    }

    @Test("an argument that is not UTF-8 is an error, and does not name another document")
    func encoding() throws {
        for word in [#"a\377"#, #"{"a":"\377"}"#] {
            let script = #"exec "$KVTOOL" put "$1" "$(printf '\#(word)')" '{}'"#
            #expect(
                try Kvtool.shell(script, [database.path]).refusal(status: 2)
                    == "argument 3 is not valid UTF-8; paths, IDs and JSON must be")
        }
        #expect(try database.exported().count == 2)
    }
}
