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

@Suite("A server with a problem", .enabled(if: PostgresServer.isInstalled))
struct BadRemoteTests {
    let server: PostgresServer
    let endpoint: PostgresEndpoint
    /// The schema, and the name of the connections.
    let name: String

    init() throws {
        server = try #require(PostgresServer.shared)
        (endpoint, name) = try server.namedEndpoint()
    }

    private func code(
        _ body: () async throws -> some Any
    ) async -> ReplicationError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? ReplicationError)?.code
        }
    }

    @Test("without the tables is an error that says how to create them")
    func noTables() async throws {
        let device = try Device(endpoint)
        let error = await #expect(throws: ReplicationError.self) { try await device.replicate() }
        #expect(error?.code == .incompatible)
        #expect(error?.message.contains("prepare()") == true)
    }

    @Test("with tables of a later format is left alone")
    func laterFormat() async throws {
        try await endpoint.prepare()
        try server.sql("UPDATE \(name).meta SET format = 99")
        let device = try Device(endpoint)
        try await device.save("ada", "{}")
        #expect(await code { try await device.replicate() } == .incompatible)
        #expect(try server.sql("SELECT count(*) FROM \(name).docs") == ["0"])
    }

    @Test("with a column that someone renamed is an error")
    func alteredTable() async throws {
        try await endpoint.prepare()
        try server.sql("ALTER TABLE \(name).docs RENAME COLUMN rev TO r")
        let device = try Device(endpoint)
        try await device.save("ada", "{}")
        #expect(await code { try await device.replicate() } == .incompatible)
    }

    @Test("that does not grant a right is an error")
    func missingRight() async throws {
        try await endpoint.prepare()
        try server.sql("CREATE ROLE \(name) LOGIN")
        let url = server.url.replacing("store@", with: "\(name)@")
        let other = try PostgresEndpoint(url, schema: name)
        #expect(await code { try await other.connect() } == .unauthorized)
        try server.sql("GRANT USAGE ON SCHEMA \(name) TO \(name)")
        try server.sql("GRANT SELECT ON ALL TABLES IN SCHEMA \(name) TO \(name)")
        let device = try Device(endpoint)
        try await device.replicate()
        let reader = try Device(other)
        try await device.save("ada", #"{"age": 36}"#)
        try await device.replicate()
        try await reader.save("bob", "{}")
        #expect(await code { try await reader.replicate() } == .unauthorized)
        #expect(try await reader.body("ada") == #"{"age":36}"#)
    }

    @Test("that only reads refuses everything for now, and nothing for ever")
    func readOnly() async throws {
        try await endpoint.prepare()
        let device = try Device(endpoint)
        try await device.save("ada", "{}")
        try await device.replicate()
        try await device.save("bob", "{}")
        let url = "\(server.url)?options=-c%20default_transaction_read_only%3Don"
        let reading = try PostgresEndpoint(
            url + "&target_session_attrs=any", schema: name)
        #expect(
            await code {
                try await Replicator(
                    device.store.file, to: reading, collections: [device.settings]
                ).run()
            } == .remoteFailure)
        #expect(try await device.replicate().pushed == 1)
    }

    @Test("whose disk is full refuses everything for now, and nothing for ever")
    func fullDisk() async throws {
        try await endpoint.prepare()
        let device = try Device(endpoint)
        try await device.save("ada", "{}")
        try await device.replicate()
        try server.sql(
            """
            CREATE FUNCTION \(name).full() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              RAISE EXCEPTION 'could not extend file: No space left on device'
                USING ERRCODE = '53100';
            END $$;
            CREATE TRIGGER is_full BEFORE INSERT ON \(name).docs
              FOR EACH ROW EXECUTE FUNCTION \(name).full()
            """)
        try await device.save("bob", "{}")
        let error = await #expect(throws: ReplicationError.self) { try await device.replicate() }
        #expect(error?.code == .remoteFailure && error?.isTransient == true)
        #expect(error?.message.contains("No space left") == true)
        try server.sql("DROP TRIGGER is_full ON \(name).docs")
        #expect(try await device.replicate().pushed == 1)
    }

    @Test("with large documents sends a few at a time", arguments: [1, 3])
    func largeDocuments(buckets: Int) async throws {
        let megabytes = TestEnvironment.number("STORE_SYNC_LARGE", or: 4)
        let (endpoint, name) = try server.namedEndpoint(buckets: buckets)
        try await endpoint.prepare()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        for id in ["a", "b", "c", "d"] { try await first.save(id, #"{"id": "\#(id)"}"#) }
        try await first.replicate()
        // They are compressed at the server to a hundredth.
        try server.sql(
            """
            UPDATE \(name).docs SET body = body || jsonb_build_object(
              'text', repeat('large ', \(megabytes << 20) / 6)) WHERE id <> 'd'
            """)
        let report = try await second.replicate()
        #expect(report.pulled == 4 && report.rejectionCount == 0)
        // Also where they are asked for by their IDs, after a conflict.
        let third = try Device(endpoint) {
            $0.direction = .push
            $0.resolver = .remoteWins
        }
        for id in ["a", "b", "c", "d"] { try await third.save(id, #"{"n": 1}"#) }
        #expect(try await third.replicate().rejectionCount == 4)
        var both = third
        both.settings.direction = .both
        #expect(try await both.replicate().conflictCount == 4)
        let texts = try await texts(of: second)
        #expect(try await self.texts(of: third) == texts)
        #expect(texts["b"]?.size == (megabytes << 20) / 6 * 6)
    }

    private struct LongText: Equatable {
        let size: Int
        let hash: Int
    }

    /// As JSON, the documents would be larger than what is read at once.
    private func texts(of device: Device) async throws -> [String: LongText] {
        try await device.store.file.read { snapshot in
            var texts: [String: LongText] = [:]
            for id in ["a", "b", "c", "d"] {
                let text = try Device.people.get(id, in: snapshot)?["text"]?.string
                texts[id] = text.map { LongText(size: $0.utf8.count, hash: $0.hashValue) }
            }
            return texts
        }
    }

    @Test("that cannot be reached is tried again")
    func unreachable() async throws {
        let nowhere = try PostgresEndpoint("postgresql://store@%2Fnowhere/postgres")
        let device = try Device(nowhere)
        #expect(await code { try await device.replicate() } == .unreachable)
        var statuses = Replicator(
            device.store.file, to: nowhere, collections: [device.settings]
        ).start().makeAsyncIterator()
        var waits = 0
        while waits < 2, let status = await statuses.next() {
            if case .waiting(let seconds) = status.phase {
                #expect((status.lastError as? ReplicationError)?.code == .unreachable)
                #expect((0.5...2).contains(seconds))
                waits += 1
            }
        }
        #expect(waits == 2)
    }

    @Test(
        "with a damaged row loses that document alone",
        arguments: [
            "rev = 'nonsense', history = ''", "rev = '18ec6422e6240000@*', history = ''",
            "history = 'nonsense'", "rev = ''", "body = '[1, 2]'", "body = '\"text\"'",
            "body = NULL", "extra = '\\x0102030405060708'", "rev = '999-', history = ''",
        ])
    func damagedRow(change: String) async throws {
        try await endpoint.prepare()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        for id in ["ada", "bob", "cyd"] { try await first.save(id, #"{"id": "\#(id)"}"#) }
        try await first.replicate()
        try server.sql("UPDATE \(name).docs SET \(change) WHERE id = 'bob'")
        let report = try await second.replicate()
        #expect(try await second.body("ada") == #"{"id":"ada"}"#)
        #expect(try await second.body("cyd") == #"{"id":"cyd"}"#)
        if change != "body = NULL" {
            #expect(report.rejections.map(\.id) == ["bob"])
            #expect(try await second.body("bob") == nil)
        }
        #expect(try await second.replicate().pulled == 0)
    }

    @Test("that was restored from a backup gets what it lost")
    func restoredServer() async throws {
        try await endpoint.prepare()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        try await first.save("ada", #"{"age": 36}"#)
        try await first.replicate()
        try await second.replicate()
        let backup = try TableBackup(server, name)
        try await first.save("bob", #"{"age": 40}"#)
        try await first.save("ada", #"{"age": 37}"#)
        try await first.replicate()
        try await second.replicate()
        try await second.save("cyd", #"{"age": 50}"#)
        try await second.replicate()
        try backup.restore()
        for device in [first, second, first] { try await device.replicate() }
        #expect(try server.sql("SELECT id FROM \(name).docs ORDER BY id") == ["ada", "bob", "cyd"])
        let contents = try await first.contents()
        #expect(contents.count == 3)
        #expect(try await second.contents() == contents)
        let third = try Device(endpoint)
        try await third.replicate()
        #expect(try await third.contents() == contents)
    }

    @Test("gives a file that was restored from a backup what it lost")
    func restoredFile() async throws {
        try await endpoint.prepare()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        try await first.save("ada", #"{"age": 36}"#)
        try await first.replicate()
        let backup = try TemporaryStore(copyOf: first.store.path)
        try await first.save("ada", #"{"age": 37}"#)
        try await first.save("bob", "{}")
        try await first.replicate()
        try await second.replicate()
        // From now on there is only the backup.
        first.store.file.close()
        _ = try await Replicator(
            backup.file, to: endpoint, collections: [first.settings]
        ).run()
        let restored = try await backup.file.read { snapshot in
            try ["ada", "bob"].map { try Device.people.get($0, in: snapshot)?["age"]?.int }
        }
        #expect(restored == [37, nil])
        try await backup.file.write { transaction in
            _ = try Device.people.save("ada", in: transaction) { try $0.writeJSON(#"{"age": 38}"#) }
        }
        _ = try await Replicator(
            backup.file, to: endpoint, collections: [first.settings]
        ).run()
        try await second.replicate()
        #expect(try await second.body("ada") == #"{"age":38}"#)
    }

    @Test("that no longer answers does not delay a cancellation")
    func cancellation() async throws {
        // A server of its own, which is paused.
        let server = try PostgresServer()
        let (endpoint, name) = try server.namedEndpoint()
        try await endpoint.prepare()
        let device = try Device(endpoint)
        try await device.save("ada", "{}")
        try await device.replicate()
        try await device.save("ada", #"{"age": 36}"#)
        async let locked: [String]? = try? server.run(
            "BEGIN; LOCK TABLE \(name).docs; SELECT pg_sleep(3600)")
        let waiting = "SELECT count(*) FROM pg_locks WHERE relation = '\(name).docs'::regclass AND"
        while try await server.run("\(waiting) mode = 'AccessExclusiveLock' AND granted") == ["0"] {
        }
        let replication = Task { try await device.replicate() }
        while try await server.run("\(waiting) NOT granted") == ["0"] {}
        try server.pause()
        replication.cancel()
        await #expect(throws: CancellationError.self) { try await replication.value }
        try server.resume()
        server.stop()
        #expect(await locked == nil)
    }

    @Test("that stops and starts again is followed further")
    func restart() async throws {
        let server = try PostgresServer()
        let endpoint = try server.endpoint()
        try await endpoint.prepare()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        let following = [first, second].map { device in
            Task {
                for await _ in Replicator(
                    device.store.file, to: endpoint, collections: [device.settings]
                ).start() {}
            }
        }
        var changes = try await second.store.file.changes(of: [Device.people.keyStore])[0]
            .makeAsyncIterator()
        for id in ["before", "after"] {
            if id == "after" {
                server.stop()
                try await first.save(id, #"{"age": 36}"#)
                try server.start()
            } else {
                try await first.save(id, "{}")
            }
            while let change = await changes.next(),
                !change.changes.contains(where: { $0.key == id })
            {}
        }
        #expect(try await second.body("after") == #"{"age":36}"#)
        for task in following { task.cancel() }
        for task in following { await task.value }
    }
}
