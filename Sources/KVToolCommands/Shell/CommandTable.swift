internal import KVToolCore

/// What the shell knows of the commands: their names, options and arguments.
struct CommandTable: Sendable {
    /// An option or a flag.
    struct Option: Sendable {
        /// As they are typed: `-l`, `--long`.
        var names: [String]
        var takesValue: Bool
        /// What the value is called: `name`, `file`.
        var valueName: String
    }

    /// An argument that has a place instead of a name.
    struct Argument: Sendable {
        var name: String
        /// Whether it is a file's path.
        var isPath: Bool
        /// Whether it is something in the database: a document, a collection, an index.
        var isInDatabase = false
    }

    /// A command, or one of a command's commands.
    struct Command: Sendable {
        var name: String
        var aliases: [String]
        var abstract: String
        var options: [Option]
        var arguments: [Argument]
        var commands: [Command]
        /// The command that is meant where none is named.
        var defaultCommand: String?
        /// Whether no list has it.
        var isHidden = false

        /// Whether its first argument is the database, which the shell puts in.
        var takesDatabase: Bool {
            arguments.first.map { CommandTable.databaseNames.contains($0.name) } ?? false
        }

        /// The option that is typed so, with or without `=VALUE`.
        func option(_ word: some StringProtocol) -> Option? {
            let name = String(word.prefix { $0 != "=" })
            return options.first { $0.names.contains(name) }
        }

        fileprivate func isNamed(_ word: String) -> Bool {
            name == word || aliases.contains(word)
        }
    }

    let commands: [Command]

    /// Those that lists have.
    var shownCommands: [Command] { commands.filter { !$0.isHidden } }

    /// What commands call an argument that is the database which they work on.
    private static let databaseNames: Set = ["database", "source", "paths"]

    /// The command of this name or alias.
    func command(_ word: String) -> Command? { commands.first { $0.isNamed(word) } }

    /// The command that some words begin with, and how many of them name it.
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
