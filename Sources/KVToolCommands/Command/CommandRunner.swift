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
            var command = try parsed(arguments)
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

    /// Says that an argument is not text; it would name another document than was meant.
    package static func refuse(argument number: Int) -> ExitStatus {
        end(
            "argument \(number) is not UTF-8, as paths, ids and JSON have to be here", .usage)
    }

    /// The command with its arguments.
    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        // What the scripts of `completions` ask is in the parser's own.
        guard !HiddenKeys.isCompletion(arguments) else { return try KVTool.parseAsRoot(arguments) }
        if let named = NamedCommand(arguments),
            let command = try? named.type.parse(named.arguments)
        {
            return command
        }
        switch arguments.first {
        case nil: return try KVTool.parseAsRoot(["--help"])
        case "-h", "--help": return try parsed(["help"] + arguments.dropFirst())
        case "-v", "--version": return try KVTool.parseAsRoot(["--version"])
        // The parser's own, which writes what manuals and completions are made of.
        case "--experimental-dump-help", "--generate-completion-script", "--help-hidden":
            return try KVTool.parseAsRoot(arguments)
        default:
            if let error = CommandLineAdvice.error(arguments) { throw error }
            return try KVTool.parseAsRoot(arguments)
        }
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
        NamedCommand(arguments)?.hasOption(option) ?? false
    }

    private static func end(_ message: String, _ status: ExitStatus) -> ExitStatus {
        StandardError.current.write(message, status: status)
        return status
    }

    /// Help and the version are "errors" too, with the exit code of success.
    private static func reportUsage(_ error: any Error, _ arguments: [String]) -> ExitStatus {
        switch KVTool.exitCode(for: error) {
        case .success:
            guard let word = UsageMessage.accidentalHelp(arguments) else {
                return writeHelp(KVTool.fullMessage(for: error))
            }
            return end(
                "unknown option '\(Text.line(word))'" + UsageMessage.dashHint(arguments), .usage)
        case .validationFailure:
            let message =
                UsageMessage.line(
                    KVTool.message(for: error), hasKey: HiddenKeys.areIn(arguments))
                + UsageMessage.dashHint(arguments)
            // A program has no use for help.
            guard !StandardError.current.isJSON else { return end(message, .usage) }
            return end("\(message); see \(UsageMessage.help(arguments))", .usage)
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
