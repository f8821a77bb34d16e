internal import ArgumentParser
internal import KVToolCore

/// The command that a command line names, and the arguments after its name.
///
/// ArgumentParser finds the command as well, but builds the table of all commands first, which
/// takes twice as long as most commands do.
struct NamedCommand {
    let type: any ParsableCommand.Type
    let arguments: [String]

    /// Finds the command; a database alone, with or without options, names the shell.
    ///
    /// Nil if the command does not exist, or is a group without a subcommand.
    init?(_ line: [String]) {
        guard let first = line.first else { return nil }
        guard let outer = Self.command(first) else {
            guard first.hasPrefix("-") || Self.isDatabase(first) else { return nil }
            self.init(type: ShellCommand.self, arguments: line)
            return
        }
        let rest = Array(line.dropFirst())
        let inner = outer.configuration.ungroupedSubcommands
        if inner.isEmpty {
            self.init(type: outer, arguments: rest)
        } else if let command = inner.first(where: { $0.names.contains(rest.first ?? "") }) {
            self.init(type: command, arguments: Array(rest.dropFirst()))
        } else if let command = outer.configuration.defaultSubcommand {
            self.init(type: command, arguments: rest)
        } else {
            return nil
        }
    }

    private init(type: any ParsableCommand.Type, arguments: [String]) {
        self.type = type
        self.arguments = arguments
    }

    /// Whether the command has an option with this name.
    func hasOption(_ name: String) -> Bool {
        CommandTable.options(of: type).contains { $0.names.contains(name) }
    }

    /// Whether a command with this name exists.
    static func exists(_ name: String) -> Bool { name == "help" || command(name) != nil }

    /// The names of the subcommands of a command; nil if it has none or does not exist.
    static func names(in name: String) -> Set<String>? {
        guard let inner = command(name)?.configuration.ungroupedSubcommands, !inner.isEmpty else {
            return nil
        }
        return Set(inner.flatMap { $0.names })
    }

    private static func command(_ name: String) -> (any ParsableCommand.Type)? {
        let groups = KVTool.configuration.groupedSubcommands.flatMap(\.subcommands)
        return (KVTool.configuration.ungroupedSubcommands + groups)
            .first { $0.names.contains(name) }
    }

    private static func isDatabase(_ argument: String) -> Bool {
        var path = DatabaseAddress(argument).path[...]
        while path.hasSuffix("/") { path.removeLast() }
        return path.hasSuffix(".cblite2") || DatabaseNames.directory(ofFile: argument) != nil
    }
}

extension ParsableCommand {
    /// The name and aliases of the command.
    fileprivate static var names: [String] {
        [configuration.commandName].compactMap(\.self) + configuration.aliases
    }
}
