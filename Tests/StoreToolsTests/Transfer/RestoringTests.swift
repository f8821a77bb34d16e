import FleeceLite
import QueryEngine
import SQLCore
import StoreFormat
import StoreTestSupport
import StoreTools
import Testing
@testable import DataFileCore

@Suite("Restoring rows into a file that is in use")
struct RestoringTests {
    typealias Row = StoreTools.StoredRow

    let store: TemporaryStore
    let people = DocumentCollection(.default)
    var file: DataFile { store.file }

    init() throws {
        store = try TemporaryStore(options: TransferFixture.options())
    }

    private func save(_ id: String, _ json: String, in transaction: Transaction) throws -> Int64 {
        try people.save(id, in: transaction) { try $0.writeJSON(json) }.sequence
    }

    private func rows(_ sql: String) throws -> [[SQLValue]] {
        try SQLContext(path: store.path + "/db.sqlite3", flags: .readWrite).selectAll(sql: sql)
    }

    private func row(_ key: String, _ sequence: Int64, deleted: Bool = false) -> Row {
        // A version of this database, and an empty body.
        Row(
            key: key, sequence: sequence, flags: deleted ? 1 : 0,
            version: VersionVector(localTime: LogicalTime(rawValue: 1 << 60)).binary,
            body: deleted ? nil : [0x70, 0x00], isInTombstoneTable: deleted)
    }

