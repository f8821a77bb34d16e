internal import ArgumentParser
internal import CouchbaseReplication
internal import KVToolCore

/// The options with which a user of Couchbase's protocol identifies, for URLs with `ws:` or `wss:`.
struct CredentialArguments: ParsableArguments {
    /// The variable that gives the password if no option does.
    private static let variable = "KVTOOL_PASSWORD"
    private static let maximumCertificates = 1 << 20

    @Option(
        help: ArgumentHelp(
            """
            User of a ws: or wss: server. The password is that of --password-file or of \
            KVTOOL_PASSWORD; otherwise kvtool prompts for it.
            """, valueName: "name"))
    var user: String?
    @Option(
        name: .customLong("password-file"),
        help: ArgumentHelp("File with the password of the user.", valueName: "file"),
        completion: .file())
    var passwordFile: String?
    @Option(
        name: .customLong("session-file"),
        help: ArgumentHelp(
            "File with a session of Sync Gateway: the value of its cookie.", valueName: "file"),
        completion: .file())
    var sessionFile: String?
    @Option(
        name: .customLong("token-file"),
        help: ArgumentHelp(
            "File with a token, sent as Authorization: Bearer.", valueName: "file"),
        completion: .file())
    var tokenFile: String?
    @Option(
        help: ArgumentHelp(
            "File with the certificates to trust instead of the system's, in PEM.",
            valueName: "file"),
        completion: .file())
    var cacert: String?
    @Option(
        help: ArgumentHelp("Channel of Sync Gateway to pull; repeatable.", valueName: "name"))
    var channel: [String] = []

    func validate() throws {
        guard [user, sessionFile, tokenFile].compactMap(\.self).count <= 1 else {
            throw ValidationError("--user, --session-file and --token-file exclude each other")
        }
        guard user != nil || passwordFile == nil else {
            throw ValidationError("--password-file needs --user")
        }
        guard user?.contains(":") != true else {
            throw ValidationError(
                "--user takes a name; a password on a command line can be read by others: use "
                    + "--password-file or \(Self.variable)")
        }
    }

    /// Throws if an option was given that the server does not need.
    func requireNone() throws {
        guard [user, sessionFile, tokenFile, cacert].allSatisfy({ $0 == nil }), channel.isEmpty
        else {
            throw ToolError(
                "--user, --session-file, --token-file, --cacert and --channel are for URLs that "
                    + "begin with ws: or wss:; those of PostgreSQL are connection strings",
                status: .usage)
        }
    }

    func apply(to endpoint: inout CouchbaseEndpoint) throws {
        if let user {
            endpoint.authentication = .basic(user: user, password: try password(of: user))
        }
        if let sessionFile {
            endpoint.authentication = .session(try SecretFile.text(of: sessionFile))
        }
        if let tokenFile {
            endpoint.authentication = .bearer(try SecretFile.text(of: tokenFile))
        }
        if let cacert {
            endpoint.tls.trustedCertificates = try InputFile.contents(
                of: cacert, maximum: Self.maximumCertificates)
        }
        endpoint.channels = channel
    }

    private func password(of user: String) throws -> String {
        if let passwordFile { return try SecretFile.text(of: passwordFile) }
        if let password = System.environment(Self.variable) { return password }
        guard Prompt.canPrompt else {
            throw ToolError(
                "the password of \(Text.line(user)) is needed: use --password-file or "
                    + Self.variable, status: .usage)
        }
        return try KeyPrompt.password(of: user)
    }
}
