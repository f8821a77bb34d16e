internal import ArgumentParser
internal import DocumentStore
internal import SQLPlus

/// `kvtool rekey DATABASE`
struct RekeyCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey", abstract: "Gives an encrypted database another key, in place.",
        discussion: """
            Examples:
              kvtool rekey people.cblite2
              kvtool rekey people.cblite2 --key-file old.key --new-key-file new.key

            The old key is said as for all commands. The new one is asked for twice, unless \
            --new-key-file, --new-key or the variable KVTOOL_NEW_KEY says it. Blobs stay as they \
            are: their key is in the database.

            Nobody may have the database open. After a crash it has the old key or the new one.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var newKey: NewKeyArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try OpenShell.refuse("rekey")
        let (path, old) = try database.requireEncrypted()
        let new = try newKey.read()
        guard new != old else {
            throw ToolError("the new key is the one that \(path) has", status: .usage)
        }
        try await EngineTask.rekey.run(waitingSeconds: database.timeoutSeconds) {
            do {
                try DataFile.rekey(path: path, from: old, to: new)
            } catch let error as StoreError where error.isAboutSalt {
                // No waiting gives the file another one.
                throw ToolError(error.message, status: .usage)
            }
        }
        try EncryptionReport(command: "rekey", action: "rekeyed", path: path).write(output)
    }
}

extension DatabaseArguments {
    /// The path of the database and its key, with which it is opened to see that it is right.
    func requireEncrypted() throws -> (path: String, key: EncryptionKey) {
        let file = try open()
        file.close()
        guard let key = file.options.key else {
            throw ToolError("\(file.path) is not encrypted", status: .conflict)
        }
        return (file.path, key)
    }
}
