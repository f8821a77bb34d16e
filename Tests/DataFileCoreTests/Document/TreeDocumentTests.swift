import DataFileCore
import FleeceLite
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

/// Documents of a file in the form of Couchbase Lite 3.
@Suite("Documents with revision trees")
struct TreeDocumentTests {
    let directory: TemporaryDirectory
    let file: DataFile
    let people = DocumentCollection(.default)

    init() throws {
        directory = try TemporaryDirectory()
        var options = DataFileOptions(access: .create)
        options.versioning = .treesInExtra
        file = try DataFile(path: directory("trees.cblite2"), options: options)
    }

    @discardableResult
    private func save(_ id: String, _ json: String) throws -> DocumentCollection.Saved {
        try file.write { transaction in
            try people.save(id, in: transaction) { try $0.writeJSON(json) }
        }
    }

    private func rows(_ sql: String) throws -> [[SQLValue]] {
        try SQLContext(path: directory("trees.cblite2/db.sqlite3")).selectAll(sql: sql)
    }

    private func tree(_ id: String) throws -> RevisionTree {
        try #require(try file.read { try people.history(of: id, in: $0) }?.tree)
    }

    private func json(_ id: String) throws -> String? {
        try file.read { snapshot in
            guard let document = try people.get(id, in: snapshot) else { return nil }
            var writer = JSONWriter()
            try document.write(to: &writer)
            return writer.text.string
        }
    }

