import DataFileCore
import EngineTestSupport
import SQLCore
import StoreFormat
import Testing

/// The description of an index in one line.
private func line(_ info: IndexInfo) -> String {
    let kind = info.kind.map { "\($0)" } ?? "?"
    let expressions = info.expressions.map { "\($0.language) \($0.text)" } ?? "-"
    return [
        info.name, kind, info.keyStore.rawName, expressions, info.condition ?? "-",
        info.arrayPath ?? "-", info.staleness.map { "\($0)" } ?? "-",
    ].joined(separator: "|")
}

@Suite("The list of indexes in a file", .serialized)
struct IndexRegistryTests {
    let fixture: IndexFixture

    init() throws {
        IndexSample.registerModel()
        fixture = try IndexFixture()
    }

    private func lines() throws -> [String] { try fixture.file.read { try $0.indexes().map(line) } }

    @Test("has the definition of each index")
    func all() throws {
        let hotels = DocumentCollection(try CollectionName("hr.Hotels"))
        try fixture.file.write { try hotels.create(in: $0) }
        try fixture.create(.value("v", on: .json(#"[".a"]"#), where: #"["=",[".b"],1]"#))
        try fixture.create(.fullText("f", on: "a, b.c"), in: hotels)
        try fixture.create(.array("r", path: "a.b[].C", on: "d"))
        try fixture.create(.array("s", path: "a[]", where: "x = 1"))
        try fixture.create(.predictive("p", on: "PREDICTION('index_echo', {'n': a}, .n)"))
        #expect(
            try lines() == [
                "f|fullText|.hr.Hotels|sqlPlusPlus a, b.c|-|-|-",
                "p|predictive|default|sqlPlusPlus PREDICTION('index_echo', {'n': a}, .n)|-|-|-",
                "r|array|default|sqlPlusPlus d|-|a.b[].C|-",
                "s|array|default|sqlPlusPlus |x = 1|a|-",
                #"v|value|default|json [".a"]|["=",[".b"],1]|-|-"#,
            ])
        let rows = try fixture.engine.rows(
            "SELECT name, type, expression, whereClause, indexTableName, lastSeq FROM indexes "
                + "WHERE name IN ('f', 'r', 'v') ORDER BY name")
        #expect(
            rows == [
                #"f|1|=na, b.c||kv_.hr.\Hotels::f|"#,
                #"r|2|=nd||kv_default:unnest:a.b[].\C|"#, #"v|0|=j[".a"]|["=",[".b"],1]||"#,
            ])
    }

    @Test("is missing in files of 2.0: their indexes are found in the schema, and registered later")
    func noTable() throws {
        try fixture.create(.value("v", on: "a"))
        try fixture.create(.fullText("byStreet", on: "a"))
        try fixture.create(.value("order", on: "b"))
        try fixture.engine.sqlite().exec(sql: "DROP TABLE indexes")
        let found = [
            "byStreet|fullText|default|-|-|-|-", "order|value|default|-|-|-|-",
            "v|value|default|-|-|-|-",
        ]
        #expect(try lines() == found)
        #expect(try fixture.text("indexes") == nil)
        #expect(try fixture.drop("order"))
        #expect(try lines() == [found[0], found[2]])
        #expect(try fixture.create(.value("w", on: "c")))
        #expect(try fixture.text("indexes") == SchemaSQL.createIndexes)
        #expect(try lines() == [found[0], found[2], "w|value|default|sqlPlusPlus c|-|-|-"])
        // The same indexes as these, as far as the schema shows.
        #expect(try !fixture.create(.value("v", on: "a")))
        #expect(try !fixture.create(.fullText("byStreet", on: "a")))
        #expect(try fixture.create(.value("v", on: "b")))
        #expect(try fixture.drop("byStreet"))
        #expect(try fixture.names() == ["v", "w"])
        storeError(.unsupported) {
            let other = try fixture.engine.sqlite()
            try other.exec(sql: "UPDATE indexes SET expression = NULL, type = 1 WHERE name = 'w'")
            try fixture.file.write { try fixture.people.rebuildIndex("w", in: $0) }
        }
    }

    /// Replaces the file's list by one of an older form.
    private func replaceTable(_ columns: String, then more: String = "") throws {
        let context = try fixture.engine.sqlite()
        try context.exec(
            sql: """
                CREATE TABLE saved AS SELECT * FROM indexes; DROP TABLE indexes;
                CREATE TABLE indexes (name TEXT PRIMARY KEY, type INTEGER NOT NULL,
                    keyStore TEXT NOT NULL, expression TEXT\(columns));
                INSERT INTO indexes (name, type, keyStore, expression, indexTableName)
                    SELECT name, type, keyStore, substr(expression, 3), indexTableName FROM saved;
                DROP TABLE saved; \(more)
                """)
    }

    @Test(
        "has fewer columns, or others, in older files, which are read without an upgrade",
        arguments: [
            (500, ", indexTableName TEXT", ""), (502, ", indexTableName TEXT, lastSeq TEXT", ""),
            (502, ", indexTableName TEXT", "ALTER TABLE indexes ADD COLUMN lastSeq TEXT"),
            (503, ", whereClause TEXT, indexTableName TEXT, lastSeq TEXT", ""),
            (
                503, ", indexTableName TEXT",
                "ALTER TABLE indexes ADD COLUMN lastSeq TEXT; "
                    + "ALTER TABLE indexes ADD COLUMN whereClause TEXT"
            ),
        ])
    func olderTable(version: Int, columns: String, more: String) throws {
        try fixture.create(.value("v", on: "a"))
        try fixture.create(.fullText("f", on: .json(#"[[".a"]]"#)))
        fixture.file.close()
        try replaceTable(columns, then: more)
        try fixture.engine.sqlite().exec(sql: "PRAGMA user_version=\(version)")
        let expected = [
            #"f|fullText|default|json [[".a"]]|-|-|-"#, "v|value|default|sqlPlusPlus a|-|-|-",
        ]
        let reading = try fixture.engine.open(.readOnly)
        #expect(try reading.read { try $0.indexes().map(line) } == expected)
        reading.close()
        #expect(try fixture.engine.rows("PRAGMA user_version") == ["\(version)"])
        let file = try fixture.engine.open()
        let made = try file.write { transaction in
            [
                try fixture.people.createIndex(.value("v", on: "a"), in: transaction),
                try fixture.people.createIndex(.fullText("f", on: "a"), in: transaction),
                try fixture.people.createIndex(.value("w", on: "b", where: "c"), in: transaction),
            ]
        }
        #expect(made == [false, false, true])
        #expect(
            try file.read { try $0.indexes().map(line) }
                == expected + ["w|value|default|sqlPlusPlus b|c|-|-"])
    }

    @Test(
        "has definitions in the words of several versions",
        arguments: [
            (#"=j[[".a"],".b"]"#, nil, true), ("=na, b", nil, true), ("a, b", nil, true),
            (#"[[".a"],[".b"]]"#, nil, true), (#"{"WHAT":[".a",".b"]}"#, nil, true),
            (#"=j{"WHAT":[".a",".b"]}"#, nil, true), (nil, nil, true), ("a", nil, false),
            ("a, b", "c = 1", false), (#"{"WHAT":[".a",".b"],"WHERE":["=",[".c"],1]}"#, nil, false),
            ("=j nonsense", nil, false), ("=n SELECT", nil, false),
        ] as [(String?, String?, Bool)])
    func definitions(expression: String?, condition: String?, isSame: Bool) throws {
        try fixture.create(.fullText("f", on: "a, b"))
        try fixture.engine.sqlite().exec(
            sql: "UPDATE indexes SET expression = ?, whereClause = ?",
            parameters: [
                expression.map { .text($0) } ?? .null, condition.map { .text($0) } ?? .null,
            ])
        #expect(try fixture.names() == ["f"])
        #expect(try fixture.create(.fullText("f", on: "a, b")) == !isSame)
        #expect(try !fixture.create(.fullText("f", on: "a, b")))
        #expect(try fixture.drop("f"))
    }

    @Test("accepts conditions inside of definitions, equal to those beside them")
    func conditionInside() throws {
        try fixture.save(["d": #"{"a":"hello","c":1}"#, "e": #"{"a":"hello","c":2}"#])
        let inside = IndexExpressions.json(#"{"WHAT":[".a"],"WHERE":["=",[".c"],1]}"#)
        try fixture.create(.fullText("words", on: inside))
        #expect(try fixture.documents("hello") == ["d"])
        #expect(try !fixture.create(.fullText("words", on: "a", where: "c = 1")))
        try fixture.file.write { try fixture.people.rebuildIndex("words", in: $0) }
        #expect(try fixture.documents("hello") == ["d"])
        #expect(try fixture.create(.fullText("words", on: "a", where: "c = 2")))
        #expect(try fixture.documents("hello") == ["e"])
    }

    @Test("marks indexes that only other programs can maintain")
    func foreign() throws {
        try fixture.create(.value("v", on: "a"))
        try fixture.engine.sqlite().exec(
            sql: """
                INSERT INTO indexes (name, type, keyStore, expression) VALUES
                    ('near', 4, 'default', '=j[".v"]'), ('later', 9, 'default', '=na');
                """)
        #expect(
            try lines() == [
                "later|?|default|sqlPlusPlus a|-|-|foreign",
                #"near|vector|default|json [".v"]|-|-|foreign"#,
                "v|value|default|sqlPlusPlus a|-|-|-",
            ])
        for name in ["near", "later"] {
            storeError(.unsupported) {
                try fixture.file.write { try fixture.people.rebuildIndex(name, in: $0) }
            }
            #expect(try fixture.drop(name))
        }
    }

    @Test("is distinguished from another table with its name")
    func otherTable() throws {
        try fixture.engine.sqlite().exec(sql: "CREATE TABLE indexes (title TEXT)")
        storeError(.wrongFormat) { _ = try lines() }
        storeError(.wrongFormat) { try fixture.create(.value("v", on: "a")) }
    }

    @Test("is visible on read-only handles, which change nothing")
    func readOnly() throws {
        try fixture.create(.value("v", on: "a"))
        let reading = try fixture.engine.open(.readOnly)
        #expect(try reading.read { try fixture.people.indexes(in: $0).map(\.name) } == ["v"])
        storeError(.notWriteable) {
            try reading.write { _ = try fixture.people.createIndex(.value("w", on: "a"), in: $0) }
        }
    }
}
