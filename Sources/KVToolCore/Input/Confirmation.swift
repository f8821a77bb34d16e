/// Asks before something is destroyed, and says how much; where nobody can be asked, the command
/// line must say `--yes`.
package struct Confirmation: Sendable {
    /// Whether the command line says so.
    package let isGiven: Bool
    /// What the command does that has to be confirmed, where nobody can be asked.
    package let reason: String
    /// What is said when the answer is no.
    package let refusal: String
    /// The question about so many.
    let question: @Sendable (_ count: Int) -> String

    package init(
        isGiven: Bool, reason: String, refusal: String,
        question: @escaping @Sendable (_ count: Int) -> String
    ) {
        self.isGiven = isGiven
        self.reason = reason
        self.refusal = refusal
        self.question = question
    }

    /// Throws if so many are more than anybody has agreed to, which undoes the transaction.
    package typealias Check = @Sendable (_ count: Int) throws -> Void

    /// The end of a transaction that a person is asked about.
    private struct Unconfirmed: Error {
        let count: Int
    }

    /// Throws if `--yes` is not given and nobody can be asked.
    package func requireAnswer() throws {
        guard !isGiven, !Question.canPrompt else { return }
        throw ToolError("\(reason), and nobody can be asked here; say --yes", status: .usage)
    }

    /// Asks; throws if the answer is no, or nobody can be asked.
    package func ask(_ count: Int) throws {
        guard !isGiven else { return }
        try requireAnswer()
        guard Question.ask(question(count)) else { throw ToolError(refusal) }
    }

    /// Runs a change in a transaction of its own. The transaction is undone while a person thinks,
    /// and then runs again, so that it locks nobody out and changes no more than was agreed to.
    ///
    /// - Parameters:
    ///   - needsAnswer: whether so many have to be confirmed.
    ///   - change: the change, which calls `check` in its transaction with what it has counted.
    package func run<T>(
        needsAnswer: @escaping @Sendable (_ count: Int) -> Bool,
        _ change: (_ check: @escaping Check) async throws -> T
    ) async throws -> T {
        var confirmed = 0
        while true {
            let limit = confirmed
            do {
                return try await change { count in
                    guard !isGiven, count > limit, needsAnswer(count) else { return }
                    try requireAnswer()
                    throw Unconfirmed(count: count)
                }
            } catch let unconfirmed as Unconfirmed {
                try ask(unconfirmed.count)
                confirmed = unconfirmed.count
            }
        }
    }
}

/// A question to the person at the terminal.
package enum Question {
    /// Whether there is one.
    package static var canPrompt: Bool {
        System.isTerminal(System.standardInput) && System.isTerminal(System.standardError)
    }

    /// Whether the answer is yes; nothing at all means no.
    package static func ask(_ question: String) -> Bool {
        StandardError.current.writePrompt("\(question) [y/N] ")
        let answer = (readLine() ?? "").lowercased()
        return answer == "y" || answer == "yes"
    }
}
