internal import ArgumentParser
package import KVToolCore
internal import SQLPlus

extension HiddenKey: ExpressibleByArgument {
    package init?(argument: String) { self.init(mark: argument) }
}

/// The options for keys, common to all commands that have them.
enum KeyOption {
    static let help = ArgumentHelp(
        """
        Key of the encrypted database: a passphrase, or x'…' with 64 or 96 hexadecimal digits. It \
        stays in the history of your shell; prefer --key-file.
        """, valueName: "key")

    static let fileHelp = ArgumentHelp(
        "File with the key; a line break at its end is ignored.", valueName: "file")

    /// Returns the key that an option or its counterpart with a file gives.
    static func source(_ key: HiddenKey?, _ file: String?) -> KeySource? {
        key.map(KeySource.typed) ?? file.map { KeySource.file($0) }
    }

    /// - Parameter name: the option whose value is the key itself.
    static func validate(_ key: HiddenKey?, _ file: String?, _ name: String) throws {
        guard key == nil || file == nil else {
            throw ValidationError("\(name) and \(name)-file exclude each other")
        }
        guard file != "-" else {
            throw ValidationError("\(name)-file takes a file, not standard input")
        }
    }
}

/// The key options of commands without ``DatabaseArguments``.
struct KeyArguments: ParsableArguments {
    @Option(help: KeyOption.help) var key: HiddenKey?
    @Option(name: .customLong("key-file"), help: KeyOption.fileHelp, completion: .file())
    var keyFile: String?

    func validate() throws { try KeyOption.validate(key, keyFile, "--key") }

    /// The key that the options give, nil without them.
    var source: KeySource? { KeyOption.source(key, keyFile) }
}

/// The options for the new key of a database.
struct NewKeyArguments: ParsableArguments {
    /// The variable that gives the key if no option does.
    private static let variable = "KVTOOL_NEW_KEY"

    @Option(
        name: .customLong("new-key"),
        help: ArgumentHelp(
            """
            The new key, in the form of --key. It stays in the history of your shell; prefer \
            --new-key-file.
            """, valueName: "key"))
    var key: HiddenKey?
    @Option(
        name: .customLong("new-key-file"),
        help: ArgumentHelp("File with the new key.", valueName: "file"),
        completion: .file())
    var file: String?

    func validate() throws { try KeyOption.validate(key, file, "--new-key") }

    /// Returns the new key, prompting for it if neither an option nor the variable gives it.
    func read() throws -> EncryptionKey {
        if let source = KeyOption.source(key, file) ?? .environment(Self.variable) {
            return try DatabaseKeys.current.read(source)
        }
        guard Prompt.canPrompt else {
            throw ToolError("a new key is required; use --new-key-file FILE", status: .usage)
        }
        return try KeyPrompt.promptTwice()
    }
}
