internal import ArgumentParser
internal import DataFileCore

/// Runs a command line and turns what happened into an exit status.
enum CommandRunner {
    /// The exit status of the command line without the program's name.
    static func run(_ arguments: [String]) -> Int32 {
        do {
            var command = try KVTool.parseAsRoot(DashArguments.protected(arguments))
            try command.run()
            try StandardOutput.flush()
            return ExitStatus.success.rawValue
        } catch {
            try? StandardOutput.flush()
            return report(error)
        }
    }

    private static func report(_ error: any Error) -> Int32 {
        switch error {
        case let error as ReportedFailure:
            return error.status.rawValue
        case let error as StoreError:
            StandardError.writeAboutSubject(error.message)
            return ExitStatus(error).rawValue
        case let error as ToolError:
            StandardError.write(error.message)
            return error.status.rawValue
        default:
            return reportUsage(error)
        }
    }

    /// Help and the version are "errors" too, with the exit code of success.
    private static func reportUsage(_ error: any Error) -> Int32 {
        let text = KVTool.fullMessage(for: error)
        switch KVTool.exitCode(for: error) {
        case .success:
            try? StandardOutput.write(text + "\n")
            try? StandardOutput.flush()
            return ExitStatus.success.rawValue
        case .validationFailure:
            StandardError.writeUnprefixed(text)
            return ExitStatus.usage.rawValue
        default:
            StandardError.write("\(error)")
            return ExitStatus.failure.rawValue
        }
    }
}
