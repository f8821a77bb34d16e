internal import Foundation
package import StoreTestSupport

/// A PostgreSQL server of the tests: in a temporary directory, reachable over a Unix socket alone.
///
/// PostgreSQL does not run as root, so that root starts it as the user `nobody`.
package final class PostgresServer: Sendable {
    /// The directory of the system's programs; nil if PostgreSQL is not installed.
    package static let programs: String? = {
        let roots = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"]
        let candidates = roots.flatMap { root in
            let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
            return versions.sorted().reversed().map { "\(root)/\($0)/bin" }
        }
        return candidates.first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
    }()

    package static var isInstalled: Bool { programs != nil }

    /// The server that tests share; it is stopped when the process ends.
    package static let shared: PostgresServer? = {
        guard isInstalled, let server = try? PostgresServer() else { return nil }
        running = server
        atexit { PostgresServer.running?.stop() }
        return server
    }()
    private nonisolated(unsafe) static var running: PostgresServer?

    /// A program failed.
    package struct Failure: Error {
        package let message: String

        package init(message: String) { self.message = message }
    }

    package let directory: TemporaryDirectory

    /// Creates a cluster and starts the server.
    package convenience init() throws {
        try self.init { server in
            try server.runAsUser(
                "initdb",
                ["-D", server.data, "-U", "store", "-A", "trust", "--no-sync", "-E", "UTF8"])
        }
    }

    /// Starts the server of a cluster that a closure creates.
    package init(_ create: (PostgresServer) throws -> Void) throws {
        directory = try Self.ownDirectory()
        try create(self)
        try start()
    }

    private static func ownDirectory() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        if getuid() == 0, let user = getpwnam("nobody") {
            _ = chown(directory.path, user.pointee.pw_uid, user.pointee.pw_gid)
        }
        return directory
    }

    deinit { stop() }

    package var data: String { directory("data") }

    /// A connection string for the database `postgres`.
    package var url: String { Self.url(of: [self]) }

    /// A connection string for whichever of the servers accepts changes.
    package static func url(of servers: [PostgresServer]) -> String {
        let hosts = servers.map { server in
            server.directory.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }
        return "postgresql://store@\(hosts.joined(separator: ","))/postgres"
    }

    /// The variables with which libpq finds the server.
    package var environment: [String: String] { ["PGHOST": directory.path, "PGUSER": "store"] }

    /// Creates an empty database, in place of one with the same name; returns its connection
    /// string.
    package func newDatabase(_ name: String) throws -> String {
        try sql("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
        try sql("CREATE DATABASE \(name)")
        return url.replacing("/postgres", with: "/\(name)")
    }

    /// Starts the server.
    ///
    /// - Parameter settings: further options of `postgres`.
    package func start(_ settings: String = "") throws {
        let options =
            "-k \(directory.path) -c listen_addresses= -c fsync=off -c max_connections=300 "
            + settings
        try runAsUser("pg_ctl", ["-D", data, "-o", options, "-l", directory("log"), "-w", "start"])
    }

    /// Ends the server, at once or after its connections are closed.
    package func stop(mode: String = "immediate") {
        try? runAsUser("pg_ctl", ["-D", data, "-m", mode, "-w", "stop"])
    }

    /// Runs SQL with psql; returns its rows, columns separated by `|`.
    @discardableResult
    package func sql(
        _ sql: String, in database: String = "postgres", port: Int = 5432
    ) throws -> [String] {
        let output = try run([
            "\(Self.programs ?? "")/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h",
            directory.path, "-p", "\(port)", "-U", "store", "-d", database, "-c", sql,
        ])
        return output.split(separator: "\n").map { String($0) }
    }

    package func runAsUser(_ program: String, _ arguments: [String]) throws {
        try run(Self.user + ["\(Self.programs ?? "")/\(program)"] + arguments)
    }

    /// What runs a command as the user of the server.
    package static var user: [String] {
        getuid() == 0
            ? ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
    }

    @discardableResult
    package func run(_ command: [String]) throws -> String {
        let output = directory("output-\(UUID().uuidString)")
        let input = try Child.open("/dev/null", O_RDONLY)
        let file = try Child.open(output, O_RDWR | O_CREAT)
        defer {
            close(input)
            close(file)
        }
        let child = try Child(command, Child.Streams(input: input, output: file, errors: file))
        let (status, isSignalled) = child.wait()
        let text = try String(contentsOfFile: output, encoding: .utf8)
        try FileManager.default.removeItem(atPath: output)
        guard status == 0, !isSignalled else {
            throw Failure(message: "\(command.joined(separator: " ")): \(text)")
        }
        return text
    }
}
