import DataFileCore
import FleeceLite
import ProjectTestSupport
import SQLCore
import StoreTestSupport
import StoreTools
import Testing
@testable import StoreFormat

@Suite("Documents that are converted to a newer way of storing revisions")
struct RevisionUpgradeTests {
    let store: TemporaryStore
    let people = DocumentCollection(.default)
    var file: DataFile { store.file }

    init() throws {
        store = try TemporaryStore(options: TransferFixture.options(.create, .treesInExtra))
    }

    private func save(_ id: String, _ json: String) throws {
        try file.write { transaction in
            _ = try people.save(id, in: transaction) { try $0.writeJSON(json) }
        }
    }

    private func fill() throws {
        for id in ["a", "b", "c", "d"] {
            try save(id, #"{"n":1}"#)
            try save(id, "{\"n\":2,\"id\":\"\(id)\"}")
        }
        try save("empty", "{}")
        try file.write { transaction in
            _ = try people.delete("c", in: transaction)
            try people.keyStore.setExpiration(9_000_000_000_000, of: "b", in: transaction)
        }
    }

    /// The invariants: sequences, low flags, expirations, tables.
    private func fixed(_ path: String) throws -> [[SQLValue]] {
        let columns = "key, sequence, flags & 65535, expiration"
        return try SQLContext(path: path + "/db.sqlite3", flags: .readWrite).selectAll(
            sql: """
                SELECT \(columns), 0 FROM kv_default UNION ALL
                SELECT \(columns), 1 FROM kv_del_default ORDER BY key
                """)
    }

    private func ids() throws -> [String: RevisionID] {
        try file.read { snapshot in
            var ids: [String: RevisionID] = [:]
            for row in try TransferFixture.rows(of: people.keyStore, in: snapshot) {
                ids[row.key] = try people.history(of: row.key, in: snapshot)?.revisionID
            }
            return ids
        }
    }

    @Test("keep body, flags, sequence and expiration, and their revision ID as a legacy version")
    func vectors() throws {
        try fill()
        let before = (try fixed(store.path), try TransferFixture.documents(file), try ids())
        let upgrade = try file.write {
            try people.upgradeRevisions(in: $0, to: .versionVectors)
        }
        #expect(upgrade.lookedAt == 5 && upgrade.converted == 5 && upgrade.kept == 0)
        #expect(upgrade.lastKey == nil)
        #expect(try fixed(store.path) == before.0)
        #expect(try TransferFixture.documents(file) == before.1)
        for (id, revision) in before.2 {
            let history = try #require(try file.read { try people.history(of: id, in: $0) })
            guard case .vector(let vector, let remotes) = history.form else {
                Issue.record("\(id) is a tree still")
                continue
            }
            #expect(vector.first.isLegacy)
            #expect(remotes.legacyRevisionID == revision)
        }
        #expect(try file.read { try $0.versioning() } == .versionVectors)
        #expect(try file.read { try people.keyStore.lastSequence(in: $0) } == 10)
        let again = try file.write { try people.upgradeRevisions(in: $0, to: .versionVectors) }
        #expect(again.lookedAt == 5 && again.converted == 0 && again.kept == 0)
        try save("a", #"{"n":3}"#)
        #expect(try TransferFixture.documents(file)["_default/a"] == #"{"_id":"a","n":3}"#)
    }

    @Test("can be converted in steps", arguments: 1...6)
    func batches(limit: Int) throws {
        try fill()
        var key: String?
        var (converted, lookedAt, calls) = (0, 0, 0)
        repeat {
            let upgrade = try file.write {
                try people.upgradeRevisions(in: $0, to: .versionVectors, after: key, limit: limit)
            }
            #expect(upgrade.lookedAt <= limit)
            #expect(upgrade.lastKey.map { $0 > key ?? "" } ?? true)
            (converted, lookedAt) = (converted + upgrade.converted, lookedAt + upgrade.lookedAt)
            key = upgrade.lastKey
            calls += 1
        } while key != nil && calls < 10
        #expect(converted == 5 && lookedAt == 5 && calls == (5 + limit - 1) / limit)
    }

    @Test("in the form of Couchbase Lite 2 get that of 3, without losing a revision")
    func older() throws {
        try fill()
        let before = (try fixed(store.path), try TransferFixture.documents(file))
        let trees = try file.read { snapshot in
            try ["a", "b", "c", "d", "empty"].map {
                try #require(try people.history(of: $0, in: snapshot)?.tree).revisions.map(\.id)
            }
        }
        try makeOlder()
        #expect(try TransferFixture.documents(file) == before.1)
        let upgrade = try file.write { try people.upgradeRevisions(in: $0, to: .treesInExtra) }
        #expect(upgrade.converted == 5 && upgrade.kept == 0)
        #expect(try fixed(store.path) == before.0)
        #expect(try TransferFixture.documents(file) == before.1)
        try file.read { snapshot in
            for (id, revisions) in zip(["a", "b", "c", "d", "empty"], trees) {
                let record = try #require(try people.keyStore.get(id, in: snapshot))
                #expect(record.layout == .treeInExtra)
                #expect(try RevisionTree(record).revisions.map(\.id) == revisions)
            }
        }
        let again = try file.write { try people.upgradeRevisions(in: $0, to: .treesInExtra) }
        #expect(again.converted == 0 && again.kept == 0)
    }

    /// Writes the rows as Couchbase Lite 2 has them.
    private func makeOlder() throws {
        try file.write { transaction in
            for row in try TransferFixture.rows(of: people.keyStore, in: transaction) {
                var tree = try RevisionTree(binary: try #require(row.extra))
                tree.revisions[0].body = row.body
                var older = row
                older.body = tree.written(withCurrentBody: true)
                older.extra = nil
                try transaction.putStoredRow(older, in: people.keyStore)
            }
        }
    }

    @Test("in conflict with a local branch are not converted, with the reason")
    func kept() throws {
        try fill()
        try file.write { transaction in
            let record = try #require(try people.keyStore.get("a", in: transaction))
            var tree = try RevisionTree(record)
            let other = RevisionID.digest(generation: 2, digest: Array(repeating: 1, count: 20))
            _ = try tree.insert(
                history: [other.binary, tree.revisions[1].id], body: [0x70, 0x00],
                allowingConflict: true)
            let columns = tree.columns()
            let update = RecordUpdate(
                "a", version: columns.version ?? [], body: columns.body, extra: columns.extra,
                flags: columns.flags, expecting: .revision(of: record))
            _ = try people.keyStore.put(update, in: transaction)
        }
        let before = try file.read { try people.keyStore.get("a", in: $0) }
        let upgrade = try file.write { try people.upgradeRevisions(in: $0, to: .versionVectors) }
        #expect(upgrade.converted == 4 && upgrade.kept == 1)
        #expect(upgrade.examples.map(\.key) == ["a"])
        #expect(upgrade.examples.first?.reason.contains("conflict") == true)
        let after = try file.read { try people.keyStore.get("a", in: $0) }
        #expect(after?.extra == before?.extra && after?.subsequence == before?.subsequence)
    }

    @Test("that are damaged are not converted, and the others are")
    func damaged() throws {
        try fill()
        try SQLContext(path: store.path + "/db.sqlite3", flags: .readWrite).exec(
            sql: "UPDATE kv_default SET extra = x'00000001' WHERE key = 'b'")
        let upgrade = try file.write { try people.upgradeRevisions(in: $0, to: .versionVectors) }
        #expect(upgrade.converted == 4 && upgrade.kept == 1)
        #expect(upgrade.examples.map(\.key) == ["b"])
    }

    @Test("are not converted to the form of Couchbase Lite 2, nor back")
    func refused() throws {
        #expect(throws: StoreError.self) {
            try file.write { try people.upgradeRevisions(in: $0, to: .treesInBody) }
        }
        try fill()
        _ = try file.write { try people.upgradeRevisions(in: $0, to: .versionVectors) }
        let back = try file.write { try people.upgradeRevisions(in: $0, to: .treesInExtra) }
        #expect(back.converted == 0 && back.kept == 0)
        #expect(try file.read { try $0.versioning() } == .versionVectors)
    }

    @Test(
        "have the same contents, in every real database with trees",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"),
        arguments: [
            ("upgrade_2.7", 100), ("upgrade_2.8_index", 2),
            ("db_3_0_0_names_100_with_deleted", 100),
            ("upgrade_3.1_peerCheckpoints", 100), ("sample_revtree_503", 119),
        ])
    func golden(_ name: String, _ count: Int) throws {
        let copy = try TemporaryStore(
            copyOf: GoldenFiles.file("litecore/\(name).cblite2"),
            options: TransferFixture.options(.readWrite))
        let before = try TransferFixture.documents(copy.file)
        var lookedAt = 0
        for collection in try copy.file.read({ try $0.collectionNames() }) {
            let upgrade = try copy.file.write {
                try DocumentCollection(collection).upgradeRevisions(in: $0, to: .versionVectors)
            }
            lookedAt += upgrade.lookedAt
            #expect(upgrade.converted + upgrade.kept == upgrade.lookedAt)
            #expect(upgrade.converted >= upgrade.lookedAt - 2, "\(upgrade.examples)")
        }
        #expect(lookedAt == count)
        #expect(try TransferFixture.documents(copy.file) == before)
    }
}
