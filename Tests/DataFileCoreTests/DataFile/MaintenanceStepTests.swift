import EngineTestSupport
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing
@testable import DataFileCore

/// Steps of the background maintenance, run on demand.
@Suite("Steps of maintenance")
struct MaintenanceStepTests {
    let fixture: EngineFixture
    let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
        let file = try fixture.open()
        try file.write { transaction in
            try store.set("a", in: transaction)
            try store.set("b", in: transaction)
        }
        file.close()
    }

    private func alter(_ sql: String) throws { try fixture.sqlite().exec(sql: sql) }

    private func missIndex(_ file: DataFile) throws {
        _ = try file.read { try store.get(sequence: 99, in: $0) }
    }

    @Test("the tombstones get their sequence index, too, if only they lack it")
    func indexOfTombstones() throws {
        try alter("CREATE UNIQUE INDEX kv_default_seqs ON kv_default (sequence)")
        let file = try fixture.open()
        try missIndex(file)
        #expect(file.shared.state.hasPendingIndexes)
        _ = try file.shared.runMaintenance()
        let index =
            "SELECT name FROM sqlite_master WHERE name LIKE '%\\_seqs' ESCAPE '\\' ORDER BY 1"
        #expect(try fixture.rows(index) == ["kv_default_seqs", "kv_del_default_seqs"])
        try missIndex(file)
        #expect(!file.shared.state.hasPendingIndexes)
    }

    @Test("without maintenance no lazy index is created, and readers do without")
    func noMaintenance() throws {
        let file = try fixture.open()
        for round in 1...3 {
            try missIndex(file)
            #expect(try file.read { try store.get(sequence: 1, in: $0)?.key } == "a")
            var options = RecordEnumerator.Options()
            options.order = .sequence
            let keys = try file.read { [options] snapshot in
                let records = try store.records(options, in: snapshot)
                var keys: [String] = []
                while let record = try records.next() { keys.append(record.key) }
                return keys
            }
            #expect(keys.prefix(2) == ["a", "b"] && keys.count == 1 + round)
            _ = try file.write { try store.set("c\(round)", in: $0) }
        }
        file.close()
        #expect(
            try fixture.rows("SELECT name FROM sqlite_master WHERE name GLOB '*_seqs'") == [])
    }

    @Test("the planner statistics are updated after an index was created")
    func statistics() throws {
        let file = try fixture.open()
        try missIndex(file)
        #expect(try file.shared.runMaintenance() == false)
        #expect(try file.shared.runMaintenance())
        #expect(
            try fixture.rows("SELECT stat FROM sqlite_stat1 WHERE idx='kv_default_seqs'") == [
                "2 1"
            ])
    }

    @Test("an index that cannot be created is not tried again for each reader")
    func impossibleIndex() throws {
        try alter("UPDATE kv_default SET sequence=1")
        let file = try fixture.open()
        try missIndex(file)
        _ = try file.shared.runMaintenance()
        try missIndex(file)
        #expect(!file.shared.state.hasPendingIndexes)
    }

    @Test("a file of an older schema is not upgraded for an index")
    func olderSchema() throws {
        try alter("PRAGMA user_version=502")
        let file = try fixture.open()
        try missIndex(file)
        #expect(try file.shared.runMaintenance())
        #expect(!file.shared.state.hasPendingIndexes)
        #expect(try fixture.rows("PRAGMA user_version") == ["502"])
    }

    @Test("records expire even if tombstones cannot be moved")
    func independence() throws {
        try alter(
            """
            UPDATE kv_default SET expiration=1 WHERE key='a';
            ALTER TABLE kv_default ADD COLUMN unknown;
            UPDATE kv_info SET body=x'0000000000000009' WHERE key='maxRowidWithDeletedInDefault'
            """)
        let file = try fixture.open()
        storeError(.unsupported) { _ = try file.shared.runMaintenance() }
        #expect(try fixture.rows("SELECT key FROM kv_default") == ["b"])
    }
}
