/// What is said of a command line that cannot be right.
enum UsageMessage {
    /// The beginnings of the parser's own sentences.
    private static let beginnings: Set<Substring> = [
        "Missing", "Unknown", "The", "Unexpected", "Invalid",
    ]

    /// The parser's message as part of a line: it has sentences, some on lines of their own.
    ///
    /// - Parameter hasKey: whether the line has a key on it, whose words it must not repeat.
    static func line(_ message: String, hasKey: Bool = false) -> String {
        if hasKey, message.contains("nexpected argument") {
            return "there is an unexpected argument; a key with spaces needs quotes"
        }
        let lines = message.split(separator: "\n").map { $0.drop { $0 == " " } }
        var line = lines.joined(separator: " ")
        if line.hasSuffix(".") { line.removeLast() }
        // Its guess is a sentence behind another; ours stand behind a colon.
        if let guess = line.firstRange(of: ". Did you mean ") {
            line.replaceSubrange(guess, with: ": did you mean ")
        }
        guard beginnings.contains(line.prefix { $0 != " " }) else { return line }
        return line.prefix(1).lowercased() + line.dropFirst()
    }

    /// The command line that tells how the command is used.
    static func help(_ words: [String]) -> String {
        guard let name = words.first, NestedCommand.isCommand(name) else { return "kvtool --help" }
        let inner = words.dropFirst().first.flatMap { word in
            NestedCommand.names(in: name)?.contains(word) == true ? " \(word)" : nil
        }
        return "kvtool \(name)\(inner ?? "") --help"
    }
}
