internal import ArgumentParser
internal import KVToolCore

/// Explains a command line whose words are in an order that the parser does not expect.
enum CommandLineAdvice {
    /// Returns the error that shows the right command line, nil if the parser's message is better.
    static func error(_ arguments: [String]) -> ToolError? {
        databaseFirst(arguments) ?? databaseInGroup(arguments) ?? optionsFirst(arguments)
            ?? unknownCommand(arguments)
    }

    /// The database precedes the command.
    private static func databaseFirst(_ arguments: [String]) -> ToolError? {
        guard let first = arguments.first, isDatabase(first), arguments.count > 1,
            !arguments[1].hasPrefix("-")
        else { return nil }
        let (database, word) = (Text.line(first), Text.line(arguments[1]))
        if CommandSynonyms.isQuery(arguments[1]) {
            return ToolError(
                "a query needs a command: kvtool query \(database) '\(word)'", status: .usage)
        }
        if NamedCommand.exists(arguments[1]) {
            let rest = arguments.dropFirst(2).map { Text.line(HiddenKeys.named($0)) }
            let line = (["kvtool", word, database] + rest).joined(separator: " ")
            return ToolError("the command comes first: \(line)", status: .usage)
        }
        if let advice = CommandSynonyms.advice(arguments[1]) {
            return ToolError("there is no command \(word); \(advice)", status: .usage)
        }
        return ToolError(
            "a database without a command opens a shell and takes options only; there is no "
                + "command \(word)",
            status: .usage)
    }

    /// The database precedes the subcommand of a group, or replaces it.
    private static func databaseInGroup(_ arguments: [String]) -> ToolError? {
        guard arguments.count > 1, isDatabase(arguments[1]),
            let inner = NamedCommand.names(in: arguments[0]), NamedCommand(arguments) == nil
        else { return nil }
        let (group, database) = (arguments[0], Text.line(arguments[1]))
        let named = arguments.dropFirst(2).first { inner.contains($0) }
        let command = named ?? inner.sorted().joined(separator: "|")
        return ToolError(
            "the command of \(group) comes before the database: kvtool \(group) \(command) "
                + database, status: .usage)
    }

    private static func isDatabase(_ word: String) -> Bool {
        let path = DatabaseAddress(word).path
        return path.hasSuffix(DatabaseNames.endings[0])
            || path.hasSuffix("/")
                && DatabaseNames.isDatabase(path)
            || word.contains(DatabaseNames.endings[0] + "/")
    }

    /// Options precede the command name, as some of `cblite` do.
    private static func optionsFirst(_ arguments: [String]) -> ToolError? {
        guard let option = arguments.first, option.hasPrefix("-"), option != "--" else {
            return nil
        }
        if let command = arguments.prefix(while: { $0 != "--" }).first(where: NamedCommand.exists) {
            return ToolError(
                "options come after the command: kvtool \(command) DATABASE OPTIONS",
                status: .usage)
        }
        guard UsageMessage.isUnknown(option, CommandTable.options(of: ShellCommand.self)) else {
            return nil
        }
        return ToolError(
            "unknown option '\(Text.line(option))'; kvtool --help lists the commands",
            status: .usage)
    }

    /// The first word is not a command, or the second not a subcommand; `help` may precede them.
    private static func unknownCommand(_ arguments: [String]) -> ToolError? {
        let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        // Building the table takes longer than most commands.
        guard let name = words.first, !name.hasPrefix("-"), NamedCommand(arguments) == nil else {
            return nil
        }
        let inner = NamedCommand.names(in: name)
        let isKnown = inner.map { inner in
            words.dropFirst().first.map { $0.hasPrefix("-") || inner.contains($0) } ?? true
        }
        guard !(isKnown ?? NamedCommand.exists(name)) else { return nil }
        return try? CommandTable(KVTool.self).unknownCommand(Array(words))
    }
}

/// Messages about an invalid command line.
enum UsageMessage {
    /// The first words of the parser's messages.
    private static let beginnings: Set<Substring> = [
        "Missing", "Unknown", "The", "Unexpected", "Invalid",
    ]

