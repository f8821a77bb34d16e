import DataFileCore
import EngineTestSupport
import SQLCore
import StoreFormat
import Testing

@Suite("Names of indexes", .serialized)
struct IndexNameTests {
    let fixture: IndexFixture

    init() throws {
        IndexSample.registerModel()
        fixture = try IndexFixture()
    }

    private static let names = [
        "order", "group", "index", "table", "select", "Order", "WHERE", "a\"b", "it's", "a b",
        "a.b",
        "a\\b", "\\", "\"", "'", "`", "[x]", "byAge", "ÄÖ", "\u{1F600}", "e\u{301}", "1st", "-",
        ";",
        "--", "/*", "::", ":", "x::ins", "%", "\n", "?", "$a", "kv_default::x", "NULL",
    ]

    @Test(
        "can be any string: the index is created, maintained, listed and deleted",
        arguments: IndexSample.allCases)
    func anything(sample: IndexSample) throws {
        let empty = try fixture.wholeSchema()
        for (number, name) in Self.names.enumerated() {
            #expect(try fixture.create(sample.spec(name)), "\(name)")
            #expect(try !fixture.create(sample.spec(name)), "\(name)")
            try fixture.save(["d\(number)": #"{"a":"x","b":"y"}"#])
            try fixture.save(["d\(number)": #"{"a":"y","b":"y"}"#])
            #expect(try fixture.names() == [name])
            try fixture.file.write { try fixture.people.rebuildIndex(name, in: $0) }
            #expect(try fixture.isSound(), "\(name)")
            #expect(try fixture.drop(name), "\(name)")
            #expect(try fixture.left(over: empty) == [], "\(name)")
        }
    }

    @Test("that differ only in case are two full-text indexes, and one SQLite index")
    func cases() throws {
        for (number, name) in ["words", "Words", "WORDS"].enumerated() {
            #expect(try fixture.create(.fullText(name, on: "a")))
            try fixture.save(["d\(number)": #"{"a":"hello"}"#])
        }
        #expect(try fixture.names() == ["WORDS", "Words", "words"])
        for name in ["words", "Words", "WORDS"] {
            #expect(try fixture.documents("hello", name) == ["d0", "d1", "d2"])
        }
        #expect(try fixture.drop("Words"))
        #expect(try fixture.documents("hello", "words") == ["d0", "d1", "d2"])
        #expect(try fixture.documents("hello", "WORDS") == ["d0", "d1", "d2"])
        try fixture.create(.value("byAge", on: "a"))
        let error = storeError(.invalidParameter) { try fixture.create(.value("BYAGE", on: "a")) }
        #expect(error?.message.contains("taken by the index") == true)
        #expect(try !fixture.drop("BYAGE"))
    }

    @Test("in different Unicode normalization forms are distinct")
    func forms() throws {
        #expect(try fixture.create(.value("\u{E9}", on: "a")))
        #expect(try fixture.create(.value("e\u{301}", on: "b")))
        #expect(try fixture.names().count == 2)
        #expect(try fixture.drop("e\u{301}"))
        #expect(try fixture.names().map { $0.utf8.count } == [2])
    }

    @Test(
        "of words that lead to the tables of another index are refused",
        arguments: [
            ("ab", "a\\b"), ("x", "x_content"), ("x", "x_segdir"), ("x_content", "x"),
            ("x_stat", "x"),
        ])
    func sameTables(first: String, second: String) throws {
        try fixture.save(["d": #"{"a":"hello"}"#])
        #expect(try fixture.create(.fullText(first, on: "a")))
        let error = storeError(.invalidParameter) { try fixture.create(.fullText(second, on: "a")) }
        #expect(error?.message.contains("belong to another index") == true)
        #expect(try fixture.documents("hello", first) == ["d"])
        #expect(try fixture.names() == [first])
    }

    @Test("of full-text indexes can use a table that belongs to no registered index")
    func leftOver() throws {
        try fixture.save(["d": #"{"a":"hello"}"#])
        try fixture.create(.fullText("words", on: "b"))
        try fixture.engine.sqlite().exec(sql: "DELETE FROM indexes")
        #expect(try fixture.create(.fullText("words", on: "a")))
        #expect(try fixture.documents("hello") == ["d"])
    }

    @Test("of SQLite indexes can use an unregistered index with the same SQL")
    func unregistered() throws {
        try fixture.create(.value("i", on: "a"))
        try fixture.engine.sqlite().exec(sql: "DELETE FROM indexes")
        #expect(try fixture.create(.value("i", on: "a")))
        try fixture.engine.sqlite().exec(sql: "DELETE FROM indexes")
        storeError(.invalidParameter) { try fixture.create(.value("i", on: "b")) }
    }

    @Test("of collections can have capitals and other letters")
    func collections() throws {
        for name in ["hr.Employees", "hr.employees", "a-b.c%d"] {
            let collection = DocumentCollection(try CollectionName(name))
            try fixture.file.write { try collection.create(in: $0) }
            let empty = try fixture.wholeSchema()
            for sample in IndexSample.allCases {
                #expect(try fixture.create(sample.spec(), in: collection))
                #expect(try !fixture.create(sample.spec(), in: collection))
            }
            try fixture.save(["d": #"{"a":[{"b":[{"c":1}]}]}"#], in: collection)
            #expect(try fixture.names(in: collection) == IndexSample.allCases.map(\.name).sorted())
            #expect(try fixture.isSound())
            for sample in IndexSample.allCases {
                #expect(try fixture.drop(sample.name, in: collection))
            }
            #expect(try fixture.left(over: empty) == [])
        }
    }
}
