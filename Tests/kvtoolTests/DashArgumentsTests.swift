import Testing

@testable import kvtool

@Suite("Arguments that begin with a dash")
struct DashArgumentsTests {
    /// Every option of every command that takes a value, as the commands say it of themselves.
    private func options(_ commands: [CommandTable.Command]) -> Set<String> {
        commands.reduce(into: []) { result, command in
            for option in command.options where option.takesValue {
                result.formUnion(option.names)
            }
            result.formUnion(options(command.commands))
        }
    }

    @Test func everyOptionThatTakesAValueIsKnown() throws {
        let told = options(try CommandTable(KVTool.self).commands)
        #expect(told.subtracting(DashArguments.withValue) == [])
        #expect(DashArguments.withValue.subtracting(told) == [])
    }

    @Test func whatIsAFlagInSomeCommandsIsKnown() throws {
        func flags(_ command: CommandTable.Command) -> Set<String> {
            let own = command.options.filter { !$0.takesValue }.flatMap(\.names)
            return command.commands.reduce(Set(own)) { $0.union(flags($1)) }
        }
        var found: [String: Set<String>] = [:]
        for command in try CommandTable(KVTool.self).commands {
            let both = flags(command).intersection(DashArguments.withValue)
            for name in [command.name] + command.aliases where !both.isEmpty { found[name] = both }
        }
        #expect(found == DashArguments.flags)
    }

    @Test func shortNamesOfDocumentsAreNoOptionsOfOtherCommands() {
        #expect(DashArguments.protected(["cat", "a", "-p"]) == ["cat", "--", "a", "-p"])
        #expect(
            DashArguments.protected(["query", "a", "q", "-p", "n=1"])
                == ["query", "a", "q", "-p", "n=1"])
    }

    @Test func optionsComeFirstThenWhatLooksLikeOne() {
        #expect(
            DashArguments.protected(["cat", "a.cblite2", "-3aW8", "--collection", "c", "--raw"])
                == ["cat", "--collection", "c", "--raw", "--", "a.cblite2", "-3aW8"])
        #expect(DashArguments.protected(["ls", "-l", "a"]) == ["ls", "-l", "a"])
        #expect(DashArguments.protected(["cat", "--", "-xyz"]) == ["cat", "--", "-xyz"])
        #expect(
            DashArguments.protected(["query", "a", "-- all\nSELECT 1"])
                == ["query", "--", "a", "-- all\nSELECT 1"])
    }

    @Test func aDatabaseAloneOpensTheShell() {
        #expect(ShellStart.completed(["a.cblite2"]) == ["shell", "a.cblite2"])
        #expect(ShellStart.completed(["-w", "a.cblite2/"]) == ["shell", "-w", "a.cblite2/"])
        #expect(ShellStart.completed(["a.cblite2//hr.staff"]) == ["shell", "a.cblite2//hr.staff"])
        #expect(
            ShellStart.completed(["--color", "never", "a.cblite2"])
                == ["shell", "--color", "never", "a.cblite2"])
        #expect(
            ShellStart.completed(["--batch", "a.cblite2"]) == ["shell", "--batch", "a.cblite2"])
        #expect(ShellStart.completed(["ls", "a.cblite2"]) == ["ls", "a.cblite2"])
        #expect(ShellStart.completed(["--help"]) == ["--help"])
        #expect(ShellStart.completed([]) == [])
    }
}
