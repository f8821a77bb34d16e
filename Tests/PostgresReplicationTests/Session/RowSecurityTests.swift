import DataFileCore
import FleeceLite
import Foundation
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

/// The examples of `docs/replication.md`.
@Suite("Row-level security at the server", .enabled(if: PostgresServer.isInstalled))
struct RowSecurityTests {
    let server: PostgresServer
    let endpoint: PostgresEndpoint
    let name: String

    init() throws {
        server = try #require(PostgresServer.shared)
        (endpoint, name) = try server.namedEndpoint()
    }

    /// The tables with an empty collection, and the least rights for a role of clients.
    private func prepare() async throws {
        try await endpoint.prepare()
        try await Device(endpoint).replicate()
        try server.sql(
            """
            CREATE ROLE app_\(name) NOLOGIN;
            GRANT USAGE ON SCHEMA \(name) TO app_\(name);
            GRANT SELECT ON \(name).meta, \(name).collections TO app_\(name);
            GRANT SELECT, UPDATE ON \(name).feeds TO app_\(name);
            GRANT SELECT, INSERT, UPDATE ON \(name).docs, \(name).checkpoints, \(name).blobs
              TO app_\(name);
            """)
    }

    /// Each row belongs to the user who inserted it.
    private func addOwners() throws {
        try server.sql(
            """
            ALTER TABLE \(name).docs ADD COLUMN owner text NOT NULL DEFAULT current_user;
            ALTER TABLE \(name).docs ENABLE ROW LEVEL SECURITY;
            CREATE POLICY own ON \(name).docs TO app_\(name) USING (owner = current_user)
              WITH CHECK (owner = current_user
                AND (flags & 1 = 1 OR body->>'owner' = current_user));
            """)
    }

    private func user(_ user: String) throws -> (name: String, endpoint: PostgresEndpoint) {
        let role = "\(user)_\(UUID().uuidString.prefix(8).lowercased())"
        try server.sql("CREATE ROLE \(role) LOGIN IN ROLE app_\(name)")
        let url = server.url.replacing("store@", with: "\(role)@")
        return (role, try PostgresEndpoint(url, schema: name))
    }

