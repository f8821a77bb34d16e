internal import CPQ
internal import Replication
internal import StorePlatform

/// A connection string of libpq, taken apart.
struct PostgresAddress: Sendable {
    /// The options that are set, by name.
    private let options: [String: String]

    /// Parses a URI (`postgresql://…`) or a list of `name=value`. `PQconninfoParse`
    init(_ text: String) throws {
        var message: UnsafeMutablePointer<CChar>?
        guard let list = PQconninfoParse(text, &message) else {
            defer { PQfreemem(message) }
            // The message may quote the string, and with it a password.
            throw ReplicationError(
                .invalidParameter,
                "this is not a connection string of PostgreSQL, such as "
                    + "postgresql://USER@HOST/DATABASE")
        }
        defer { PQconninfoFree(list) }
        var options: [String: String] = [:]
        var entry = list
        while let name = entry.pointee.keyword {
            if let value = entry.pointee.val {
                options[String(cString: name)] = String(cString: value)
            }
            entry += 1
        }
        self.options = options
    }

    /// The address without user, password and settings of the connection: all hosts, whichever of
    /// them answers, and in whatever order they are tried.
    var text: String {
        let hosts = Self.list(options["host"] ?? options["hostaddr"] ?? "localhost")
        let ports = Self.list(options["port"] ?? "")
        let pairs = hosts.indices.map { index in
            // One port is that of all hosts.
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            return port.isEmpty ? hosts[index] : "\(hosts[index]):\(port)"
        }
        return "postgresql://\(pairs.sorted().joined(separator: ","))/\(options["dbname"] ?? "")"
    }

    private static func list(_ text: String) -> [Substring] {
        text.split(separator: ",", omittingEmptySubsequences: false)
    }

    /// The hosts to connect with, in the order in which they are tried.
    ///
    /// Without a setting of its own, TLS with a checked certificate is required, except over a
    /// socket of the machine or its loopback interface.
    func hosts(_ password: String?) -> [PostgresHost] {
        var options = options
        options["sslmode"] = options["sslmode"] ?? (isLocal ? "prefer" : "verify-full")
        if options["sslmode"] == "verify-full" {
            options["sslrootcert"] = options["sslrootcert"] ?? Self.systemCertificates
        }
        options["application_name"] = options["application_name"] ?? "document-store"
        options["target_session_attrs"] = options["target_session_attrs"] ?? "read-write"
        options["client_encoding"] = "UTF8"
        // A peer that has vanished is noticed within about a minute.
        options["keepalives_idle"] = options["keepalives_idle"] ?? "30"
        options["tcp_user_timeout"] = options["tcp_user_timeout"] ?? "60000"
        if let password { options["password"] = password }
        let hosts = Self.divided(options)
        let seconds = options["connect_timeout"].flatMap { Int($0) } ?? 0
        return hosts.map { options in
            let text = options.sorted { $0.key < $1.key }
                .map { "\($0.key)=\(Self.quoted($0.value))" }.joined(separator: " ")
            let patience = hosts.count > 1 ? 10 : 30
            return PostgresHost(
                parameters: text, seconds: seconds > 0 ? max(seconds, 2) : patience)
        }
    }

    /// The options for each host. libpq would wait for a silent one as long as the system does, and
    /// try the next one only if a connection is refused.
    private static func divided(_ options: [String: String]) -> [[String: String]] {
        let lists = options.filter { ["host", "hostaddr", "port"].contains($0.key) }
            .mapValues { Self.list($0) }
        let count = max(lists["host"]?.count ?? 0, lists["hostaddr"]?.count ?? 0)
        // libpq reports lists that do not fit, and knows which standby to prefer.
        guard count > 1, lists.values.allSatisfy({ [1, count].contains($0.count) }),
            options["target_session_attrs"] != "prefer-standby"
        else { return [options] }
        return (0..<count).map { index in
            let own = lists.mapValues { String($0.count == 1 ? $0[0] : $0[index]) }
            return options.merging(own) { _, new in new }
        }
    }

    private static let systemCertificates: String? = PQlibVersion() >= 160000 ? "system" : nil

    private var isLocal: Bool {
        // libpq takes the address from there, also where there is a host.
        let others = options["hostaddr"] == nil ? ["PGSERVICE", "PGHOSTADDR"] : ["PGSERVICE"]
        guard options["service"] == nil, others.allSatisfy({ getenv($0) == nil }) else {
            return false
        }
        guard let hosts = options["hostaddr"] ?? options["host"] else {
            return getenv("PGHOST") == nil
        }
        return hosts.split(separator: ",").allSatisfy { host in
            host.hasPrefix("/") || host.hasPrefix("@")
                || ["localhost", "127.0.0.1", "::1"].contains(host)
        }
    }

    private static func quoted(_ value: String) -> String {
        var text = String.UnicodeScalarView("'".unicodeScalars)
        for scalar in value.unicodeScalars {
            if scalar == "'" || scalar == "\\" { text.append("\\") }
            text.append(scalar)
        }
        return String(text) + "'"
    }
}
