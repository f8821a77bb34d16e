internal import ArgumentParser

/// What `--timeout` is, of every command that has it.
enum TimeoutOption {
    static let standardSeconds = 10.0

    static let help = ArgumentHelp(
        "How many seconds to wait while another process locks the file.", valueName: "seconds")

    static func validate(_ seconds: Double) throws {
        guard seconds >= 0, seconds <= 86_400 else {
            throw ValidationError("--timeout takes 0 to 86400 seconds")
        }
    }
}
