internal import ArgumentParser
internal import KVToolCore

/// Options that stand before the command's name, as in `kvtool --color ls people.cblite2`: commands
/// have them behind it.
enum LeadingOptions {
    /// Commands that make the database that they are given.
    private static let making: [any ParsableCommand.Type] = [
        ImportCommand.self, LoadCommand.self, CopyCommand.self,
    ]

    /// Commands with an option of this name that is about the database.
    private static let havingCreate: [any ParsableCommand.Type] = [
        MakeCollectionCommand.self, ImportCommand.self, LoadCommand.self, GenerateCommand.self,
    ]

    /// The same arguments, the command's name first.
    ///
    /// Throws for what the original has and this tool does not, and says what there is.
    static func moved(_ arguments: [String]) throws -> [String] {
        let arguments = withColour(arguments)
        if arguments == ["-v"] { return ["--version"] }
        let count = leadingCount(arguments)
        let (leading, rest) = (arguments[..<count], arguments[count...])
        // A database says itself whether it is.
        let options = leading.filter { $0 != "--encrypted" }[...]
        guard options.isDisjoint(from: ["--help", "-h"]), !options.isEmpty else {
            return Array(options + rest)
        }
        guard let command = rest.first else {
            return arguments.count > 1 && options.contains("--version")
                ? ["version"] + options.filter { $0 != "--version" } : arguments
        }
        try refuse(options)
        if isDatabase(command) { return Array(options + rest) }
        let end = rest.firstIndex(of: "--") ?? rest.endIndex
        return rest[..<end] + (try kept(options, by: command)) + rest[end...]
    }

    /// Says of `--color` without a word what the original takes it for: colours at a terminal.
    private static func withColour(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments.indices.map { index in
            guard index < end, arguments[index] == "--color",
                !beginsWithWord(arguments[(index + 1)..<end], behind: arguments[..<index])
            else { return arguments[index] }
            return "--color=auto"
        }
    }

    /// Whether what follows a `--color` begins with the word that says when, be it a wrong one.
    private static func beginsWithWord(
        _ rest: ArraySlice<String>, behind start: ArraySlice<String>
    ) -> Bool {
        guard let word = rest.first, !word.hasPrefix("-"), !isDatabase(word) else { return false }
        if Choice(rawValue: word) != nil { return true }
        if let command = start.first(where: NestedCommand.isCommand) {
            return NestedCommand.names(in: command)?.contains(word) != true
        }
        // Before a database it is a command's name with a slip in it.
        return !NestedCommand.isCommand(word)
            && rest.dropFirst().first.map(NestedCommand.isCommand) == true
    }

    /// How many arguments stand before the command's name, or before a database alone.
    ///
    /// The value of an option may be called like a command. The name is the first word that is
    /// reached by going past the command's own options and their values.
    private static func leadingCount(_ arguments: [String]) -> Int {
        guard arguments.first?.hasPrefix("-") == true else { return 0 }
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let words = arguments.indices[..<end].filter { !arguments[$0].hasPrefix("-") }
        guard !words.isEmpty else { return end }
        for index in words {
            let isShell = isDatabase(arguments[index])
            guard isShell || NestedCommand.isCommand(arguments[index]) else { continue }
            let known = CommandOptions(of: isShell ? ["shell"] : Array(arguments[index...]))
            if known.leadingCount(arguments) == index { return index }
        }
        return CommandOptions.ofAllCommands().leadingCount(arguments)
    }

    private static func isDatabase(_ word: String) -> Bool { word.contains(".cblite2") }

    private static func refuse(_ options: ArraySlice<String>) throws {
        if options.contains("--upgrade=vv") {
            throw ToolError(
                "there is no --upgrade=vv, but kvtool convert DATABASE --to vectors", status: .usage
            )
        }
    }

    /// The options without those that a command needs not be told.
    private static func kept(
        _ options: ArraySlice<String>, by command: String
    ) throws -> [String] {
        let type = NestedCommand.meant(by: [command])
        guard type != ShellCommand.self else { return Array(options) }
        // Commands that write open the database for it by themselves.
        let writing = CommandOptions(of: ["shell"]).option("--write")?.names ?? []
        let kept = options.filter { !writing.contains($0) }
        guard kept.contains("--create"), !havingCreate.contains(where: { $0 == type }) else {
            return Array(kept)
        }
        guard making.contains(where: { $0 == type }) else {
            throw ToolError(
                "\(Text.line(command)) makes no database; mkcoll --create, import and load do",
                status: .usage)
        }
        return kept.filter { $0 != "--create" }
    }
}

extension ArraySlice<String> {
    fileprivate func isDisjoint(from others: Set<String>) -> Bool {
        !contains(where: others.contains)
    }
}
