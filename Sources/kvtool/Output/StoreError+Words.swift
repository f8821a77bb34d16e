internal import DataFileCore

extension StoreError {
    /// What the engine advises a program that has the file open.
    private static let adviceForPrograms = "close it and open it again"

    /// Other advice of the engine, and the command that follows it.
    private static let commands = [
        ("or salvage it", "or save what is left with kvtool repair"),
        ("verify the file and fix it", "kvtool verify --fix makes it anew"),
    ]

    /// The message, with advice for a person at the command line.
    var messageForPeople: String {
        for (advice, command) in Self.commands where message.hasSuffix(advice) {
            return message.dropLast(advice.count) + command
        }
        guard message.hasSuffix(Self.adviceForPrograms) else { return message }
        let advice =
            has(.notWriteable)
            ? "see with kvtool verify whether it is whole, then try again" : "run the command again"
        return message.dropLast(Self.adviceForPrograms.count) + advice
    }
}
