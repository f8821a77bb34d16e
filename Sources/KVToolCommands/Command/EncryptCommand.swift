internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import SQLCore
internal import SQLPlus

/// `kvtool encrypt DATABASE`
struct EncryptCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt", abstract: "Encrypts a database and its blobs, in place.",
        discussion: """
            Examples:
              kvtool encrypt people.cblite2
              kvtool encrypt people.cblite2 --new-key-file people.key
              kvtool encrypt people.cblite2 --blob-names digests

            The key is asked for twice, unless --new-key-file, --new-key or the variable \
            KVTOOL_NEW_KEY says it. Without the key nobody can read the database any more, so keep \
            a copy of it.

            Nobody may have the database open. After a crash it is as it was, or encrypted. What \
            was in the old files can stay on the disk until the system uses that room again, and \
            copies and dumps that were made before stay plain.

            The files of blobs get names that say nothing; with --blob-names digests they keep \
            those of the digests, by which others can tell a file that they know.
            """)

    /// How the files of blobs are named.
    enum NamesOfBlobs: String, CaseIterable, ExpressibleByArgument {
        case keyed, digests

        var names: BlobNames { self == .keyed ? .keyed : .digests }
    }

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var newKey: NewKeyArguments
    @Option(
        name: .customLong("blob-names"),
        help: ArgumentHelp("How the files of blobs are named: keyed or digests.", valueName: "how"))
    var blobNames = NamesOfBlobs.keyed
    @OptionGroup var output: OutputArguments

    func validate() throws {
        guard database.keySource == nil else {
            throw ValidationError(
                "--key is for a database that is encrypted; --new-key-file FILE gives the new key")
        }
    }

    func run() async throws {
        try OpenShell.current.refuse("encrypt")
        let path = try requirePlain()
        let key = try newKey.read()
        try await EngineTask.encrypt.run(waitingSeconds: database.timeoutSeconds) {
            try DataFile.encrypt(path: path, key: key, blobNames: blobNames.names)
        }
        try EncryptionReport(command: "encrypt", action: "encrypted", path: path).write(output)
    }

    /// The path of the database, which is opened to see that it is one and has no key. A key that
    /// is said for others is of no use here.
    private func requirePlain() throws -> String {
        do {
            let file = try database.open(usesKey: false)
            file.close()
            return file.path
        } catch let error as StoreError where error.encryption == .keyRequired {
            throw ToolError(
                "\(database.path) is encrypted already; rekey gives it another key",
                status: .conflict)
        }
    }
}

/// What has become of a database, in words and for programs.
struct EncryptionReport: OneReport {
    let command: String
    /// `encrypted`, `decrypted` or `rekeyed`.
    let action: String
    let path: String

    var schema: String { command }
    let columns = [Column("database", "Database"), Column("action", "Action")]
    var rows: [[Cell]] { [[.text(path), .text(action)]] }

    var properties: JSONObject {
        var object = JSONObject()
        object.add("database", path)
        object.add("action", action)
        return object
    }

    func writeText() throws {
        let words = action == "rekeyed" ? "Gave a new key to" : action.capitalizedFirst
        try StandardOutput.current.write("\(words) \(Text.line(path))\n")
    }
}

extension EngineTask {
    private static let pause = Duration.milliseconds(50)

    /// Runs what needs a database for itself, and ends when the task is cancelled, before the
    /// database is another one.
    ///
    /// - Parameter seconds: how long it is tried again while somebody has the database open.
    func run(waitingSeconds seconds: Double, _ body: () throws -> Void) async throws {
        try await EngineProgress(self).run(stopped: "nothing was changed") { _ in
            try await Self.retrying(seconds, body)
        }
    }

    private static func retrying(_ seconds: Double, _ body: () throws -> Void) async throws {
        let end = System.nanoseconds + UInt64(seconds * 1e9)
        while true {
            do {
                return try body()
            } catch let error as StoreError where error.has(.busy) && System.nanoseconds < end {
                try await Task.sleep(for: pause)
            }
        }
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

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
        try OpenShell.current.refuse("rekey")
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
