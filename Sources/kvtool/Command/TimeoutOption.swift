internal import ArgumentParser

/// What `--timeout` is, of every command that has it.
enum TimeoutOption {
    /// What holds without it: what the shell was told, in the shell.
    static var standardSeconds: Double {
        OpenShell.timeoutMilliseconds.map { Double($0) / 1000 } ?? 10
    }

    static let help = ArgumentHelp(
        "How many seconds to wait while another process locks the file.", valueName: "seconds")

    static func validate(_ seconds: Double) throws {
        guard seconds >= 0, seconds <= 86_400 else {
            throw ValidationError("--timeout takes 0 to 86400 seconds")
        }
    }
}
