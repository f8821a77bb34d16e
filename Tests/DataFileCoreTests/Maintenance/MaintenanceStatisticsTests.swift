import DataFileCore
import EngineTestSupport
import ProjectTestSupport
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Statistics of a database")
struct MaintenanceStatisticsTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    @Test("count the records, tombstones and bytes of each store")
    func stores() throws {
        try fixture.sqlite().exec(
            sql: """
                INSERT INTO kv_default (key, flags, body, extra, expiration) VALUES
                    ('é', 0, x'0102', x'01', 5), ('b', NULL, NULL, NULL, NULL),
                    ('c', 1, x'010203', NULL, x'01020304');
                INSERT INTO kv_del_default (key, flags, body) VALUES ('dd', 1, x'FF')
                """)
        let statistics = try fixture.open(.readOnly).statistics()
        let store = try #require(statistics.stores.first { $0.name == .default })
        #expect(store.liveRecords == 2 && store.tombstones == 2 && store.expiringRecords == 1)
        #expect(store.keyBytes == 6 && store.bodyBytes == 6 && store.extraBytes == 5)
        #expect(statistics.stores.map(\.name) == [.default, .info])
    }

    @Test("report the size of each table and index; together they are the file")
    func trees() throws {
        let file = try fixture.open()
        try fixture.fill(file, count: 300)
        let wal = file.size.wal
        try fixture.sqlite().exec(sql: "DELETE FROM kv_default WHERE rowid <= 100")
        let statistics = try file.statistics()
        let trees = try #require(statistics.trees)
        let table = try #require(trees.first { $0.name == "kv_default" })
        #expect(table.pages > 20 && table.bytes == table.pages * 4096 && !table.isIndex)
        #expect(table.unusedBytes > 0)
        let index = try #require(trees.first { $0.name == "sqlite_autoindex_kv_default_1" })
        #expect(index.isIndex && index.table == "kv_default")
        #expect(statistics.freePages > 5 && statistics.pageSize == 4096)
        // All except the pointer map page.
        let used = trees.reduce(0) { $0 + $1.pages }
        #expect(used + statistics.freePages == statistics.pages - 1)
        #expect(statistics.walBytes >= wal && wal > 0)
        #expect(statistics.sharedKeyCount == 2)
    }

    @Test(
        "agree with LiteCore's own tool",
        .enabled(if: GoldenFiles.arePresent, "no golden files"))
    func golden() throws {
        let source = GoldenFiles.file("litecore/sample_vectors_503.cblite2")
        let file = try DataFile(path: fixture.directory.copy(of: source))
        let statistics = try file.statistics()
        let stores = statistics.stores.filter(\.name.isCollection)
        #expect(stores.map(\.name.rawName) == [".hr.Employees", "default"])
        #expect(stores.map(\.liveRecords) == [10, 107])
        #expect(stores.map(\.tombstones) == [1, 1])
        #expect(stores.map(\.bodyBytes) == [674, 25172])
        #expect(statistics.sharedKeyCount == 62)
    }
}
