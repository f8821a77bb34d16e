import Foundation
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import StoreTestSupport
import Testing

@Suite(
    "A server with TLS", .enabled(if: PostgresServer.isInstalled && TLSServer.openssl != nil))
struct TLSTests {
    let server: TLSServer

    init() throws { server = try TLSServer() }

    private func endpoint(
        _ url: String, password: String = "right"
    ) throws -> PostgresEndpoint {
        try PostgresEndpoint(url) { password }
    }

    private func failure(
        _ url: String, password: String = "right"
    ) async throws -> ReplicationError? {
        let endpoint = try endpoint(url, password: password)
        let error = await #expect(throws: ReplicationError.self) { try await endpoint.connect() }
        #expect(error?.message.contains(password) == false)
        return error
    }

    @Test("is used with its certificate checked, and a password that no one stores")
    func replication() async throws {
        let endpoint = try endpoint(
            server.url("sslmode=verify-full&sslrootcert=\(server.authority)"))
        try await endpoint.prepare()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        try await first.save("ada", #"{"age": 36}"#)
        #expect(try await first.replicate().pushed == 1)
        #expect(try await second.replicate().pulled == 1)
        #expect(
            try server.server.sql(
                "SELECT auth_method FROM pg_hba_file_rules WHERE type = 'hostssl'",
                port: server.port)
                == ["scram-sha-256"])
        let files = try FileManager.default.subpathsOfDirectory(atPath: first.store.path)
        for file in files {
            let bytes =
                FileManager.default.contents(atPath: "\(first.store.path)/\(file)") ?? Data()
            #expect(bytes.range(of: Data("right".utf8)) == nil, "\(file)")
        }
    }

    @Test("of another name is refused")
    func otherName() async throws {
        let url = server.url(
            host: "other.example.com", "sslmode=verify-full&sslrootcert=\(server.authority)")
        let error = try await failure(url)
        #expect(error?.code == .unauthorized)
        #expect(error?.message.contains("does not match host name") == true)
    }

    @Test("of an unknown authority is refused")
    func otherAuthority() async throws {
        let url = server.url("sslmode=verify-full&sslrootcert=\(server.otherAuthority)")
        let error = try await failure(url)
        #expect(error?.code == .unauthorized)
        #expect(error?.message.contains("certificate verify failed") == true)
    }

    @Test("refuses a connection without it, and a wrong password")
    func refused() async throws {
        #expect(try await failure(server.url("sslmode=disable"))?.code == .unauthorized)
        let url = server.url("sslmode=verify-full&sslrootcert=\(server.authority)")
        let error = try await failure(url, password: "wrong-one")
        #expect(error?.code == .unauthorized)
        #expect(error?.message.contains("password authentication failed") == true)
    }
}
