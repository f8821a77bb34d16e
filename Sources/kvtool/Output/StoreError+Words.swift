internal import DataFileCore

extension StoreError {
    /// What the engine advises a program that has the file open.
    private static let adviceForPrograms = "close it and open it again"

    /// The message, with advice for a person at the command line.
    var messageForPeople: String {
        guard message.hasSuffix(Self.adviceForPrograms) else { return message }
        let advice =
            has(.notWriteable)
            ? "see with kvtool verify whether it is whole, then try again" : "run the command again"
        return message.dropLast(Self.adviceForPrograms.count) + advice
    }
}
