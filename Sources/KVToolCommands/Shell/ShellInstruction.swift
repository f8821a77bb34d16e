internal import DocumentStore
internal import KVToolCore

/// The parsed form of a line of the shell.
struct ShellInstruction: Equatable {
    enum Action: Equatable {
        /// A command of the tool: the words that name it, and the arguments after the database.
        case command(name: [String], rest: [String])
        /// A command whose last argument is the rest of the line verbatim.
        case raw(name: [String], options: [String], values: [String])
        /// `cd`, `begin`, `help`, `quit` and so on, and the commands that begin with a dot.
        case own(String, [String])
        /// A command of the system's shell.
        case system(String)
    }

    /// The destination of redirected output.
    enum Output: Equatable {
        case pipe(String)
        case file(String, appends: Bool)
    }

    var action: Action
    var output: Output?
}

/// Parses lines of the shell.
struct ShellParser: Sendable {
    let table: CommandTable

    /// The shell's own commands; each also with a leading dot, as in sqlite3.
    static let ownWords = transactionWords.union(["cd", "exit", "help", "quit", "source"])

    /// The commands that begin and end a transaction.
    private static let transactionWords: Set = ["begin", "commit", "rollback"]

    /// The first words of statements.
    static let statementWords: Set = ["select", "with", "update", "delete"]

    /// Commands that take the rest of the line verbatim: how many words precede it, and how it is
    /// quoted.
    private static let rawCommands: [String: (words: Int, kind: ShellScanner.Kind)] = [
        "query": (0, .statement), "select": (0, .statement), "explain": (0, .statement),
        "sql": (0, .statement), "mkindex": (1, .statement), "put": (1, .json),
    ]

    /// Words that cannot end a statement.
    private static let openWords: Set = [
        "all", "and", "as", "between", "by", "distinct", "else", "explain", "from", "having", "in",
        "is", "join", "like", "limit", "not", "offset", "on", "or", "select", "set", "then",
        "union", "unnest", "update", "when", "where", "with",
    ]

    /// Returns how the rest of a line that begins like this is quoted.
    func kind(of text: String) -> ShellScanner.Kind {
        let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard let first = words.first?.lowercased() else { return .words }
        if Self.statementWords.contains(first) { return .statement }
        guard let kind = Self.rawCommands[first]?.kind else { return .words }
        let rest = words.dropFirst().first?.drop(while: \.isWhitespace) ?? ""
        return rest.hasPrefix("{") || rest.hasPrefix("[") ? .json : kind
    }

    /// Whether more lines belong to the text, because something is open at its end.
    func isUnfinished(_ text: String) -> Bool {
        let kind = kind(of: text)
        guard kind != .words, !text.hasPrefix("!"), !text.hasPrefix(".") else { return false }
        if ShellScanner(text, kind).isOpen { return true }
        guard kind == .statement else { return false }
        let last = text.split(whereSeparator: \.isWhitespace).last ?? ""
        return last.hasSuffix(",") || Self.openWords.contains(last.lowercased())
    }

    /// Whether more lines belong to the text because it is a statement, which ends with a semicolon
    /// or an empty line: a valid statement may continue on the next line.
    ///
    /// A redirection may follow the semicolon; options and a pipe end the statement as well.
    func awaitsEnd(_ text: String) -> Bool {
        let text = Self.trimmed(text)
        guard let statement = statement(of: text) else { return false }
        let signs = ShellScanner(text, .statement).signs
        if signs.contains(where: { $0.text == "|" }) { return false }
        if let query = table.command("query") {
            var rest = Substring(statement)
            if !Self.trailingOptions(&rest, query).isEmpty { return false }
        }
        guard let end = signs.last(where: { $0.text == ";" }) else { return true }
        let position = text.utf8.index(text.startIndex, offsetBy: end.offset + 1)
        let rest = Self.trimmed(text[position...])
        return !(rest.isEmpty || rest.hasPrefix(">") || rest.hasPrefix("--") || rest.hasPrefix("#"))
    }

