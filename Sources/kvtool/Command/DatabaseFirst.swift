/// A command line on which the database stands before what is to be done with it.
enum DatabaseFirst {
    /// What is said of it; nil for any other command line.
    static func error(_ arguments: [String]) -> ToolError? {
        guard let first = arguments.first, isDatabase(first), arguments.count > 1,
            !arguments[1].hasPrefix("-")
        else { return nil }
        let (database, word) = (Text.line(first), Text.line(arguments[1]))
        if CommandSynonyms.isQuery(arguments[1]) {
            return ToolError(
                "a query needs a command: kvtool query \(database) '\(word)'", status: .usage)
        }
        if NestedCommand.isCommand(arguments[1]) {
            let rest = arguments.dropFirst(2).map { Text.line($0) }
            let line = (["kvtool", word, database] + rest).joined(separator: " ")
            return ToolError("the command comes first: \(line)", status: .usage)
        }
        if let advice = CommandSynonyms.advice(arguments[1]) {
            return ToolError("there is no command \(word); \(advice)", status: .usage)
        }
        return ToolError(
            "behind a database alone, which opens a shell, nothing can stand; \(word) is no "
                + "command",
            status: .usage)
    }

    private static func isDatabase(_ word: String) -> Bool {
        let path = DatabaseAddress(word).path
        return path.hasSuffix(DatabaseNames.endings[0])
            || path.hasSuffix("/")
                && DatabaseNames.isDatabase(path)
            || word.contains(DatabaseNames.endings[0] + "/")
    }
}
