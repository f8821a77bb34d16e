internal import ArgumentParser
internal import DocumentStore
internal import InspectorServer
internal import KVToolCore

/// `kvtool serve DATABASE…`
struct ServeCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Shows databases in a browser.",
        discussion: """
            Examples:
              kvtool serve people.cblite2
              kvtool serve people.cblite2 orders.cblite2 --writable --open
              kvtool serve ~/databases --port 8080

            Prints a URL with a token, and answers a browser until Ctrl-C. A directory that is not \
            a database stands for the databases in it. Applications can use the databases \
            meanwhile; without --writable nothing is changed. Each view of the pages has data \
            under its path with .json, for programs that send the token in the header \
            Authorization: Bearer TOKEN.

            The server listens on this machine only. With --host others reach it, without \
            encryption: use a tunnel of SSH instead.
            """)

    @Argument(help: "Databases, or directories with databases.", completion: .directory)
    var databases: [String]
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The port; 0 for any that is free.", valueName: "number"))
    var port = 0
    @Option(help: ArgumentHelp("The address on which it listens.", valueName: "address"))
    var host = "127.0.0.1"
    @Option(help: ArgumentHelp("The token that clients show; a random one by default."))
    var token: String?
    @Flag(help: "Allow changes.") var writable = false
    @Flag(help: "Open the URL in a browser.") var open = false
    @OptionGroup var keys: KeyArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port takes 0 to 65535")
        }
        guard token.map({ $0.utf8.count >= 16 && $0.utf8.allSatisfy(Self.isPlain) }) ?? true else {
            throw ValidationError("--token takes at least 16 letters and digits")
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        Character(UnicodeScalar(byte)).isLetter && byte < 0x80
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    func run() async throws {
        var settings = InspectorSettings()
        (settings.host, settings.port, settings.token) = (host, port, token)
        (settings.isWritable, settings.version) = (writable, KVTool.version)
        let server: InspectorServer
        do {
            server = try await InspectorServer(try inspected(), settings) {
                await CommandRunner.run($0)
            }
        } catch let error where !(error is ToolError) {
            throw ToolError("\(host) port \(port) cannot be used: \(error)", status: .cannotOpen)
        }
        try announce(server.url)
        do {
            try await server.serve()
        } catch is CancellationError {
            // Ctrl-C.
        }
        throw ReportedFailure(status: .interrupted)
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
        if open { Browser.open(url) }
    }

    private func inspected() throws -> [InspectedDatabase] {
        let paths = try databases.flatMap { try ServedPaths.databases(at: $0) }
        return zip(paths, InspectedDatabase.names(of: paths)).map { path, name in
            let keys = DatabaseKeys()
            keys.setForShell(self.keys.source)
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
            let found = try System.names(in: path).sorted().map { "\(path)/\($0)" }
                .filter(DatabaseNames.isDatabase)
            guard !found.isEmpty else {
                throw ToolError("\(Text.line(path)) contains no database", status: .notFound)
            }
            return found
        default: throw ToolError("\(Text.line(path)) does not exist", status: .notFound)
        }
    }
}
