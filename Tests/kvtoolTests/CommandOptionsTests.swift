import Testing

@testable import KVToolCommands
@testable import KVToolCore

@Suite("Options of the command that a line names")
struct CommandOptionsTests {
    @Test("are those that the table of all commands has of it, by any name of it")
    func sameAsTheTable() throws {
        func check(_ command: CommandTable.Command, _ path: [String]) {
            // A command with a default has the options of that.
            for name in [command.name] + command.aliases where command.defaultCommand == nil {
                let known = CommandOptions(of: path + [name, "--json", "a.cblite2"])
                for option in command.options where option.names != ["--version"] {
                    for name in option.names {
                        #expect(
                            known.takesValue(name) == option.takesValue, "\(path) \(name)")
                        #expect(known.isFlag(name) != option.takesValue, "\(path) \(name)")
                    }
                }
            }
            for inner in command.commands { check(inner, path + [command.name]) }
        }
        let commands = try CommandTable(KVTool.self).commands.filter { $0.name != "help" }
        #expect(commands.count > 40)
        for command in commands { check(command, []) }
    }

    @Test("differ with the command, and are none where there is no such command")
    func ofOneCommand() {
        #expect(CommandOptions(of: ["generate"]).takesValue("--count"))
        #expect(CommandOptions(of: ["ls"]).isFlag("--count"))
        #expect(CommandOptions(of: ["query"]).takesValue("-p"))
        #expect(!CommandOptions(of: ["cat"]).has("-p"))
        #expect(!CommandOptions(of: ["nope"]).has("--json"))
        #expect(!CommandOptions(of: []).has("--json"))
        #expect(!CommandOptions(of: ["ls"]).takesValue("--limit=3"))
    }

    @Test("are those of the inner command, and of the default one where none is named")
    func ofInnerCommands() {
        #expect(CommandOptions(of: ["expire", "a.cblite2", "x"]).has("--in"))
        #expect(!CommandOptions(of: ["expire", "ls", "a.cblite2"]).has("--in"))
        #expect(CommandOptions(of: ["blob", "get", "a.cblite2"]).takesValue("-o"))
        #expect(CommandOptions(of: ["blob", "a.cblite2", "get"]).takesValue("-o"))
        #expect(!CommandOptions(of: ["blob", "ls", "a.cblite2"]).has("-o"))
    }
}
