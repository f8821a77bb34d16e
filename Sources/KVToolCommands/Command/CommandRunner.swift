internal import ArgumentParser
internal import DocumentStore
package import KVToolCore

/// Runs a command line and maps the outcome to an exit status.
package enum CommandRunner {
    /// The version of kvtool.
    package static let version = KVTool.version

    /// Runs the command line, given without the program's name, and returns the exit status.
    package static func run(_ typed: [String]) async -> ExitStatus {
        let arguments = HiddenKeys.hidden(typed)
        StandardError.current.forgetSubjects()
        let openFiles = OpenFiles.current.count
        // The options apply to this command only: a shell runs several commands.
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
                // Part of the output is lost; this takes precedence over other errors.
                let status = report(error, arguments)
                let failure = report(lost, arguments)
                return status == .interrupted ? status : failure
            }
            return report(error, arguments)
        }
    }

    /// Reports an argument that is not valid UTF-8; a repaired one would name another document.
    package static func refuse(argument number: Int) -> ExitStatus {
        end(
            "argument \(number) is not valid UTF-8; paths, IDs and JSON must be", .usage)
    }

    /// Parses the command line.
    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        // Requests of the completion scripts go to the parser.
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
        // Handled by the parser; manuals and completion scripts are generated from these.
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
        case let error as FleeceError where error.code == .invalidData:
            // Commands convert the errors of their input, so this concerns a stored body.
            StandardError.current.writeAboutSubject(
                "the body of a document is damaged: \(error.message); find it with kvtool verify",
                status: .damaged)
            return .damaged
        case let error as System.Failure: return end(error.message, ExitStatus(error))
        default: return reportUsage(error, arguments)
        }
    }

    /// Returns the option that would help, if the command has one.
    private static func hint(_ error: StoreError, _ arguments: [String]) -> String {
        if error.isAboutOlderSchema, !arguments.contains("--upgrade"),
            hasOption("--upgrade", arguments)
        {
            return "; use --upgrade to upgrade it first"
        }
        if error.has(.missingIndex), error.message.contains("full-text") {
            return "; create one with kvtool mkindex --fts"
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

    /// ArgumentParser throws help and the version as errors with the exit code of success.
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
            // A program that reads JSON does not need the hint about help.
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
            // The reader has closed the pipe.
            return .success
        }
    }
}

extension StoreError {
    /// Whether the operation was interrupted (`SQLITE_INTERRUPT`).
    var isAboutInterruption: Bool { domain == .sqlite && code == 9 }
}
