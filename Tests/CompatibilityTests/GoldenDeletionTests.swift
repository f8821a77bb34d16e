import DocumentStore
import ProjectTestSupport
import SQLCore
import StoreTestSupport
import Testing

/// Every document of every real database is deleted, restored and purged.
@Suite("Deleting in real databases", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenDeletionTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Performs an operation on each document of a file, and closes it.
    private func forEach(
        _ ids: [String], of path: String,
        _ body: (DocumentCollection, String, Transaction) throws -> Void
    ) throws -> FileContents {
        let file = try GoldenDatabase.open(path)
        try file.write { transaction in
            for id in ids {
                let (collection, key) = try GoldenEdit.parts(id)
                try body(collection, key, transaction)
            }
        }
        file.close()
        return try FileContents(path)
    }

    private func delete(_ ids: [String], of path: String) throws -> FileContents {
        try forEach(ids, of: path) { collection, key, transaction in
            let deleted = try collection.delete(key, in: transaction)
            #expect(deleted?.isNew == false, "\(key)")
            #expect(try collection.get(key, in: transaction) == nil)
            #expect(try collection.delete(key, in: transaction) == nil, "deleting it again")
        }
    }

    private func live(_ edit: GoldenEdit) -> [String] {
        edit.ids.filter { edit.old[$0].map { $0.flags & 1 == 0 } ?? false }
    }

    @Test(
        "a tombstone is a child of the last revision, in the tombstone table",
        arguments: GoldenDatabase.all)
    func deletion(_ golden: GoldenDatabase) throws {
        let edit = try GoldenEdit(golden, in: directory)
        let ids = live(edit)
        #expect(ids.count == golden.counts.values.map { $0[0] }.reduce(0, +))
        let after = try delete(ids, of: edit.path)
        let rows = after.documents()
        let sequences = edit.expectedSequences(ids)
        for id in ids {
            let (old, new) = (try #require(edit.old[id]), try #require(rows[id]))
            #expect(new.isInTombstoneTable && new.flags & 1 == 1, "\(id)")
            #expect(new.sequence == sequences[id], "\(id)")
            #expect(new.values["expiration"] == old.values["expiration"], "\(id)")
            #expect(try after.canonicalJSON(new.bodyColumn) == "{}", "\(id)")
            if golden.versioning == .versionVectors {
                try edit.checkVector(old, new, after)
            } else {
                try checkTombstone(old, new, edit.before, after)
            }
        }
        let keys = Set(ids.compactMap { edit.old[$0]?.key })
        #expect(after.without(keys) == edit.before.without(keys))
        #expect(after.sharedKeys.keys == edit.before.sharedKeys.keys)
    }

    /// Checks the tombstone of a tree: the old body is removed, unless a remote has that revision.
    private func checkTombstone(
        _ old: StoredRow, _ new: StoredRow, _ before: FileContents, _ after: FileContents
    ) throws {
        let id = try RevisionID.child(
            of: RevisionID(binary: old.version), isDeleted: true, body: nil)
        #expect(new.version == id.binary, "\(old.id)")
        #expect(new.bodyColumn == [0x70, 0x00], "\(old.id)")
        let (oldTree, tree) = (try before.tree(old), try after.tree(new))
        let expected = oldTree.edited(
            to: id.binary, sequence: new.sequence, flags: PlainTree.deleted, body: [0x70, 0x00])
        #expect(tree.named == expected, "\(old.id)")
        #expect(tree.remoteText == oldTree.remoteText, "\(old.id)")
        // The tombstone precedes a live conflict, which is marked as the losing revision.
        #expect(tree.problems(rowSequence: new.sequence) == [], "\(old.id)")
    }

    @Test(
        "a deleted document is restored as a child of its tombstone, with the new body",
        arguments: GoldenDatabase.all)
    func undeletion(_ golden: GoldenDatabase) throws {
        let edit = try GoldenEdit(golden, in: directory)
        let ids = live(edit)
        let deleted = try delete(ids, of: edit.path).documents()
        let after = try forEach(edit.ids, of: edit.path) { collection, key, transaction in
            let row = edit.old["\(collection.name)/\(key)"]
            let json = try edit.before.canonicalJSON(row.flatMap { try edit.before.body($0) })
            let saved = try collection.undelete(key, in: transaction) { try $0.writeJSON(json) }
            #expect(saved?.isNew == true, "\(key)")
        }
        let rows = after.documents()
        for id in edit.ids {
            let (old, new) = (try #require(edit.old[id]), try #require(rows[id]))
            #expect(!new.isInTombstoneTable && new.flags & 1 == 0, "\(id)")
            #expect(
                try after.canonicalJSON(new.bodyColumn)
                    == edit.before.canonicalJSON(edit.before.body(old)), "\(id)")
            guard golden.versioning != .versionVectors else { continue }
            let tombstone = try #require(deleted[id])
            let tree = try after.tree(new)
            let parent = try #require(tree.records[0].parent)
            #expect(tree.records[parent].id == tombstone.version, "\(id)")
            #expect(tree.problems(rowSequence: new.sequence) == [], "\(id)")
        }
        #expect(after.sharedKeys.keys == edit.before.sharedKeys.keys)
    }

    @Test(
        "a purge removes the row and increments the purge count; the sequences stay",
        arguments: GoldenDatabase.all)
    func purge(_ golden: GoldenDatabase) throws {
        let edit = try GoldenEdit(golden, in: directory)
        let ids = edit.ids.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        let after = try forEach(ids, of: edit.path) { collection, key, transaction in
            let wasThere = try (0..<2).map { _ in try collection.purge(key, in: transaction) }
            #expect(wasThere == [true, false], "\(key)")
        }
        let rows = after.documents()
        #expect(rows.keys.sorted() == edit.old.keys.filter { !ids.contains($0) }.sorted())
        let keys = Set(ids.compactMap { edit.old[$0]?.key })
        #expect(after.without(keys) == edit.before.without(keys))
        #expect(after.tables["kv_info"] == edit.before.tables["kv_info"])
        #expect(purges(after) - purges(edit.before) == Int64(ids.count))
        for (name, row) in edit.before.tables["kvmeta"] ?? [:] {
            #expect(after.tables["kvmeta"]?[name]?["lastSeq"] == row["lastSeq"], "\(name)")
        }
    }

    private func purges(_ contents: FileContents) -> Int64 {
        (contents.tables["kvmeta"] ?? [:]).values.compactMap { $0["purgeCnt"]?.longValue }
            .reduce(0, +)
    }
}