    @Test("the next sequence follows the restored ones, also if kvmeta is out of date")
    func sequences() throws {
        #expect(try file.read { try people.keyStore.lastSequence(in: $0) } == 0)
        try file.write { try $0.putStoredRow(row("a", 100), in: people.keyStore) }
        #expect(try file.write { try save("b", "{}", in: $0) } == 101)
        try file.write { transaction in
            try transaction.putStoredRow(row("c", 200), in: people.keyStore)
            try transaction.restore(
                meta: [KVMetaRow(name: "default", lastSequence: 50, purgeCount: 3)])
        }
        #expect(
            try file.read { try $0.kvmetaRows() }
                == [KVMetaRow(name: "default", lastSequence: 50, purgeCount: 3)])
        #expect(try file.read { try people.keyStore.purgeCount(in: $0) } == 3)
        #expect(try file.write { try save("d", "{}", in: $0) } == 201)
        try file.write { transaction in
            #expect(try save("e", "{}", in: transaction) == 202)
            try transaction.restore(
                meta: [KVMetaRow(name: "default", lastSequence: 900, purgeCount: 0)])
            #expect(try save("f", "{}", in: transaction) == 901)
        }
        #expect(try file.read { try people.keyStore.lastSequence(in: $0) } == 901)
    }

    @Test("a row replaces another one with its key, in either table")
    func replacing() throws {
        try file.write { transaction in
            for id in ["a", "b"] { _ = try save(id, #"{"n":1}"#, in: transaction) }
            _ = try people.delete("b", in: transaction)
        }
        let count = { try file.read { try people.count(in: $0) } }
        #expect(try count() == (1, 1))
        try file.write { transaction in
            try transaction.putStoredRow(row("a", 10, deleted: true), in: people.keyStore)
            try transaction.putStoredRow(row("b", 11), in: people.keyStore)
        }
        #expect(try count() == (1, 1))
        #expect(try rows("SELECT key, sequence FROM kv_default") == [[.text("b"), .long(11)]])
        #expect(try rows("SELECT key, sequence FROM kv_del_default") == [[.text("a"), .long(10)]])
    }

    @Test("indexes are updated")
    func indexes() throws {
        try file.write { transaction in
            _ = try people.createIndex(.fullText("words", on: "text"), in: transaction)
            _ = try save("a", #"{"text":"morning"}"#, in: transaction)
            _ = try save("b", #"{"text":"evening"}"#, in: transaction)
        }
        let body = try file.read { try #require(try people.keyStore.get("b", in: $0)?.body) }
        try file.write { transaction in
            var new = row("a", 10)
            new.body = body
            try transaction.putStoredRow(new, in: people.keyStore)
        }
        let found = { (word: String) throws -> [String] in
            let query = try Query(
                "SELECT META().id FROM _default WHERE MATCH(words, '\(word)') ORDER BY META().id")
            return try file.read { snapshot in
                let rows = try query.rows(in: snapshot)
                var ids: [String] = []
                while let row = try rows.next() { ids.append(row[0].string ?? "") }
                return ids
            }
        }
        #expect(try found("morning") == [])
        #expect(try found("evening") == ["a", "b"])
    }

    @Test("two rows cannot have the same sequence if the file has an index on sequences")
    func duplicateSequence() throws {
        try file.write { transaction in
            let tables = try people.keyStore.tables(in: transaction)
            _ = try tables.create(.sequences, in: transaction)
            try transaction.putStoredRow(row("a", 5), in: people.keyStore)
        }
        #expect {
            try file.write { try $0.putStoredRow(row("b", 5), in: people.keyStore) }
        } throws: {
            ($0 as? StoreError)?.has(.conflict) == true
        }
        #expect(try file.read { try people.count(in: $0).live } == 1)
    }

    @Test("tombstones in the live table of the default collection are found")
    func liveTombstones() throws {
        try file.write { transaction in
            var row = row("a", 1, deleted: true)
            row.isInTombstoneTable = false
            try transaction.putStoredRow(row, in: people.keyStore)
        }
        #expect(try file.read { try people.get("a", in: $0) } == nil)
        #expect(try file.read { try people.count(in: $0) } == (0, 1))
        #expect(try rows("SELECT count(*) FROM kv_default") == [[.long(1)]])
        #expect(try file.write { try $0.moveTombstones() })
        #expect(try rows("SELECT count(*) FROM kv_del_default") == [[.long(1)]])
        // Other collections have none there.
        let staff = DocumentCollection(try CollectionName("staff"))
        try file.write { transaction in
            try staff.create(in: transaction)
            var row = row("a", 1, deleted: true)
            row.isInTombstoneTable = false
            try transaction.putStoredRow(row, in: staff.keyStore)
        }
        #expect(try rows("SELECT count(*) FROM \"kv_del_.staff\"") == [[.long(1)]])
    }

    @Test("observers are notified")
    func observers() async throws {
        let stream = try file.changes(of: people.keyStore)
        let restored = row("a", 5)
        try await file.write { try $0.putStoredRow(restored, in: KeyStore(.default)) }
        var iterator = stream.makeAsyncIterator()
        let changes = try #require(await iterator.next())
        #expect(changes.changes.map(\.key).contains("a"))
    }

    @Test("changes that are rolled back in a savepoint leave nothing")
    func savepoint() throws {
        struct Undone: Error {}
        let other = try TemporaryStore(options: TransferFixture.options())
        try other.file.write {
            _ = try people.save("x", in: $0) { try $0.writeJSON(#"{"z":1,"y":2,"n":3}"#) }
        }
        let info = try other.file.read { try TransferFixture.rows(of: KeyStore(.info), in: $0) }
        try file.write { transaction in
            _ = try save("a", #"{"own":1}"#, in: transaction)
            #expect(throws: Undone.self) {
                try transaction.savepoint {
                    _ = try save("d", #"{"other":1,"more":2}"#, in: transaction)
                    #expect(transaction.sharedKeys.keys == ["own", "other", "more"])
                    try transaction.putStoredRow(row("b", 50), in: people.keyStore)
                    throw Undone()
                }
            }
            #expect(transaction.sharedKeys.keys == ["own"])
            #expect(throws: StoreError.self, "other keys") { try transaction.restore(info: info) }
            #expect(try save("c", #"{"new":2}"#, in: transaction) == 2)
        }
        let again = try store.reopened(TransferFixture.options(.readWrite))
        #expect(try again.read { $0.sharedKeys.keys } == ["own", "new"])
        #expect(
            try TransferFixture.documents(again) == [
                "_default/a": #"{"_id":"a","own":1}"#, "_default/c": #"{"_id":"c","new":2}"#,
            ])
    }

    @Test("restored shared keys that were rolled back are saved again with the next document")
    func undoneKeys() throws {
        struct Undone: Error {}
        let other = try TemporaryStore(options: TransferFixture.options())
        try other.file.write {
            _ = try people.save("x", in: $0) { try $0.writeJSON(#"{"z":1,"y":2,"n":3}"#) }
        }
        let info = try other.file.read { try TransferFixture.rows(of: KeyStore(.info), in: $0) }
        try file.write { transaction in
            #expect(throws: Undone.self) {
                try transaction.savepoint {
                    try transaction.restore(info: info)
                    #expect(transaction.sharedKeys.keys == ["z", "y", "n"])
                    throw Undone()
                }
            }
            _ = try save("a", #"{"own":1}"#, in: transaction)
        }
        #expect(try file.read { $0.sharedKeys.keys } == ["own"])
        let again = try store.reopened(TransferFixture.options(.readWrite))
        #expect(try again.read { $0.sharedKeys.keys } == ["own"])
        #expect(try TransferFixture.documents(again) == ["_default/a": #"{"_id":"a","own":1}"#])
    }

    @Test("rows of info replace others, except those that every file needs")
    func info() throws {
        let uuid = [UInt8](repeating: 9, count: 16)
        try file.write { transaction in
            try KeyStore(.info).putRaw(RawRecord(body: [1]), for: "mine", in: transaction)
            try transaction.restore(
                info: [
                    Row(key: "publicUUID", body: uuid), Row(key: "app", version: [2], body: [3]),
                    Row(
                        key: "versioning", body: [0, 0, 0, 0, 0, 0, 0, 1]),
                ], replacingOthers: true)
            #expect(try transaction.versioning() == .treesInExtra)
        }
        let keys = try rows("SELECT key FROM kv_info ORDER BY key").map { $0[0] }
        #expect(keys == ["app", "privateUUID", "publicUUID", "versioning"].map { .text($0) })
        #expect(try file.read { try $0.fileInfo().publicUUID } == uuid)
        try file.write { _ = try save("a", "{}", in: $0) }
        #expect(try file.read { try people.history(of: "a", in: $0)?.tree?.revisions.count } == 1)
    }
}