    @Test("a file can be created for Couchbase Lite 3, not for 2")
    func creation() throws {
        #expect(try file.read { try $0.versioning() } == .treesInExtra)
        #expect(
            try rows("SELECT hex(body) FROM kv_info WHERE key='versioning'")
                == [[.text("0000000000000001")]])
        var options = DataFileOptions(access: .create)
        options.versioning = .treesInBody
        #expect(throws: StoreError.self) {
            try DataFile(path: directory("two.cblite2"), options: options)
        }
    }

    @Test("a first revision is one record, separate from the body")
    func first() throws {
        // The digest is SHA-1 of 00 (no parent), 00 (not deleted) and {"name":"Ada"}.
        let saved = try save("ada", #"{"name":"Ada"}"#)
        let text = "1-6a5b2b3bdbe2d6e4aa8ce2ae4e9e1de5fbb8e1b1"
        #expect("\(saved.revisionID)".count == text.count)
        let row = try #require(
            try rows("SELECT sequence, flags, hex(version), hex(body), hex(extra) FROM kv_default")
                .first)
        let version = try #require(row[2].textValue)
        #expect(row[0...1] == [.long(1), .long(0)])
        #expect(version.hasPrefix("01") && version.count == 42)
        #expect(row[3] == .text("4341646170010000" + "80048003"))
        // size, no parent, leaf, length of the id | id | sequence 0 | end | marker
        #expect(row[4] == .text("0000001EFFFF0215" + version + "00" + "00000000" + "00000000"))
    }

    @Test("the same edits have the same revisions in every file")
    func sameRevisions() throws {
        let other = try TreeDocumentTests()
        for store in [self, other] {
            try store.save("ada", #"{"n":1,"name":"Ada"}"#)
            try store.save("ada", #"{"name":"Ada","n":2}"#)
            try store.file.write { _ = try store.people.delete("ada", in: $0) }
        }
        let ids = try tree("ada").revisions.map(\.id)
        #expect(ids.count == 3)
        #expect(try other.tree("ada").revisions.map(\.id) == ids)
    }

    @Test("a change succeeds the last revision, whose body is dropped and whose sequence stays")
    func change() throws {
        try save("other", "{}")
        let first = try save("ada", #"{"n":1}"#)
        let second = try save("ada", #"{"n":2}"#)
        #expect((first.sequence, second.sequence) == (2, 3))
        let tree = try tree("ada")
        #expect(tree.revisions.map(\.generation) == [2, 1])
        #expect(tree.revisions.map(\.parent) == [1, nil])
        #expect(tree.revisions.map(\.sequence) == [3, 2], "the row's and the old one's")
        #expect(tree.revisions[1].body == nil)
        #expect(try json("ada") == #"{"_id":"ada","n":2}"#)
    }

    @Test("a tombstone has an empty body and can have a successor")
    func deletion() throws {
        try save("ada", #"{"n":1}"#)
        let deleted = try #require(try file.write { try people.delete("ada", in: $0) })
        #expect("\(deleted.revisionID)".hasPrefix("2-"))
        #expect(
            try rows("SELECT flags, hex(body) FROM kv_del_default") == [[.long(1), .text("7000")]])
        let back = try save("ada", #"{"n":2}"#)
        #expect(back.isNew)
        #expect("\(back.revisionID)".hasPrefix("3-"))
        let tree = try tree("ada")
        #expect(tree.revisions.map(\.generation) == [3, 1, 2], "deleted ones behind others")
        #expect(tree.revisions.map(\.isDeleted) == [false, false, true])
        #expect(try rows("SELECT count(*) FROM kv_del_default") == [[.long(0)]])
    }

    @Test("an empty document has an empty body")
    func empty() throws {
        try save("none", "{}")
        #expect(try rows("SELECT hex(body) FROM kv_default") == [[.text("7000")]])
        #expect(try json("none") == #"{"_id":"none"}"#)
    }

    @Test("fifty revisions of a branch are retained, or as many as the file specifies")
    func depth() throws {
        for number in 1...60 { try save("ada", "{\"n\":\(number)}") }
        #expect(try tree("ada").revisions.map(\.generation) == (11...60).reversed())
        let info = KeyStore(.info)
        try file.write {
            try info.putRaw(
                RawRecord(body: BigEndian.bytes(3)), for: "maxRevTreeDepth", in: $0)
        }
        try save("ada", #"{"n":61}"#)
        #expect(try tree("ada").revisions.map(\.generation) == [61, 60, 59])
    }

    @Test("saving a document that was read detects whether it was changed")
    func conflict() throws {
        try save("ada", #"{"n":1}"#)
        var mine = try #require(try file.read { try people.get("ada", in: $0) }).mutableCopy()
        mine["n"] = 2
        #expect(try file.write { try people.save(&mine, in: $0) }.saved != nil)
        mine["n"] = 3
        #expect(try file.write { try people.save(&mine, in: $0) }.saved != nil)
        try save("ada", #"{"n":4}"#)
        mine["n"] = 5
        #expect(try file.write { try people.save(&mine, in: $0) }.saved == nil)
        #expect(try json("ada") == #"{"_id":"ada","n":4}"#)
    }

    // Conflicts.

    /// A document whose remote has a different second revision than this file.
    private func makeConflict() throws -> (ours: RevisionID, theirs: RevisionID) {
        let first = try save("ada", #"{"n":1}"#)
        let theirs = RevisionID.digest(generation: 2, digest: Array(repeating: 0xAB, count: 20))
        let ours = try save("ada", #"{"n":2}"#)
        let result = try file.write { transaction in
            let remote = try transaction.remoteID(of: "wss://example.com/db")
            return try people.insert(
                "ada", history: [theirs, first.revisionID], remote: remote, in: transaction
            ) { try $0.writeJSON(#"{"n":3}"#) }
        }
        guard case .conflict = result else { throw StoreError(.conflict, "\(result)") }
        return (ours.revisionID, theirs)
    }

    @Test("a remote's revision beside ours is a conflict, and does not change the document")
    func insertConflict() throws {
        let (ours, theirs) = try makeConflict()
        #expect(try json("ada") == #"{"_id":"ada","n":2}"#)
        #expect(try rows("SELECT flags FROM kv_default") == [[.long(2)]])
        let history = try #require(try file.read { try people.history(of: "ada", in: $0) })
        #expect(history.revisionID == ours)
        #expect(history.remotes == [1: theirs])
        let other = try #require(try history.conflicts().first)
        #expect(other.id == theirs)
        #expect(other.remotes == [1])
        #expect(other.properties?["n"]?.int == 3)
        #expect(try file.read { try $0.remotes() } == ["wss://example.com/db": 1])
    }

    @Test("a conflict stays while the document is changed")
    func changeInConflict() throws {
        let (_, theirs) = try makeConflict()
        try save("ada", #"{"n":4}"#)
        let history = try #require(try file.read { try people.history(of: "ada", in: $0) })
        #expect(try history.conflicts().map(\.id) == [theirs])
        #expect(try history.conflicts().first?.properties?["n"]?.int == 3)
        #expect(try rows("SELECT flags FROM kv_default") == [[.long(2)]])
    }

    @Test("the resolution of a conflict succeeds the remote's revision")
    func merge() throws {
        let (_, theirs) = try makeConflict()
        let saved = try file.write { transaction in
            try people.resolveConflicts(of: "ada", in: transaction) { current, other in
                let sum = (current["n"]?.int ?? 0) + (other.properties?["n"]?.int ?? 0)
                return .merge(["n": .int(sum)])
            }
        }
        #expect(saved != nil)
        #expect(try json("ada") == #"{"_id":"ada","n":5}"#)
        let tree = try tree("ada")
        #expect(tree.revisions.map(\.generation) == [3, 2, 1])
        #expect(tree.revisions[1].id == theirs.binary)
        #expect(tree.latest(of: 1) == 1)
        #expect(try rows("SELECT flags FROM kv_default") == [[.long(0)]])
    }

    @Test("theirs can be taken unchanged, with its id")
    func takeOther() throws {
        let (_, theirs) = try makeConflict()
        let saved = try file.write {
            try people.resolveConflicts(of: "ada", in: $0) { _, _ in .takeOther }
        }
        #expect(saved?.revisionID == theirs)
        #expect(try json("ada") == #"{"_id":"ada","n":3}"#)
        #expect(try tree("ada").revisions.count == 2)
    }

    @Test("ours can be kept, as the successor of theirs")
    func keepCurrent() throws {
        let (_, theirs) = try makeConflict()
        _ = try file.write {
            try people.resolveConflicts(of: "ada", in: $0) { _, _ in .keepCurrent }
        }
        #expect(try json("ada") == #"{"_id":"ada","n":2}"#)
        #expect(try tree("ada").revisions[1].id == theirs.binary)
    }

    @Test("a conflict can be resolved by a deletion")
    func delete() throws {
        _ = try makeConflict()
        _ = try file.write {
            try people.resolveConflicts(of: "ada", in: $0) { _, _ in .delete }
        }
        #expect(try json("ada") == nil)
        #expect(try rows("SELECT flags FROM kv_del_default") == [[.long(1)]])
    }

    @Test("an existing revision is not written again")
    func insertKnown() throws {
        let saved = try save("ada", #"{"n":1}"#)
        let result = try file.write { transaction in
            try people.insert(
                "ada", history: [saved.revisionID], remote: 1, in: transaction
            ) { try $0.writeJSON(#"{"n":1}"#) }
        }
        guard case .known = result else {
            Issue.record("\(result)")
            return
        }
        #expect(try tree("ada").latest(of: 1) == 0)
        let row = try rows("SELECT sequence, flags >> 16 FROM kv_default")
        #expect(row == [[.long(1), .long(1)]], "the sequence is kept")
    }

    @Test("a version vector cannot be added to a tree")
    func otherKind() throws {
        try save("ada", #"{"n":1}"#)
        let vector = try RevisionID("18e9f0b79eed0000@*")
        for id in ["ada", "new"] {
            #expect(throws: StoreError.self) {
                try file.write { transaction in
                    try people.insert(id, history: [vector], in: transaction) {
                        try $0.writeJSON("{}")
                    }
                }
            }
        }
    }

    // Conversion to version vectors.

    @Test("documents are converted to version vectors one by one, when they are saved")
    func upgrade() throws {
        let old = try save("ada", #"{"n":1}"#)
        try save("eve", #"{"n":1}"#)
        try file.write { try $0.upgradeVersioning(to: .versionVectors) }
        let saved = try save("ada", #"{"n":2}"#)
        guard case .vector(let vector) = saved.revisionID,
            case .digest(let generation, let digest) = old.revisionID
        else {
            Issue.record("\(saved.revisionID)")
            return
        }
        #expect(vector.versions.map(\.source) == [.local, .legacy])
        #expect(vector.versions[1].legacyRevision?.generation == generation)
        #expect(vector.versions[1].legacyRevision?.prefix == Array(digest.prefix(5)))
        #expect(
            try rows("SELECT key, hex(substr(version, 1, 1)) FROM kv_default ORDER BY key")
                == [[.text("ada"), .text("00")], [.text("eve"), .text("01")]])
        #expect(try json("eve") == #"{"_id":"eve","n":1}"#)
        try save("ada", #"{"n":3}"#)
        #expect(try json("ada") == #"{"_id":"ada","n":3}"#)
        #expect(throws: StoreError.self) {
            try file.write { try $0.upgradeVersioning(to: .treesInExtra) }
        }
    }

    @Test("remotes' revisions are converted, including conflicts")
    func upgradeWithRemotes() throws {
        let (_, theirs) = try makeConflict()
        try file.write { try $0.upgradeVersioning(to: .versionVectors) }
        try save("ada", #"{"n":4}"#)
        let history = try #require(try file.read { try people.history(of: "ada", in: $0) })
        #expect(history.tree == nil)
        #expect(history.remotes == [1: theirs])
        #expect(try history.conflicts().first?.properties?["n"]?.int == 3)
        #expect(try rows("SELECT flags FROM kv_default") == [[.long(2)]])
        _ = try file.write {
            try people.resolveConflicts(of: "ada", in: $0) { _, other in
                .merge(["n": .int(10 + (other.properties?["n"]?.int ?? 0))])
            }
        }
        #expect(try json("ada") == #"{"_id":"ada","n":13}"#)
        #expect(try rows("SELECT flags FROM kv_default") == [[.long(0)]])
    }

    @Test("a document with a branch that no remote has stays a tree until it is merged")
    func upgradeWithLocalConflict() throws {
        let first = try save("ada", #"{"n":1}"#)
        try save("ada", #"{"n":2}"#)
        let other = RevisionID.digest(generation: 2, digest: Array(repeating: 0xAB, count: 20))
        try file.write { transaction in
            _ = try people.insert("ada", history: [other, first.revisionID], in: transaction) {
                try $0.writeJSON(#"{"n":3}"#)
            }
            try transaction.upgradeVersioning(to: .versionVectors)
        }
        try save("ada", #"{"n":4}"#)
        #expect(try tree("ada").conflicts.count == 1)
        _ = try file.write {
            try people.resolveConflicts(of: "ada", in: $0) { _, _ in .keepCurrent }
        }
        try save("ada", #"{"n":5}"#)
        let history = try #require(try file.read { try people.history(of: "ada", in: $0) })
        #expect(history.tree == nil)
        #expect(try json("ada") == #"{"_id":"ada","n":5}"#)
    }

    // Damage.

    @Test(
        "a document with a damaged tree is not overwritten",
        arguments: [
            "0000001E00070215", "0000001EFFFF", "FFFFFFFFFFFF0215", "000000000000000000000000",
        ])
    func damaged(extra: String) throws {
        try save("ada", #"{"n":1}"#)
        file.close()
        try SQLContext(path: directory("trees.cblite2/db.sqlite3"), flags: .readWrite)
            .exec(sql: "UPDATE kv_default SET extra = x'\(extra)'")
        let file = try DataFile(
            path: directory("trees.cblite2"), options: DataFileOptions(access: .readWrite))
        let error = #expect(throws: StoreError.self) {
            try file.write { transaction in
                try people.save("ada", in: transaction) { try $0.writeJSON(#"{"n":2}"#) }
            }
        }
        #expect(error?.has(.corruptRevisionData) == true)
        #expect(error?.message.contains("ada") == true)
        // The undamaged parts are readable.
        #expect(try file.read { try people.get("ada", in: $0)?["n"]?.int } == 1)
        #expect(try file.write { try people.purge("ada", in: $0) })
    }
}
