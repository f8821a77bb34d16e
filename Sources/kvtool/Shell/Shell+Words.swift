internal import DataFileCore

/// The words of the shell's own.
extension Shell {
    func performOwn(_ word: String, _ words: [String]) async throws -> ExitStatus {
        let name = word.hasPrefix(".") ? String(word.dropFirst()) : word
        if let command = ShellMode.commands[name] {
            return await run(command + databaseArgument(command) + words)
        }
        switch name {
        case "quit", "exit": isEnded = true
        case "help": return await help(words)
        case "cd": try enter(words)
        case "open": try open(words)
        case "read": return try await read(words)
        case "mode": try setMode(words)
        case "timer": mode.tellsTime = try ShellMode.isOn(words, ".timer")
        case "bail": mode.endsAtError = try ShellMode.isOn(words, ".bail")
        case "output": (mode.output, mode.once) = (ShellMode.output(words), nil)
        case "once": mode.once = ShellMode.output(words)
        case "show": try show()
        case "shell", "system": return await perform("!" + words.joined(separator: " "))
        default:
            let known = ShellMode.pointWords.map { "." + $0 }.joined(separator: " ")
            throw ToolError("there is no \(Text.line(word)), but \(known)", status: .usage)
        }
        return .success
    }

    private func enter(_ words: [String]) throws {
        guard words.count < 2 else { throw ToolError("cd takes one collection", status: .usage) }
        try place.enter(words.first ?? "")
    }

    private func open(_ words: [String]) throws {
        guard words.count == 1 else { throw ToolError(".open takes a database", status: .usage) }
        place = try Self.place(beginning, DatabaseAddress(words[0]))
    }

    private func read(_ words: [String]) async throws -> ExitStatus {
        guard words.count == 1 else { throw ToolError(".read takes a file", status: .usage) }
        guard depth < Self.maximumDepth else {
            throw ToolError("\(words[0]) is read by too many files inside of each other")
        }
        depth += 1
        defer { depth -= 1 }
        return await run(try StreamInput(path: words[0]))
    }

    private func setMode(_ words: [String]) throws {
        guard let name = words.first, words.count == 1 else {
            throw ToolError(
                ".mode takes one of \(ShellMode.names.joined(separator: ", "))", status: .usage)
        }
        try ShellMode.setFormat(name)
    }

    private func show() throws {
        let access = canWrite ? "reading and writing" : "reading only"
        try write(["file:   \(Text.line(place.path)), for \(access)"] + mode.lines)
    }

    private func write(_ lines: [String]) throws {
        for line in lines { try StandardOutput.write(line + "\n") }
        try StandardOutput.finish()
    }
}

extension Shell {
    private func help(_ words: [String]) async -> ExitStatus {
        guard words.isEmpty else { return await run(["help"] + words) }
        do {
            try write(commandLines + Self.helpLines)
            return .success
        } catch {
            return report(error)
        }
    }

    private var commandLines: [String] {
        let commands = table.commands.filter { $0.name != "shell" && $0.name != "help" }
        let width = commands.map(\.name.count).max() ?? 0
        let columns = System.terminalSize(System.standardOutput)?.columns ?? 1000
        return commands.map {
            DisplayWidth.fitted(
                "  \(DisplayWidth.padded($0.name, width))  \($0.abstract)", columns)
        }
    }

    private static let helpLines = [
        "",
        "Commands have no DATABASE here; help COMMAND tells more of one.",
        "",
        "  SELECT … UPDATE … DELETE …   a query, up to its end; more lines while a bracket is open",
        "  cd [SCOPE.]COLLECTION        goes to a collection; cd alone to the default one",
        "  COMMAND > FILE, | COMMAND    where its output goes; behind a query: ; > FILE",
        "  !COMMAND                     a command of the system's shell",
        "  .mode table|json|ndjson|csv|tsv   .timer on|off   .bail on|off",
        "  .output FILE   .once FILE   .read FILE   .open DATABASE   .show",
        "  .tables .indexes .schema .databases   lscoll, index ls, schema, info",
        "  quit, exit, Ctrl-D           ends; Ctrl-C ends what runs",
    ]
}
