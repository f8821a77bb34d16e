internal import ArgumentParser
internal import DocumentStore

/// `kvtool decrypt DATABASE`
struct DecryptCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "decrypt",
        abstract: "Makes an encrypted database and its blobs plain, in place.",
        discussion: """
            Examples:
              kvtool decrypt people.cblite2
              kvtool decrypt people.cblite2 --key-file people.key

            Nobody may have the database open. After a crash it is as it was, or plain.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try OpenShell.refuse("decrypt")
        let (path, key) = try database.requireEncrypted()
        try await EngineTask.decrypt.run(waitingSeconds: database.timeoutSeconds) {
            try DataFile.decrypt(path: path, key: key)
        }
        try EncryptionReport(command: "decrypt", action: "decrypted", path: path).write(output)
    }
}
