internal import ArgumentParser
internal import DataFileCore

/// Runs a command line and turns what happened into an exit status.
enum CommandRunner {
    /// The exit status of the command line without the program's name.
    static func run(_ arguments: [String]) async -> ExitStatus {
        StandardError.setSubject(nil)
        let openFiles = OpenFiles.count
        StandardError.isJSON = !Set(arguments).isDisjoint(with: ["--json", "--ndjson"])
        do {
            defer { OpenFiles.close(after: openFiles) }
            var command = try KVTool.parseAsRoot(
                DashArguments.protected(
                    NestedCommand.ordered(ShellStart.completed(arguments))))
            if let command = command as? any ToolCommand { command.output.apply() }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            try StandardOutput.finish()
            return .success
        } catch {
            do {
                try StandardOutput.finish()
            } catch is ClosedPipe {
                if error is ClosedPipe { return .success }
            } catch {}
            return report(error, arguments)
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
            let message = error.message + hint(error, arguments)
            StandardError.writeAboutSubject(message, status: ExitStatus(error))
            return ExitStatus(error)
        case let error as ToolError: return end(error.message, error.status)
        case let error as System.Failure: return end(error.message, .failure)
        default: return reportUsage(error, arguments)
        }
    }

    /// Whether it is no command's name that the arguments begin with, or that help is asked for.
    private static func unknownCommand(_ arguments: [String]) -> ToolError? {
        var words = ShellStart.completed(arguments)[...]
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

    /// How the command could be made to work on a file of an older schema.
    private static func hint(_ error: StoreError, _ arguments: [String]) -> String {
        let option = "--upgrade"
        guard error.has(.cannotUpgradeDatabase), error.message.contains(", older than "),
            !arguments.contains(option), let table = try? CommandTable(KVTool.self),
            let command = table.command(arguments.filter { !$0.hasPrefix("-") })?.command
        else { return "" }
        let inner = command.commands.first { $0.name == command.defaultCommand }
        return (inner ?? command).option(option) == nil ? "" : "; \(option) upgrades it first"
    }

    private static func end(_ message: String, _ status: ExitStatus) -> ExitStatus {
        StandardError.write(message, status: status)
        return status
    }

    /// Help and the version are "errors" too, with the exit code of success.
    private static func reportUsage(_ error: any Error, _ arguments: [String]) -> ExitStatus {
        if let unknown = unknownCommand(arguments) { return end(unknown.message, unknown.status) }
        let text = KVTool.fullMessage(for: error)
        switch KVTool.exitCode(for: error) {
        case .success:
            StandardOutput.begin(withPager: false)
            try? StandardOutput.write(text + "\n")
            try? StandardOutput.finish()
            return .success
        case .validationFailure:
            guard StandardError.isJSON else {
                StandardError.writeUnprefixed(text)
                return .usage
            }
            return end(KVTool.message(for: error), .usage)
        default: return end("\(error)", .failure)
        }
    }
}

extension StoreError {
    /// Whether somebody has asked SQLite to stop.
    fileprivate var isAboutInterruption: Bool { domain == .sqlite && code == 9 }
}
