internal import ArgumentParser
package import KVToolCore
internal import SQLPlus

extension HiddenKey: ExpressibleByArgument {
    package init?(argument: String) { self.init(mark: argument) }
}

/// What the options for keys are, of every command that has them.
enum KeyOption {
    static let help = ArgumentHelp(
        """
        The key of an encrypted database: a passphrase, or x'…' with 64 or 96 hexadecimal digits. \
        It stays in the history of your shell: better use --key-file.
        """, valueName: "key")

    static let fileHelp = ArgumentHelp(
        "A file that holds the key; a line's end behind it does not count.", valueName: "file")

    /// What an option and the one with a file say together.
    static func source(_ key: HiddenKey?, _ file: String?) -> KeySource? {
        key.map(KeySource.typed) ?? file.map { KeySource.file($0) }
    }

    /// - Parameter name: of the option whose value is the key itself.
    static func validate(_ key: HiddenKey?, _ file: String?, _ name: String) throws {
        guard key == nil || file == nil else {
            throw ValidationError("\(name) or \(name)-file, not both")
        }
        guard file != "-" else {
            throw ValidationError("\(name)-file takes a file; - is none for a key")
        }
    }
}

/// The options for the key of commands that have no ``DatabaseArguments``.
struct KeyArguments: ParsableArguments {
    @Option(help: KeyOption.help) var key: HiddenKey?
    @Option(name: .customLong("key-file"), help: KeyOption.fileHelp, completion: .file())
    var keyFile: String?

    func validate() throws { try KeyOption.validate(key, keyFile, "--key") }

    /// What they say; nil for nothing.
    var source: KeySource? { KeyOption.source(key, keyFile) }
}

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
            return try DatabaseKeys.current.read(source)
        }
        guard Question.canPrompt else {
            throw ToolError("the new key is missing; --new-key-file FILE gives it", status: .usage)
        }
        return try KeyPrompt.promptTwice()
    }
}
