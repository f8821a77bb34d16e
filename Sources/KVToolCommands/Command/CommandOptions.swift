internal import ArgumentParser
internal import KVToolCore

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

/// Takes flags of one letter apart that are typed as one word: `-n -y` for `-ny`.
///
/// Else such a word would be taken for an id that begins with a dash, and the flags in it, as
/// `--dry-run`, would not hold. See ``DashArguments``.
enum JoinedFlags {
    /// Ids are longer; the command is not asked about them.
    private static let lengths = 3...8

    /// The same arguments, with each word that consists of flags of the command taken apart.
    ///
    /// What stands behind `--` or is the value of an option stays as it is.
    static func apart(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        guard arguments[..<end].contains(where: mayBeJoined) else { return arguments }
        let known = CommandOptions(of: arguments)
        var apart: [String] = []
        var isValue = false
        for argument in arguments[..<end] {
            apart += isValue ? [argument] : flags(argument, known) ?? [argument]
            isValue = !isValue && known.takesValue(argument)
        }
        return apart + arguments[end...]
    }

    private static func mayBeJoined(_ argument: String) -> Bool {
        argument.hasPrefix("-") && !argument.hasPrefix("--")
            && lengths.contains(argument.utf8.count)
    }

    /// Nil if it is anything else than flags of the command.
    private static func flags(_ argument: String, _ known: CommandOptions) -> [String]? {
        guard mayBeJoined(argument) else { return nil }
        let flags = argument.dropFirst().map { "-\($0)" }
        return flags.allSatisfy(known.isFlag) ? flags : nil
    }
}