    /// Returns the statement that a text is, or that is the argument of a command; nil if it is
    /// quoted as a whole, in a file, or JSON.
    private func statement(of text: String) -> String? {
        guard kind(of: text) == .statement,
            let first = text.split(
                maxSplits: 1, whereSeparator: \.isWhitespace
            ).first
        else { return nil }
        let word = first.lowercased()
        if Self.statementWords.contains(word) { return text }
        guard ["query", "explain", "sql"].contains(word), let command = table.command(word),
            case .raw(_, _, let values)? = try? Self.raw(
                command, text[first.endIndex...].drop(while: \.isWhitespace), words: 0)
        else { return nil }
        let value = values.last ?? ""
        let isQuoted = text.last == "'" || text.last == "\""
        let isWord = value.first?.isLetter == true && value.contains(where: \.isWhitespace)
        return isWord && !(isQuoted && !text.hasSuffix(value)) ? value : nil
    }

    /// Whether a line of a file starts something new after a text that is a statement without a
    /// semicolon.
    func ends(_ text: String, before line: String) -> Bool {
        let word = line.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }.lowercased()
        guard !isUnfinished(text), !word.isEmpty else { return false }
        if word.hasPrefix("#") { return true }
        // `!=` is an operator, and a single dot is not a command.
        if word.hasPrefix(".") || word.hasPrefix("!") { return word.count > 1 && word != "!=" }
        if Self.ownWords.contains(word) { return true }
        guard table.command(word) != nil || Self.statementWords.contains(word) else { return false }
        return (try? Query(statement(of: text) ?? Self.trimmed(text))) != nil
    }

    /// Parses a text, which is one line or several that belong together.
    func instructions(_ text: String) throws -> [ShellInstruction] {
        let text = Self.trimmed(text)
        if text.isEmpty || text.hasPrefix("#") { return [] }
        if text.hasPrefix("!") {
            return [ShellInstruction(action: .system(Self.trimmed(text.dropFirst())))]
        }
        let kind = kind(of: text)
        let (pieces, output) = try Self.pieces(text, kind)
        var instructions = try pieces.map {
            ShellInstruction(action: try action(Self.trimmed($0), kind))
        }
        if let last = instructions.indices.last { instructions[last].output = output }
        return instructions
    }

    /// Returns the statements of a text, and the redirection of the last one.
    private static func pieces(
        _ text: String, _ kind: ShellScanner.Kind
    ) throws -> ([Substring], ShellInstruction.Output?) {
        var pieces: [Substring] = []
        var start = text.startIndex
        for sign in ShellScanner(text, kind).signs {
            let position = text.utf8.index(text.startIndex, offsetBy: sign.offset)
            let before = text[start..<position]
            let after = trimmed(text[text.utf8.index(position, offsetBy: sign.text.utf8.count)...])
            let isBlank = trimmed(before).isEmpty
            switch sign.text {
            case ";" where kind != .words:
                if !isBlank { pieces.append(before) }
                start = text.index(after: position)
            case "|":
                guard !after.isEmpty else {
                    throw ToolError("a command is missing after |", status: .usage)
                }
                return (isBlank ? pieces : pieces + [before], .pipe(after))
            // In a statement it is an operator.
            case ">" where kind != .statement || isBlank && !pieces.isEmpty,
                ">>" where kind != .statement || isBlank && !pieces.isEmpty:
                let names = try ShellWords.split(after)
                guard names.count == 1 else {
                    throw ToolError("\(sign.text) takes one file name", status: .usage)
                }
                let output = ShellInstruction.Output.file(names[0], appends: sign.text == ">>")
                return (isBlank ? pieces : pieces + [before], output)
            default: break
            }
        }
        let rest = text[start...]
        return (trimmed(rest).isEmpty ? pieces : pieces + [rest], nil)
    }

    private func action(
        _ text: String, _ kind: ShellScanner.Kind
    ) throws -> ShellInstruction.Action {
        let first = text.prefix { !$0.isWhitespace }
        let word = first.lowercased()
        let rest = text[first.endIndex...].drop(while: \.isWhitespace)
        if Self.statementWords.contains(word), !rest.hasPrefix("--") || table.command(word) == nil {
            let query = table.command("query")
            var statement = Substring(text)
            let options = query.map { Self.trailingOptions(&statement, $0) } ?? []
            return .raw(name: ["query"], options: options, values: [Self.trimmed(statement)])
        }
        if let raw = Self.rawCommands[word], let command = table.command(word) {
            return try Self.raw(command, rest, words: raw.words)
        }
        if let own = Self.transactionAction(text) { return own }
        let words = try ShellWords.split(text)
        if word.hasPrefix(".") || Self.ownWords.contains(word) {
            return .own(word, Array(words.dropFirst()))
        }
        if let unknown = table.unknownCommand(words, helpCommand: "help") { throw unknown }
        let depth = table.command(words)?.depth ?? 1
        return .command(name: Array(words.prefix(depth)), rest: Array(words.dropFirst(depth)))
    }

    /// Parses a line that begins or ends a transaction, also in SQL's form: `BEGIN TRANSACTION;`.
    private static func transactionAction(_ text: String) -> ShellInstruction.Action? {
        let words = text.lowercased().split { $0.isWhitespace || $0 == ";" }.map(String.init)
        guard let first = words.first, transactionWords.contains(first) else { return nil }
        let rest = words.dropFirst(words.dropFirst().first == "transaction" ? 2 : 1)
        guard rest.allSatisfy({ $0.hasPrefix("-") }) else { return nil }
        return .own(first, Array(rest))
    }

    private static func raw(
        _ command: CommandTable.Command, _ text: Substring, words count: Int
    ) throws -> ShellInstruction.Action {
        var rest = text
        var options: [String] = []
        var values: [String] = []
        while let word = ShellWords(rest).words.first {
            let option = command.option(word.text)
            let isOption = option != nil || isUnknownOption(word.text)
            guard isOption || values.count < count else { break }
            rest.removeFirst(bytes: word.range.upperBound)
            if !isOption {
                values.append(word.text)
                continue
            }
            options.append(word.text)
            if let option, option.takesValue, !word.text.contains("="),
                let value = ShellWords(rest).words.first
            {
                options.append(value.text)
                rest.removeFirst(bytes: value.range.upperBound)
            }
        }
        options += trailingOptions(&rest, command)
        let text = trimmed(rest)
        let value = text.hasPrefix("@~/") ? HomeDirectory.expanded(text) : unquoted(text)
        if !value.isEmpty { values.append(value) }
        return .raw(name: [command.name], options: options, values: values)
    }

    /// Whether a word is an option that the command does not have and will reject, not a comment.
    private static func isUnknownOption(_ word: String) -> Bool {
        word.hasPrefix("--") && word.dropFirst(2).first?.isLetter == true
    }

    /// Removes and returns the options at the end of a text: `… FROM _ --json`.
    private static func trailingOptions(
        _ text: inout Substring, _ command: CommandTable.Command
    ) -> [String] {
        var options: [String] = []
        while true {
            let words = text.split(whereSeparator: \.isWhitespace)
            guard let last = words.last else { return options }
            if last.hasPrefix("-"), let option = command.option(last),
                !option.takesValue || last.contains("=")
            {
                options.insert(String(last), at: 0)
                text = text[..<last.startIndex]
            } else if let name = words.dropLast().last, name.hasPrefix("-"),
                command.option(name)?.takesValue == true, !name.contains("=")
            {
                options.insert(contentsOf: [String(name), String(last)], at: 0)
                text = text[..<name.startIndex]
            } else {
                return options
            }
        }
    }

    /// Removes the quotes of a text that is quoted as a whole, as a system's shell requires.
    private static func unquoted(_ text: String) -> String {
        guard let quote = text.first, quote == "'" || quote == "\"", text.last == quote else {
            return text
        }
        let words = ShellWords(text)
        return words.words.count == 1 && words.problem == nil ? words.words[0].text : text
    }

    static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop(while: \.isWhitespace)
        let end = start.lastIndex { !$0.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }
}

extension Substring {
    fileprivate mutating func removeFirst(bytes: Int) {
        self = self[utf8.index(startIndex, offsetBy: bytes)...]
    }
}
