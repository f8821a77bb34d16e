import DocumentStore
import ProjectTestSupport
import StoreTestSupport
import Testing
@testable import DataFileCore

/// The conflicts that LiteCore's replicator left in real databases.
@Suite("Conflicts of real databases", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenConflictTests {
    let directory: TemporaryDirectory
    let collection = DocumentCollection(.default)
    static let id = "_default/conflicted"
    /// A file with a conflict.
    enum Form: String, CaseIterable, Sendable {
        /// In the format of Couchbase Lite 2.
        case treeInBody
        case treeInExtra
        case versionVector
    }

    private func makeEdit(_ form: Form) throws -> GoldenEdit {
        let isVector = form == .versionVector
        let golden = try GoldenDatabase.named(
            isVector ? "sample_vectors_503" : "sample_revtree_503")
        let path =
            try form == .treeInBody
            ? golden.writableCopyInOlderForm(to: directory) : golden.writableCopy(to: directory)
        return try GoldenEdit(golden, in: directory, path: path)
    }

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(
        "each shows both revisions, as LiteCore lists them",
        arguments: [
            (
                "sample_revtree_503", "1-b24d6123a04b84d46e5577712a132c86bb2cf7a0",
                "1-aaaabbbbccccddddeeeeffff0000111122223333"
            ),
            ("sample_vectors_503", nil, nil),
        ])
    func sides(_ name: String, ours: String?, theirs: String?) throws {
        let file = try DataFile(path: GoldenDatabase.named(name).copy(to: directory))
        defer { file.close() }
        try file.read { snapshot in
            let document = try #require(try collection.get("conflicted", in: snapshot))
            let history = try #require(try collection.history(of: "conflicted", in: snapshot))
            let others = try history.conflicts()
            #expect(document.flags.contains(.conflicted))
            #expect(others.count == 1)
            #expect(others.first?.remotes == [1])
            #expect(others.first?.properties != nil)
            #expect(others.first?.isDeleted == false)
            #expect(history.remotes == [1: try #require(others.first?.id)])
            if let ours { #expect(document.revisionID?.description == ours) }
            if let theirs { #expect(others.first?.id.description == theirs) }
        }
    }

    /// Resolves the conflict, and returns the file before and after.
    private func resolve(_ form: Form, _ resolution: ConflictResolution) throws -> Resolved {
        let edit = try makeEdit(form)
        var theirs: (id: RevisionID, json: String)?
        let file = try GoldenDatabase.open(edit.path)
        let saved = try file.write { transaction in
            try collection.resolveConflicts(of: "conflicted", in: transaction) { current, other in
                #expect(current.id == "conflicted" && theirs == nil)
                let json = try other.properties.map { try FileContents.canonicalJSON($0.value) }
                theirs = (other.id, json ?? "{}")
                return resolution
            }
        }
        let again = try file.write {
            try collection.resolveConflicts(of: "conflicted", in: $0) { _, _ in .delete }
        }
        #expect(again == nil, "the conflict remains")
        file.close()
        let after = try FileContents(edit.path)
        #expect(after.without(["conflicted"]) == edit.before.without(["conflicted"]))
        let other = try #require(theirs)
        let new = try #require(after.documents()[Self.id])
        #expect(try RevisionID(binary: new.version) == saved?.revisionID)
        #expect(new.sequence == edit.expectedSequences([Self.id])[Self.id])
        #expect(new.flags & Int64(DocumentFlags.conflicted.rawValue) == 0)
        return Resolved(
            edit: edit, after: after, old: try #require(edit.old[Self.id]), new: new,
            theirs: other.id, theirJSON: other.json)
    }

    private struct Resolved {
        let edit: GoldenEdit
        let after: FileContents
        let old: StoredRow
        let new: StoredRow
        let theirs: RevisionID
        let theirJSON: String

        func json() throws -> String { try after.canonicalJSON(new.bodyColumn) }
        func oldJSON() throws -> String { try edit.before.canonicalJSON(edit.before.body(old)) }

        /// Checks that the new revision supersedes theirs, which the remote still has.
        func checkStandsOnTheirs() throws {
            if new.isVector {
                let vector = try VersionVector(binary: new.version)
                let sides = [try VersionVector(binary: old.version), try VersionVector(of: theirs)]
                for side in sides { #expect(vector.compare(to: side) == .newer) }
                let remotes = try after.remotes(new)
                #expect(remotes.revision(ofRemote: 1)?.revisionID == theirs)
                #expect(!remotes.isConflicted)
            } else {
                let tree = try after.tree(new)
                #expect(tree.problems(rowSequence: new.sequence) == [])
                #expect(tree.records.map(\.id) == [new.version, theirs.binary])
                #expect(tree.records[0].parent == 1)
                #expect(tree.remoteText == ["1: \(theirs)"])
            }
        }
    }

    @Test("a merge has its own properties and supersedes both sides", arguments: Form.allCases)
    func merge(_ form: Form) throws {
        let resolved = try resolve(form, .merge(["merged": true]))
        #expect(try resolved.json() == #"{"merged":true}"#)
        #expect(!resolved.new.isInTombstoneTable)
        try resolved.checkStandsOnTheirs()
    }

    @Test("our body is kept, on top of their revision", arguments: Form.allCases)
    func keepCurrent(_ form: Form) throws {
        let resolved = try resolve(form, .keepCurrent)
        #expect(try resolved.json() == resolved.oldJSON())
        #expect(try resolved.new.bodyColumn == resolved.edit.before.body(resolved.old))
        try resolved.checkStandsOnTheirs()
    }

    @Test("their revision is taken over with its ID", arguments: Form.allCases)
    func takeOther(_ form: Form) throws {
        let resolved = try resolve(form, .takeOther)
        #expect(try resolved.json() == resolved.theirJSON)
        #expect(try resolved.theirJSON != resolved.oldJSON())
        #expect(resolved.new.version == resolved.theirs.binary)
    }

    @Test("deleting both sides creates a tombstone on top of theirs", arguments: Form.allCases)
    func delete(_ form: Form) throws {
        let resolved = try resolve(form, .delete)
        #expect(try resolved.json() == "{}")
        #expect(resolved.new.isInTombstoneTable && resolved.new.flags == 1)
        try resolved.checkStandsOnTheirs()
    }
}
