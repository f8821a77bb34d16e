import DocumentStore
import ProjectTestSupport
import StoreTestSupport
import Testing
@testable import DataFileCore

/// Revisions of another database are written into real ones, as replication does.
@Suite("Remotes of real databases", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenRemoteTests {
    let directory: TemporaryDirectory
    static let peer = "78e9f0b79eed0000@AAAAAAAAAAAAAAAAAAAAAA"

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Live documents that no remote has yet.
    private func plainDocuments(_ edit: GoldenEdit) throws -> [String] {
        try edit.ids.filter { id in
            guard let row = edit.old[id], row.flags & 1 == 0 else { return false }
            return try row.isVector ? row.extra == nil : edit.before.tree(row).remotes.isEmpty
        }
    }

    private func insert(
        _ ids: [String], _ edit: GoldenEdit,
        _ history: (RevisionID) throws -> [RevisionID]
    ) throws -> [DocumentCollection.InsertResult] {
        let file = try GoldenDatabase.open(edit.path)
        defer { file.close() }
        return try file.write { transaction in
            try ids.map { id in
                let (collection, key) = try GoldenEdit.parts(id)
                let document = try #require(try collection.get(key, in: transaction))
                return try collection.insert(
                    key, history: history(#require(document.revisionID)), remote: 7,
                    in: transaction
                ) { try $0.writeJSON(#"{"zzEdited":1}"#) }
            }
        }
    }

    private func newer(_ old: RevisionID) throws -> [RevisionID] {
        switch old {
        case .vector(let vector): return [try RevisionID("\(Self.peer); \(vector.text)")]
        case .digest(let generation, _):
            return [.digest(generation: generation + 1, digest: [0xAB, 0xCD]), old]
        }
    }

    private func beside(_ old: RevisionID) throws -> [RevisionID] {
        if case .vector = old { return [try RevisionID(Self.peer)] }
        return [.digest(generation: 1, digest: [0x01])]
    }

    @Test(
        "a remote's revision replaces ours if it is its descendant",
        arguments: GoldenDatabase.all)
    func newer(_ golden: GoldenDatabase) throws {
        let edit = try GoldenEdit(golden, in: directory)
        let ids = try plainDocuments(edit)
        #expect(!ids.isEmpty)
        for result in try insert(ids, edit, newer) {
            guard case .saved = result else {
                Issue.record("\(result)")
                return
            }
        }
        let after = try FileContents(edit.path)
        let rows = after.documents()
        let sequences = edit.expectedSequences(ids)
        for id in ids {
            let (old, new) = (try #require(edit.old[id]), try #require(rows[id]))
            let history = try newer(RevisionID(binary: old.version))
            #expect(new.version == history[0].binary, "\(id)")
            #expect(new.sequence == sequences[id], "\(id)")
            #expect(try after.canonicalJSON(new.bodyColumn) == #"{"zzEdited":1}"#, "\(id)")
            if new.isVector {
                #expect(try after.remotes(new).all.map(\.remote) == [7], "\(id)")
                #expect(try after.remotes(new).all.map(\.revisionID) == [history[0]], "\(id)")
            } else {
                let tree = try after.tree(new)
                #expect(tree.problems(rowSequence: new.sequence) == [], "\(id)")
                #expect(tree.remoteText == ["7: \(history[0])"], "\(id)")
                let expected = try edit.before.tree(old).edited(
                    to: history[0].binary, sequence: new.sequence, flags: 0, body: new.bodyColumn)
                #expect(tree.named.keys.sorted() == expected.keys.sorted(), "\(id)")
            }
        }
        let keys = Set(ids.compactMap { edit.old[$0]?.key })
        #expect(after.without(keys) == edit.before.without(keys))
    }

    @Test(
        "a remote's revision beside ours is a conflict, and ours stays current",
        arguments: GoldenDatabase.all)
    func conflict(_ golden: GoldenDatabase) throws {
        let edit = try GoldenEdit(golden, in: directory)
        let ids = try plainDocuments(edit)
        for result in try insert(ids, edit, beside) {
            guard case .conflict = result else {
                Issue.record("\(result)")
                return
            }
        }
        let after = try FileContents(edit.path)
        let rows = after.documents()
        let sequences = edit.expectedSequences(ids)
        for id in ids {
            let (old, new) = (try #require(edit.old[id]), try #require(rows[id]))
            #expect(new.version == old.version, "\(id)")
            // LiteCore assigns a new sequence to a tree, and counts saves beside a vector.
            #expect(new.sequence == (new.isVector ? old.sequence : sequences[id]), "\(id)")
            #expect(new.flags >> 16 == (new.isVector ? old.flags >> 16 + 1 : 0), "\(id)")
            #expect(new.flags & 0xFFFF == old.flags & 0xFFFF | 2, "\(id)")
            #expect(
                try after.canonicalJSON(new.bodyColumn)
                    == edit.before.canonicalJSON(edit.before.body(old)), "\(id)")
            let (collection, key) = try GoldenEdit.parts(id)
            let file = try DataFile(path: edit.path)
            defer { file.close() }
            let history = try file.read { try collection.history(of: key, in: $0) }
            let other = try #require(try history?.conflicts().first)
            #expect(try other.id == beside(RevisionID(binary: old.version))[0], "\(id)")
            #expect(other.remotes == [7] && other.properties?["zzEdited"]?.int == 1, "\(id)")
        }
        let keys = Set(ids.compactMap { edit.old[$0]?.key })
        #expect(after.without(keys) == edit.before.without(keys))
    }

    @Test(
        "a conflict with a remote's revision is resolved by a merge on top of theirs",
        arguments: GoldenDatabase.all)
    func resolution(_ golden: GoldenDatabase) throws {
        let edit = try GoldenEdit(golden, in: directory)
        let ids = try plainDocuments(edit)
        _ = try insert(ids, edit, beside)
        let file = try GoldenDatabase.open(edit.path)
        try file.write { transaction in
            for id in ids {
                let (collection, key) = try GoldenEdit.parts(id)
                _ = try collection.resolveConflicts(of: key, in: transaction) { current, other in
                    var merged = current.mutableCopy().properties
                    merged[GoldenEdit.property] = other.properties?["zzEdited"]?.int.map {
                        .int($0)
                    }
                    return .merge(merged)
                }
            }
        }
        file.close()
        let after = try FileContents(edit.path)
        let rows = after.documents()
        // In a tree, storing the conflict was a change of its own.
        let isVector = golden.versioning == .versionVectors
        let sequences = edit.expectedSequences(isVector ? ids : ids + ids)
        for id in ids {
            let (old, new) = (try #require(edit.old[id]), try #require(rows[id]))
            try edit.checkRow(old, new, sequences[id], after)
            let theirs = try beside(RevisionID(binary: old.version))[0]
            if new.isVector {
                let vector = try VersionVector(binary: new.version)
                for side in [try VersionVector(binary: old.version), try VersionVector(of: theirs)]
                {
                    #expect(vector.compare(to: side) == .newer, "\(id)")
                }
            } else {
                let tree = try after.tree(new)
                #expect(tree.records.map(\.id) == [new.version, theirs.binary], "\(id)")
                #expect(tree.remoteText == ["7: \(theirs)"], "\(id)")
                #expect(tree.problems(rowSequence: new.sequence) == [], "\(id)")
            }
        }
    }
}
