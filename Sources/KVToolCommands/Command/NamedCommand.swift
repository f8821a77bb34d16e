internal import ArgumentParser
internal import KVToolCore

/// The command that a command line names, and the arguments after its name.
///
/// The parser finds it, too, but goes through the table of all commands for it, which takes twice
/// as long as most commands do.
struct NamedCommand {
    let type: any ParsableCommand.Type
    let arguments: [String]

    /// The command of a line; a database alone, with or without options, names the shell.
    ///
    /// Nil if the line names a command that does not exist, or only a group of commands.
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

    /// Whether the command has an option of this name.
    func hasOption(_ name: String) -> Bool {
        CommandTable.options(of: type).contains { $0.names.contains(name) }
    }

    /// Whether there is a command of this name.
    static func exists(_ name: String) -> Bool { name == "help" || command(name) != nil }

    /// The names of the commands inside one; nil if it has none, or does not exist.
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
    /// What may stand for it on a command line.
    fileprivate static var names: [String] {
        [configuration.commandName].compactMap(\.self) + configuration.aliases
    }
}
