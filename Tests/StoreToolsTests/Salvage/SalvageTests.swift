import Foundation
import ProjectTestSupport
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing
@testable import DataFileCore
@testable import StoreTools

@Suite("Recovery", .timeLimit(.minutes(20)))
struct SalvageTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var target: String { directory("saved.cblite2") }

    private func golden(_ name: String) throws -> String {
        try directory.copy(of: GoldenFiles.file("litecore/\(name).cblite2"))
    }

    private func overwrite(_ path: String, page: Int, size: Int = 4096, with byte: UInt8) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path + "/db.sqlite3"))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Array(repeating: byte, count: size))
        try file.close()
    }

    /// Intended differences: the table of a tombstone is not compared, but this row is changed.
    private func comparable(_ rows: Set<StoredRow>) -> Set<StoredRow> {
        rows.filter { $0.key != InfoKey.unmovedTombstones || $0.store != .info }
    }

    /// The names of raw stores are in the schema table only: without it they get other names.
    private func unnamed(_ rows: Set<StoredRow>) -> Set<StoredRow> {
        Set(
            rows.map { row in
                var row = row
                if !row.store.isCollection, row.store != .info { row.store = KeyStoreName("raw") }
                return row
            })
    }

    private static let goldenNames = [
        "upgrade_2.7", "upgrade_2.8_index", "db_3_0_0_names_100_with_deleted",
        "upgrade_3.1_peerCheckpoints", "sample_revtree_503", "sample_vectors_503",
    ]

    @Test(
        "finds all rows of a file by its pages alone, without its first page",
        .enabled(if: GoldenFiles.arePresent, "no golden files"), arguments: goldenNames)
    func rawScan(name: String) throws {
        let path = try golden(name)
        let expected = try StoredRow.all(in: path)
        try overwrite(path, page: 1, with: 0xFF)
        let file = try #require(RawFile(path + "/db.sqlite3"))
        let pages = RawPages(file, wal: nil)
        #expect(pages.geometry.pageSize == 4096)
        #expect(pages.geometry.reserved == (name.hasSuffix("503") ? 0 : 12))
        var found: Set<StoredRow> = []
        var report = SalvageReport()
        try PageSalvage(pages).run(&report) { item in
            found.insert(StoredRow(item.row, in: item.name.store))
        }
        #expect(unnamed(found).subtracting(unnamed(expected)).isEmpty)
        #expect(unnamed(expected).subtracting(unnamed(found)).isEmpty)
        #expect(report.losses.isEmpty && expected.count > 5)
    }

    @Test(
        "of a file that is whole is the same file, at the schema 503",
        .enabled(if: GoldenFiles.arePresent, "no golden files"), arguments: goldenNames)
    func wholeFile(name: String) throws {
        let path = try golden(name)
        let expected = comparable(try StoredRow.all(in: path))
        let database = URL(filePath: path + "/db.sqlite3")
        let bytes = try Data(contentsOf: database)
        let files = try Set(FileManager.default.subpathsOfDirectory(atPath: path))
        let report = try Salvage(from: path, to: target).run()
        let names = try FileManager.default.contentsOfDirectory(atPath: target)
        #expect(Set(names).isSubset(of: ["db.sqlite3", "Attachments"]))
        #expect(try Data(contentsOf: database) == bytes)
        #expect(try Set(FileManager.default.subpathsOfDirectory(atPath: path)) == files)
        #expect(report.losses.isEmpty && report.lossCount == 0 && report.sqliteFailure == nil)
        #expect(report.stores.allSatisfy { $0.foundInPages == 0 && !$0.isGuessed })
        #expect(report.unreadablePages == [] && report.renumberedRecords == 0)
        #expect(comparable(try StoredRow.all(in: target)) == expected)
        let old = try DataFile(path: path)
        let new = try DataFile(path: target)
        #expect(new.schemaVersion == 503)
        #expect(try new.integrityCheck().isIntact)
        try compareCounts(old, new)
        let oldBlobs = try? FileManager.default.contentsOfDirectory(atPath: path + "/Attachments")
        let newBlobs = try? FileManager.default.contentsOfDirectory(atPath: target + "/Attachments")
        #expect(newBlobs == oldBlobs)
    }

    private func compareCounts(_ old: DataFile, _ new: DataFile) throws {
        try old.read { before in
            try new.read { after in
                for name in try before.keyStoreNames() where name.isCollection {
                    let store = KeyStore(name)
                    #expect(try store.count(in: after) == store.count(in: before))
                    let (last, old) = (
                        try store.lastSequence(in: after), try store.lastSequence(in: before)
                    )
                    #expect(last >= old)
                }
                #expect(try after.fileInfo().versioning == before.fileInfo().versioning)
                #expect(try after.fileInfo().privateUUID == before.fileInfo().privateUUID)
                #expect(try after.fileInfo().sharedKeyCount == before.fileInfo().sharedKeyCount)
            }
        }
    }

    @Test(
        "saves every row of a file that has lost its first page",
        .enabled(if: GoldenFiles.arePresent, "no golden files"), arguments: goldenNames)
    func lostFirstPage(name: String) throws {
        let path = try golden(name)
        let expected = unnamed(comparable(try StoredRow.all(in: path)))
        try overwrite(path, page: 1, with: 0)
        let report = try Salvage(from: path, to: target).run()
        let saved = unnamed(comparable(try StoredRow.all(in: target)))
        #expect(expected.subtracting(saved).isEmpty)
        #expect(saved.subtracting(expected).isEmpty)
        #expect(report.unreadablePages.contains(1) && report.sqliteFailure != nil)
        #expect(report.losses.isEmpty && report.renewedInfo == [])
    }

    @Test("recovers all rows except those of one page, and names these")
    func lostLeaf() throws {
        let small = try SmallPages()
        let rows = try small.pagesOfRows()
        let page =
            try #require(rows.first { $0.row.store == .default && $0.pages.count == 1 })
            .pages.first ?? 0
        let lost = Set(rows.filter { $0.pages.contains(page) }.map(\.row.key))
        try overwrite(small.path, page: page, size: 512, with: 0x77)
        let report = try Salvage(from: small.path, to: target).run()
        let saved = try StoredRow.all(in: target)
        #expect(Set(rows.map(\.row.key)).subtracting(saved.map(\.key)) == lost)
        #expect(!lost.isEmpty)
        #expect(report.stores.first { $0.name == .default }?.lostRecords == lost.count)
        #expect(Set(report.losses.compactMap(\.key)) == lost)
        #expect(report.losses.allSatisfy { $0.store == .default })
        #expect(report.unreadablePages == [page] && report.sqliteFailure != nil)
    }

    @Test("a row whose overflow page is lost is named, with its page")
    func lostOverflow() throws {
        let small = try SmallPages()
        let rows = try small.pagesOfRows()
        let long = try #require(rows.first { $0.pages.count > 2 })
        let leaf = try #require(rows.first { $0.row.key != long.row.key })
        #expect(leaf.row.key != long.row.key)
        let chain = try #require(
            long.pages.first { page in !rows.contains { $0.pages.min() == page } && page > 3 })
        try overwrite(small.path, page: chain, size: 512, with: 0xFF)
        let report = try Salvage(from: small.path, to: target).run()
        let lost = Set(rows.filter { $0.pages.contains(chain) }.map(\.row.key))
        #expect(lost.contains(long.row.key))
        let saved = Set(try StoredRow.all(in: target).map(\.key))
        #expect(Set(rows.map(\.row.key)).subtracting(saved) == lost)
        #expect(Set(report.losses.compactMap(\.key)) == lost)
    }

    @Test("does not need the pages that lead to the rows")
    func lostInterior() throws {
        let small = try SmallPages()
        let expected = comparable(try StoredRow.all(in: small.path))
        let file = try #require(RawFile(small.path + "/db.sqlite3"))
        let pages = RawPages(file, wal: nil)
        let maps = PageRoles(pages).maps
        #expect(maps == [2, 105])
        let interior = (2...pages.count).filter {
            !maps.contains($0)
                && (pages.treePage($0)?.kind == .tableInterior
                    || pages.treePage($0)?.kind == .indexInterior)
        }
        #expect(interior.count > 2)
        for page in interior { try overwrite(small.path, page: page, size: 512, with: 0) }
        let report = try Salvage(from: small.path, to: target).run()
        let saved = comparable(try StoredRow.all(in: target))
        #expect(saved == expected, "\(expected.symmetricDifference(saved))")
        #expect(report.unreadablePages == interior)
        #expect(report.stores.contains { $0.foundInPages > 0 })
    }

    @Test("does not recover deleted rows, as long as the freelist is intact")
    func deletedRows() throws {
        let small = try SmallPages()
        let expected = Set(try StoredRow.all(in: small.path).map(\.key))
        #expect(try SQLContext(path: small.path + "/db.sqlite3").number("freelist_count") > 5)
        let file = try #require(RawFile(small.path + "/db.sqlite3"))
        #expect(try PageMap(RawPages(file, wal: nil)).free.count > 5)
        _ = try Salvage(from: small.path, to: target).run()
        #expect(Set(try StoredRow.all(in: target).map(\.key)) == expected)
    }

    @Test("includes committed transactions in the WAL, and no others")
    func wal() throws {
        let small = try SmallPages()
        let path = small.path
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        try context.exec(sql: "PRAGMA wal_autocheckpoint=0; PRAGMA cache_size=5")
        let row = "INSERT INTO kv_default (key, sequence, flags, version, body) VALUES "
        try context.exec(sql: row + "('logged', 5001, 0, x'01AA', x'7000')")
        // Too large for the page cache, so that pages are written before the commit.
        try context.exec(
            sql: """
                BEGIN; WITH r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 200)
                INSERT INTO kv_default (key, sequence, flags, version, body)
                    SELECT 'open' || n, 6000 + n, 0, x'01AA', x'7000' FROM r
                """)
        let crashed = directory("crashed.cblite2")
        try FileManager.default.copyItem(atPath: path, toPath: crashed)
        try context.exec(sql: "ROLLBACK")
        let wal = try Data(contentsOf: URL(filePath: crashed + "/db.sqlite3-wal"))
        #expect(String(decoding: wal, as: UTF8.self).contains("open150"))
        try overwrite(crashed, page: 1, size: 512, with: 0xEE)
        _ = try Salvage(from: crashed, to: target).run()
        let keys = Set(try StoredRow.all(in: target).map(\.key))
        #expect(keys.contains("logged") && !keys.contains { $0.hasPrefix("open") })
        #expect(try Data(contentsOf: URL(filePath: crashed + "/db.sqlite3-wal")) == wal)
    }

    @Test("rejects damaged bodies and revision trees")
    func unsound() throws {
        let small = try SmallPages(documents: 8, tombstones: 0, purged: 0)
        let context = try SQLContext(path: small.path + "/db.sqlite3", flags: .readWrite)
        try context.exec(
            sql: """
                INSERT INTO kv_default (key, sequence, flags, version, body, extra) VALUES
                    ('good', 901, 0, x'01AA', x'7000', NULL),
                    ('bad body', 902, 0, x'01AA', x'FFFFFFFF', NULL),
                    ('bad tree', 903, 0, x'01AA', x'7000', x'0000000801'),
                    ('bad vector', 904, 0, x'00', x'7000', NULL),
                    ('an array', 905, 0, x'01AA', x'6000', NULL)
                """)
        try context.close()
        let report = try Salvage(from: small.path, to: target).run()
        let keys = Set(try StoredRow.all(in: target).map(\.key))
        #expect(keys.contains("good"))
        let bad: Set = ["bad body", "bad tree", "bad vector", "an array"]
        #expect(keys.isDisjoint(with: bad))
        #expect(Set(report.losses.compactMap(\.key)) == bad)
    }

    @Test("fixes rows that an upgrade has swapped, and rows in the wrong table")
    func swapped() throws {
        let small = try SmallPages(documents: 8, tombstones: 0, purged: 0)
        let context = try SQLContext(path: small.path + "/db.sqlite3", flags: .readWrite)
        let tree = "x'0000000CFFFF030302010203" + "00000000'"
        try context.exec(
            sql: "INSERT INTO kv_default (key, sequence, flags, version, body, expiration) "
                + "VALUES ('t', 901, 1, x'01AA', x'7000', \(tree))")
        try context.close()
        let report = try Salvage(from: small.path, to: target).run()
        #expect(report.losses == [])
        let saved = try SQLContext(path: target + "/db.sqlite3")
        let row = try saved.selectAll(
            sql: "SELECT hex(extra), expiration FROM kv_del_default WHERE key='t'")
        #expect(row == [[.text("0000000CFFFF03030201020300000000"), .null]])
    }

    @Test("sequences are unique, even if unused pages are recovered")
    func duplicateSequences() throws {
        let small = try SmallPages(documents: 8, tombstones: 0, purged: 0)
        let context = try SQLContext(path: small.path + "/db.sqlite3", flags: .readWrite)
        try context.exec(
            sql: """
                INSERT INTO kv_default (key, sequence, flags, version, body) VALUES
                    ('a', 900, 0, x'01AA', x'7000'), ('b', 900, 0, x'01AA', x'7000');
                INSERT INTO kv_del_default (key, sequence, flags, version, body) VALUES
                    ('c', 900, 1, x'01AA', x'7000')
                """)
        try context.close()
        let report = try Salvage(from: small.path, to: target).run()
        #expect(report.renumberedRecords == 2)
        let sequences = try StoredRow.all(in: target).filter { "abc".contains($0.key) }
            .compactMap(\.sequence)
        #expect(sequences.sorted() == [900, 901, 902])
        let meta = try SQLContext(path: target + "/db.sqlite3").selectValue(
            sql: "SELECT lastSeq FROM kvmeta WHERE name='default'")
        #expect(meta == .long(902))
    }

    @Test("fails while the file is open, and for anything but a database; nothing is left")
    func refused() throws {
        let small = try SmallPages(documents: 8, tombstones: 0, purged: 0)
        let file = try DataFile(path: small.path)
        _ = try file.read { try $0.keyStoreNames() }
        let other = directory("none")
        for (path, to, code) in [
            (small.path, target, StoreError.Code.busy), (other, target, .notFound),
            (directory.path, target, .notADatabaseFile),
        ] {
            let error = #expect(throws: StoreError.self) { try Salvage(from: path, to: to).run() }
            #expect(error?.has(code) == true)
        }
        file.close()
        let error = #expect(throws: StoreError.self) {
            try Salvage(from: small.path, to: directory.path).run()
        }
        #expect(error?.domain == .posix && error?.code == Int(EEXIST))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }
}
