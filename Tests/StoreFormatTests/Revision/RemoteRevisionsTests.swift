import EngineTestSupport
import FleeceLite
import StoreFormat
import Testing

@Suite("RemoteRevisions: the column extra")
struct RemoteRevisionsTests {
    private func body(_ bytes: [UInt8]) throws -> FleeceDocument {
        try FleeceDocument(trusted: bytes, sharedKeys: RemoteRows.keys)
    }

    @Test("a conflicted row of LiteCore is read, and written with the same bytes")
    func conflicted() throws {
        let body = try body(RemoteRows.conflictedBody)
        let remotes = try RemoteRevisions(
            extra: RemoteRows.conflictedExtra, body: body, sharedKeys: RemoteRows.keys)
        #expect(remotes.isConflicted && !remotes.isEmpty)
        #expect(remotes.all.map(\.remote) == [1])
        let remote = try #require(remotes.revision(ofRemote: 1))
        #expect(remote.revisionID.description == "1772ea3c8d0e0000@AAAAAAAAAAAAAAAAAAAAAA")
        #expect(remote.flags == .conflicted)
        #expect(remote.properties?["who"]?.string == "remote")
        #expect(remotes.legacyRevisionID == nil)
        #expect(try remotes.encoded(body: body) == RemoteRows.conflictedExtra)
    }

    @Test("a synced row of LiteCore is read, and written with the same bytes")
    func synced() throws {
        let body = try body(RemoteRows.syncedBody)
        let remotes = try RemoteRevisions(
            extra: RemoteRows.syncedExtra, body: body, sharedKeys: RemoteRows.keys)
        #expect(!remotes.isConflicted)
        #expect(remotes.revision(ofRemote: 1)?.revisionID.description == "18e9f0b79f010001@*")
        #expect(remotes.revision(ofRemote: 1)?.properties?["n"]?.int == 1)
        #expect(remotes.revision(ofRemote: 2) == nil)
        #expect(try remotes.encoded(body: body) == RemoteRows.syncedExtra)
    }

