import DocumentStore
import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

/// Every document of every real database is changed; everything else must be unchanged.
@Suite("Documents of real databases", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenDocumentTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static func versioning(_ golden: GoldenDatabase) -> Versioning {
        golden.versioning == .treesInBody ? .treesInExtra : golden.versioning
    }

    private func check(_ edit: GoldenEdit, _ changed: [String]) throws {
        let after = try FileContents(edit.path)
        let rows = after.documents()
        #expect(rows.keys.sorted() == edit.old.keys.sorted())
        let sequences = edit.expectedSequences(changed)
        for id in changed {
            let (old, new) = (try #require(edit.old[id]), try #require(rows[id]))
            try edit.checkRow(old, new, sequences[id], after)
            if edit.golden.versioning == .versionVectors {
                try edit.checkVector(old, new, after)
            } else {
                try edit.checkTree(old, new, after)
            }
        }
        let versioning = Self.versioning(edit.golden)
        try edit.checkTheRest(after, changed, versioning: versioning)
    }

    @Test(
        "each is changed and keeps its history, its conflicts, and the revisions of remotes",
        arguments: GoldenDatabase.all)
    func all(_ golden: GoldenDatabase) throws {
        let edit = try GoldenEdit(golden, in: directory)
        #expect(edit.ids.count == golden.counts.values.joined().reduce(0, +))
        try edit.run()
        try check(edit, edit.ids)
    }

    @Test("each is changed in files whose bodies contain trees with conflicts, remotes and blobs")
    func olderForm() throws {
        let golden = try GoldenDatabase.named("sample_revtree_503")
        let path = try golden.writableCopyInOlderForm(to: directory)
        let edit = try GoldenEdit(golden, in: directory, path: path)
        #expect(edit.old.values.allSatisfy { $0.extra == nil && !$0.isVector })
        try edit.run()
        try check(edit, edit.ids)
        try PythonOracle.compare(path, golden, in: directory)
    }

    @Test(
        "blobs are unchanged when documents change, which still refer to them",
        arguments: ["sample_revtree_503", "sample_vectors_503"])
    func blobs(_ name: String) throws {
        let golden = try GoldenDatabase.named(name)
        let edit = try GoldenEdit(golden, in: directory)
        try edit.run()
        let blob = "Attachments/tsgOzj5esl4upx_NQogsyltg9fE=.blob"
        let original = GoldenFiles.file("litecore/\(name).cblite2/\(blob)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: original))
        #expect(bytes.count == 22)
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(edit.path)/\(blob)")) == bytes)
        var options = DataFileOptions(access: .readWrite)
        options.blobGraceSeconds = 0
        let file = try DataFile(path: edit.path, options: options)
        let document = try file.read { try DocumentCollection(.default).get("with-blob", in: $0) }
        #expect(document?.flags == .hasAttachments)
        let reference = try #require(document?["photo"]?.blob)
        try file.blobs.verify(reference)
        #expect(try file.compact().removedBlobs == 0)
        #expect(try file.blobs.bytes(of: reference) == Array(bytes))
        let json = try FileContents.canonicalJSON(#require(document?.body?.root))
        #expect(json.contains(#""digest":"sha1-tsgOzj5esl4upx/NQogsyltg9fE=""#))
    }

    @Test(
        "changing one leaves all others unchanged, byte by byte",
        arguments: GoldenDatabase.all)
    func oneByOne(_ golden: GoldenDatabase) throws {
        let edit = try GoldenEdit(golden, in: directory, every: 13)
        for end in 1...edit.ids.count {
            try edit.run([edit.ids[end - 1]])
            try check(edit, Array(edit.ids.prefix(end)))
        }
    }

    @Test("they are read back as they were saved, in both ways", arguments: GoldenDatabase.all)
    func reopened(_ golden: GoldenDatabase) throws {
        let edit = try GoldenEdit(golden, in: directory)
        try edit.run()
        let file = try DataFile(path: edit.path)
        defer { file.close() }
        var walked: [String: String] = [:]
        try file.read { snapshot in
            for name in try snapshot.collectionNames() {
                try DocumentCollection(name).forEach(in: snapshot) {
                    let document = try $0.get()
                    let root = try #require(document.body?.root)
                    walked["\(name)/\(document.id)"] = try FileContents.canonicalJSON(root)
                }
            }
            for (id, row) in edit.old {
                let (collection, key) = try GoldenEdit.parts(id)
                let document = try #require(try collection.get(key, in: snapshot), "\(id)")
                let json = try FileContents.canonicalJSON(#require(document.body?.root))
                #expect(try json == edit.expectedJSON(row), "\(id)")
                #expect(walked[id] == json, "\(id)")
            }
        }
        #expect(walked.count == edit.old.count)
        #expect(try file.integrityCheck().isIntact)
    }
}
