/// A question to the person at the terminal.
enum Question {
    /// Whether there is one.
    static var canAsk: Bool {
        System.isTerminal(System.standardInput) && System.isTerminal(System.standardError)
    }

    /// Whether the answer is yes; nothing at all means no.
    static func ask(_ question: String) -> Bool {
        StandardError.writePrompt("\(question) [y/N] ")
        let answer = (readLine() ?? "").lowercased()
        return answer == "y" || answer == "yes"
    }
}
