internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// The arguments that all commands on a database share.
struct DatabaseArguments: ParsableArguments {
    @Argument(
        help: """
            The database, a directory NAME.cblite2; NAME.cblite2//COLLECTION/ID for what is in it.
            """,
        completion: .directory)
    var database: String

    /// How long to wait for other processes.
    @Option(name: .customLong("timeout"), parsing: .unconditional, help: TimeoutOption.help)
    var timeoutSeconds = TimeoutOption.standardSeconds

    @Option(help: KeyOption.help) var key: HiddenKey?
    @Option(name: .customLong("key-file"), help: KeyOption.fileHelp, completion: .file())
    var keyFile: String?

    @Flag(
        help: """
            Run the triggers, views and computed values that another program has added to the \
            tables of documents; a file that has some is not written to otherwise.
            """)
    var trustSchema = false

    func validate() throws {
        try TimeoutOption.validate(timeoutSeconds)
        try KeyOption.validate(key, keyFile, "--key")
        guard !path.isEmpty else { throw ValidationError(Self.emptyPath) }
    }

    /// Why `""` is refused.
    private static let emptyPath = "the database's path is empty"

    /// Those of a command that names its databases in its own way.
    static func naming(
        _ path: String, timeoutSeconds: Double = TimeoutOption.standardSeconds, _ key: KeyArguments
    ) throws -> DatabaseArguments {
        var arguments = try parse(["--timeout=\(timeoutSeconds)", "--", path])
        (arguments.key, arguments.keyFile) = (key.key, key.keyFile)
        return arguments
    }

    /// What the command line says of the database's key; nil for nothing.
    var keySource: KeySource? { KeyOption.source(key, keyFile) }

    /// The database, and what in it the argument names.
    var address: DatabaseAddress { DatabaseAddress(database) }

    /// The database's path.
    var path: String { address.path }

    /// Opens the database.
    ///
    /// - Parameters:
    ///   - upgrades: whether a file of an older schema may be upgraded, which its own application
    ///     may then not read any more.
    ///   - usesKey: whether it is opened with its key, which may be asked for.
    func open(
        _ access: DataFileOptions.Access = .readOnly, upgrades: Bool = false, usesKey: Bool = true
    ) throws -> DataFile {
        let own = Int(timeoutSeconds * 1000)
        let timeout = access == .readOnly ? OpenShell.current.timeoutMilliseconds ?? own : own
        var options = DataFileOptions.tool(
            access, timeoutMilliseconds: timeout, upgrades: upgrades)
        options.trustsSchema = trustSchema
        // Of commands on two databases the other one comes here unseen.
        guard !path.isEmpty else { throw ToolError(Self.emptyPath, status: .usage) }
        if access != .readOnly {
            try OpenShell.current.requireWritable()
            guard !address.isBareFile else {
                throw ToolError(
                    "\(Text.line(database)) does not lie in a directory NAME.cblite2, so it is only "
                        + "read; move it into one to change it", status: .usage)
            }
        }
        try OpenShell.current.requireNoTransaction(on: path)
        let file = try DatabaseAddress.open(path, options, key: keySource, usesKey: usesKey)
        OpenFiles.current.add(file)
        StandardError.current.addSubject(file.path)
        if file.isImmutable {
            StandardError.current.write(
                "note: \(file.path) cannot be locked here, so what a running application has "
                    + "not yet moved out of its log is not seen")
        }
        return file
    }

    /// Opens a database that is copied as a whole; the key that the command line says must be its
    /// own, since the copy has the same, or none.
    func openForCopy() throws -> DataFile {
        let file = try open()
        guard keySource == nil || file.options.encryption != nil else {
            throw ToolError(
                "\(file.path) is not encrypted, and a copy would not be; leave the key out, then "
                    + "encrypt the copy with kvtool encrypt", status: .usage)
        }
        return file
    }

    /// The transaction of the shell that the command works in, if there is one.
    private func held() -> HeldTransaction? {
        let held = OpenShell.current.transaction(on: path)
        if let held { StandardError.current.addSubject(held.file.path) }
        return held
    }

    /// Runs `body` on a snapshot; Ctrl-C ends the statement that runs.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (DataFile, Snapshot) throws -> T
    ) async throws -> T {
        if let held = held() {
            return try await held.perform { [file = held.file] snapshot in
                try CollectionHint.adding(in: snapshot) { try body(file, snapshot) }
            }
        }
        let file = try open()
        return try await file.reading { snapshot in
            try CollectionHint.adding(in: snapshot) { try body(file, snapshot) }
        }
    }

    /// Runs `body` in a transaction; Ctrl-C takes it back. The file is closed after it.
    func write<T: Sendable>(
        upgrades: Bool = false, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        let hinting: @Sendable (Transaction) throws -> T = { transaction in
            try CollectionHint.adding(in: transaction) { try body(transaction) }
        }
        if let held = held() { return try await held.perform(hinting) }
        let file = try open(.readWrite, upgrades: upgrades)
        let result = try await file.writing { try hinting($0) }
        file.close()
        return result
    }
}

/// The option of commands that write, for files that an older version made.
struct UpgradeArguments: ParsableArguments {
    @Flag(
        help: """
            Upgrade a file of an older schema first; the application that made it may then not \
            open it any more.
            """)
    var upgrade = false
}

/// What `--timeout` is, of every command that has it.
enum TimeoutOption {
    /// What holds without it: what the shell was told, in the shell.
    static var standardSeconds: Double {
        OpenShell.current.timeoutMilliseconds.map { Double($0) / 1000 } ?? 10
    }

    static let help = ArgumentHelp(
        "How many seconds to wait while another process locks the file.", valueName: "seconds")

    static func validate(_ seconds: Double) throws {
        guard seconds >= 0, seconds <= 86_400 else {
            throw ValidationError("--timeout takes 0 to 86400 seconds")
        }
    }
}

/// Throws what is said of an option, as `--limit`, that takes 0 or more and has got less.
func requireNotNegative(_ option: String, _ value: (some BinaryInteger)?) throws {
    guard let value, value < 0 else { return }
    throw ValidationError("\(option) takes 0 or more")
}
