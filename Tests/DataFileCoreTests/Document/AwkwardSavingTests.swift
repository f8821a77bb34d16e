import DataFileCore
import EngineTestSupport
import FleeceLite
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Unusual ways of saving documents")
struct AwkwardSavingTests {
    let fixture: StoreFixture
    let file: DataFile
    let people = DocumentCollection(.default)

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
    }

    private struct Refused: Error {}

    @Test("a document saved in a rolled-back transaction does not overwrite later saves by others")
    func undoneBase() throws {
        var mine = MutableDocument("ada", ["n": 1])
        try? file.write { transaction in
            _ = try people.save(&mine, in: transaction)
            throw Refused()
        }
        try fixture.save("ada", #"{"theirs":true}"#, in: file)
        mine["n"] = 2
        let result = try file.write { try people.save(&mine, in: $0) }
        #expect(result.saved == nil)
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","theirs":true}"#)
    }

    @Test("a document saved in an undone savepoint does not overwrite later saves by others")
    func undoneSavepoint() throws {
        try fixture.save("ada", #"{"n":0}"#, in: file)
        var mine = try #require(try file.read { try people.get("ada", in: $0) }).mutableCopy()
        try file.write { transaction in
            try? transaction.savepoint {
                mine["n"] = 1
                _ = try people.save(&mine, in: transaction)
                throw Refused()
            }
            _ = try people.save("ada", in: transaction) { try $0.writeJSON(#"{"theirs":true}"#) }
            mine["n"] = 2
            #expect(try people.save(&mine, in: transaction).saved == nil)
        }
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","theirs":true}"#)
    }

    @Test("a document of one collection does not overwrite another's with the same number")
    func otherCollection() throws {
        let other = DocumentCollection(try CollectionName("other"))
        var mine = MutableDocument("ada", ["n": 1])
        try file.write { transaction in
            try other.create(in: transaction)
            _ = try other.save("ada", in: transaction) { try $0.writeJSON(#"{"theirs":true}"#) }
            _ = try people.save(&mine, in: transaction)
            var copy = mine
            #expect(try other.save(&copy, in: transaction).saved == nil)
            #expect(try other.get("ada", in: transaction)?["theirs"]?.bool == true)
        }
    }

    @Test("recording that a remote has the document is not a conflict, and is kept")
    func syncedMeanwhile() throws {
        let saved = try fixture.save("ada", #"{"n":1}"#, in: file)
        var mine = try #require(try file.read { try people.get("ada", in: $0) }).mutableCopy()
        let isMarked = try file.write {
            try people.keyStore.setFlags(.synced, of: "ada", sequence: saved.sequence, in: $0)
        }
        #expect(isMarked)
        mine["n"] = 2
        #expect(try file.write { try people.save(&mine, in: $0) }.saved != nil)
        let history = try #require(try file.read { try people.history(of: "ada", in: $0) })
        #expect(history.remotes == [1: saved.revisionID])
    }

    @Test("recording that a remote has the document does not prevent deleting it")
    func deleteSynced() throws {
        let saved = try fixture.save("ada", #"{"n":1}"#, in: file)
        let ada = try #require(try file.read { try people.get("ada", in: $0) })
        _ = try file.write {
            try people.keyStore.setFlags(.synced, of: "ada", sequence: saved.sequence, in: $0)
        }
        #expect(try file.write { try people.delete(ada, in: $0) }.saved != nil)
        #expect(try fixture.json("ada", in: file) == nil)
    }

    @Test("a handler that keeps changing the document itself gets an error, not an endless loop")
    func savingHandler() throws {
        try fixture.save("ada", #"{"n":1}"#, in: file)
        var mine = try #require(try file.read { try people.get("ada", in: $0) }).mutableCopy()
        try fixture.save("ada", #"{"n":2}"#, in: file)
        var calls = 0
        #expect {
            try file.write { transaction in
                _ = try people.save(
                    &mine,
                    onConflict: .merge { mine, _ in
                        calls += 1
                        if calls > 9 { throw Refused() }
                        _ = try people.save("ada", in: transaction) { try $0.writeJSON("{}") }
                        return mine
                    }, in: transaction)
            }
        } throws: { ($0 as? StoreError)?.has(.conflict) == true }
        #expect(calls <= 2)
    }

    @Test("a handler that returns another document changes the saved properties, not the id")
    func handlerOfAnotherID() throws {
        try fixture.save("ada", #"{"n":1}"#, in: file)
        try fixture.save("bob", #"{"n":1}"#, in: file)
        let read = try #require(try file.read { try people.get("ada", in: $0) })
        try fixture.save("ada", #"{"n":2}"#, in: file)
        let other = ConflictHandler.merge { _, _ in MutableDocument("bob", ["merged": true]) }
        #expect(try file.write { try people.delete(read, onConflict: other, in: $0) }.saved != nil)
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","merged":true}"#)
        #expect(try fixture.json("bob", in: file) == #"{"_id":"bob","n":1}"#)
    }

    @Test("a reserved property is rejected whatever was undone before")
    func reservedAfterRevert() throws {
        try file.write { transaction in
            #expect(throws: StoreError.self) {
                _ = try people.save("_no", in: transaction) { try $0.writeJSON(#"{"x":1}"#) }
            }
            #expect(throws: StoreError.self) {
                _ = try people.save("a", in: transaction) { try $0.writeJSON(#"{"_id":1}"#) }
            }
            try? transaction.savepoint {
                _ = try people.save("b", in: transaction) { try $0.writeJSON(#"{"y":1}"#) }
                throw Refused()
            }
            #expect(throws: StoreError.self) {
                _ = try people.save("b", in: transaction) { try $0.writeJSON(#"{"_rev":1}"#) }
            }
        }
        #expect(try fixture.json("a", in: file) == nil)
        #expect(try fixture.json("b", in: file) == nil)
    }

    @Test("a closure that takes the shared keys from its encoder cannot bypass the checks")
    func withoutSharedKeys() throws {
        try fixture.save("ada", #"{"name":"Ada"}"#, in: file)
        try? file.write { transaction in
            _ = try people.save("x", in: transaction) {
                $0.sharedKeys = nil
                try $0.writeJSON(#"{"_id":1}"#)
            }
        }
        #expect(try fixture.json("x", in: file) == nil)
        try fixture.save("bob", #"{"name":"Bob"}"#, in: file)
        #expect(try fixture.json("bob", in: file) == #"{"_id":"bob","name":"Bob"}"#)
    }

    @Test("a closure that gives its encoder other shared keys does not damage the file")
    func otherSharedKeys() throws {
        try fixture.save("ada", #"{"name":"Ada"}"#, in: file)
        var foreign = SharedKeys()
        for key in ["these", "are", "others"] { _ = foreign.add(key) }
        try? file.write { transaction in
            _ = try people.save("x", in: transaction) {
                $0.sharedKeys = foreign
                try $0.writeJSON(#"{"these":1}"#)
            }
        }
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","name":"Ada"}"#)
        let again = try fixture.open()
        #expect(try fixture.json("ada", in: again) == #"{"_id":"ada","name":"Ada"}"#)
        #expect(try ["", #"{"_id":"x","these":1}"#].contains(fixture.json("x", in: again) ?? ""))
    }

    @Test("a closure that replaces its encoder by another one does no harm")
    func otherEncoder() throws {
        try fixture.save("ada", #"{"name":"Ada"}"#, in: file)
        try? file.write { transaction in
            _ = try people.save("x", in: transaction) {
                $0 = FleeceEncoder()
                try $0.writeJSON(#"{"name":"X"}"#)
            }
            _ = try people.save("y", in: transaction) { try $0.writeJSON(#"{"name":"Y"}"#) }
        }
        #expect(try ["", #"{"_id":"x","name":"X"}"#].contains(fixture.json("x", in: file) ?? ""))
        try fixture.save("z", #"{"name":"Z","more":1}"#, in: file)
        let again = try fixture.open()
        #expect(try fixture.json("ada", in: again) == #"{"_id":"ada","name":"Ada"}"#)
        #expect(try fixture.json("z", in: again) == #"{"_id":"z","more":1,"name":"Z"}"#)
    }

    @Test("a body that points into another document is rejected, since that is not stored with it")
    func amended() throws {
        try fixture.save("ada", #"{"name":"Ada, Countess of Lovelace","more":[1,2,3]}"#, in: file)
        let ada = try #require(try file.read { try people.get("ada", in: $0) })
        for isExtern in [false, true] {
            #expect(throws: (any Error).self) {
                try file.write { transaction in
                    _ = try people.save("x", in: transaction) { encoder in
                        try encoder.amend(try #require(ada.body), externPointers: isExtern)
                        encoder.beginDictionary()
                        try encoder.writeKey("name")
                        try encoder.write(try #require(ada["name"]))
                        try encoder.endDictionary()
                    }
                }
            }
            #expect(try fixture.json("x", in: file) == nil)
        }
        try fixture.save("bob", #"{"name":"Bob"}"#, in: file)
        #expect(try fixture.json("bob", in: file) == #"{"_id":"bob","name":"Bob"}"#)
    }

    @Test("an invalid number is stored or rejected, and the transaction stays usable")
    func notANumber() throws {
        try file.write { transaction in
            _ = try? people.save("nan", in: transaction) { encoder in
                encoder.beginDictionary()
                try encoder.writeKey("n")
                try encoder.writeDouble(.nan)
                try encoder.endDictionary()
            }
            _ = try people.save("after", in: transaction) { try $0.writeJSON("{}") }
        }
        #expect(try fixture.json("after", in: file) == #"{"_id":"after"}"#)
    }

    @Test("a body saved while another one is written is rejected, and the outer one can continue")
    func nested() throws {
        try file.write { transaction in
            _ = try people.save("outer", in: transaction) { encoder in
                encoder.beginDictionary()
                #expect(throws: StoreError.self) {
                    _ = try people.save("inner", in: transaction) { try $0.writeJSON("{}") }
                }
                var inner = MutableDocument("inner")
                #expect(throws: StoreError.self) {
                    _ = try people.save(&inner, onConflict: .lastWriteWins, in: transaction)
                }
                try encoder.writeKey("n")
                encoder.writeInt(1)
                try encoder.endDictionary()
            }
        }
        #expect(try fixture.json("outer", in: file) == #"{"_id":"outer","n":1}"#)
        #expect(try fixture.json("inner", in: file) == nil)
    }

    @Test(
        "the flag of blobs is set however a reference gets into a body",
        arguments: ["json", "json5", "keys", "copy", "again", "mutable", "escaped", "long"])
    func blobFlag(_ way: String) throws {
        let blob = try file.blobs.put([1, 2, 3])
        let reference = "{\"@type\":\"blob\",\"digest\":\"\(blob.digest)\",\"length\":3}"
        let source = try FleeceDocument(json: "{\"a\":\(reference)}")
        // Keys that exist from earlier documents.
        try fixture.save("first", "{\"a\":1,\"digest\":2,\"length\":3}", in: file)
        let saved = try file.write { transaction in
            try people.save("ada", in: transaction) { encoder in
                switch way {
                case "json": try encoder.writeJSON("{\"a\":\(reference)}")
                case "json5": try encoder.writeJSON5("{a:\(reference),}")
                case "escaped":
                    try encoder.writeJSON("{\"a\":{\"\\u0040type\":\"b\\u006cob\"}}")
                case "copy": try encoder.write(source.root)
                case "mutable":
                    try encoder.write(MutableFleeceDictionary(try #require(source.root.dictionary)))
                case "again":
                    encoder.beginDictionary()
                    try encoder.writeKey("a")
                    try encoder.write(blob)
                    let written = encoder.lastWrittenValue
                    let value = try #require(written)
                    try encoder.writeKey("b")
                    try encoder.write(again: value)
                    try encoder.endDictionary()
                case "long":
                    try encoder.writeJSON(
                        "{\"a key of more than sixteen bytes\":{\"x\":[[\(reference)]]}}")
                default:
                    encoder.beginDictionary()
                    try encoder.writeKey("a")
                    try encoder.write(blob)
                    try encoder.endDictionary()
                }
            }
        }
        _ = saved
        for number in 1...2 {
            let ada = try #require(try file.read { try people.get("ada", in: $0) })
            #expect(ada.flags == .hasAttachments, "\(way), save \(number)")
            var copy = ada.mutableCopy()
            copy["n"] = .int(Int64(number))
            _ = try file.write { try people.save(&copy, in: $0) }
        }
    }

    @Test("a full table of shared keys does not change the checks")
    func fullTable() throws {
        let keys = (0..<2048).map { "\"k\($0)\":0" }.joined(separator: ",")
        try fixture.save("full", "{\(keys)}", in: file)
        for body in [#"{"_id":1}"#, #"{"_rev":1}"#, #"{"_deleted":true}"#] {
            #expect(throws: StoreError.self) { try fixture.save("x", body, in: file) }
        }
        let attached = #"{"_attachments":{"a":{"digest":"sha1-tsgOzj5esl4upx/NQogsyltg9fE="}}}"#
        try fixture.save("ada", attached, in: file)
        #expect(try file.read { try people.get("ada", in: $0) }?.flags == .hasAttachments)
        try fixture.save("bob", #"{"new key":1,"anotherNew":{"k1":2}}"#, in: file)
        #expect(
            try fixture.json("bob", in: file)
                == #"{"_id":"bob","anotherNew":{"k1":2},"new key":1}"#)
    }
}
