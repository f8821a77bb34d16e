import Foundation
import PostgresReplication
import ProjectTestSupport
import StoreTestSupport

/// A server that accepts TCP connections with TLS and a password alone. Its certificate, for
/// `db.example.com`, is that of an authority of the test.
struct TLSServer {
    static let openssl: String? = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let server: PostgresServer
    let port: Int
    /// The certificate of the authority, which clients trust.
    var authority: String { server.directory("authority.crt") }
    /// That of another authority.
    var otherAuthority: String { server.directory("other.crt") }

    init() throws {
        server = try PostgresServer()
        port = try Self.freePort()
        try createCertificates()
        try server.sql("ALTER USER store PASSWORD 'right'")
        let rules = """
            local all all trust
            hostssl all all 127.0.0.1/32 scram-sha-256
            """
        try shell("echo '\(rules)' > '\(server.data)/pg_hba.conf'")
        server.stop(mode: "fast")
        try server.start(
            "-c listen_addresses=127.0.0.1 -p \(port) -c ssl=on "
                + "-c ssl_cert_file=\(server.directory("server.crt")) "
                + "-c ssl_key_file=\(server.directory("server.key"))")
    }

    /// A connection string by name; the address is found without DNS.
    func url(host: String = "db.example.com", _ options: String) -> String {
        "postgresql://store@\(host):\(port)/postgres?hostaddr=127.0.0.1&\(options)"
    }

    private func createCertificates() throws {
        let openssl = Self.openssl ?? ""
        let directory = server.directory.path
        for name in ["authority", "other"] {
            try shell(
                """
                cd '\(directory)' && \(openssl) req -new -x509 -days 2 -nodes -newkey rsa:2048 \
                  -keyout \(name).key -out \(name).crt -subj /CN=\(name)
                """)
        }
        try shell(
            """
            cd '\(directory)' && echo 'subjectAltName=DNS:db.example.com' > names &&
            \(openssl) req -new -nodes -newkey rsa:2048 -keyout server.key -out server.csr \
              -subj /CN=db.example.com &&
            \(openssl) x509 -req -in server.csr -CA authority.crt -CAkey authority.key \
              -CAcreateserial -days 2 -extfile names -out server.crt && chmod 600 server.key
            """)
    }

    private func shell(_ command: String) throws {
        try server.run(PostgresServer.user + ["/bin/sh", "-c", command])
    }

    /// A port that no program listens on.
    private static func freePort() throws -> Int {
        let (file, port) = try Loopback.bound()
        close(file)
        return port
    }
}
