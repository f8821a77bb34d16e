internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// The arguments shared by all commands on a database.
struct DatabaseArguments: ParsableArguments {
    @Argument(
        help: """
            The database, a directory NAME.cblite2; NAME.cblite2//COLLECTION/ID for part of it.
            """,
        completion: .directory)
    var database: String

    /// How long to wait for locks held by other processes.
    @Option(name: .customLong("timeout"), parsing: .unconditional, help: TimeoutOption.help)
    var timeoutSeconds = TimeoutOption.standardSeconds

    @Option(help: KeyOption.help) var key: HiddenKey?
    @Option(name: .customLong("key-file"), help: KeyOption.fileHelp, completion: .file())
    var keyFile: String?

    @Flag(
        help: """
            Run the triggers, views and generated columns that another program has added to the \
            tables of documents; without this option a file that has them is read-only.
            """)
    var trustSchema = false

    func validate() throws {
        try TimeoutOption.validate(timeoutSeconds)
        try KeyOption.validate(key, keyFile, "--key")
        guard !path.isEmpty else { throw ValidationError(Self.emptyPath) }
    }

    /// The error for an empty path.
    private static let emptyPath = "the database's path is empty"

    /// Creates the arguments for a command that declares its databases itself.
    static func naming(
        _ path: String, timeoutSeconds: Double = TimeoutOption.standardSeconds, _ key: KeyArguments
    ) throws -> DatabaseArguments {
        var arguments = try parse(["--timeout=\(timeoutSeconds)", "--", path])
        (arguments.key, arguments.keyFile) = (key.key, key.keyFile)
        return arguments
    }

    /// The database key that the command line gives, nil if it gives none.
    var keySource: KeySource? { KeyOption.source(key, keyFile) }

    /// The database and the part of it that the argument names.
    var address: DatabaseAddress { DatabaseAddress(database) }

    /// The database's path.
    var path: String { address.path }

    /// Opens the database.
    ///
    /// - Parameters:
    ///   - upgrades: whether to upgrade a file with an older schema, which the application that
    ///     created it may then be unable to read.
    ///   - usesKey: whether to open it with its key, prompting for it if necessary.
    func open(
        _ access: DataFileOptions.Access = .readOnly, upgrades: Bool = false, usesKey: Bool = true
    ) throws -> DataFile {
        let own = Int(timeoutSeconds * 1000)
        let timeout = access == .readOnly ? OpenShell.current.timeoutMilliseconds ?? own : own
        var options = DataFileOptions.tool(
            access, timeoutMilliseconds: timeout, upgrades: upgrades)
        options.trustsSchema = trustSchema
        // `validate` has not checked the second database of a command.
        guard !path.isEmpty else { throw ToolError(Self.emptyPath, status: .usage) }
        if access != .readOnly {
            try OpenShell.current.requireWritable()
            guard !address.isBareFile else {
                throw ToolError(
                    "\(Text.line(database)) is not in a directory NAME.cblite2, so it can only be "
                        + "read; move it into one to change it", status: .usage)
            }
        }
        try OpenShell.current.requireNoTransaction(on: path)
        let file = try DatabaseAddress.open(path, options, key: keySource, usesKey: usesKey)
        OpenFiles.current.add(file)
        StandardError.current.addSubject(file.path)
        if file.isImmutable {
            StandardError.current.write(
                "note: \(file.path) cannot be locked here, so changes that a running application "
                    + "has not yet checkpointed are not visible")
        }
        return file
    }

    /// Opens a database to copy the whole file; a key on the command line must be its own, since
    /// the copy has the same key or none.
    func openForCopy() throws -> DataFile {
        let file = try open()
        guard keySource == nil || file.options.encryption != nil else {
            throw ToolError(
                "\(file.path) is not encrypted, and neither would be the copy; omit the key, then "
                    + "encrypt the copy with kvtool encrypt", status: .usage)
        }
        return file
    }

    /// Returns the shell's transaction that the command runs in, if there is one.
    private func held() -> HeldTransaction? {
        let held = OpenShell.current.transaction(on: path)
        if let held { StandardError.current.addSubject(held.file.path) }
        return held
    }

    /// Runs `body` on a snapshot; Ctrl-C interrupts the running statement.
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

    /// Runs `body` in a transaction, then closes the file; Ctrl-C rolls the transaction back.
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

/// The option of commands that write, for files created by an older version.
struct UpgradeArguments: ParsableArguments {
    @Flag(
        help: """
            Upgrade a file with an older schema first; the application that created it may then \
            be unable to open it.
            """)
    var upgrade = false
}

/// The option `--timeout`, common to all commands that have it.
enum TimeoutOption {
    /// The default: the value that the shell was started with, or 10 seconds.
    static var standardSeconds: Double {
        OpenShell.current.timeoutMilliseconds.map { Double($0) / 1000 } ?? 10
    }

    static let help = ArgumentHelp(
        "Seconds to wait while another process locks the file.", valueName: "seconds")

    static func validate(_ seconds: Double) throws {
        guard seconds >= 0, seconds <= 86_400 else {
            throw ValidationError("--timeout takes 0 to 86400 seconds")
        }
    }
}

/// Throws the error for an option such as `--limit` that got a negative value.
func requireNotNegative(_ option: String, _ value: (some BinaryInteger)?) throws {
    guard let value, value < 0 else { return }
    throw ValidationError("\(option) takes 0 or more")
}
