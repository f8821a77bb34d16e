import DataFileCore
import EngineTestSupport
import FleeceLite
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Documents through handles of all kinds")
struct DocumentHandleTests {
    private struct Refused: Error {}
    let people = DocumentCollection(.default)

    @Test("an in-memory database has documents, conflicts and types")
    func inMemory() throws {
        let file = try DataFile(inMemory: DataFileOptions(access: .create))
        var ada = MutableDocument("ada", ["n": 1])
        try file.write { transaction in
            #expect(try people.save(&ada, in: transaction).saved?.isNew == true)
            let theirs = try RevisionID("18e9f0b79eed0000@AAAAAAAAAAAAAAAAAAAAEA")
            _ = try people.insert("ada", history: [theirs], remote: 1, in: transaction) {
                try $0.writeJSON(#"{"n":2}"#)
            }
            ada["n"] = 3
            #expect(try people.save(&ada, in: transaction).saved != nil)
            let saved = try people.resolveConflicts(of: "ada", in: transaction) { current, other in
                #expect(current["n"]?.int == 3)
                #expect(other.properties?["n"]?.int == 2)
                return .takeOther
            }
            #expect(saved != nil)
        }
        #expect(try file.read { try people.get("ada", in: $0)?["n"]?.int } == 2)
    }

    @Test("a read-only handle reads documents and their histories, and saves nothing")
    func readOnly() throws {
        let fixture = try StoreFixture()
        let writer = try fixture.open()
        try fixture.save("ada", #"{"n":1}"#, in: writer)
        let file = try fixture.open(.readOnly)
        var ada = try #require(try file.read { try people.get("ada", in: $0) }).mutableCopy()
        #expect(try file.read { try people.history(of: "ada", in: $0)?.conflicts().count } == 0)
        ada["n"] = 2
        let error = #expect(throws: StoreError.self) {
            try file.write { _ = try people.save(&ada, in: $0) }
        }
        #expect(error?.has(.notWriteable) == true)
        #expect(try writer.write { try people.save(&ada, in: $0) }.saved != nil)
    }

    @Test("a document stays readable after its handle was closed, and can be saved by another one")
    func closed() throws {
        let fixture = try StoreFixture()
        let first = try fixture.open()
        try fixture.save("ada", #"{"n":1,"list":[1,2]}"#, in: first)
        var ada = try #require(try first.read { try people.get("ada", in: $0) }).mutableCopy()
        first.close()
        #expect(ada["list"]?[1]?.int == 2)
        ada["n"] = 2
        let second = try fixture.open()
        #expect(try second.write { try people.save(&ada, in: $0) }.saved != nil)
        #expect(try fixture.json("ada", in: second) == #"{"_id":"ada","list":[1,2],"n":2}"#)
    }

    @Test("an open blob can be read to its end after the file was closed")
    func openBlob() throws {
        let fixture = try StoreFixture()
        let file = try fixture.open()
        let blob = try file.blobs.put([1, 2, 3])
        let store = file.blobs
        let reader = try store.open(blob)
        file.close()
        #expect(try reader.readChunk() == [1, 2, 3])
        #expect(throws: StoreError.self) { try store.open(blob) }
        #expect(throws: StoreError.self) { try store.put([4]) }
    }

    @Test("a blob put in a rolled-back transaction stays for the grace period, without a document")
    func undoneBlob() throws {
        let fixture = try StoreFixture()
        let file = try fixture.open()
        var blob: Blob?
        try? file.write { transaction in
            let put = try file.blobs.put([1, 2, 3])
            blob = put
            _ = try people.save("ada", in: transaction) { encoder in
                encoder.beginDictionary()
                try encoder.writeKey("photo")
                try encoder.write(put)
                try encoder.endDictionary()
            }
            throw Refused()
        }
        #expect(try file.compact().removedBlobs == 0)
        #expect(try blob.map { try file.blobs.contains($0) } == true)
        #expect(try fixture.json("ada", in: file) == nil)
    }

    @Test("a change of a remote's revision is reported as a change that keeps the sequence")
    func changes() async throws {
        let fixture = try StoreFixture()
        let file = try fixture.open()
        try fixture.save("ada", #"{"n":1}"#, in: file)
        try fixture.save("eve", #"{"n":1}"#, in: file)
        _ = try await file.write { _ = try people.delete("eve", in: $0) }
        let stream = try file.changes(of: people.keyStore)
        let theirs = try RevisionID("18e9f0b79eed0000@AAAAAAAAAAAAAAAAAAAAEA")
        try await file.write { transaction in
            for id in ["ada", "eve"] {
                _ = try people.insert(id, history: [theirs], remote: 1, in: transaction) {
                    try $0.writeJSON(#"{"n":2}"#)
                }
            }
        }
        var iterator = stream.makeAsyncIterator()
        let noted = try #require(await iterator.next())
        #expect(noted.changes.map(\.key) == ["ada", "eve"])
        #expect(noted.changes.map(\.kind) == [.metadata, .metadata])
        #expect(noted.sequences == nil)
        try await file.write { transaction in
            _ = try people.resolveConflicts(of: "ada", in: transaction) { _, _ in .delete }
            _ = try people.resolveConflicts(of: "eve", in: transaction) { _, _ in .takeOther }
        }
        let resolved = try #require(await iterator.next())
        #expect(resolved.changes.map(\.kind) == [.deleted, .saved])
        #expect(resolved.sequences == 4...5)
        #expect(try fixture.json("eve", in: file) == #"{"_id":"eve","n":2}"#)
    }

    @Test("a document saved in a rolled-back transaction is saved again from a copy")
    func retry() throws {
        let file = try DataFile(inMemory: DataFileOptions(access: .create))
        var ada = MutableDocument("ada", ["n": 1])
        let before = ada
        try? file.write { transaction in
            _ = try people.save(&ada, in: transaction)
            throw Refused()
        }
        let result = try file.write { try people.save(&ada, in: $0) }
        guard case .conflict(nil) = result else {
            Issue.record("\(result)")
            return
        }
        ada = before
        #expect(try file.write { try people.save(&ada, in: $0) }.saved?.isNew == true)
    }
}
