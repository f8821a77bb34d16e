import DataFileCore
import EngineTestSupport
import Foundation
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

@Suite(
    "Commits of another process", .enabled(if: ChildProcess.exists("sqlite3"), "no sqlite3"),
    .timeLimit(.minutes(20)))
struct ExternalChangeTests {
    let fixture: EngineFixture
    let file: DataFile
    let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
        file = try fixture.open { $0.externalChangeMilliseconds = 10 }
    }

    /// SQL that another process runs.
    private func other(_ sql: String) throws {
        let outcome = try ChildProcess.run([
            "sqlite3", "-bail", "-cmd", ".timeout 10000", fixture.path + "/db.sqlite3", sql,
        ])
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    private func insert(_ key: String, _ sequence: Int, flags: Int = 0) -> String {
        """
        BEGIN IMMEDIATE;
        INSERT INTO \(flags == 1 ? "kv_del_default" : "kv_default")
            (key, sequence, flags, body) VALUES ('\(key)', \(sequence), \(flags), x'00');
        INSERT OR REPLACE INTO kvmeta (name, lastSeq) VALUES ('default', \(sequence));
        COMMIT;
        """
    }

    @Test("records saved and deleted by another process are reported soon, purges as incomplete")
    func told() async throws {
        let stream = try file.changes(of: store)
        var iterator = stream.makeAsyncIterator()
        try other(insert("a", 1))
        let saved = try #require(await iterator.next())
        #expect(saved.changes == [RecordChange(key: "a", kind: .saved, sequence: 1)])
        #expect(saved.sequences == 1...1 && saved.isComplete)
        try other(insert("b", 2, flags: 1))
        let deleted = try #require(await iterator.next())
        #expect(deleted.changes == [RecordChange(key: "b", kind: .deleted, sequence: 2)])
        try other(
            "BEGIN IMMEDIATE; DELETE FROM kv_default WHERE key='a';"
                + "UPDATE kvmeta SET purgeCnt = 1 WHERE name='default'; COMMIT")
        let purged = try #require(await iterator.next())
        #expect(purged.changes.isEmpty && !purged.isComplete && purged.sequences == nil)
    }

    @Test("a read-only handle is notified of all writes, also of this process")
    func readOnly() async throws {
        let reader = try fixture.open(.readOnly) { $0.externalChangeMilliseconds = 10 }
        let stream = try reader.changes(of: store)
        var iterator = stream.makeAsyncIterator()
        try await file.write { _ = try store.set("a", in: $0) }
        #expect(await iterator.next()?.changes.map(\.key) == ["a"])
        try other(insert("b", 2))
        #expect(await iterator.next()?.changes.map(\.key) == ["b"])
    }

    @Test("a commit by another process just before an own one is reported with it, once each")
    func betweenOwn() async throws {
        file.close()
        // So rarely that only the own commit can find it.
        let file = try fixture.open { $0.externalChangeMilliseconds = 3_600_000 }
        let stream = try file.changes(of: store)
        var iterator = stream.makeAsyncIterator()
        try await file.write { _ = try store.set("own", in: $0) }
        #expect(await iterator.next()?.changes.map(\.key) == ["own"])
        try other(insert("a", 2))
        await #expect(throws: Mishap.self) { try await file.write { _ in throw Mishap() } }
        try await file.write { _ = try store.set("after", in: $0) }
        let event = try #require(await iterator.next())
        #expect(
            event.changes == [
                RecordChange(key: "a", kind: .saved, sequence: 2),
                RecordChange(key: "after", kind: .saved, sequence: 3),
            ])
        #expect(event.sequences == 2...3)
    }

    @Test("a store that another process has deleted and created again is reported with all records")
    func madeAnew() async throws {
        let people = KeyStore(KeyStoreName(".people"))
        try await file.write { transaction in
            try people.create(in: transaction)
            for key in ["a", "b", "c"] { try people.set(key, in: transaction) }
        }
        let stream = try file.changes(of: people)
        try other(
            """
            BEGIN IMMEDIATE; DROP TABLE "kv_.people";
            \(SchemaSQL.createStore(table: "kv_.people").joined(separator: ";"));
            INSERT INTO "kv_.people" (key, sequence, flags) VALUES ('new', 1, 0);
            UPDATE kvmeta SET lastSeq = 1; COMMIT
            """)
        var found: KeyStoreChanges?
        for await event in stream {
            found = event
            break
        }
        #expect(found?.changes.map(\.key) == ["new"])
        #expect(found?.isComplete == false)
    }

    @Test("two processes write for some seconds: nothing is lost, each sequence is assigned once")
    func twoProcesses() async throws {
        let rounds = 300
        let script = (1...rounds).map { number in
            """
            BEGIN IMMEDIATE;
            INSERT INTO kv_default (key, sequence, flags, body) SELECT 'other-\(number)',
                1 + max(coalesce((SELECT lastSeq FROM kvmeta WHERE name='default'), 0),
                    coalesce((SELECT max(sequence) FROM kv_default), 0)), 0, x'00';
            INSERT OR REPLACE INTO kvmeta (name, lastSeq)
                SELECT 'default', max(sequence) FROM kv_default;
            COMMIT;
            """
        }.joined(separator: "\n")
        let sqlPath = fixture.directory("script.sql")
        try Data(script.utf8).write(to: URL(fileURLWithPath: sqlPath))
        let stream = try file.changes(of: store)
        async let otherProcess = Task.detached { [fixture] in
            try ChildProcess.run([
                "sh", "-c", "sqlite3 -bail -cmd '.timeout 10000' \"$0\" < \"$1\"",
                fixture.path + "/db.sqlite3", sqlPath,
            ])
        }.value
        for number in 1...rounds {
            try await file.write { _ = try store.set("own-\(number)", in: $0) }
        }
        let outcome = try await otherProcess
        #expect(outcome.status == 0, "\(outcome.output)")
        var keys: Set<String> = []
        for await event in stream {
            keys.formUnion(event.changes.map(\.key))
            #expect(event.isComplete)
            if keys.count == 2 * rounds { break }
        }
        #expect(
            try fixture.rows(
                "SELECT count(*), count(DISTINCT sequence), max(sequence) FROM kv_default")
                == ["\(2 * rounds)|\(2 * rounds)|\(2 * rounds)"])
        #expect(try await file.read { try store.lastSequence(in: $0) } == Int64(2 * rounds))
        #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
    }

    @Test("a lock held for longer than the timeout is the error busy, and nothing is written")
    func busy() throws {
        file.close()
        let file = try fixture.open { $0.busyTimeoutMilliseconds = 50 }
        let holder = try fixture.sqlite()
        try holder.exec(sql: "BEGIN IMMEDIATE")
        let error = storeError(.busy) { try file.write { _ = try store.set("a", in: $0) } }
        #expect(error?.message.contains("locked by another process") == true)
        #expect(try file.read { try store.count(in: $0) } == (0, 0), "reading goes on")
        try holder.exec(sql: "COMMIT")
        try file.write { _ = try store.set("a", in: $0) }
        #expect(try fixture.liveRows() == ["a|1|0|"])
    }
}
