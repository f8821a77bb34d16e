/// A confirmation prompt for destructive commands. Without a terminal, the command line must
/// contain `--yes`.
package struct Confirmation: Sendable {
    /// Whether the command line contains `--yes`.
    package let isGiven: Bool
    /// The operation that needs confirmation, for the error without a terminal.
    package let reason: String
    /// The error message if the user declines.
    package let refusal: String
    /// The prompt for this number of items.
    let prompt: @Sendable (_ count: Int) -> String

    package init(
        isGiven: Bool, reason: String, refusal: String,
        prompt: @escaping @Sendable (_ count: Int) -> String
    ) {
        self.isGiven = isGiven
        self.reason = reason
        self.refusal = refusal
        self.prompt = prompt
    }

    /// Throws if the number exceeds the confirmed number, which rolls back the transaction.
    package typealias Check = @Sendable (_ count: Int) throws -> Void

    /// Thrown to roll back a transaction that needs confirmation.
    private struct Unconfirmed: Error {
        let count: Int
    }

    /// Throws if confirmation is required but there is no terminal to prompt at.
    package func requireConfirmation() throws {
        guard !isGiven, !Prompt.canPrompt else { return }
        throw ToolError(
            "confirmation is required, but there is no terminal (\(reason)); use --yes",
            status: .usage)
    }

    /// Prompts; throws if the user declines or there is no terminal.
    package func ask(_ count: Int) throws {
        guard !isGiven else { return }
        try requireConfirmation()
        guard Prompt.confirm(prompt(count)) else { throw ToolError(refusal) }
    }

    /// Runs a change in its own transaction. The transaction is rolled back before the prompt and
    /// runs again after it, so that it holds no locks while the user decides, and changes no more
    /// than the user has confirmed.
    ///
    /// - Parameters:
    ///   - needsConfirmation: whether this number needs confirmation.
    ///   - change: the change, which calls `check` with its count inside its transaction.
    package func run<T>(
        needsConfirmation: @escaping @Sendable (_ count: Int) -> Bool,
        _ change: (_ check: @escaping Check) async throws -> T
    ) async throws -> T {
        var confirmed = 0
        while true {
            let limit = confirmed
            do {
                return try await change { count in
                    guard !isGiven, count > limit, needsConfirmation(count) else { return }
                    try requireConfirmation()
                    throw Unconfirmed(count: count)
                }
            } catch let unconfirmed as Unconfirmed {
                try ask(unconfirmed.count)
                confirmed = unconfirmed.count
            }
        }
    }
}

/// A prompt at the terminal.
package enum Prompt {
    /// Whether there is a terminal, and the command is that of the person there.
    package static var canPrompt: Bool {
        System.isTerminal(System.standardInput) && System.isTerminal(System.standardError)
            && StandardError.current.descriptor >= 0
    }

    /// Prompts for yes or no; an empty response means no.
    package static func confirm(_ prompt: String) -> Bool {
        StandardError.current.writePrompt("\(prompt) [y/N] ")
        let response = (readLine() ?? "").lowercased()
        return response == "y" || response == "yes"
    }
}
