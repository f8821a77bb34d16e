import DataFileCore
import FleeceLite
import Foundation
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import SampleData
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Edits by SQL", .enabled(if: PostgresServer.isInstalled))
struct SQLEditingTests {
    let server: PostgresServer

    init() throws {
        server = try #require(PostgresServer.shared)
    }

    private func prepared(buckets: Int = 1) async throws -> (PostgresEndpoint, SQLWriter) {
        let (endpoint, name) = try server.namedEndpoint(buckets: buckets)
        try await endpoint.prepare(editingBySQL: true)
        return (endpoint, SQLWriter(server: server, schema: name))
    }

    @Test(
        "are received by files",
        arguments: [1, 7], [Versioning.versionVectors, .treesInExtra])
    func received(buckets: Int, versioning: Versioning) async throws {
        let (endpoint, writer) = try await prepared(buckets: buckets)
        let devices = try (0..<2).map { _ in try Device(endpoint, versioning: versioning) }
        for id in ["ada", "bob", "cyd"] { try await devices[0].save(id, #"{"age": 36}"#) }
        for device in devices { try await device.replicate() }
        try writer.insert("dan", #"{"age": 1}"#)
        try writer.update("ada", #"{"age": 37}"#)
        try writer.delete("bob")
        // Through the table.
        try writer.sql("UPDATE \(writer.docs) SET body = '{\"age\": 38}' WHERE id = 'cyd'")
        for device in devices {
            let report = try await device.replicate()
            #expect(report.pulled == 4 && report.pushed == 0)
            #expect(report.conflictCount == 0 && report.rejectionCount == 0)
        }
        let contents = try await devices[0].contents()
        #expect(try await devices[1].contents() == contents)
        for (id, body) in [
            ("ada", #"{"age":37}"#), ("bob", nil), ("cyd", #"{"age":38}"#), ("dan", #"{"age":1}"#),
        ] {
            #expect(try await devices[0].body(id) == body)
        }
        // Of a new file, an edit, and of one that was received as an edit.
        try await devices[1].save("dan", #"{"age": 2}"#)
        try await devices[1].replicate()
        try writer.update("dan", #"{"age": 3}"#)
        try writer.insert("bob", #"{"age": 4}"#)
        for device in devices {
            #expect(try await device.replicate().conflictCount == 0)
            #expect(try await device.body("dan") == #"{"age":3}"#)
            #expect(try await device.body("bob") == #"{"age":4}"#)
        }
    }

    @Test("conflict with those of a file, and all files resolve that alike")
    func conflict() async throws {
        for versioning in [Versioning.versionVectors, .treesInExtra] {
            let (endpoint, writer) = try await prepared()
            let devices = try (0..<2).map { _ in try Device(endpoint, versioning: versioning) }
            for id in ["ada", "bob"] { try await devices[0].save(id, #"{"age": 36}"#) }
            for device in devices { try await device.replicate() }
            try await devices[1].save("ada", #"{"age": 37}"#)
            try writer.update("ada", #"{"age": 38}"#)
            try writer.update("bob", #"{"age": 39}"#)
            try await devices[0].replicate()
            try await devices[1].save("bob", #"{"age": 40}"#)
            #expect(try await devices[1].replicate().conflictCount == 2)
            for device in devices { try await device.replicate() }
            let contents = try await devices[0].contents()
            #expect(try await devices[1].contents() == contents)
            #expect(try await devices[0].body("ada") == writer.body("ada"))
            #expect(try await devices[0].body("bob") == writer.body("bob"))
            guard versioning == .versionVectors else { continue }
            // The later one wins.
            #expect(try await devices[0].body("ada") == #"{"age":38}"#)
            #expect(try await devices[0].body("bob") == #"{"age":40}"#)
        }
    }

    @Test("have versions that descend from those before")
    func vectors() async throws {
        let (endpoint, writer) = try await prepared()
        let device = try Device(endpoint)
        try await device.save("seed", "{}")
        try await device.replicate()
        let source = try writer.sql("SELECT server FROM \(writer.schema).meta")[0]
        let other = "AAECAwQFBgcICQoLDA0ODw"
        let year: UInt64 = 31_557_600_000_000_000
        let now = try #require(
            try UInt64(writer.sql("SELECT floor(extract(epoch FROM now()))")[0]))
        let future = String(now * 1_000_000_000 + year, radix: 16)
        let tooLate = String(now * 1_000_000_000 + 20 * year, radix: 16)
        let vectors = [
            "18ec6422e6240000@\(other)",
            "18ec6422e6250000@\(other); 18ec6422e6240000@\(source)",
            "18ec6422e6250000@\(source); 18ec6422e6240000@\(other)",
            "18ec6422e6270000@\(other), 18ec6422e6250000@\(source), 18ec6422e6240000@\(other);",
            "18ec6422e6270000@\(source), 18ec6422e6250000@\(other), 18ec6422e6240000@\(source);",
            "18ec6422e6270000@\(other), 18ec6422e6250000@EBESExQVFhcYGRobHB0eHw; "
                + "20000000000@Revision+Tree+Encoding",
            "\(future)@\(other); 18ec6422e6240000@EBESExQVFhcYGRobHB0eHw",
            "\(tooLate)@\(other)", "\(tooLate)@\(source); 18ec6422e6240000@\(other)",
        ]
        #expect(VersionVector.PeerID.legacy.description == "Revision+Tree+Encoding")
        for vector in vectors {
            let old = try VersionVector(text: vector)
            let history = old.count > 1 ? vector : ""
            try writer.sql(
                """
                UPDATE \(writer.docs) SET rev = '\(old.currentText)', history = '\(history)'
                WHERE id = 'seed'
                """)
            try writer.update("seed", #"{"vector": "\#(vector)"}"#)
            let row = try writer.sql("SELECT rev, history FROM \(writer.docs)")[0]
            let parts = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            let new = try VersionVector(text: parts[1].isEmpty ? parts[0] : parts[1])
            #expect(new.compare(to: old) == .newer, "\(vector)\n\(row)")
            #expect(new.currentText == parts[0])
            #expect(new.first.source.description == source)
            #expect(new.versions.filter(\.isCurrent).count == 1, "\(row)")
            #expect((new.count == 1) == parts[1].isEmpty, "\(row)")
            #expect(parts[1].isEmpty || new.text == parts[1], "\(row)")
            let latest = old.versions.filter {
                !$0.isLegacy && $0.time.rawValue < now * 1_000_000_000 + 5 * year
            }.map(\.time).max()
            #expect(latest.map { new.first.time > $0 } ?? true, "\(row)")
            #expect(new.first.time.rawValue >= now * 1_000_000_000, "\(row)")
            let isOwnTooLate = vector.hasPrefix("\(tooLate)@\(source)")
            #expect(isOwnTooLate || new.first.time.rawValue < (now + 1000) * 1_000_000_000 + year)
        }
    }

    @Test("have generations and a history in revision trees, which is not endless")
    func trees() async throws {
        let (endpoint, writer) = try await prepared()
        let device = try Device(endpoint, versioning: .treesInExtra)
        try await device.save("ada", "{}")
        try await device.replicate()
        for number in 0..<60 { try writer.update("ada", #"{"age": \#(number)}"#) }
        let row = try writer.sql("SELECT rev, history FROM \(writer.docs)")[0].split(separator: "|")
        let history = try row[1].split(separator: ",").map { try RevisionID(String($0)) }
        let generations = history.map { $0.description.prefix { $0 != "-" } }
        #expect(generations == (12...61).reversed().map { "\($0)" })
        #expect(Set(history).count == 50 && history[0].description == row[0])
        let other = try Device(endpoint, versioning: .treesInExtra)
        #expect(try await other.replicate().pulled == 1)
        #expect(try await other.body("ada") == #"{"age":59}"#)
        // A new document of a collection with trees has a tree.
        try writer.insert("bob", "{}")
        #expect(try await other.replicate().pulled == 1)
        #expect(
            try writer.sql("SELECT rev LIKE '1-%' FROM \(writer.docs) WHERE id = 'bob'") == ["t"])
    }

    @Test("of a collection without documents create version vectors")
    func emptyCollection() async throws {
        let (endpoint, writer) = try await prepared()
        let device = try Device(endpoint)
        try await device.replicate()
        try writer.insert("ada", #"{"name": "Ada"}"#)
        #expect(try await device.replicate().pulled == 1)
        #expect(try await device.body("ada") == #"{"name":"Ada"}"#)
    }

    @Test("use the bucket that clients use")
    func buckets() async throws {
        let (endpoint, writer) = try await prepared(buckets: 7)
        let device = try Device(endpoint)
        var ids = ["a", "é", "日本語", String(repeating: "x", count: 240), "a'b\"c"]
        var random = SeededGenerator(seed: 11)
        ids += (0..<40).map { _ in "doc-\(random.below(1_000_000_000))" }
        for id in ids { try await device.save(id, "{}") }
        try await device.replicate()
        #expect(
            try writer.sql(
                """
                SELECT count(*), count(DISTINCT bucket),
                  bool_and(bucket = \(writer.schema).edit_bucket(id, 7)) FROM \(writer.docs)
                """) == ["45|7|t"])
    }

    @Test("are refused if a file would not accept them")
    func refused() async throws {
        let (endpoint, writer) = try await prepared()
        let device = try Device(endpoint)
        try await device.save("ada", "{}")
        try await device.replicate()
        let long = String(repeating: "é", count: 121)
        for (sql, message) in [
            ("INSERT INTO \(writer.view) (id, body) VALUES ('_x', '{}')", "not allowed"),
            ("INSERT INTO \(writer.view) (id, body) VALUES ('', '{}')", "not allowed"),
            ("INSERT INTO \(writer.view) (body) VALUES ('{}')", "not allowed"),
            ("INSERT INTO \(writer.view) (id, body) VALUES ('\(long)', '{}')", "not allowed"),
            (#"INSERT INTO \#(writer.view) (id, body) VALUES (E'a\nb', '{}')"#, "not allowed"),
            ("INSERT INTO \(writer.view) (id, body) VALUES ('x', '[]')", "not a JSON object"),
            ("INSERT INTO \(writer.view) (id) VALUES ('x')", "not a JSON object"),
            ("INSERT INTO \(writer.view) (id, body) VALUES ('ada', '{}')", "exists"),
            (
                "INSERT INTO \(writer.view) (id, body) VALUES ('x', '{\"_id\": 1}')",
                "reserved property"
            ),
            (
                "INSERT INTO \(writer.view) (id, body, rev) VALUES ('x', '{}', '1-ab')",
                "only id and body"
            ),
            ("UPDATE \(writer.view) SET body = '3'", "not a JSON object"),
            ("UPDATE \(writer.view) SET body = NULL", "not a JSON object"),
            ("UPDATE \(writer.view) SET id = 'x'", "only the body"),
            ("UPDATE \(writer.docs) SET body = NULL", "not a JSON object"),
        ] {
            let error = #expect(throws: PostgresServer.Failure.self, "\(sql)") {
                try writer.sql(sql)
            }
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        }
        try writer.sql("UPDATE \(writer.docs) SET rev = 'nonsense@'")
        let error = #expect(throws: PostgresServer.Failure.self) {
            try writer.update("ada", #"{"age": 36}"#)
        }
        #expect(error?.message.contains("cannot be read") == true)
        #expect(try writer.sql("SELECT count(*) FROM \(writer.docs)") == ["1"])
        #expect(try writer.sql("SELECT last_seq FROM \(writer.schema).feeds") == ["1"])
    }

    @Test("return the new revision, and leave a document alone whose body stays the same")
    func returning() async throws {
        let (endpoint, writer) = try await prepared()
        try await Device(endpoint).replicate()
        let inserted = try writer.sql(
            "INSERT INTO \(writer.view) (id, body) VALUES ('ada', '{}') RETURNING rev, seq")
        #expect(try inserted == writer.sql("SELECT rev, seq FROM \(writer.docs)"))
        try writer.sql("UPDATE \(writer.view) SET body = '{ }'")
        #expect(try inserted == writer.sql("SELECT rev, seq FROM \(writer.docs)"))
        let updated = try writer.sql(
            "UPDATE \(writer.view) SET body = '{\"age\": 1}' RETURNING rev, seq")
        #expect(try updated == writer.sql("SELECT rev, seq FROM \(writer.docs)"))
        #expect(updated != inserted)
    }

    @Test("replace values that JSON does not have")
    func exactValues() async throws {
        let (endpoint, writer) = try await prepared()
        let device = try Device(endpoint)
        try await device.store.file.write { transaction in
            _ = try Device.people.save("ada", in: transaction) { encoder in
                encoder.beginDictionary()
                try encoder.writeKey("zero")
                try encoder.writeDouble(-0.0)
                try encoder.endDictionary()
            }
        }
        try await device.replicate()
        #expect(try writer.sql("SELECT extra IS NULL FROM \(writer.docs)") == ["f"])
        try writer.update("ada", #"{"zero": 1}"#)
        #expect(try writer.sql("SELECT extra IS NULL, source <> '' FROM \(writer.docs)") == ["t|t"])
        try await device.replicate()
        #expect(try await device.body("ada") == #"{"zero":1}"#)
    }

    @Test("are possible in collections that are created later, until that is ended")
    func installation() async throws {
        let (endpoint, name) = try server.namedEndpoint()
        try await endpoint.prepare()
        let device = try Device(endpoint)
        try await device.save("ada", #"{"age": 36}"#)
        try await device.replicate()
        let writer = SQLWriter(server: server, schema: name)
        // Twice, and as an administrator does it.
        try await endpoint.prepare(editingBySQL: true)
        try await endpoint.prepare(editingBySQL: true)
        try server.sql(endpoint.triggerSQL)
        try writer.update("ada", #"{"age": 37}"#)
        #expect(try await device.replicate().pulled == 1)
        var later = device
        later.settings = ReplicatedCollection(DocumentCollection(try CollectionName("hr.staff")))
        try await later.replicate()
        try server.sql(#"INSERT INTO \#(name)."hr.staff" (id, body) VALUES ('bob', '{}')"#)
        #expect(try await later.replicate().pulled == 1)
        // Preparing it otherwise leaves the triggers.
        try await endpoint.prepare()
        try writer.update("ada", #"{"age": 38}"#)
        #expect(try await device.replicate().pulled == 1)
        try await endpoint.prepare(editingBySQL: false)
        try await endpoint.prepare(editingBySQL: false)
        try server.sql(endpoint.triggerRemovalSQL)
        #expect(
            try server.sql(
                """
                SELECT (SELECT count(*) FROM pg_proc WHERE pronamespace = '\(name)'::regnamespace),
                  (SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                   WHERE c.relnamespace = '\(name)'::regnamespace)
                """) == ["0|0"])
    }

    @Test("work in a schema with an unusual name")
    func schemaName() async throws {
        let suffix = UUID().uuidString.prefix(8)
        // A quotation mark with a combining accent is one character of Swift.
        let name = "te$store$st'\"\u{301} \(suffix)"
        let schema = "\"te$store$st'\"\"\u{301} \(suffix)\""
        let endpoint = try PostgresEndpoint(server.url, schema: name)
        try await endpoint.prepare(editingBySQL: true)
        let device = try Device(endpoint)
        try await device.replicate()
        let writer = SQLWriter(server: server, schema: schema)
        try writer.insert("ada", #"{"age": 36}"#)
        #expect(try await device.replicate().pulled == 1)
        try await endpoint.prepare(editingBySQL: false)
        try server.sql("DROP SCHEMA \(schema) CASCADE")
    }

    @Test("wake files that follow the server")
    func notification() async throws {
        let (endpoint, writer) = try await prepared()
        let device = try Device(endpoint)
        var statuses = Replicator(
            device.store.file, to: endpoint, collections: [device.settings]
        ).start().makeAsyncIterator()
        while let status = await statuses.next(), status.phase != .idle {}
        // Without the notification it would take a minute.
        let start = ContinuousClock.now
        try writer.insert("ada", "{}")
        while let status = await statuses.next(), status.report.pulled == 0 {}
        #expect(ContinuousClock.now - start < .seconds(50))
    }

    @Test("do not overwrite a change that they have not seen")
    func stale() async throws {
        let (endpoint, writer) = try await prepared()
        let device = try Device(endpoint)
        try await device.save("ada", #"{"age": 36}"#)
        try await device.replicate()
        // The trigger of the view is called after the document has changed, by the same statement.
        let error = #expect(throws: PostgresServer.Failure.self) {
            try writer.sql(
                """
                WITH changed AS (
                  UPDATE \(writer.docs) SET body = '{"age": 37}' WHERE id = 'ada' RETURNING id)
                UPDATE \(writer.view) v SET body = '{"age": 38}' FROM changed c WHERE v.id = c.id
                """)
        }
        #expect(error?.message.contains("changed meanwhile") == true)
        #expect(try writer.body("ada") == #"{"age":36}"#)
    }

    @Test("that deadlock with a client make it try again")
    func deadlock() async throws {
        let (_, writer) = try await prepared()
        let name = writer.schema
        let device = try Device(
            try PostgresEndpoint(
                "\(server.url)?application_name=\(name)&options=-c%20deadlock_timeout%3D3s",
                schema: name))
        try await device.save("ada", #"{"age": 36}"#)
        try await device.replicate()
        try await device.save("ada", #"{"age": 37}"#)
        let replication = Task {
            // Once the document is locked.
            let isFree = "SELECT pg_try_advisory_lock(hashtext('\(name)'))"
            while try await server.run(isFree) == ["t"] {}
            return try await device.replicate()
        }
        // The row of the document is locked first, and that of the feed in the trigger. The client
        // is the one that looks for a deadlock, after 3 s.
        _ = try await server.run(
            """
            SET deadlock_timeout = '1h';
            BEGIN;
            SELECT 1 FROM \(writer.docs) WHERE id = 'ada' FOR UPDATE;
            DO $$ BEGIN
              PERFORM pg_advisory_lock(hashtext('\(name)'));
              WHILE NOT EXISTS (SELECT 1 FROM pg_stat_activity
                WHERE application_name = '\(name)' AND wait_event_type = 'Lock')
              LOOP PERFORM pg_stat_clear_snapshot(), pg_sleep(0.01); END LOOP;
            END $$;
            UPDATE \(writer.docs) SET body = '{"age": 38}' WHERE id = 'ada';
            COMMIT;
            """)
        let report = try await replication.value
        #expect(report.conflictCount == 1 && report.rejectionCount == 0)
        try await device.replicate()
        #expect(try await device.body("ada") == writer.body("ada"))
    }
}
