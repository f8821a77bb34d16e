import CouchbaseReplication
import DataFileCore
import Replication
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

@Suite("A listener lets in", .timeLimit(.minutes(20)))
struct AccessTests {
    private var settings: CouchbaseListener.Settings {
        var settings = CouchbaseListener.Settings()
        settings.access = { credentials, _ in
            switch credentials {
            case .basic("ada", "right"), .bearer("token"), .cookies("SyncGatewaySession=abc"):
                .readAndWrite
            case .basic("bob", "right"): .read
            default: .none
            }
        }
        return settings
    }

    /// The error of a new file that replicates.
    private func code(_ endpoint: CouchbaseEndpoint) async -> ReplicationError.Code? {
        do {
            return await code(try Device(endpoint))
        } catch {
            Issue.record(error)
            return nil
        }
    }

    private func code(_ device: Device) async -> ReplicationError.Code? {
        do {
            try await device.replicate()
            return nil
        } catch {
            guard let error = error as? ReplicationError else { Issue.record(error); return nil }
            return error.code
        }
    }

    @Test("who has the right credentials")
    func credentials() async throws {
        try await Listening.run(settings) { listening in
            var endpoint = listening.endpoint
            #expect(await code(endpoint) == .unauthorized)
            let right: [CouchbaseEndpoint.Authentication] = [
                .basic(user: "ada", password: "right"), .bearer("token"), .session("abc"),
            ]
            for authentication in right {
                endpoint.authentication = authentication
                #expect(await code(endpoint) == nil, "\(authentication)")
            }
            let wrong: [CouchbaseEndpoint.Authentication] = [
                .basic(user: "ada", password: "wrong"), .bearer("other"), .session("abd"),
                .basic(user: "", password: ""), .basic(user: "ada:right", password: ""),
            ]
            for authentication in wrong {
                endpoint.authentication = authentication
                #expect(await code(endpoint) == .unauthorized, "\(authentication)")
            }
            endpoint.authentication = .basic(user: "ada", password: "right")
            endpoint.waitsForChallenge = true
            #expect(await code(endpoint) == nil)
        }
    }

    @Test("readers, who cannot push")
    func readers() async throws {
        try await Listening.run(settings) { listening in
            try await listening.device.save("ada", "{}")
            var endpoint = listening.endpoint
            endpoint.authentication = .basic(user: "bob", password: "right")
            var device = try Device(endpoint)
            device.settings.direction = .pull
            #expect(try await device.replicate().pulled == 1)
            device.settings.direction = .both
            try await device.save("bob", "{}")
            #expect(await code(device) == .unauthorized)
            #expect(try await listening.device.body("bob") == nil)
        }
    }

    @Test("clients of the databases that it has")
    func databases() async throws {
        try await Listening.run { listening in
            let endpoint = try CouchbaseEndpoint("ws://127.0.0.1:\(listening.port)/other")
            #expect(await code(endpoint) == .incompatible)
        }
    }

    @Test("pages in a browser only if they are allowed")
    func origins() async throws {
        var settings = CouchbaseListener.Settings()
        settings.allowedOrigins = ["https://app.example.com"]
        try await Listening.run(settings) { listening in
            var endpoint = listening.endpoint
            endpoint.headers = [("Origin", "https://evil.example.com")]
            #expect(await code(endpoint) == .unauthorized)
            endpoint.headers = [("Origin", "https://app.example.com")]
            #expect(await code(endpoint) == nil)
        }
    }

    @Test("clients with revisions of its file's kind")
    func versioning() async throws {
        try await Listening.run(versioning: .treesInExtra) { listening in
            #expect(await code(listening.endpoint) == .incompatible)
        }
    }

    @Test(
        "clients that trust its certificate", .enabled(if: TestCertificates.openssl != nil))
    func certificates() async throws {
        let certificates = try TestCertificates()
        var settings = CouchbaseListener.Settings()
        settings.identity = (try certificates.pem("server.crt"), try certificates.pem("server.key"))
        try await Listening.run(settings) { listening in
            try await listening.device.save("ada", "{}")
            var endpoint = try CouchbaseEndpoint("wss://localhost:\(listening.port)/db")
            endpoint.tls.trustedCertificates = try certificates.pem("authority.crt")
            let device = try Device(endpoint)
            #expect(try await device.replicate().pulled == 1)
            // The name in the certificate is another one.
            var other = try CouchbaseEndpoint("wss://127.0.0.1:\(listening.port)/db")
            other.tls.trustedCertificates = try certificates.pem("authority.crt")
            #expect(await code(other) == .unauthorized)
            endpoint.tls.trustedCertificates = try certificates.pem("other.crt")
            #expect(await code(endpoint) == .unauthorized)
            endpoint.tls.trustedCertificates = nil
            #expect(await code(endpoint) == .unauthorized)
        }
    }
}
