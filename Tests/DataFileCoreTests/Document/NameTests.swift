import DataFileCore
import EngineTestSupport
import FleeceLite
import StoreFormat
import Testing

@Suite("Names")
struct NameTests {
    @Test(
        "a store's tables have a backslash before each upper-case letter",
        arguments: [
            ("default", "kv_default", "kv_del_default"),
            (".hr.Employees", #"kv_.hr.\Employees"#, #"kv_del_.hr.\Employees"#),
            ("peerCheckpoints", #"kv_peer\Checkpoints"#, #"kv_del_peer\Checkpoints"#),
        ])
    func mangling(name: String, live: String, tombstones: String) {
        #expect(KeyStoreName(name).tableName == live)
        #expect(KeyStoreName(name).tombstoneTableName == tombstones)
        #expect(KeyStoreName(tableName: live)?.rawName == name)
        #expect(KeyStoreName(tableName: tombstones) == nil)
    }

    @Test(
        "the tables of indexes and of SQLite are not stores",
        arguments: ["kvmeta", "indexes", "kv_default::byStreet", "kv_default:unnest:a", "other"])
    func notAStore(table: String) {
        #expect(KeyStoreName(tableName: table) == nil)
    }

    @Test(
        "a collection's name determines its store and its text",
        arguments: [
            ("_default", "default", "_default"), ("_", "default", "_default"),
            ("_default._default", "default", "_default"), ("people", ".people", "people"),
            ("_default.people", ".people", "people"), ("hr.Staff-2", ".hr.Staff-2", "hr.Staff-2"),
        ])
    func collections(text: String, store: String, shown: String) throws {
        let name = try CollectionName(text)
        #expect(name.keyStoreName.rawName == store)
        #expect(name.description == shown)
        #expect(CollectionName(name.keyStoreName) == name)
    }

    @Test(
        "names that Couchbase Lite does not allow are rejected",
        arguments: [
            "", ".", "a.", ".a", "a.b.c", "_x", "%x", "a b", "ä", "hr._default",
            String(repeating: "x", count: 252),
        ])
    func badCollections(text: String) {
        let error = #expect(throws: StoreError.self) { try CollectionName(text) }
        #expect(error?.has(.invalidParameter) == true)
    }

    @Test("raw stores are not collections")
    func rawStores() {
        #expect(CollectionName(KeyStoreName("info")) == nil)
    }

    @Test("ids of 1 to 240 bytes are allowed", arguments: [1, 240])
    func goodIDs(length: Int) throws {
        try DocumentID.validate(String(repeating: "x", count: length))
    }

    @Test(
        "ids that LiteCore rejects are rejected",
        arguments: ["", "_id", "a\nb", "a\u{7F}", "a\0", String(repeating: "ü", count: 121)])
    func badIDs(id: String) {
        let error = #expect(throws: StoreError.self) { try DocumentID.validate(id) }
        #expect(error?.has(.badDocumentID) == true)
        #expect(error?.message.contains("\n") == false)
    }

    @Test("generated ids are valid, 23 characters long and different")
    func generatedIDs() throws {
        let ids = Set((0..<1000).map { _ in DocumentID.generate() })
        #expect(ids.count == 1000)
        for id in ids {
            #expect(id.utf8.count == 23)
            #expect(id.hasPrefix("~"))
            try DocumentID.validate(id)
        }
    }
}

@Suite("Scopes and collections of a file")
struct ScopeTests {
    @Test("the default ones come first, then all others by name")
    func order() throws {
        let fixture = try StoreFixture()
        let file = try fixture.open()
        try file.write { transaction in
            for name in ["Zoo.animals", "people", "Alpha", "hr.staff", "hr.Staff", "Zoo.Keepers"] {
                try DocumentCollection(CollectionName(name)).create(in: transaction)
            }
        }
        let names = try file.read { try $0.collectionNames() }
        #expect(
            names.map(\.description) == [
                "_default", "Alpha", "people", "Zoo.Keepers", "Zoo.animals", "hr.Staff", "hr.staff",
            ])
        #expect(try file.read { try $0.scopeNames() } == ["_default", "Zoo", "hr"])
    }

    @Test("a collection can be deleted and created again, except the default one")
    func deletion() throws {
        let fixture = try StoreFixture()
        let file = try fixture.open()
        let staff = DocumentCollection(try CollectionName("hr.staff"))
        try file.write { transaction in
            try staff.create(in: transaction)
            _ = try staff.save("ada", in: transaction) { try $0.writeJSON("{}") }
        }
        #expect(try file.write { try staff.delete(in: $0) })
        #expect(try file.read { try staff.exists(in: $0) } == false)
        #expect(try file.read { try $0.scopeNames() } == ["_default"])
        #expect(throws: StoreError.self) { try file.read { try staff.get("ada", in: $0) } }
        try file.write { try staff.create(in: $0) }
        #expect(try file.read { try staff.count(in: $0) } == (0, 0))
        #expect(throws: StoreError.self) {
            try file.write { try DocumentCollection(.default).delete(in: $0) }
        }
    }
}
