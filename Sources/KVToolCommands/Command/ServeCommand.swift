internal import ArgumentParser
internal import DocumentStore
internal import InspectorServer
internal import KVToolCore

/// `kvtool serve DATABASE…`
struct ServeCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Shows databases in a browser, or lets applications replicate with them.",
        discussion: """
            Examples:
              kvtool serve people.cblite2
              kvtool serve people.cblite2 orders.cblite2 --writable --open
              kvtool serve ~/databases --port 8080
              kvtool serve people.cblite2 --sync --users users.txt --host 0.0.0.0

            Prints a URL with a token, and answers a browser until Ctrl-C. A directory that is not \
            a database stands for the databases in it. Applications can use the databases \
            meanwhile; without --writable nothing is changed. Each view of the pages has data \
            under its path with .json, for programs that send the token in the header \
            Authorization: Bearer TOKEN.

            The server listens on this machine only. With --host others reach it, without \
            encryption: use a tunnel of SSH instead.

            With --sync nothing is shown. Applications with Couchbase Lite, and kvtool sync, \
            replicate with the URL that is printed for each database: ws:, or wss: with --cert. \
            Without --users all clients on this machine can pull and push, and no others are \
            admitted. The port is \(SyncServing.usualPort) then.
            """)

    private static let usualPort = 8391

    @Argument(help: "Databases, or directories with databases.", completion: .directory)
    var databases: [String]
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The port; 0 for any that is free. The default is \(Self.usualPort) if that is free, "
                + "so that a browser finds its saved queries again.", valueName: "number"))
    var port: Int?
    @Option(help: ArgumentHelp("The address on which it listens.", valueName: "address"))
    var host = "127.0.0.1"
    @Option(help: ArgumentHelp("The token that clients show; a random one by default."))
    var token: String?
    @Flag(help: "Allow changes.") var writable = false
    @Flag(help: "Open the URL in a browser.") var open = false
    @OptionGroup var syncing: SyncServing
    @OptionGroup var keys: KeyArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        guard port.map({ (0...65_535).contains($0) }) ?? true else {
            throw ValidationError("--port takes 0 to 65535")
        }
        guard token.map(AccessToken.isValid) ?? true else {
            throw ValidationError("--token takes \(AccessToken.rule)")
        }
        guard !syncing.sync || token == nil && !writable && !open else {
            throw ValidationError("--token, --writable and --open are not for --sync")
        }
    }

    func run() async throws {
        guard !syncing.sync else { return try await serveSync() }
        var settings = InspectorSettings()
        (settings.host, settings.token) = (host, token)
        (settings.isWritable, settings.version) = (writable, KVTool.version)
        let server = try await server(for: try inspected(), settings)
        let page = open ? try BrowserPage(server.url) : nil
        try announce(server.url)
        page?.show()
        await server.serve()
        withExtendedLifetime(page) {}
        throw ReportedFailure(status: .interrupted)
    }

    /// One at the port that was asked for; otherwise at the usual one, or at any that is free.
    private func server(
        for databases: [InspectedDatabase], _ settings: InspectorSettings
    ) async throws -> InspectorServer {
        var settings = settings
        settings.port = port ?? Self.usualPort
        do {
            return try await InspectorServer(databases, settings) { await CommandRunner.run($0) }
        } catch {
            guard port == nil else { throw unusable(settings.port, error) }
        }
        settings.port = 0
        do {
            return try await InspectorServer(databases, settings) { await CommandRunner.run($0) }
        } catch {
            throw unusable(0, error)
        }
    }

    private func unusable(_ port: Int, _ error: any Error) -> ToolError {
        ToolError("\(host) port \(port) cannot be used: \(error)", status: .cannotOpen)
    }

    private func announce(_ url: String) throws {
        if output.isForPeople {
            try StandardOutput.current.write("\(url)\n")
        } else {
            var object = JSONObject()
            object.add("schema", OutputSchema.name("serve.start"))
            object.add("url", url)
            try StandardOutput.current.write(object.finished().utf8 + [0x0A])
        }
        try StandardOutput.current.flush()
    }

    private func serveSync() async throws {
        try await SyncServer(
            paths: paths(), host: host, port: port, settings: syncing.settings(host: host),
            keys: keys, output: output
        ).run()
    }

    /// The databases, each once.
    private func paths() throws -> [String] {
        var paths: [String] = []
        for path in try databases.flatMap(ServedPaths.databases)
        where !paths.contains(where: { System.isSame($0, path) }) {
            paths.append(path)
        }
        return paths
    }

    private func inspected() throws -> [InspectedDatabase] {
        let paths = try paths()
        return try zip(paths, InspectedDatabase.names(of: paths)).map { path, name in
            let keys = DatabaseKeys()
            if let source = self.keys.source {
                keys.setForShell(source)
                // Later contexts do not know what was typed for this command.
                _ = try keys.read(source)
            }
            return InspectedDatabase(path, name: name, keys: keys)
        }
    }
}

/// The databases that an argument stands for.
enum ServedPaths {
    static func databases(at path: String) throws -> [String] {
        switch System.entry(path) {
        case .directory where DatabaseNames.isDatabase(path): return [path]
        case .directory:
            let found = try names(in: path).sorted().map { "\(path)/\($0)" }
                .filter(DatabaseNames.isDatabase)
            guard !found.isEmpty else {
                throw ToolError("\(Text.line(path)) contains no database", status: .notFound)
            }
            return found
        case .nothing: throw ToolError("\(Text.line(path)) does not exist", status: .notFound)
        default:
            throw ToolError(
                "\(Text.line(path)) is a file; a database is a directory", status: .cannotOpen)
        }
    }

    private static func names(in path: String) throws -> [String] {
        do {
            return try System.names(in: path)
        } catch let failure as System.Failure {
            throw ToolError(
                "\(Text.line(path)) cannot be read: \(failure.message)", status: .cannotOpen)
        }
    }
}
