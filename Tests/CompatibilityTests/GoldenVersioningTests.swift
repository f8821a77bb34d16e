import DocumentStore
import ProjectTestSupport
import SQLCore
import StoreTestSupport
import Testing

/// Real files with revision trees that are upgraded to version vectors.
@Suite(
    "Real databases during an upgrade to version vectors",
    .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenVersioningTests {
    let directory: TemporaryDirectory
    static let files = GoldenDatabase.all.filter { $0.versioning != .versionVectors }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func upgrade(_ path: String) throws {
        let file = try GoldenDatabase.open(path)
        try file.write { try $0.upgradeVersioning(to: .versionVectors) }
        file.close()
    }

    @Test("the upgrade alone changes one number, and no document", arguments: files)
    func upgradeAlone(_ golden: GoldenDatabase) throws {
        let edit = try GoldenEdit(golden, in: directory)
        try upgrade(edit.path)
        let after = try FileContents(edit.path)
        #expect(after.without([]) == edit.before.without([]))
        var info = edit.before.tables["kv_info"]
        // The row is replaced by one of a raw store, with only a key and a body.
        let row = try #require(after.tables["kv_info"]?[InfoKey.versioning])
        #expect(row["body"] == .blob(BigEndian.bytes(2)))
        info?[InfoKey.versioning] = row
        #expect(after.tables["kv_info"] == info)
        #expect(after.tables["kvmeta"] == edit.before.tables["kvmeta"])
    }

    @Test(
        "a saved document changes and keeps its last revision as an ancestor; others stay",
        arguments: files)
    func changes(_ golden: GoldenDatabase) throws {
        let edit = try GoldenEdit(golden, in: directory)
        try upgrade(edit.path)
        // The last of every two, and the conflict in any case.
        let changed = edit.ids.enumerated().filter {
            $0.offset % 2 == 1 || $0.element == GoldenConflictTests.id
        }.map(\.element)
        try edit.run(changed)
        let after = try FileContents(edit.path)
        let rows = after.documents()
        let sequences = edit.expectedSequences(changed)
        for id in changed {
            let (old, new) = (try #require(edit.old[id]), try #require(rows[id]))
            try edit.checkRow(old, new, sequences[id], after)
            try checkVector(of: old, new, edit, after)
        }
        try edit.checkTheRest(after, changed, versioning: .versionVectors)
    }

    /// Checks the vector of a document that was a tree, and its remote revisions.
    private func checkVector(
        of old: StoredRow, _ new: StoredRow, _ edit: GoldenEdit, _ after: FileContents
    ) throws {
        let vector = try VersionVector(binary: new.version)
        let digest = Array(old.version.dropFirst())
        // Generation << 40 | the first 40 bits of the digest, fewer if it has fewer.
        let bits = (digest + [0, 0, 0, 0, 0]).prefix(5).reduce(0) { $0 << 8 | UInt64($1) }
        #expect(vector.versions.map(\.source) == [.local, .legacy], "\(old.id)")
        #expect(
            vector.versions[1].time.rawValue == PlainTree.generation(old.version) << 40 | bits,
            "\(old.id)")
        let tree = try edit.before.tree(old)
        var expected: [String] = []
        for remote in tree.remotes {
            let record = tree.records[remote.position]
            var names: [String] = []
            if record.flags & PlainTree.deleted != 0 { names.append("deleted") }
            let isOther = remote.position > 0 && record.flags & PlainTree.leaf != 0
            if isOther { names.append("conflicted") }
            if record.flags & PlainTree.attachments != 0 { names.append("attachments") }
            let json = try record.body.map { try edit.before.canonicalJSON($0) } ?? "nothing"
            let id = PlainTree.text(record.id)
            expected.append("\(remote.number): \(id) \(names) \(json)")
        }
        expected.append("was \(PlainTree.text(old.version))")
        #expect(try after.remoteText(new) == expected, "\(old.id)")
    }

    @Test("a second change of each is an ordinary change of a vector", arguments: files)
    func secondChange(_ golden: GoldenDatabase) throws {
        let edit = try GoldenEdit(golden, in: directory)
        try upgrade(edit.path)
        try edit.run()
        let before = try FileContents(edit.path)
        let file = try GoldenDatabase.open(edit.path)
        try file.write { transaction in
            for id in edit.ids {
                let (collection, key) = try GoldenEdit.parts(id)
                var copy = try #require(try collection.get(key, in: transaction)).mutableCopy()
                copy[GoldenEdit.property] = nil
                #expect(try collection.save(&copy, in: transaction).saved != nil)
            }
        }
        file.close()
        let after = try FileContents(edit.path)
        let (oldRows, newRows) = (before.documents(), after.documents())
        for id in edit.ids {
            let (old, new) = (try #require(oldRows[id]), try #require(newRows[id]))
            let (left, right) = (
                try VersionVector(binary: new.version), try VersionVector(binary: old.version)
            )
            #expect(left.compare(to: right) == .newer, "\(id)")
            #expect(left.versions.map(\.source) == [.local, .legacy], "\(id)")
            #expect(left.versions[1] == right.versions[1], "\(id)")
            #expect(try after.remoteText(new) == before.remoteText(old), "\(id)")
            let golden = try #require(edit.old[id])
            #expect(
                try after.canonicalJSON(new.bodyColumn)
                    == edit.before.canonicalJSON(edit.before.body(golden)), "\(id)")
        }
    }
}