    @Test(
        "shows each user their own documents and deletions",
        arguments: [Versioning.versionVectors, .treesInExtra])
    func owners(versioning: Versioning) async throws {
        try await prepare()
        try addOwners()
        let (ada, bob) = (try user("ada"), try user("bob"))
        let adas = try (0..<2).map { _ in try Device(ada.endpoint, versioning: versioning) }
        let bobs = try Device(bob.endpoint, versioning: versioning)
        for id in ["a1", "a2"] { try await adas[0].save(id, #"{"owner": "\#(ada.name)"}"#) }
        try await bobs.save("b1", #"{"owner": "\#(bob.name)"}"#)
        #expect(try await adas[0].replicate().pushed == 2)
        #expect(try await bobs.replicate().pushed == 1)
        #expect(try await adas[1].replicate().pulled == 2)
        #expect(try await bobs.replicate().pulled == 0)
        try await adas[1].save("a1", #"{"owner": "\#(ada.name)", "age": 36}"#)
        try await adas[1].delete("a2")
        let pushed = try await adas[1].replicate()
        #expect(pushed.pushed == 2 && pushed.rejectionCount == 0)
        #expect(try await adas[0].replicate().pulled == 2)
        #expect(try await adas[0].body("a2") == nil)
        let contents = try await adas[0].contents()
        #expect(try await adas[1].contents() == contents)
        #expect(contents.map { $0.prefix(3) } == ["a1 ", "a2 "])
        #expect(try await bobs.replicate().pulled == 0)
        #expect(try await bobs.contents().map { $0.prefix(3) } == ["b1 "])
        #expect(
            try server.sql("SELECT id, flags, owner FROM \(name).docs ORDER BY id")
                == ["a1|0|\(ada.name)", "a2|1|\(ada.name)", "b1|0|\(bob.name)"])
        // The administrator is not subject to the policy.
        #expect(try await endpoint.removeTombstones(olderThan: .zero) == 1)
    }

    @Test("rejects the documents that a policy forbids, and no others")
    func forbidden() async throws {
        try await prepare()
        try addOwners()
        let (ada, bob) = (try user("ada"), try user("bob"))
        let device = try Device(ada.endpoint)
        for number in 0..<40 {
            let owner = [7, 23].contains(number) ? bob.name : ada.name
            try await device.save("doc-\(number)", #"{"owner": "\#(owner)"}"#)
        }
        let report = try await device.replicate()
        #expect(report.pushed == 38)
        #expect(report.rejections.map(\.id).sorted() == ["doc-23", "doc-7"])
        #expect(
            report.rejections.allSatisfy {
                $0.isPush && $0.reason.contains("policies do not allow this user")
                    && $0.reason.contains("row-level security")
            }, "\(report.rejections)")
        // An update of a document, too; and it is tried again when it changes.
        try await device.save("doc-1", #"{"owner": "\#(bob.name)"}"#)
        try await device.save("doc-7", #"{"owner": "\#(ada.name)"}"#)
        let second = try await device.replicate()
        #expect(second.pushed == 1)
        #expect(second.rejections.map(\.id).sorted() == ["doc-1", "doc-23"])
    }

    @Test("rejects a document whose ID another user has")
    func sameID() async throws {
        try await prepare()
        try addOwners()
        let (ada, bob) = (try user("ada"), try user("bob"))
        let (first, second) = (try Device(ada.endpoint), try Device(bob.endpoint))
        try await first.save("home", #"{"owner": "\#(ada.name)"}"#)
        try await first.replicate()
        try await second.save("home", #"{"owner": "\#(bob.name)"}"#)
        try await second.save("work", #"{"owner": "\#(bob.name)"}"#)
        let report = try await second.replicate()
        #expect(report.pushed == 1 && report.pulled == 0)
        #expect(report.rejections.map(\.id) == ["home"])
        #expect(report.rejections.first?.reason.contains("may not read or change") == true)
        // A document that is withdrawn from a user who has it.
        try server.sql("UPDATE \(name).docs SET owner = '\(bob.name)' WHERE id = 'home'")
        try await first.delete("home")
        #expect(try await first.replicate().rejections.map(\.id) == ["home"])
    }

    @Test("by a property of the body rejects deletions, which have no body")
    func bodyPolicy() async throws {
        try await prepare()
        try server.sql(
            """
            ALTER TABLE \(name).docs ENABLE ROW LEVEL SECURITY;
            CREATE POLICY own ON \(name).docs TO app_\(name)
              USING (body->>'owner' = current_user);
            """)
        let ada = try user("ada")
        let device = try Device(ada.endpoint)
        for id in ["a1", "a2"] { try await device.save(id, #"{"owner": "\#(ada.name)"}"#) }
        #expect(try await device.replicate().pushed == 2)
        try await device.delete("a1")
        try await device.save("a2", #"{"owner": "\#(ada.name)", "age": 36}"#)
        let report = try await device.replicate()
        #expect(report.pushed == 1 && report.rejections.map(\.id) == ["a1"])
    }

    @Test("can allow reading and writing by collection")
    func collections() async throws {
        try await prepare()
        try server.sql(
            """
            ALTER TABLE \(name).docs ENABLE ROW LEVEL SECURITY;
            CREATE POLICY reading ON \(name).docs FOR SELECT TO app_\(name) USING (true);
            CREATE POLICY inserting ON \(name).docs FOR INSERT TO app_\(name)
              WITH CHECK (coll <> 1);
            CREATE POLICY updating ON \(name).docs FOR UPDATE TO app_\(name) USING (coll <> 1);
            """)
        let admin = try Device(endpoint)
        try await admin.save("ada", #"{"age": 36}"#)
        var orders = admin
        orders.settings = ReplicatedCollection(DocumentCollection(try CollectionName("orders")))
        try await admin.replicate()
        try await orders.replicate()
        let ada = try user("ada")
        var reader = try Device(ada.endpoint)
        #expect(try await reader.replicate().pulled == 1)
        try await reader.save("bob", "{}")
        try await reader.save("ada", #"{"age": 37}"#)
        let report = try await reader.replicate()
        #expect(report.pushed == 0 && Set(report.rejections.map(\.id)) == ["ada", "bob"])
        reader.settings = orders.settings
        let staff = reader.settings.collection
        try await reader.store.file.write { transaction in
            try staff.create(in: transaction)
            _ = try staff.save("order-1", in: transaction) { try $0.writeJSON("{}") }
        }
        #expect(try await reader.replicate().pushed == 1)
    }
}
