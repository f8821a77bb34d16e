import DataFileCore
import EngineTestSupport
import FleeceLite
import StoreFormat
import Testing

@Suite("Reading, changing and saving documents")
struct DocumentSaveTests {
    let fixture: StoreFixture
    let file: DataFile
    let people = DocumentCollection(.default)

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
    }

    @Test("a new document gets a generated id, and is found by it")
    func generatedID() throws {
        let id = try file.write { transaction in
            var document = MutableDocument(nil, ["n": 1])
            let saved = try #require(people.save(&document, in: transaction).saved)
            #expect(saved.isNew)
            #expect(saved.id == document.id)
            return saved.id
        }
        #expect(id.utf8.count == 23)
        #expect(id.first == "~")
        #expect(try fixture.json(id, in: file) == "{\"_id\":\"\(id)\",\"n\":1}")
    }

    @Test("a document does not change with its copy")
    func copy() throws {
        try fixture.save("ada", #"{"name":{"first":"Ada"},"age":36}"#, in: file)
        let ada = try #require(try file.read { try people.get("ada", in: $0) })
        var changed = ada.mutableCopy()
        changed["age"] = 37
        changed["name"]?["last"] = "Lovelace"
        #expect(ada["age"]?.int == 36)
        #expect(ada["name"]?["last"] == nil)
        #expect(changed.revisionID == ada.revisionID)
        let result = try file.write { try people.save(&changed, in: $0) }
        #expect(result.saved?.sequence == 2)
        #expect(
            try fixture.json("ada", in: file)
                == #"{"_id":"ada","age":37,"name":{"first":"Ada","last":"Lovelace"}}"#)
    }

    @Test("a saved document can be changed and saved again without reading it")
    func again() throws {
        var document = MutableDocument("ada", ["n": 1])
        try file.write { transaction in
            _ = try people.save(&document, in: transaction)
            document["n"] = 2
            #expect(try people.save(&document, in: transaction).saved != nil)
        }
        document["n"] = 3
        #expect(try file.write { try people.save(&document, in: $0) }.saved?.sequence == 3)
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":3}"#)
    }

    @Test("a document that another writer has changed is not overwritten")
    func conflict() throws {
        try fixture.save("ada", #"{"n":1}"#, in: file)
        var mine = try #require(try file.read { try people.get("ada", in: $0) }).mutableCopy()
        try fixture.save("ada", #"{"n":2}"#, in: file)
        mine["n"] = 3
        let result = try file.write { try people.save(&mine, in: $0) }
        guard case .conflict(let theirs) = result else {
            Issue.record("it was saved")
            return
        }
        #expect(theirs?["n"]?.int == 2)
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":2}"#)
    }

    @Test("a new document does not replace an existing one, but replaces a tombstone")
    func newBesideOld() throws {
        try fixture.save("ada", #"{"n":1}"#, in: file)
        var other = MutableDocument("ada", ["n": 2])
        #expect(try file.write { try people.save(&other, in: $0) }.saved == nil)
        _ = try file.write { try people.delete("ada", in: $0) }
        let saved = try file.write { try people.save(&other, in: $0) }.saved
        #expect(saved?.isNew == true)
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":2}"#)
    }

    @Test("a document that was purged since is a conflict without a stored document")
    func purged() throws {
        try fixture.save("ada", #"{"n":1}"#, in: file)
        var mine = try #require(try file.read { try people.get("ada", in: $0) }).mutableCopy()
        _ = try file.write { try people.purge("ada", in: $0) }
        let result = try file.write { try people.save(&mine, in: $0) }
        guard case .conflict(nil) = result else {
            Issue.record("\(result)")
            return
        }
    }

    @Test("the last write wins on request")
    func lastWriteWins() throws {
        try fixture.save("ada", #"{"n":1}"#, in: file)
        var mine = try #require(try file.read { try people.get("ada", in: $0) }).mutableCopy()
        try fixture.save("ada", #"{"n":2,"theirs":true}"#, in: file)
        mine["mine"] = true
        let result = try file.write {
            try people.save(&mine, onConflict: .lastWriteWins, in: $0)
        }
        #expect(result.saved?.sequence == 3)
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","mine":true,"n":1}"#)
    }

    @Test("a merge gets both documents and their common ancestor")
    func merge() throws {
        try fixture.save("ada", #"{"n":1}"#, in: file)
        var mine = try #require(try file.read { try people.get("ada", in: $0) }).mutableCopy()
        try fixture.save("ada", #"{"n":5}"#, in: file)
        mine["n"] = 3
        let result = try file.write { transaction in
            try people.save(
                &mine,
                onConflict: .merge { mine, theirs in
                    let base = mine.properties.source?["n"]?.int ?? 0
                    var merged = mine
                    merged["n"] = .int(base + (3 - base) + ((theirs?["n"]?.int ?? base) - base))
                    return merged
                }, in: transaction)
        }
        #expect(result.saved?.sequence == 3)
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":7}"#)
    }

    @Test("a merge that returns nil does not change the document")
    func mergeGivesUp() throws {
        try fixture.save("ada", #"{"n":1}"#, in: file)
        var mine = try #require(try file.read { try people.get("ada", in: $0) }).mutableCopy()
        try fixture.save("ada", #"{"n":5}"#, in: file)
        let result = try file.write { transaction in
            try people.save(&mine, onConflict: .merge { _, _ in nil }, in: transaction)
        }
        #expect(result.saved == nil)
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":5}"#)
    }

    @Test("a document that was changed since is deleted only if the last write wins")
    func deleteIfUnchanged() throws {
        try fixture.save("ada", #"{"n":1}"#, in: file)
        let old = try #require(try file.read { try people.get("ada", in: $0) })
        try fixture.save("ada", #"{"n":2}"#, in: file)
        #expect(try file.write { try people.delete(old, in: $0) }.saved == nil)
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":2}"#)
        let result = try file.write { try people.delete(old, onConflict: .lastWriteWins, in: $0) }
        #expect(result.saved?.sequence == 3)
        #expect(try file.read { try people.get("ada", in: $0) } == nil)
        let tombstone = try file.read { try people.get("ada", includesDeleted: true, in: $0) }
        #expect(tombstone?.isDeleted == true)
    }

    @Test("only a tombstone can be restored")
    func undelete() throws {
        func undelete() throws -> DocumentCollection.Saved? {
            try file.write {
                try people.undelete("ada", in: $0) { try $0.writeJSON(#"{"n":2}"#) }
            }
        }
        #expect(try undelete() == nil)
        try fixture.save("ada", #"{"n":1}"#, in: file)
        #expect(try undelete() == nil)
        _ = try file.write { try people.delete("ada", in: $0) }
        #expect(try undelete()?.isNew == true)
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":2}"#)
    }

    @Test("many are saved in one transaction, with progress and a list of conflicts")
    func batch() throws {
        try fixture.save("7", #"{"n":"old"}"#, in: file)
        var counts: [Int] = []
        let result = try file.write { transaction in
            try people.save(
                contentsOf: (0..<25).lazy.map { MutableDocument("\($0)", ["n": .int($0)]) },
                in: transaction, every: 10
            ) { counts.append($0) }
        }
        #expect(result.saved == 24)
        #expect(result.conflicts == ["7"])
        #expect(counts == [10, 20, 25])
        #expect(try file.read { try people.count(in: $0) } == (25, 0))
    }

    @Test("a batch whose progress throws saves nothing")
    func cancelledBatch() throws {
        #expect(throws: CancellationError.self) {
            try file.write { transaction in
                try people.save(
                    contentsOf: (0..<25).lazy.map { MutableDocument("\($0)", ["n": .int($0)]) },
                    in: transaction, every: 10
                ) { _ in throw CancellationError() }
            }
        }
        #expect(try file.read { try people.count(in: $0) } == (0, 0))
    }

    @Test("an invalid id is rejected by every call")
    func badID() throws {
        #expect(throws: StoreError.self) {
            try file.write { transaction in
                var document = MutableDocument("_design", ["n": 1])
                _ = try people.save(&document, in: transaction)
            }
        }
    }
}
