internal import ArgumentParser
internal import KVToolCore

/// Commands that have commands of their own: `expire ls`, `index show`.
///
/// The database may come first, as it does with all others: `expire people.cblite2 ls`.
enum NestedCommand {
    /// The same arguments, the inner command's name behind the outer one's.
    static func ordered(_ arguments: [String]) -> [String] {
        guard arguments.count > 2, let inner = names(in: arguments[0]),
            !inner.contains(arguments[1]), inner.contains(arguments[2]),
            arguments[1].contains(".cblite2")
        else { return arguments }
        return [arguments[0], arguments[2], arguments[1]] + arguments[3...]
    }

    /// The names of the commands inside one; nil if it has none, or there is no such command.
    static func names(in name: String) -> Set<String>? {
        guard let inner = command(name)?.configuration.ungroupedSubcommands, !inner.isEmpty else {
            return nil
        }
        return Set(inner.flatMap { $0.names })
    }

    /// The command that is named first, and the arguments behind its name; nil where only all
    /// commands together can tell.
    static func named(
        _ arguments: [String]
    ) -> (command: any ParsableCommand.Type, arguments: [String])? {
        guard let name = arguments.first, let outer = command(name) else { return nil }
        let inner = outer.configuration.ungroupedSubcommands
        guard !inner.isEmpty else { return (outer, Array(arguments.dropFirst())) }
        guard let name = arguments.dropFirst().first,
            let command = inner.first(where: { $0.names.contains(name) })
        else { return nil }
        return (command, Array(arguments.dropFirst(2)))
    }

    /// The command that words begin with, or the one inside it that they name or leave unnamed; nil
    /// if there is none.
    static func meant(by words: [String]) -> (any ParsableCommand.Type)? {
        guard let name = words.first, let outer = command(name) else { return nil }
        let inner = words.dropFirst().first.flatMap { name in
            outer.configuration.ungroupedSubcommands.first { $0.names.contains(name) }
        }
        return inner ?? outer.configuration.defaultSubcommand ?? outer
    }

    /// Whether there is a command of this name.
    static func isCommand(_ name: String) -> Bool { name == "help" || command(name) != nil }

    private static func command(_ name: String) -> (any ParsableCommand.Type)? {
        let groups = KVTool.configuration.groupedSubcommands.flatMap(\.subcommands)
        return (KVTool.configuration.ungroupedSubcommands + groups)
            .first { $0.names.contains(name) }
    }
}

extension ParsableCommand {
    /// What may stand for it on a command line.
    fileprivate static var names: [String] {
        [configuration.commandName].compactMap(\.self) + configuration.aliases
    }
}