    /// Joins the parser's message, which may have several sentences and lines, to one line.
    ///
    /// - Parameter hasKey: whether the command line contains a key, which must not be repeated.
    static func line(_ message: String, hasKey: Bool = false) -> String {
        if hasKey, message.contains("nexpected argument") {
            return "there is an unexpected argument; a key with spaces needs quotes"
        }
        let lines = message.split(separator: "\n").map { $0.drop { $0 == " " } }
        var line = lines.joined(separator: " ")
        if line.hasSuffix(".") { line.removeLast() }
        // The parser adds its guess as a sentence; kvtool adds guesses after a semicolon.
        if let guess = line.firstRange(of: ". Did you mean ") {
            line.replaceSubrange(guess, with: "; did you mean ")
        }
        if let combination = combination(line) { return combination }
        guard beginnings.contains(line.prefix { $0 != " " }) else { return line }
        return line.prefix(1).lowercased() + line.dropFirst()
    }

    /// Returns the error for flags that exclude each other; nil if the message is another one.
    ///
    /// The parser's message: `Value to be set with flag '--csv' had already been set with flag
    /// '--json'`.
    private static func combination(_ message: String) -> String? {
        guard message.hasPrefix("Value to be set with "), message.contains(" had already been set")
        else { return nil }
        let parts = message.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count == 5 else { return nil }
        return parts[1] == parts[3]
            ? "\(parts[1]) is given twice" : "\(parts[1]) and \(parts[3]) cannot be combined"
    }

    /// Returns the word in which the parser found a `-h`, such as the ID `-3aWhVe`.
    ///
    /// Nil if the command line asks for help.
    static func accidentalHelp(_ arguments: [String]) -> String? {
        guard let first = arguments.first, first != "help" else { return nil }
        let words = arguments.prefix { $0 != "--" }
        guard Set(words).isDisjoint(with: ["-h", "--help", "--help-hidden", "--version"]) else {
            return nil
        }
        return words.first { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("h") }
    }

    /// Returns a hint if a value such as the ID `-3aW8VeEWNHiXl` was taken for an option, or "".
    static func dashHint(_ arguments: [String]) -> String {
        let options = NamedCommand(arguments).map { CommandTable.options(of: $0.type) } ?? []
        var isValue = false
        for argument in arguments.prefix(while: { $0 != "--" }) {
            defer { isValue = options.contains { $0.takesValue && $0.names.contains(argument) } }
            if !isValue, isValueWithDash(argument, options) {
                return "; a value that begins with a dash goes after --"
            }
        }
        return ""
    }

    /// Whether the word begins with a dash but neither is nor looks like an option.
    private static func isValueWithDash(
        _ argument: String, _ options: [CommandTable.Option]
    ) -> Bool {
        guard !argument.hasPrefix("--") else {
            return argument.dropFirst(2).first?.isWhitespace == true
        }
        return isUnknown(argument, options)
    }

    /// Whether the word begins with a dash but is neither one of these options nor a group of
    /// one-letter options.
    static func isUnknown(_ argument: String, _ options: [CommandTable.Option]) -> Bool {
        guard argument.hasPrefix("-"), argument.utf8.count > 1 else { return false }
        let name = String(argument.prefix { $0 != "=" })
        if options.contains(where: { $0.names.contains(name) }) { return false }
        guard !argument.hasPrefix("--") else { return true }
        return !argument.dropFirst().allSatisfy { letter in
            options.contains { !$0.takesValue && $0.names.contains("-\(letter)") }
        }
    }

    /// Returns the command line that shows the command's help.
    static func help(_ words: [String]) -> String {
        guard let name = words.first, NamedCommand.exists(name) else { return "kvtool --help" }
        let inner = words.dropFirst().first.flatMap { word in
            NamedCommand.names(in: name)?.contains(word) == true ? " \(word)" : nil
        }
        return "kvtool \(name)\(inner ?? "") --help"
    }
}
