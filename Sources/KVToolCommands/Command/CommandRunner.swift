internal import ArgumentParser
internal import DocumentStore
package import KVToolCore

/// Runs a command line and turns what happened into an exit status.
package enum CommandRunner {
    /// The exit status of the command line without the program's name.
    package static func run(_ typed: [String]) async -> ExitStatus {
        let arguments = HiddenKeys.hidden(typed)
        StandardError.current.forgetSubjects()
        let openFiles = OpenFiles.current.count
        // What its options ask for holds for this command only: the next one may be a script's.
        let isJSON = StandardError.current.isJSON
        defer { StandardError.current.isJSON = isJSON }
        let asksForJSON = !Set(arguments).isDisjoint(with: ["--json", "--ndjson"])
        StandardError.current.isJSON = isJSON || asksForJSON
        do {
            defer { OpenFiles.current.close(after: openFiles) }
            try MemoryLimit.apply()
            var command = try parsed(ordered(arguments))
            if let command = command as? any ToolCommand { command.output.apply() }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            try StandardOutput.current.finish()
            return .success
        } catch {
            do {
                try StandardOutput.current.finish()
            } catch is ClosedPipe {
                if error is ClosedPipe { return .success }
            } catch let lost {
                // A part of what was written is missing, whatever else there is to say.
                let status = report(error, arguments)
                let failure = report(lost, arguments)
                return status == .interrupted ? status : failure
            }
            return report(error, arguments)
        }
    }

    /// The arguments in an order that the parser understands.
    private static func ordered(_ arguments: [String]) throws -> [String] {
        // What the scripts of `completions` ask is in the parser's own.
        guard !HiddenKeys.isCompletion(arguments) else { return arguments }
        let words = ShellStart.completed(try LeadingOptions.moved(arguments))
        let bound = DashValues.bound(NestedCommand.ordered(words))
        return DashArguments.protected(JoinedFlags.apart(bound))
    }

    /// The command with its arguments.
    ///
    /// The way through the table of all commands takes twice as long as what most of them do, so
    /// it is taken only by what the command alone does not understand: help, the version, errors.
    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        if let named = NestedCommand.named(arguments),
            let command = try? named.command.parse(named.arguments)
        {
            return command
        }
        return try KVTool.parseAsRoot(arguments)
    }

    private static func report(_ error: any Error, _ arguments: [String]) -> ExitStatus {
        switch error {
        case is ClosedPipe: return .success
        case let error as ReportedFailure: return error.status
        case let error as Interrupted: return end("interrupted: \(error.message)", .interrupted)
        case is CancellationError: return end("interrupted", .interrupted)
        case let error as StoreError:
            if Interruption.isRequested, error.isAboutInterruption {
                return end("interrupted", .interrupted)
            }
            let message = error.messageForPeople + hint(error, arguments)
            StandardError.current.writeAboutSubject(message, status: ExitStatus(error))
            return ExitStatus(error)
        case let error as ToolError: return end(error.message, error.status)
        case let error as System.Failure: return end(error.message, ExitStatus(error))
        default: return reportUsage(error, arguments)
        }
    }

    /// Whether it is no command's name that the arguments begin with, or that help is asked for.
    private static func unknownCommand(_ arguments: [String]) -> ToolError? {
        var words = Self.words(of: arguments)[...]
        if words.first == "help" { words = words.dropFirst() }
        // The table takes longer than most commands.
        guard let name = words.first, !name.hasPrefix("-") else { return nil }
        let inner = NestedCommand.names(in: name)
        let isKnown = inner.map { inner in
            words.dropFirst().first.map { $0.hasPrefix("-") || inner.contains($0) } ?? true
        }
        guard !(isKnown ?? NestedCommand.isCommand(name)) else { return nil }
        return try? CommandTable(KVTool.self).unknownCommand(Array(words))
    }

    /// How the command could be made to do it, where one of its options does that.
    private static func hint(_ error: StoreError, _ arguments: [String]) -> String {
        if error.isAboutOlderSchema, !arguments.contains("--upgrade"),
            hasOption("--upgrade", arguments)
        {
            return "; --upgrade upgrades it first"
        }
        if error.has(.missingIndex), error.message.contains("full-text") {
            return "; kvtool mkindex --fts makes one"
        }
        let missing = " does not exist"
        if error.has(.notFound), error.message.hasSuffix(missing),
            let other = DatabaseNames.suggestion(
                for: String(error.message.dropLast(missing.count)))
        {
            return "; did you mean \(Text.line(other))?"
        }
        let isLocked = error.has(.busy) && error.message.hasSuffix("wait longer for it")
        return isLocked && hasOption("--timeout", arguments) ? " with --timeout SECONDS" : ""
    }

    private static func hasOption(_ option: String, _ arguments: [String]) -> Bool {
        CommandOptions(of: words(of: arguments)).has(option)
    }

    /// The arguments, the command's name first.
    private static func words(of arguments: [String]) -> [String] {
        let moved = try? LeadingOptions.moved(arguments)
        return NestedCommand.ordered(ShellStart.completed(moved ?? arguments))
    }

    private static func end(_ message: String, _ status: ExitStatus) -> ExitStatus {
        StandardError.current.write(message, status: status)
        return status
    }

    /// Help and the version are "errors" too, with the exit code of success.
    private static func reportUsage(_ error: any Error, _ arguments: [String]) -> ExitStatus {
        if let unknown = DatabaseFirst.error(arguments) ?? unknownCommand(arguments) {
            return end(unknown.message, unknown.status)
        }
        switch KVTool.exitCode(for: error) {
        case .success: return writeHelp(KVTool.fullMessage(for: error))
        case .validationFailure:
            let message = UsageMessage.line(
                KVTool.message(for: error), hasKey: HiddenKeys.areIn(arguments))
            // A program has no use for help.
            guard !StandardError.current.isJSON else { return end(message, .usage) }
            return end("\(message); see \(UsageMessage.help(words(of: arguments)))", .usage)
        default: return end("\(error)", .failure)
        }
    }

    private static func writeHelp(_ text: String) -> ExitStatus {
        do {
            StandardOutput.current.begin(withPager: false)
            try StandardOutput.current.write(text + "\n")
            try StandardOutput.current.finish()
            return .success
        } catch let error as ToolError {
            return end(error.message, error.status)
        } catch {
            // Nobody reads on.
            return .success
        }
    }
}

extension StoreError {
    /// Whether somebody has asked SQLite to stop.
    var isAboutInterruption: Bool { domain == .sqlite && code == 9 }
}

/// Makes a command line of `kvtool DATABASE`: a database alone opens the shell.
enum ShellStart {
    /// The same arguments, with the command's name before them if there is none but a database.
    static func completed(_ arguments: [String]) -> [String] {
        guard arguments.contains(where: isDatabase) else { return arguments }
        lazy var known = CommandOptions(of: ["shell"])
        var isValue = false
        for argument in arguments {
            defer { isValue = argument.hasPrefix("-") && known.takesValue(argument) }
            guard !isValue, !argument.hasPrefix("-") else { continue }
            return isDatabase(argument) ? ["shell"] + arguments : arguments
        }
        return arguments
    }

    private static func isDatabase(_ argument: String) -> Bool {
        var path = DatabaseAddress(argument).path[...]
        while path.hasSuffix("/") { path.removeLast() }
        return path.hasSuffix(".cblite2") || DatabaseNames.folder(ofFile: argument) != nil
    }
}

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
