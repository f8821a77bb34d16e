import DataFileCore
import EngineTestSupport
import FleeceLite
import StoreFormat
import Testing

@Suite("Creating indexes", .serialized)
struct IndexCreateTests {
    let fixture: IndexFixture

    init() throws {
        IndexSample.registerModel()
        fixture = try IndexFixture()
    }

    @Test("is idempotent: the same definition again does nothing", arguments: IndexSample.allCases)
    func again(sample: IndexSample) throws {
        try fixture.save(["d": #"{"a":"x"}"#])
        #expect(try fixture.create(sample.spec()))
        let schema = try fixture.engine.rows("SELECT name, sql, rootpage FROM sqlite_master")
        let changes = try fixture.engine.rows("PRAGMA data_version")
        #expect(try !fixture.create(sample.spec()))
        #expect(try fixture.engine.rows("SELECT name, sql, rootpage FROM sqlite_master") == schema)
        #expect(try fixture.engine.rows("PRAGMA data_version") == changes)
        #expect(try fixture.names() == [sample.name])
    }

    @Test(
        "is idempotent for the same definition in the other language",
        arguments: [
            (
                IndexSpec.value("i", on: "a, lower(b)", where: "c = 1"),
                IndexSpec.value(
                    "i", on: .json(#"[".a",["lower()",[".b"]]]"#), where: #"["=",[".c"],1]"#)
            ),
            (
                .fullText("i", on: "a, b.c", where: "d IS VALUED"),
                .fullText(
                    "i", on: .json(#"{"what":[[".a"],".b.c"],"where":["IS VALUED",[".d"]]}"#))
            ),
            (
                .array("i", path: "a[].b", on: "c"),
                .array("i", path: "a[].b", on: .json(#"[".c"]"#))
            ),
            (
                .predictive("i", on: "PREDICTION('index_echo', {'n': a}, .n)"),
                .predictive("i", on: .json(#"[["PREDICTION()","index_echo",{"n":[".a"]},".n"]]"#))
            ),
        ])
    func languages(one: IndexSpec, other: IndexSpec) throws {
        #expect(try fixture.create(one))
        #expect(try !fixture.create(other))
        #expect(try !fixture.create(one))
        let info = try #require(try fixture.file.read { try fixture.people.indexes(in: $0) }.first)
        #expect(info.expressions == one.expressions)
    }

    @Test(
        "of another definition under the same name makes it again, of whatever kind it was",
        arguments: IndexSample.allCases, IndexSample.allCases)
    func otherDefinition(old: IndexSample, new: IndexSample) throws {
        try fixture.save(["d": #"{"a":"x","b":"y"}"#])
        let empty = try fixture.wholeSchema()
        #expect(try fixture.create(new.spec("i")))
        let whole = try fixture.wholeSchema().subtracting(["table indexes"])
        #expect(try fixture.drop("i"))
        #expect(try fixture.create(old.spec("i")))
        let isOther = old != new
        #expect(try fixture.create(new.spec("i")) == isOther)
        #expect(
            try fixture.wholeSchema().subtracting(["table indexes"]).subtracting(whole)
                .filter { !$0.contains("sqlite_") }.isEmpty)
        #expect(try fixture.names() == ["i"])
        #expect(try fixture.drop("i"))
        #expect(try fixture.left(over: empty) == [])
    }

    @Test("with other options, conditions or expressions replaces the index")
    func otherOptions() throws {
        let specs: [IndexSpec] = [
            .value("v", on: "a"), .value("v", on: "b"), .value("v", on: "b, a"),
            .value("v", on: "b", where: "a = 1"), .value("v", on: "b", where: "a = 2"),
            .fullText("f", on: "a"), .fullText("f", on: "a", .init(language: "en")),
            .fullText("f", on: "a", .init(language: "en", isStemmed: false)),
            .fullText("f", on: "a", .init(language: "en", ignoresDiacritics: false)),
            .fullText("f", on: "a", .init(language: "en", stopWords: ["x"])),
            .fullText("f", on: "a", .init(language: "en", stopWords: [])),
            .fullText("f", on: "a", .init(segmentsWords: true)),
            .fullText("f", on: "a", where: "b = 1"), .fullText("f", on: "a", where: "b = 2"),
            .array("r", path: "a"), .array("r", path: "b"), .array("r", path: "b[].c"),
            .array("r", path: "b[].c", on: "d"), .array("r", path: "b[].c", on: "e"),
            .array("r", path: "b[].c", on: "e", where: "x = 1"),
            .array("r", path: "b[].c", on: "e", where: "x = 2"),
        ]
        for spec in specs {
            #expect(try fixture.create(spec), "\(spec)")
            #expect(try !fixture.create(spec), "\(spec)")
        }
        #expect(try fixture.names() == ["f", "r", "v"])
        let tables = try fixture.schema().filter { $0.count == 40 }
        #expect(tables.count == 2)
    }

    @Test("fails with the name of another collection's index, with an explanation")
    func otherCollection() throws {
        let hotels = DocumentCollection(try CollectionName("hotels"))
        try fixture.file.write { try hotels.create(in: $0) }
        #expect(try fixture.create(.value("i", on: "a"), in: hotels))
        let error = storeError(.invalidParameter) { try fixture.create(.value("i", on: "a")) }
        #expect(error?.message.contains("unique in the whole file") == true)
        #expect(error?.message.contains(".hotels") == true)
        #expect(try !fixture.drop("i"))
        storeError(.notFound) {
            try fixture.file.write { try fixture.people.rebuildIndex("i", in: $0) }
        }
        #expect(try fixture.names() == [])
        #expect(try fixture.names(in: hotels) == ["i"])
    }

    @Test(
        "is refused under the name of something else of the schema, whatever its case",
        arguments: ["kv_default", "KV_DEFAULT", "kvmeta", "kv_default_expiration", "indexes"])
    func taken(name: String) throws {
        try fixture.create(.value("first", on: "a"))
        let error = storeError(.invalidParameter) { try fixture.create(.value(name, on: "a")) }
        #expect(error?.message.contains("is taken by the") == true)
        #expect(try fixture.names() == ["first"])
    }

    @Test(
        "is refused under a name that cannot be one",
        arguments: ["", "a\0b", "sqlite_x", "SQLite_x"])
    func badName(name: String) throws {
        for sample in IndexSample.allCases {
            storeError(.invalidParameter) { try fixture.create(sample.spec(name)) }
        }
        #expect(try fixture.text("indexes") == nil)
    }

    @Test("in a collection that does not exist fails")
    func noCollection() throws {
        let missing = DocumentCollection(try CollectionName("missing"))
        storeError(.notFound) { try fixture.create(.value("i", on: "a"), in: missing) }
        storeError(.notFound) { try fixture.drop("i", in: missing) }
        storeError(.notFound) { _ = try fixture.names(in: missing) }
    }

    @Test("in a transaction that is rolled back leaves nothing", arguments: IndexSample.allCases)
    func undone(sample: IndexSample) throws {
        try fixture.save(["d": #"{"a":"x","b":"y"}"#])
        let before = try fixture.wholeSchema()
        #expect(throws: Mishap.self) {
            try fixture.file.write { transaction in
                #expect(try fixture.people.createIndex(sample.spec(), in: transaction))
                throw Mishap()
            }
        }
        #expect(try fixture.wholeSchema() == before)
        #expect(try fixture.names() == [])
        try fixture.file.write { transaction in
            _ = try? transaction.savepoint {
                _ = try fixture.people.createIndex(sample.spec(), in: transaction)
                throw Mishap()
            }
        }
        #expect(try fixture.wholeSchema() == before)
        try fixture.save(["e": #"{"a":"x","b":"y"}"#])
        #expect(try fixture.create(sample.spec()))
    }

    @Test("updates the planner statistics")
    func analysis() throws {
        try fixture.save(
            Dictionary(
                uniqueKeysWithValues: (0..<50).map { ("d\($0)", "{\"a\":[{\"b\":[\($0)]}]}") }))
        for sample in [IndexSample.value, .array, .predictive] {
            try fixture.create(sample.spec())
            let rows = try fixture.engine.rows(
                "SELECT stat FROM sqlite_stat1 WHERE idx = '\(sample.name)'")
            #expect(rows.count == 1 && rows[0].hasPrefix("50"), "\(sample): \(rows)")
        }
    }
}

extension IndexFixture {
    /// The schema except the list of indexes and the planner statistics.
    func left(over schema: Set<String>) throws -> [String] {
        try wholeSchema().subtracting(schema).filter { name in
            name != "table indexes" && !name.contains("sqlite_")
        }.sorted()
    }
}
