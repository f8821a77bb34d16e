import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryFunctions
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

@Suite("A data file with a vector index of another program")
struct VectorIndexFileTests {
    private static let table = #"kv_default:vector:by\Meaning"#
    private static let other = #"kv_default:vector:by\Meaning_2"#

    private let fixture: StoreFixture

    /// An index on three documents as LiteCore creates it, and the auxiliary tables of the
    /// extension.
    init() throws {
        fixture = try StoreFixture()
        let file = try fixture.open()
        for (id, vector) in [("a", "[1,2]"), ("b", "[3,4]"), ("c", "null")] {
            try fixture.save(id, #"{"v":\#(vector)}"#, in: file)
        }
        file.close()
        let context = try fixture.sqlite()
        try VectorSearchStub.register(
            in: context, try FunctionContext(sharedKeys: SharedKeys()))
        try context.exec(sql: SchemaSQL.createIndexes)
        try Self.add("byMeaning", Self.table, to: context)
        try Self.add("byMeaning_2", Self.other, to: context)
    }

    private static func add(_ name: String, _ table: String, to context: SQLContext) throws {
        let value = "fl_vector_to_index(new.body, 'v', 2)"
        let old = "fl_vector_to_index(old.body, 'v', 2)"
        let delete = "DELETE FROM \"\(table)\" WHERE docid = old.rowid"
        let insert = "INSERT INTO \"\(table)\" (docid, vector) VALUES (new.rowid, \(value))"
        try context.exec(
            sql: """
                CREATE VIRTUAL TABLE "\(table)" USING vectorsearch(dimensions=2,metric=euclidean2,\
                clustering=flat8,encoding=none,minToTrain=200);
                CREATE TABLE "\(table)_vectors" (docid INTEGER, vector BLOB);
                CREATE TABLE "\(table)_buckets" (bucket INTEGER, centroid BLOB);
                INSERT INTO "\(table)_vectors" VALUES (1, x'0000803F00000040');
                CREATE TRIGGER "\(table)::preupdate" BEFORE UPDATE OF body ON "kv_default"
                    WHEN (\(old) NOT NULL) BEGIN \(delete); END;
                CREATE TRIGGER "\(table)::del" AFTER DELETE ON "kv_default"
                    WHEN (\(old) NOT NULL) BEGIN \(delete); END;
                CREATE TRIGGER "\(table)::ins" AFTER INSERT ON "kv_default"
                    WHEN (\(value) NOT NULL) BEGIN \(insert); END;
                CREATE TRIGGER "\(table)::postupdate" AFTER UPDATE OF body ON "kv_default"
                    WHEN (\(value) NOT NULL) BEGIN \(insert); END;
                """)
        try context.exec(
            sql: "INSERT INTO indexes (name, type, keyStore, expression, indexTableName) "
                + "VALUES (?, 4, 'default', '[[\".v\"]]', ?)",
            parameters: [.text(name), .text(table)])
    }

    private func names() throws -> [String] {
        try fixture.sqlite().lines(
            "SELECT name FROM sqlite_master WHERE name LIKE '%:vector:%' ORDER BY name")
    }

    @Test("reports that the index may be outdated: this version cannot maintain its kind")
    func staleness() throws {
        let file = try fixture.open(.readOnly)
        let indexes = try file.read { try fixture.people.indexes(in: $0) }
        #expect(indexes.map(\.name) == ["byMeaning", "byMeaning_2"])
        #expect(indexes.map(\.kind) == [.vector, .vector])
        #expect(indexes.map(\.staleness) == [.foreign, .foreign])
        #expect(indexes.map(\.expressions) == [.json(#"[[".v"]]"#), .json(#"[[".v"]]"#)])
    }

    @Test("can be written: documents are saved, deleted, restored and purged")
    func writing() throws {
        let file = try fixture.open()
        try fixture.save("a", #"{"v":[5,6]}"#, in: file)
        try fixture.save("b", #"{"v":null}"#, in: file)
        try fixture.save("c", #"{"v":"AACAPwAAAEA="}"#, in: file)
        try fixture.save("d", #"{"v":[7,8]}"#, in: file)
        try file.write { transaction in
            _ = try fixture.people.delete("a", in: transaction)
            _ = try fixture.people.purge("d", in: transaction)
            _ = try fixture.people.delete("b", in: transaction)
            let saved = try fixture.people.undelete("b", in: transaction) {
                try $0.writeJSON(#"{"v":[9,9]}"#)
            }
            #expect(saved != nil)
        }
        #expect(try file.read { try fixture.people.count(in: $0) } == (2, 1))
        #expect(try fixture.json("b", in: file) == #"{"_id":"b","v":[9,9]}"#)
        #expect(try file.integrityCheck().isIntact)
    }

    @Test("can be compacted, checked, analysed, reindexed and copied")
    func maintenance() throws {
        let before = try names()
        let file = try fixture.open()
        try file.compact()
        try file.optimize(isThorough: true)
        try file.reindex()
        let report = try file.integrityCheck()
        #expect(report.isIntact && report.uncheckedIndexes == nil)
        #expect(try names() == before)
        let path = fixture.directory("copy.cblite2")
        try file.copy(to: path, newUUIDs: true)
        let copy = try DataFile(path: path, options: DataFileOptions(access: .readWrite))
        try fixture.save("a", "{}", in: copy)
        let indexes = try copy.read { try $0.indexes() }
        #expect(indexes.map(\.staleness) == [.foreign, .foreign])
        #expect(
            try SQLContext(path: path + "/db.sqlite3").lines(
                "SELECT hex(vector) FROM \"\(Self.table)_vectors\"") == ["0000803F00000040"])
    }

    @Test("An index can be deleted, with the tables of its vectors and no others")
    func deletion() throws {
        let others = try names().filter { $0.hasPrefix(Self.other) }
        #expect(others.count == 7)
        let file = try fixture.open()
        #expect(try file.write { try fixture.people.deleteIndex("byMeaning", in: $0) })
        #expect(try names() == others)
        #expect(try file.read { try $0.indexes() }.map(\.name) == ["byMeaning_2"])
        try fixture.save("a", #"{"v":[5,6]}"#, in: file)
        #expect(try file.write { try fixture.people.deleteIndex("byMeaning_2", in: $0) })
        #expect(try names() == [])
        #expect(try file.integrityCheck().isIntact)
    }

    @Test("An index cannot be rebuilt here, which is an error")
    func rebuilding() throws {
        let file = try fixture.open()
        let error = storeError(.unsupported) {
            try file.write { try fixture.people.rebuildIndex("byMeaning", in: $0) }
        }
        #expect(error?.message.contains("byMeaning") == true)
    }
}
