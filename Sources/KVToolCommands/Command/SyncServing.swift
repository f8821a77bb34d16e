internal import ArgumentParser
internal import CouchbaseReplication
internal import DocumentStore
internal import InspectorServer
internal import KVToolCore

/// The options of `serve` with which databases are served to Couchbase Lite instead of a browser.
struct SyncServing: ParsableArguments {
    static let usualPort = 4984
    private static let maximumCertificate = 1 << 20

    @Flag(help: "Let applications with Couchbase Lite replicate, instead of a browser.")
    var sync = false
    @Flag(help: "With --sync: let clients only pull.") var readonly = false
    @Option(
        help: ArgumentHelp(
            """
            With --sync: file with the users, a line NAME:PASSWORD each; NAME:PASSWORD:read for \
            one who can only pull.
            """, valueName: "file"),
        completion: .file())
    var users: String?
    @Option(
        help: ArgumentHelp(
            "With --sync: file with the certificate and those that certify it, in PEM, for wss:.",
            valueName: "file"),
        completion: .file())
    var cert: String?
    @Option(
        name: .customLong("cert-key"),
        help: ArgumentHelp("With --sync: file with the certificate's key.", valueName: "file"),
        completion: .file())
    var certificateKey: String?

    func validate() throws {
        guard sync || !readonly && [users, cert, certificateKey].allSatisfy({ $0 == nil }) else {
            throw ValidationError("--readonly, --users, --cert and --cert-key are for --sync")
        }
        guard (cert == nil) == (certificateKey == nil) else {
            throw ValidationError("--cert and --cert-key are needed together")
        }
    }

    /// The settings of the listener.
    ///
    /// - Parameter host: the address on which it listens. If others can reach it, users are needed.
    func settings(host: String) throws -> CouchbaseListener.Settings {
        var settings = CouchbaseListener.Settings()
        if let cert, let certificateKey {
            settings.identity = (
                try InputFile.contents(of: cert, maximum: Self.maximumCertificate),
                try InputFile.contents(of: certificateKey, maximum: Self.maximumCertificate)
            )
        }
        let most: CouchbaseListener.Access = readonly ? .read : .readAndWrite
        guard let users else {
            guard ["127.0.0.1", "localhost", "::1"].contains(host) else {
                throw ToolError(
                    "everybody who reaches \\(host) could read and change the databases: name the "
                        + "users with --users", status: .usage)
            }
            settings.access = { _, _ in most }
            return settings
        }
        let list = try ServedUsers(users)
        settings.access = { credentials, _ in list.access(credentials, atMost: most) }
        return settings
    }
}

/// The users of a file.
struct ServedUsers: Sendable {
    private var users: [String: (password: [UInt8], isReader: Bool)] = [:]

    init(_ path: String) throws {
        for (number, line) in try SecretFile.text(of: path).split(
            whereSeparator: \.isNewline
        ).enumerated() where !line.hasPrefix("#") {
            let parts = line.split(
                separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count >= 2, !parts[0].isEmpty, parts.count == 2 || parts[2] == "read" else {
                throw ToolError(
                    "line \(number + 1) of \(Text.line(path)) is not NAME:PASSWORD or "
                        + "NAME:PASSWORD:read", status: .usage)
            }
            users[String(parts[0])] = (Array(parts[1].utf8), parts.count == 3)
        }
    }

    func access(
        _ credentials: CouchbaseListener.Credentials, atMost most: CouchbaseListener.Access
    ) -> CouchbaseListener.Access {
        guard case .basic(let name, let password) = credentials, let user = users[name],
            Self.isEqual(user.password, Array(password.utf8))
        else { return .none }
        return user.isReader ? .read : most
    }

    /// Takes the same time wherever they differ.
    private static func isEqual(_ password: [UInt8], _ other: [UInt8]) -> Bool {
        guard password.count == other.count else { return false }
        return zip(password, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// Databases that are served to Couchbase Lite.
struct SyncServer {
    let paths: [String]
    let host: String
    let port: Int?
    let settings: CouchbaseListener.Settings
    let keys: KeyArguments
    let output: OutputArguments

    /// Serves them until Ctrl-C.
    func run() async throws {
        let names = InspectedDatabase.names(of: paths)
        var files: [String: DataFile] = [:]
        for (name, path) in zip(names, paths) {
            files[name] = try DatabaseArguments.naming(
                path, timeoutSeconds: TimeoutOption.standardSeconds, keys
            ).open(.readWrite)
        }
        let listener: CouchbaseListener
        do {
            listener = try await CouchbaseListener(
                files, host: host, port: port ?? SyncServing.usualPort, settings)
        } catch {
            throw ToolError("\(error)", status: .cannotOpen)
        }
        for name in names { try announce(name, listener.port) }
        try StandardOutput.current.flush()
        await listener.run()
        throw ReportedFailure(status: .interrupted)
    }

    private func announce(_ name: String, _ port: Int) throws {
        let scheme = settings.identity == nil ? "ws" : "wss"
        let address = host.contains(":") ? "[\(host)]" : host
        let url = "\(scheme)://\(address):\(port)/\(name)"
        guard !output.isForPeople else { return try StandardOutput.current.write("\(url)\n") }
        var object = JSONObject()
        object.add("schema", OutputSchema.name("serve.start"))
        object.add("url", url)
        try StandardOutput.current.write(object.finished().utf8 + [0x0A])
    }
}
