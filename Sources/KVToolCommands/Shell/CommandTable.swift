internal import KVToolCore

/// The names, options and arguments of the commands, for the shell.
struct CommandTable: Sendable {
    /// An option or a flag.
    struct Option: Sendable {
        /// The names as typed: `-l`, `--long`.
        var names: [String]
        var takesValue: Bool
        /// The placeholder for the value: `name`, `file`.
        var valueName: String
    }

    /// A positional argument.
    struct Argument: Sendable {
        var name: String
        /// Whether it is a path.
        var isPath: Bool
        /// Whether it names something in the database: a document, a collection, an index.
        var isInDatabase = false
    }

    /// A command or subcommand.
    struct Command: Sendable {
        var name: String
        var aliases: [String]
        var abstract: String
        var options: [Option]
        var arguments: [Argument]
        var commands: [Command]
        /// The subcommand that runs if none is named.
        var defaultCommand: String?
        /// Whether lists omit it.
        var isHidden = false

        /// Whether its first argument is the database, which the shell inserts.
        var takesDatabase: Bool {
            arguments.first.map { CommandTable.databaseNames.contains($0.name) } ?? false
        }

        /// Returns the option with this name, with or without `=VALUE`.
        func option(_ word: some StringProtocol) -> Option? {
            let name = String(word.prefix { $0 != "=" })
            return options.first { $0.names.contains(name) }
        }

        fileprivate func isNamed(_ word: String) -> Bool {
            name == word || aliases.contains(word)
        }
    }

    let commands: [Command]

    /// The commands without hidden ones.
    var shownCommands: [Command] { commands.filter { !$0.isHidden } }

    /// Names of arguments that are the database that a command works on.
    private static let databaseNames: Set = ["database", "source", "paths"]

    /// Returns the command with this name or alias.
    func command(_ word: String) -> Command? { commands.first { $0.isNamed(word) } }

    /// Returns the command or subcommand that words begin with, and how many of them name it.
    func command(_ words: [String]) -> (command: Command, depth: Int)? {
        guard let first = words.first, var found = command(first) else { return nil }
        var depth = 1
        while depth < words.count,
            let inner = found.commands.first(where: {
                $0.isNamed(words[depth])
            })
        {
            found = inner
            depth += 1
        }
        return (found, depth)
    }
}
