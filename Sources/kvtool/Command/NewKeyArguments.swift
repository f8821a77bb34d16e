internal import ArgumentParser
internal import SQLPlus

/// The options for the key that a database gets.
struct NewKeyArguments: ParsableArguments {
    /// What says it where the command line does not.
    private static let variable = "KVTOOL_NEW_KEY"

    @Option(
        name: .customLong("new-key"),
        help: ArgumentHelp(
            """
            The key it gets, as --key takes one. It stays in the history of your shell: better use \
            --new-key-file.
            """, valueName: "key"))
    var key: HiddenKey?
    @Option(
        name: .customLong("new-key-file"),
        help: ArgumentHelp("A file that holds the key it gets.", valueName: "file"),
        completion: .file())
    var file: String?

    func validate() throws { try KeyOption.validate(key, file, "--new-key") }

    /// The key; the person at the terminal is asked for it where nothing says it.
    func read() throws -> EncryptionKey {
        if let source = KeyOption.source(key, file) ?? .environment(Self.variable) {
            return try DatabaseKeys.read(source)
        }
        guard Question.canAsk else {
            throw ToolError("the new key is missing; --new-key-file FILE gives it", status: .usage)
        }
        return try KeyPrompt.askTwice()
    }
}
