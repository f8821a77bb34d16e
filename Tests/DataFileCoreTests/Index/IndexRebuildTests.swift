import DataFileCore
import EngineTestSupport
import FleeceLite
import SQLCore
import SampleData
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Rebuilding damaged indexes", .serialized)
struct IndexRebuildTests {
    let fixture: IndexFixture

    init() throws {
        IndexSample.registerModel()
        fixture = try IndexFixture()
    }

    private func rebuild(_ name: String) throws {
        try fixture.file.write { try fixture.people.rebuildIndex(name, in: $0) }
    }

    @Test("fixes values that a program without the functions wrote to an index")
    func value() throws {
        try fixture.create(.value("v", on: "a", where: "b IS MISSING"))
        try fixture.save(["d1": #"{"a":1}"#, "d2": #"{"a":2}"#, "d3": #"{"a":1,"b":1}"#])
        let other = try fixture.engine.sqlite()
        try other.registerRawFunction(
            "fl_value", argumentCount: 2, flags: [.deterministic, .innocuous]
        ) { context, count, arguments in
            SQLRawCall(context, count, arguments).setResult(Int64(7))
        }
        try other.exec(
            sql: "UPDATE kv_default SET key = key; INSERT INTO kv_default (key, sequence, body) "
                + "SELECT key || 'x', 90 + sequence, body FROM kv_default")
        #expect(try !fixture.isSound())
        try rebuild("v")
        #expect(try fixture.isSound())
        #expect(
            try fixture.query(
                """
                SELECT key FROM kv_default INDEXED BY v
                WHERE fl_value(body, 'b') IS NULL AND fl_value(body, 'a') = 1 ORDER BY key
                """) == ["d1", "d1x"])
    }

    @Test("restores missing words")
    func fullText() throws {
        try fixture.create(.fullText("words", on: "a", .init(language: "en"), where: "b = 1"))
        try fixture.save(["d": #"{"a":"running dogs","b":1}"#, "e": #"{"a":"dogs","b":2}"#])
        let before = try fixture.wholeSchema()
        let text = try fixture.text("kv_default::words")
        try fixture.engine.sqlite().exec(
            sql: """
                DELETE FROM "kv_default::words_segments"; DELETE FROM "kv_default::words_segdir";
                DELETE FROM "kv_default::words_content";
                """)
        #expect((try? fixture.documents("dog")) != ["d"])
        try rebuild("words")
        #expect(try fixture.documents("dog") == ["d"])
        #expect(try fixture.wholeSchema() == before)
        #expect(try fixture.text("kv_default::words") == text)
        try fixture.save(["f": #"{"a":"a dog","b":1}"#])
        #expect(try fixture.documents("dog") == ["d", "f"])
    }

    @Test("fixes elements that are missing, duplicated or invented, on all levels")
    func array() throws {
        try fixture.create(.array("r", path: "a[].b", on: "c"))
        try fixture.save([
            "d": #"{"a":[{"b":[{"c":1},{"c":2}]},{"b":[3]}]}"#, "e": #"{"a":[{"b":[{"c":4}]}]}"#,
        ])
        let outer = ArrayTable.name(ofPlain: "kv_default:unnest:a")
        let inner = ArrayTable.name(ofPlain: "kv_default:unnest:a[].b")
        let sound = try fixture.elements("kv_default:unnest:a[].b")
        #expect(sound.count == 4)
        for damage in [
            "DELETE FROM \"\(inner)\"", "DELETE FROM \"\(outer)\"",
            "DELETE FROM \"\(inner)\" WHERE i = 0",
            "INSERT INTO \"\(inner)\" SELECT docid + 1000, i, 'x' FROM \"\(inner)\"",
            "INSERT INTO \"\(outer)\" SELECT docid + 1000, i, body FROM \"\(outer)\"",
        ] {
            try fixture.file.write { try $0.connection().context.exec(sql: damage) }
            #expect(try fixture.elements("kv_default:unnest:a[].b") != sound, "\(damage)")
            try rebuild("r")
            #expect(try fixture.elements("kv_default:unnest:a[].b") == sound, "\(damage)")
            #expect(try fixture.isSound())
        }
    }

    @Test("calls the model again")
    func predictive() throws {
        try fixture.create(IndexSample.predictive.spec(where: "b = 1"))
        try fixture.save(["d": #"{"a":5,"b":1}"#, "e": #"{"a":6,"b":2}"#])
        let table = try #require(
            try fixture.schema().first { $0.hasPrefix("kv_default:predict:") && !$0.contains("::") }
        )
        let sound = try fixture.engine.rows("SELECT docid, body FROM \(table.sqlName)")
        #expect(sound.count == 1)
        for damage in [
            "DELETE FROM \(table.sqlName)", "UPDATE \(table.sqlName) SET body = 'x'",
            "INSERT INTO \(table.sqlName) VALUES (1000, 'x')",
        ] {
            try fixture.file.write { try $0.connection().context.exec(sql: damage) }
            try rebuild("by_predictive")
            #expect(
                try fixture.engine.rows("SELECT docid, body FROM \(table.sqlName)") == sound,
                "\(damage)")
        }
        #expect(try fixture.isSound())
    }

    @Test(
        "of no documents, and of none that fits, leaves it empty", arguments: IndexSample.allCases)
    func empty(sample: IndexSample) throws {
        try fixture.create(sample.spec(where: "x = 1"))
        try rebuild(sample.name)
        try fixture.save(["d": #"{"a":[{"b":[1]}]}"#])
        try rebuild(sample.name)
        #expect(try fixture.isSound())
        #expect(try fixture.names() == [sample.name])
    }

    @Test("reports what is missing if the full-text table or the index does not exist")
    func missing() throws {
        storeError(.notFound) { try rebuild("words") }
        try fixture.create(.fullText("words", on: "a"))
        try fixture.file.write {
            try $0.connection().context.exec(sql: "DROP TABLE \"kv_default::words\"")
        }
        let error = storeError(.corruptData) { try rebuild("words") }
        #expect(error?.message.contains("kv_default::words") == true)
        #expect(try fixture.drop("words"))
        #expect(try fixture.create(.fullText("words", on: "a")))
    }

    @Test("gives the same contents as the triggers, whatever the documents are")
    func sameAsTriggers() throws {
        var random = SeededGenerator(printing: "IndexRebuildTests")
        for sample in IndexSample.allCases { try fixture.create(sample.spec()) }
        for round in 0..<6 {
            try fixture.file.write { transaction in
                for _ in 0..<30 {
                    let id = "d\(random.below(40))"
                    if random.below(4) == 0 {
                        _ = try fixture.people.delete(id, in: transaction)
                    } else {
                        let json =
                            "{\"a\":\(Self.value(3, &random)),\"b\":\(Self.value(1, &random))}"
                        _ = try fixture.people.save(id, in: transaction) { try $0.writeJSON(json) }
                    }
                }
            }
            let kept = try contents()
            for sample in IndexSample.allCases { try rebuild(sample.name) }
            #expect(try contents() == kept, "round \(round)")
            #expect(try fixture.isSound())
            #expect(!kept.isEmpty)
        }
    }

    /// The rows of all tables of indexes.
    private func contents() throws -> [String] {
        let tables = try fixture.schema().filter { name in
            !name.contains("::") && (name.count == 40 || name.contains(":predict:"))
        }
        // Elements of inner arrays refer to the rowid of the outer one, which is arbitrary.
        let inner = ArrayTable.name(ofPlain: "kv_default:unnest:a[].b")
        let rows = try tables.flatMap { table in
            let columns = table == inner ? "i, body" : "*"
            return try fixture.query("SELECT \(columns) FROM \(table.sqlName) ORDER BY 1, 2")
        }
        let words = try fixture.query("SELECT docid, a, b FROM \"kv_default::by_full\\Text\"")
        return rows + words
    }

    private static func value(_ depth: Int, _ random: inout SeededGenerator) -> String {
        switch random.below(depth == 0 ? 5 : 8) {
        case 0: return "\(random.below(10))"
        case 1: return "\"dogs \(random.below(5))\""
        case 2: return "null"
        case 3: return "true"
        case 4: return "1.5"
        case 5: return "{\"b\":\(value(depth - 1, &random))}"
        default:
            let list = (0..<random.below(4)).map { _ in value(depth - 1, &random) }
            return "[\(list.joined(separator: ","))]"
        }
    }

    @Test("creates missing triggers, so that the index stays up to date")
    func triggers() throws {
        try fixture.create(.array("i", path: "a"))
        let before = try fixture.wholeSchema()
        let trigger = try #require(before.first { $0.hasSuffix("::ins") })
        try fixture.engine.sqlite().exec(
            sql: "DROP TRIGGER \(String(trigger.dropFirst("trigger ".count)).sqlName)")
        try fixture.save(["d": #"{"a":[1]}"#])
        #expect(try fixture.elements("kv_default:unnest:a") == [])
        try rebuild("i")
        #expect(try fixture.wholeSchema() == before)
        try fixture.save(["e": #"{"a":[2]}"#])
        #expect(try fixture.elements("kv_default:unnest:a").count == 2)
    }

    @Test("fails if the table is missing, or has the name that older versions gave it")
    func olderName() throws {
        try fixture.create(.array("i", path: "a"))
        try fixture.engine.sqlite().exec(
            sql: "DROP TABLE \"\(ArrayTable.name(ofPlain: "kv_default:unnest:a"))\"")
        let error = storeError(.unsupported) { try rebuild("i") }
        #expect(error?.message.contains("delete the index and create it again") == true)
    }

    @Test("of all indexes fails if the shared keys cannot be read")
    func damagedKeys() throws {
        try fixture.create(.value("v", on: "name"))
        try fixture.save(["d": #"{"name":1}"#])
        fixture.file.close()
        try fixture.engine.sqlite().exec(
            sql: "UPDATE kv_info SET body = x'FFFF' WHERE key = 'SharedKeys'")
        let file = try fixture.engine.open()
        _ = storeError(.corruptData) { try file.reindex() }
        _ = storeError(.corruptData) { try file.compact() }
        file.close()
    }
}
