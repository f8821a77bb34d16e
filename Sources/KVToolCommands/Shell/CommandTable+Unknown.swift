internal import KVToolCore

extension CommandTable {
    /// Returns the error for words that do not begin with a command's name, with similar names.
    ///
    /// Nil if the command exists, or if there are no words.
    ///
    /// - Parameter helpCommand: the command that shows help; in a shell without the tool's name.
    func unknownCommand(
        _ words: [String], helpCommand: String = "kvtool help"
    ) -> ToolError? {
        guard let first = words.first, !first.hasPrefix("-") else { return nil }
        guard let (command, depth) = command(words) else {
            return Self.unknown(first, among: commands, of: nil, helpCommand)
        }
        guard !command.commands.isEmpty, command.defaultCommand == nil, depth < words.count,
            !words[depth].hasPrefix("-"), words[depth] != "help"
        else { return nil }
        return Self.unknown(
            words[depth], among: command.commands, of: command.name, helpCommand)
    }

    private static func unknown(
        _ word: String, among commands: [Command], of parent: String?, _ helpCommand: String
    ) -> ToolError {
        if parent == nil, let error = specialCase(word) { return error }
        let nearest = nearest(word, among: commands)
        let whose = parent.map { "\($0) has no command" } ?? "there is no command"
        let help = parent.map { "\(helpCommand) \($0)" } ?? helpCommand
        let names = nearest.joined(separator: " or ")
        let hint = nearest.isEmpty ? "; \(help) lists the commands" : "; did you mean \(names)?"
        let named = word.isEmpty ? "''" : Text.line(word)
        return ToolError("\(whose) \(named)\(hint)", status: .usage)
    }

    /// The errors for synonyms, queries, and database names without their extension.
    private static func specialCase(_ word: String) -> ToolError? {
        let start = "there is no command \(Text.line(word)); "
        if let advice = CommandSynonyms.advice(word) {
            return ToolError(start + advice, status: .usage)
        }
        if CommandSynonyms.isQuery(word) {
            return ToolError(
                "a query follows the database: kvtool query DATABASE '\(Text.line(word))'",
                status: .usage)
        }
        if case .file = System.entry(word), let foreign = ForeignDatabase(word) {
            return ToolError(foreign.message(word), status: .usage)
        }
        if word == "." || word.contains("/"), System.entry(word) == .directory,
            !DatabaseNames.isDatabase(word)
        {
            return ToolError(
                "\(Text.line(word)) is a directory, but not a database; specify a directory "
                    + "NAME.cblite2 that contains db.sqlite3", status: .usage)
        }
        let database =
            DatabaseNames.isDatabase(word) ? word : DatabaseNames.suggestion(for: word)
        // A typing error in a command's name is more likely than one in a database's.
        guard let database, database.hasPrefix(word) else { return nil }
        return ToolError(
            start + "the database \(Text.line(database)) follows a command, or opens the "
                + "shell: kvtool shell \(Text.line(database))", status: .usage)
    }

    /// The most similar names, at most three.
    private static func nearest(_ word: String, among commands: [Command]) -> [String] {
        let word = word.lowercased()
        // One error in three letters is accepted.
        let limit = min(3, max(1, word.count / 3))
        let found = commands.compactMap { command -> (name: String, distance: Int)? in
            let names = [command.name] + command.aliases
            let ranked = names.compactMap { name -> (name: String, distance: Int)? in
                let distance = EditDistance.between(word, name)
                if distance <= limit, distance < word.count { return (name, distance) }
                return word.count > 1 && name.hasPrefix(word) ? (name, limit + 1) : nil
            }
            return ranked.min { $0.distance < $1.distance }
        }
        return found.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3)
            .map(\.name)
    }
}
