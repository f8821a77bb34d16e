import DataFileCore
import FleeceLite
import ProjectTestSupport
import SQLCore
import SampleData
import StoreFormat
import StoreTestSupport
import StoreTools
import Testing

@Suite("Rows that are copied to another file")
struct StoredRowTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func newFile(
        _ name: String, _ versioning: Versioning = .versionVectors
    ) throws -> DataFile {
        try DataFile(
            path: directory(name + ".cblite2"),
            options: TransferFixture.options(.create, versioning))
    }

    @Test(
        "are the same in all tables, of every real database",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"),
        arguments: [
            "upgrade_2.7", "upgrade_2.8_index", "db_3_0_0_names_100_with_deleted",
            "upgrade_3.1_peerCheckpoints", "sample_revtree_503", "sample_vectors_503",
        ])
    func golden(_ name: String) throws {
        let path = try directory.copy(of: GoldenFiles.file("litecore/\(name).cblite2"))
        let before = try TransferFixture.tables(path)
        let source = try DataFile(path: path)
        let target = try newFile("target")
        try TransferFixture.copy(source, to: target)
        let documents = try TransferFixture.documents(source)
        let indexes = try source.read { try $0.storedIndexes() }
        source.close()
        #expect(try TransferFixture.tables(target.path) == before)
        #expect(try TransferFixture.documents(target) == documents)
        let copies = try target.read { try $0.storedIndexes() }
        #expect(copies.map(\.name) == indexes.map(\.name))
        #expect(try copies.map { try $0.spec() } == indexes.map { try $0.spec() })
        if name.hasSuffix("503") { #expect(copies == indexes) }
        target.close()
        let again = try DataFile(
            path: directory("target.cblite2"), options: TransferFixture.options(.readWrite))
        #expect(try TransferFixture.documents(again) == documents)
        #expect(try again.integrityCheck().isIntact)
    }

    @Test(
        "are the same of random documents",
        arguments: [Versioning.treesInExtra, .versionVectors], 1...8 as ClosedRange<UInt64>)
    func random(_ versioning: Versioning, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let source = try newFile("source", versioning)
        try TransferFixture.fill(source, &random, rounds: 200)
        let staff = DocumentCollection(try CollectionName("hr.Staff"))
        try source.write { transaction in
            _ = try staff.createIndex(.value("byName", on: "name"), in: transaction)
            _ = try staff.createIndex(
                .fullText("words", on: "name", .init(language: "en")), in: transaction)
            _ = try DocumentCollection(.default).createIndex(
                .array("tags", path: "tags"), in: transaction)
        }
        let before = try TransferFixture.tables(source.path)
        let documents = try TransferFixture.documents(source)
        #expect(before.count >= 5 && documents.count > 20)
        let target = try newFile("target", .versionVectors)
        try TransferFixture.copy(source, to: target)
        #expect(try TransferFixture.tables(target.path) == before)
        #expect(try TransferFixture.documents(target) == documents)
        #expect(try schema(source) == schema(target))
        #expect(try target.read { try $0.versioning() } == versioning)
        // Later saves continue after the other file's sequences.
        for file in [source, target] {
            let saved = try file.write { transaction in
                try staff.save("new", in: transaction) { try $0.writeJSON(#"{"fresh":1}"#) }
            }
            let last = try #require(before["kvmeta"]?.first { $0[0] == .text(".hr.Staff") })
            #expect(saved.sequence == (last[1].longValue ?? 0) + 1)
        }
        #expect(try TransferFixture.documents(target) == TransferFixture.documents(source))
    }

    private func schema(_ file: DataFile) throws -> [[SQLValue]] {
        try SQLContext(path: file.path + "/db.sqlite3", flags: .readWrite).selectAll(
            sql: """
                SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%' ORDER BY name
                """)
    }

    @Test("are ordered by key, tombstones last, from any position")
    func order() throws {
        let file = try newFile("order")
        let people = DocumentCollection(.default)
        try file.write { transaction in
            for id in ["d", "a", "c", "b", "e"] {
                _ = try people.save(id, in: transaction) { try $0.writeJSON("{}") }
            }
            for id in ["c", "a"] { _ = try people.delete(id, in: transaction) }
        }
        try file.read { snapshot in
            let rows = try TransferFixture.rows(of: people.keyStore, in: snapshot)
            #expect(rows.map(\.key) == ["b", "d", "e", "a", "c"])
            #expect(rows.map(\.isInTombstoneTable) == [false, false, false, true, true])
            #expect(rows.map(\.sequence) == [4, 1, 5, 7, 6])
            #expect(rows.map(\.isDeleted) == [false, false, false, true, true])
            for (index, row) in rows.enumerated() {
                let place = StoredRowPosition(
                    isInTombstoneTable: row.isInTombstoneTable, key: row.key)
                var rest: [String] = []
                try people.keyStore.forEachStoredRow(in: snapshot, after: place) { row in
                    rest.append(row.key)
                    return rest.count < 2
                }
                #expect(rest == rows.dropFirst(index + 1).prefix(2).map(\.key))
            }
        }
    }

    @Test("pass their columns without a copy, and distinguish NULL")
    func columns() throws {
        let file = try newFile("columns")
        let context = try SQLContext(path: file.path + "/db.sqlite3", flags: .readWrite)
        try context.exec(
            sql: """
                INSERT INTO kv_default (key, sequence, flags, version, body, extra, expiration)
                VALUES ('full', 7, 196612, x'01', x'0203', x'', 99), ('nothing', NULL, 0, NULL,
                    NULL, NULL, NULL), ('swapped', 8, 1, x'01', NULL, NULL, x'0405'),
                    (x'FF', 9, 0, NULL, NULL, NULL, NULL)
                """)
        let store = KeyStore(.default)
        try file.read { snapshot in
            let rows = try TransferFixture.rows(of: store, in: snapshot)
            #expect(
                rows == [
                    StoreTools.StoredRow(
                        key: "full", sequence: 7, flags: 196_612, version: [1], body: [2, 3],
                        extra: [], expiration: 99),
                    StoreTools.StoredRow(key: "nothing"),
                    StoreTools.StoredRow(
                        key: "swapped", sequence: 8, flags: 1, version: [1], extra: [4, 5]),
                ])
            #expect(try store.unreadableRowCount(in: snapshot) == 1)
            try store.forEachStoredRow(in: snapshot) { row in
                let (key, subsequence) = (row.key, row.flags >> 16)
                let body = row.withBody { $0.map { [UInt8]($0) } }
                let extraCount = row.withExtra { $0?.count }
                let hasVersion = row.withVersion { $0 != nil }
                #expect(body == (key == "full" ? [2, 3] : nil))
                #expect(extraCount == ["full": 0, "swapped": 2][key])
                #expect(hasVersion == (key != "nothing"))
                #expect(subsequence == (key == "full" ? 3 : 0))
                return true
            }
        }
    }

    @Test("of a missing store are an error")
    func missing() throws {
        let file = try newFile("missing")
        let store = KeyStore(KeyStoreName(".nowhere"))
        #expect(throws: StoreError.self) {
            try file.read { try TransferFixture.rows(of: store, in: $0) }
        }
        #expect(throws: StoreError.self) {
            try file.write {
                try $0.putStoredRow(StoreTools.StoredRow(key: "a"), in: store)
            }
        }
    }
}