    @Test("another body gets another extra, and the remotes' revisions stay")
    func otherBody() throws {
        let remotes = try RemoteRevisions(
            extra: RemoteRows.conflictedExtra, body: body(RemoteRows.conflictedBody),
            sharedKeys: RemoteRows.keys)
        var keys = RemoteRows.keys
        let body = try RemoteRows.body(#"{"who":"remote","more":[1,2,3]}"#, &keys)
        let extra = try #require(try remotes.encoded(body: body))
        // "remote" is now a pointer into the body.
        #expect(extra.count == RemoteRows.conflictedExtra.count - 8)
        let again = try RemoteRevisions(extra: extra, body: body, sharedKeys: keys)
        #expect(again.revision(ofRemote: 1)?.properties?["who"]?.string == "remote")
        #expect(again.revision(ofRemote: 1)?.flags == .conflicted)
        // With another body the pointers lead elsewhere.
        let wrong = try? RemoteRevisions(extra: extra, body: nil, sharedKeys: keys)
        #expect(wrong == nil)
    }

    @Test("properties equal to those of the body are a single pointer to it")
    func sameProperties() throws {
        var keys = SharedKeys()
        let body = try RemoteRows.body(#"{"a":"text","b":[1,2]}"#, &keys)
        let same = try RemoteRows.body(#"{"a":"text","b":[1,2]}"#, &keys)
        var remotes = RemoteRevisions()
        remotes.setRemote(
            1,
            to: RemoteRevision(
                remote: 1, revisionID: .digest(generation: 1, digest: [0xAB, 0xCD]), flags: [],
                properties: same.root.dictionary))
        let extra = try #require(try remotes.encoded(body: body))
        // The body's root is 12 bytes before its end: 20 before the first pointer to it, at 8, and
        // 30 before the other, at 18.
        let expected: [UInt8] = [
            0, 0, 0, 0, 0x70, 0x01, 0x41, 0x2E, 0xC0, 0x0A,
            0x53, 0x01, 0xAB, 0xCD, 0x70, 0x02, 0x41, 0x2E, 0xC0, 0x0F, 0x41, 0x40, 0x80, 0x06,
            0x60, 0x02, 0x80, 0x0B, 0x80, 0x07, 0x80, 0x03,
        ]
        #expect(extra == expected)
        let again = try RemoteRevisions(extra: extra, body: body, sharedKeys: keys)
        #expect(again.revision(ofRemote: 1)?.properties?.value == body.root)
    }

    @Test("a number does not match one of the body in another encoding")
    func forms() throws {
        var keys = SharedKeys()
        let body = try RemoteRows.body(#"{"a":{"deep":[1.0]},"b":3.0}"#, &keys)
        let other = try RemoteRows.body(#"{"a":{"deep":[1]},"b":3}"#, &keys)
        #expect(body.root == other.root)
        var remotes = RemoteRevisions()
        remotes.setRemote(2, to: Self.revision(other))
        let extra = try #require(try remotes.encoded(body: body, sharedKeys: keys))
        let again = try RemoteRevisions(extra: extra, body: body, sharedKeys: keys)
        let properties = try #require(again.revision(ofRemote: 2)?.properties)
        #expect(properties["b"]?.kind == .integer)
        #expect(properties["a"]?["deep"]?[0]?.kind == .integer)
    }

    @Test("gaps between remotes, removed remotes, and no remotes")
    func gaps() throws {
        var keys = SharedKeys()
        let body = try RemoteRows.body(#"{"a":1}"#, &keys)
        var remotes = RemoteRevisions()
        #expect(remotes.isEmpty)
        #expect(try remotes.encoded(body: body) == nil)
        for remote in [7, 3, 5, 3] { remotes.setRemote(remote, to: Self.revision(body)) }
        #expect(remotes.all.map(\.remote) == [3, 5, 7])
        #expect(remotes.removeRemote(5) && !remotes.removeRemote(5))
        let extra = try #require(try remotes.encoded(body: body))
        var again = try RemoteRevisions(extra: extra, body: body, sharedKeys: keys)
        #expect(again.all.map(\.remote) == [3, 7])
        #expect(again.all.allSatisfy { $0.properties?["a"]?.int == 1 })
        again.removeRemote(3)
        again.removeRemote(7)
        #expect(try again.encoded(body: body) == nil)
        for remote in [0, -1, 65_536, .max, .min] {
            var remotes = RemoteRevisions()
            remotes.setRemote(remote, to: Self.revision(body))
            #expect(throws: StoreError.self) { try remotes.encoded(body: body) }
        }
        again.setRemote(65_535, to: Self.revision(body))
        let long = try #require(try again.encoded(body: body))
        let last = try RemoteRevisions(extra: long, body: body, sharedKeys: keys)
        #expect(last.all.map(\.remote) == [65_535])
    }

    @Test("the former tree revision of a document is stored separately")
    func legacy() throws {
        var keys = SharedKeys()
        let body = try RemoteRows.body(#"{"a":1}"#, &keys)
        let id = RevisionID.digest(generation: 3, digest: [0x0A, 0x0B])
        var remotes = RemoteRevisions()
        remotes.setLegacy(id)
        #expect(remotes.legacyRevisionID == id)
        let extra = try #require(try remotes.encoded(body: body))
        var again = try RemoteRevisions(extra: extra, body: body, sharedKeys: keys)
        #expect(again.all.isEmpty && again.legacyRevisionID == id)
        #expect(try again.encoded(body: body) == extra)
        again.setLegacy(nil)
        #expect(try again.encoded(body: body) == nil)
    }

    @Test("a body without properties is the empty dictionary")
    func emptyBody() throws {
        let empty = try FleeceDocument(trusted: [0x70, 0x00])
        var remotes = RemoteRevisions()
        remotes.setRemote(
            1,
            to: RemoteRevision(
                remote: 1, revisionID: .digest(generation: 1, digest: [0xAA]), flags: .deleted,
                properties: nil))
        let expected: [UInt8] = [
            0, 0, 0, 0, 0x70, 0x01, 0x41, 0x2E, 0x70, 0x00,
            0x52, 0x01, 0xAA, 0x00, 0x70, 0x02, 0x41, 0x26, 0x00, 0x01, 0x41, 0x40, 0x80, 0x06,
            0x60, 0x02, 0x80, 0x0B, 0x80, 0x07, 0x80, 0x03,
        ]
        #expect(try remotes.encoded(body: empty) == expected)
        let again = try RemoteRevisions(
            extra: expected, body: empty, sharedKeys: SharedKeys())
        #expect(again.revision(ofRemote: 1)?.flags == .deleted)
        #expect(again.revision(ofRemote: 1)?.properties == nil)
        let list = try FleeceDocument(trusted: [0x60, 0x00])
        #expect(throws: StoreError.self) { try remotes.encoded(body: list) }
    }

    @Test("pairs of unknown meaning are preserved, and no key gets a number")
    func unknownKeys() throws {
        var keys = SharedKeys()
        let body = try RemoteRows.body(#"{"a":1}"#, &keys)
        var encoder = FleeceEncoder()
        try encoder.amend(body, padding: 4, externPointers: true)
        try encoder.writeJSON(
            #"[{".":{"a":1},"~":["list"],"new":{"x":1}},{"new":[true],"&":6}]"#)
        var extra = try encoder.finish()
        #expect(throws: StoreError.self) {
            // It has no revision.
            try RemoteRevisions(extra: extra, body: body, sharedKeys: keys)
        }
        try encoder.amend(body, padding: 4, externPointers: true)
        encoder.beginArray()
        try encoder.writeJSON(#"{".":{"a":1},"~":["list"],"new":{"x":1}}"#)
        encoder.beginDictionary()
        try encoder.writeKey("@")
        encoder.writeData([1, 0xAB])
        try encoder.writeKey("new")
        encoder.writeBool(true)
        try encoder.endDictionary()
        try encoder.endArray()
        extra = try encoder.finish()
        let remotes = try RemoteRevisions(extra: extra, body: body, sharedKeys: keys)
        #expect(remotes.legacyRevisionID == nil && !remotes.isEmpty)
        let again = try #require(try remotes.encoded(body: body))
        let document = try FleeceDocument(trusted: again, sharedKeys: keys, base: body)
        #expect(document.root[0]?["~"]?[0]?.string == "list")
        #expect(document.root[0]?["new"]?["x"]?.int == 1)
        #expect(document.root[1]?["new"]?.bool == true)
        #expect(document.root[0]?["."] == body.root)
        #expect(again == (try remotes.encoded(body: body)))
    }

    static func revision(_ document: FleeceDocument) -> RemoteRevision {
        RemoteRevision(
            remote: 0, revisionID: .digest(generation: 1, digest: [0xAB]), flags: [],
            properties: document.root.dictionary)
    }
}
