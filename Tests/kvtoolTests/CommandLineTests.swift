import Foundation
import StoreTestSupport
import Testing

@testable import KVToolCommands
@testable import KVToolCore

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

    @Test("a database alone opens the shell, and takes the options of that before it or after it")
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

    @Test("options before the command are refused with the order that is right")
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
        ] {
            let line = [words[0], database.path] + words.dropFirst()
            #expect(try Kvtool.run(line).refusal(status: 2).contains(hint), "\(words)")
        }
        #expect(try database.exported().count == 2)
        #expect(try !database.run("ls", "--limit", "-1").refusal(status: 2).contains(hint))
    }
}
