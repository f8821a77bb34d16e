internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import SQLCore
internal import SQLPlus

/// `kvtool encrypt DATABASE`
struct EncryptCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt", abstract: "Encrypts a database and its blobs in place.",
        discussion: """
            Examples:
              kvtool encrypt people.cblite2
              kvtool encrypt people.cblite2 --new-key-file people.key
              kvtool encrypt people.cblite2 --blob-names digests

            kvtool asks for the key twice, unless --new-key-file, --new-key or the variable \
            KVTOOL_NEW_KEY gives it. Without the key the database cannot be read, so keep a copy \
            of the key.

            No other process may have the database open. After a crash the database is either \
            unchanged or encrypted. Content of the old files can stay on the disk until the system \
            reuses that space, and copies and dumps made before are not encrypted.

            The files of blobs get names that reveal nothing; with --blob-names digests they keep \
            the digests as names, by which others can recognize a file that they know.
            """)

    /// How files of blobs are named.
    enum NamesOfBlobs: String, CaseIterable, ExpressibleByArgument {
        case keyed, digests

        var names: BlobNames { self == .keyed ? .keyed : .digests }
    }

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var newKey: NewKeyArguments
    @Option(
        name: .customLong("blob-names"),
        help: ArgumentHelp("Names of the files of blobs: keyed or digests.", valueName: "how"))
    var blobNames = NamesOfBlobs.keyed
    @OptionGroup var output: OutputArguments

    func validate() throws {
        guard database.keySource == nil else {
            throw ValidationError(
                "--key is for an encrypted database; --new-key-file FILE gives the new key")
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

    /// Returns the path of the database, after opening it to check that it is one and not
    /// encrypted. A key given for other databases does not apply.
    private func requirePlain() throws -> String {
        do {
            let file = try database.open(usesKey: false)
            file.close()
            return file.path
        } catch let error as StoreError where error.encryption == .keyRequired {
            throw ToolError(
                "\(database.path) is encrypted already; rekey changes its key",
                status: .conflict)
        }
    }
}

/// The report of a change of encryption.
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
        let words = action == "rekeyed" ? "Changed the key of" : action.capitalizedFirst
        try StandardOutput.current.write("\(words) \(Text.line(path))\n")
    }
}

extension EngineTask {
    private static let pause = Duration.milliseconds(50)

    /// Runs an operation that needs exclusive access to a database; cancelling the task stops it
    /// before it changes the database.
    ///
    /// - Parameter seconds: how long to retry while another connection has the database open.
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
        commandName: "rekey", abstract: "Changes the key of an encrypted database in place.",
        discussion: """
            Examples:
              kvtool rekey people.cblite2
              kvtool rekey people.cblite2 --key-file old.key --new-key-file new.key

            The old key is given as for all commands. kvtool asks for the new one twice, unless \
            --new-key-file, --new-key or the variable KVTOOL_NEW_KEY gives it. Blobs are not \
            rewritten: their key is stored in the database.

            No other process may have the database open. After a crash it has either the old or \
            the new key.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var newKey: NewKeyArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try OpenShell.current.refuse("rekey")
        let (path, old) = try database.requireEncrypted()
        let new = try newKey.read()
        guard new != old else {
            throw ToolError("the new key is the current key of \(path)", status: .usage)
        }
        try await EngineTask.rekey.run(waitingSeconds: database.timeoutSeconds) {
            do {
                try DataFile.rekey(path: path, from: old, to: new)
            } catch let error as StoreError where error.isAboutSalt {
                // Retrying does not change the salt.
                throw ToolError(error.message, status: .usage)
            }
        }
        try EncryptionReport(command: "rekey", action: "rekeyed", path: path).write(output)
    }
}

extension DatabaseArguments {
    /// Returns the path of the database and its key, after opening it to check the key.
    func requireEncrypted() throws -> (path: String, key: EncryptionKey) {
        let file = try open()
        file.close()
        guard let key = file.options.key else {
            throw ToolError("\(file.path) is not encrypted", status: .conflict)
        }
        return (file.path, key)
    }
}
