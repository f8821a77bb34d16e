internal import DocumentStore
internal import KVToolCore

/// The shell's own commands.
extension Shell {
    func performOwn(_ word: String, _ words: [String]) async throws -> ExitStatus {
        let name = word.hasPrefix(".") ? String(word.dropFirst()) : word
        if let command = ShellMode.commands[name] {
            return await run(command + databaseArgument(command) + words)
        }
        switch name {
        case "quit", "exit": isEnded = true
        case "help": return await help(words)
        case "begin", "commit", "rollback": try await perform(transaction: name, words)
        case "cd": try await enter(words)
        case "open": try open(words)
        case "read", "source": return try await read(words, name: word)
        case "mode": try setMode(words)
        case "timer", "timing": mode.showsTime = try ShellMode.isOn(words, ".\(name)")
        case "bail": mode.endsAtError = try ShellMode.isOn(words, ".bail")
        case "output": (mode.output, mode.once) = (ShellMode.output(words), nil)
        case "once": mode.once = ShellMode.output(words)
        case "write": try setWriting(ShellMode.isOn(words, ".write"))
        case "show": try show()
        case "shell", "system": return await perform("!" + words.joined(separator: " "))
        default:
            let known = ShellMode.pointWords.map { "." + $0 }.joined(separator: " ")
            throw ToolError(
                "unknown command \(Text.line(word)); use one of \(known)", status: .usage)
        }
        return .success
    }

    private func enter(_ words: [String]) async throws {
        guard words.count < 2 else { throw ToolError("cd takes one collection", status: .usage) }
        try await location.enter(words.first ?? "", in: transaction)
    }

    private func open(_ words: [String]) throws {
        guard words.count == 1 else { throw ToolError(".open takes a database", status: .usage) }
        try requireNoTransaction()
        location = try Self.location(beginning, DatabaseAddress(words[0]))
    }

    private func read(_ words: [String], name: String) async throws -> ExitStatus {
        guard words.count == 1 else { throw ToolError("\(name) takes a file", status: .usage) }
        guard depth < Self.maximumDepth else {
            throw ToolError("\(words[0]) is nested too deeply")
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

    /// Sets whether commands may change the database.
    private func setWriting(_ isOn: Bool) throws {
        try requireNoTransaction()
        if isOn { try location.openForWriting(upgrades: false).close() }
        beginning.access = isOn ? .readWrite : .readOnly
        OpenShell.current.setReadOnly(!isOn)
    }

    private func show() throws {
        let access = canWrite ? "read-write" : "read-only"
        let inside = transaction == nil ? "" : ", in a transaction"
        try write(["file:   \(Text.line(location.path)), \(access)\(inside)"] + mode.lines)
    }

    private func write(_ lines: [String]) throws {
        for line in lines { try StandardOutput.current.write(line + "\n") }
        try StandardOutput.current.finish()
    }
}

extension Shell {
    private func help(_ words: [String]) async -> ExitStatus {
        guard words.isEmpty else { return await run(["help"] + words) }
        do {
            let columns = System.terminalSize(StandardOutput.current.descriptor)?.columns ?? .max
            try write(ShellHelp(table: table, columns: columns).lines)
            return .success
        } catch {
            return report(error)
        }
    }
}
