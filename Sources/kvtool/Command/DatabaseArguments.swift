internal import ArgumentParser
internal import DataFileCore

/// The arguments that all commands on a database share.
struct DatabaseArguments: ParsableArguments {
    @Argument(
        help: """
            The database, a folder NAME.cblite2; NAME.cblite2//COLLECTION/ID for what is in it.
            """,
        completion: .directory)
    var database: String

    @Option(
        name: .customLong("timeout"),
        help: ArgumentHelp(
            "How many seconds to wait while another process locks the file.",
            valueName: "seconds"))
    var timeoutSeconds = 10.0

    func validate() throws {
        guard timeoutSeconds >= 0, timeoutSeconds <= 86_400 else {
            throw ValidationError("--timeout takes 0 to 86400 seconds")
        }
    }

    /// The database, and what in it the argument names.
    var address: DatabaseAddress { DatabaseAddress(database) }

    /// The database's path.
    var path: String { address.path }

    /// Opens the database.
    ///
    /// - Parameter upgrades: whether a file of an older schema may be upgraded, which its own
    ///   application may then not read any more.
    func open(
        _ access: DataFileOptions.Access = .readOnly, upgrades: Bool = false
    ) throws -> DataFile {
        var options = DataFileOptions(access: access)
        options.busyTimeoutMilliseconds = Int(timeoutSeconds * 1000)
        // A tool changes what it is asked to change, and nothing else.
        options.upgrade = upgrades ? .onFirstWrite : .never
        options.housekeeping = false
        options.logger = NoteHandler.logger
        guard !path.isEmpty else { throw ToolError("the database's path is empty") }
        if access != .readOnly { try OpenShell.requireWritable() }
        let file = try DataFile(path: path, options: options)
        OpenFiles.add(file)
        StandardError.setSubject(file.path)
        if file.isImmutable {
            StandardError.write(
                "note: \(file.path) cannot be locked here, so what a running application has "
                    + "not yet moved out of its log is not seen")
        }
        return file
    }

    /// Runs `body` on a snapshot; Ctrl-C ends the statement that runs.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (DataFile, Snapshot) throws -> T
    ) async throws -> T {
        let file = try open()
        return try await file.read { try body(file, $0) }
    }

    /// Runs `body` in a transaction; Ctrl-C takes it back. The file is closed after it.
    func write<T: Sendable>(
        upgrades: Bool = false, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        let file = try open(.readWrite, upgrades: upgrades)
        let result = try await file.write { try body($0) }
        file.close()
        return result
    }
}

/// The arguments of commands on a collection.
struct CollectionArguments: ParsableArguments {
    @OptionGroup var database: DatabaseArguments

    @Option(
        name: .long,
        help: ArgumentHelp("The collection, as NAME or SCOPE.NAME.", valueName: "name"),
        completion: .custom { arguments, _, _ in Completion.collections(arguments) })
    var collection: String?

    @Option(name: .long, help: ArgumentHelp("The collection's scope.", valueName: "name"))
    var scope: String?

    /// The collection that is meant.
    func named() throws -> Collection {
        let name = collection ?? database.address.collection ?? "_default"
        guard let scope else { return Collection(try CollectionName(name)) }
        return Collection(try CollectionName("\(scope).\(name)"))
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
