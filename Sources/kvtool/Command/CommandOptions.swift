internal import ArgumentParser

/// The options that a command line can have, as the command that it names describes them.
///
/// One command tells of itself in a moment; to ask all of them (``CommandTable``) takes as long as
/// what most commands do.
struct CommandOptions {
    private let options: [CommandTable.Option]

    /// Those of the command that the arguments begin with, or of the one inside it; none if there
    /// is no such command.
    init(of arguments: some Sequence<String>) {
        let words = arguments.prefix { $0 != "--" }.filter { !$0.hasPrefix("-") }
        let command = NestedCommand.meant(by: NestedCommand.ordered(words))
        options = command.map(CommandTable.options) ?? []
    }

    private init(_ options: [CommandTable.Option]) {
        self.options = options
    }

    /// Those of all commands together, for a command line that names none.
    static func ofAllCommands() -> CommandOptions {
        func options(_ commands: [CommandTable.Command]) -> [CommandTable.Option] {
            commands.flatMap { $0.options + options($0.commands) }
        }
        return CommandOptions(options((try? CommandTable(KVTool.self))?.commands ?? []))
    }

    /// The option that has this name.
    func option(_ name: String) -> CommandTable.Option? {
        options.first { $0.names.contains(name) }
    }

    /// Whether there is an option of this name.
    func has(_ name: String) -> Bool { option(name) != nil }

    /// Whether the argument is an option whose value is the argument after it.
    func takesValue(_ argument: String) -> Bool { option(argument)?.takesValue == true }

    /// Whether the argument is an option without a value.
    func isFlag(_ argument: String) -> Bool { option(argument)?.takesValue == false }

    /// How many arguments stand before the first that is neither an option nor the value of one.
    func leadingCount(_ arguments: [String]) -> Int {
        var count = 0
        while count < arguments.count, arguments[count].hasPrefix("-"), arguments[count] != "--" {
            count += takesValue(arguments[count]) ? 2 : 1
        }
        return min(count, arguments.count)
    }
}
