internal import DocumentStore
internal import SQLCore
internal import SQLPlus

extension StoreError {
    /// What the engine advises a program that has the file open.
    private static let adviceForPrograms = "close it and open it again"

    /// Other advice of the engine, and the command that follows it.
    private static let commands = [
        ("or salvage it", "or save what is left with kvtool repair"),
        ("verify the file and fix it", "kvtool verify --fix makes it anew"),
        ("or open the file with trustsSchema", "or say --trust-schema"),
        ("open it with its key", "give its key with --key-file FILE"),
    ]

    /// What an encrypted file has said, if that is the reason.
    var encryption: EncryptionError? { underlying as? EncryptionError }

    /// Whether a new key brings a salt, and the file has another one.
    var isAboutSalt: Bool { encryption == .otherSalt }

    /// Whether the file would have to be upgraded first.
    var isAboutOlderSchema: Bool {
        has(.cannotUpgradeDatabase) && message.contains(", older than ")
    }

    /// The message, with advice for a person at the command line.
    var messageForPeople: String {
        guard encryption != .wrongKeyOrNotADatabase else {
            return message + "; give another key with --key-file FILE. What the Enterprise Edition "
                + "of Couchbase Lite has encrypted cannot be opened here"
        }
        return Self.forPeople(message, isUnwritten: has(.notWriteable))
    }

    /// What the engine says, with advice for a person at the command line.
    static func forPeople(_ message: String, isUnwritten: Bool = false) -> String {
        for (advice, command) in commands where message.hasSuffix(advice) {
            return message.dropLast(advice.count) + command
        }
        guard message.hasSuffix(adviceForPrograms) else { return message }
        let advice =
            isUnwritten
            ? "see with kvtool verify whether it is whole, then try again" : "run the command again"
        return message.dropLast(adviceForPrograms.count) + advice
    }
}
