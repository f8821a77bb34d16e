import EngineTestSupport
import SQLCore
import Testing
import StoreFormat

@Suite("Creating and deleting the tables of a store")
struct UpgradeStoreSchemaTests {
    let context: SQLContext
    static let hash = "4de1cc5ede3a750682fffdfa7650b62bb8c8b0f2"
    static let nested = "80ab9fd7314cc01200e5bc4c05728a4a17ee5e7b"

    init() throws {
        context = try SQLContext()
        try context.exec(
            sql: """
                PRAGMA user_version=503; \(SchemaSQL.createMeta);
                CREATE TABLE indexes (name TEXT PRIMARY KEY, type INTEGER NOT NULL,
                    keyStore TEXT NOT NULL, expression TEXT, whereClause TEXT,
                    indexTableName TEXT, lastSeq TEXT)
                """)
        for name in ["default", "info", ".x", ".y"] { try create(name) }
    }

    private func create(_ name: String) throws {
        try context.writing { try StoreSchema.create(KeyStoreName(name), in: $0) }
    }

    @discardableResult
    private func delete(_ name: String) throws -> Bool {
        try context.exec(sql: SchemaSQL.connectionPragmas())
        try context.setDefensive(true)
        return try context.writing { try StoreSchema.delete(KeyStoreName(name), in: $0) }
    }

    private func names() throws -> [String] {
        try context.selectAll(
            sql: "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite%' ORDER BY name"
        ).compactMap { $0[0].textValue }
    }

    @Test("a collection has two tables, a raw store one, each with its expiration index")
    func creating() throws {
        let before = try names()
        try create(".hr.Employees")
        try create("raw \"1\"")
        try create("raw \"1\"")
        #expect(
            Set(try names()).subtracting(before) == [
                #"kv_.hr.\Employees"#, #"kv_.hr.\Employees_expiration"#,
                #"kv_del_.hr.\Employees"#, #"kv_del_.hr.\Employees_expiration"#,
                #"kv_raw "1""#, #"kv_raw "1"_expiration"#,
            ])
        #expect(
            try context.schemaText(#"kv_.hr.\Employees"#)
                == #"CREATE TABLE "kv_.hr.\Employees" (  key TEXT PRIMARY KEY,  "#
                + "sequence INTEGER,  flags INTEGER DEFAULT 0,  version BLOB,  body BLOB,  "
                + "expiration INTEGER,  extra BLOB)")
    }

    @Test(
        "a name that could not be read back from its table is rejected",
        arguments: ["", "del_default", "del_.x", "a:b", #"a\b"#, "a\0b"])
    func badNames(name: String) throws {
        let before = try names()
        let error = #expect(throws: StoreError.self) { try create(name) }
        #expect(error?.has(.invalidParameter) == true)
        #expect(try names() == before)
    }

    @Test(
        "a name that another object has is rejected, and nothing is created",
        arguments: [
            ("CREATE VIEW \"KV_DEL_.new\" AS SELECT 1 AS key", StoreError.Code.invalidParameter),
            ("CREATE TABLE \"kv_del_.new_expiration\" (a)", .invalidParameter),
            ("CREATE INDEX \"kv_.new\" ON indexes (type)", .invalidParameter),
            ("CREATE TABLE \"kv_del_.new\" (key)", .wrongFormat),
            ("CREATE VIRTUAL TABLE \"kv_.new\" USING fts4(key)", .wrongFormat),
        ])
    func taken(sql: String, code: StoreError.Code) throws {
        try context.exec(sql: sql)
        let before = try names()
        try context.writing { context in
            let error = #expect(throws: StoreError.self) {
                try StoreSchema.create(KeyStoreName(".new"), in: context)
            }
            #expect(error?.has(code) == true, "\(error?.message ?? "")")
        }
        #expect(try names() == before)
    }

    /// Indexes of each kind on a collection, as LiteCore creates them except for their functions.
    private func addIndexes(to store: String) throws {
        let table = "kv_" + store
        let (hash, nested) = (Self.hash, Self.nested)
        try context.exec(
            sql: """
                CREATE INDEX "value\(store)" ON "\(table)" (abs(sequence));
                CREATE VIRTUAL TABLE "\(table)::by\\Street" USING fts4(street);
                CREATE TRIGGER "\(table)::by\\Street::ins" AFTER INSERT ON "\(table)" BEGIN
                    INSERT INTO "\(table)::by\\Street" (docid, street)
                    VALUES (new.rowid, new.body); END;
                CREATE TABLE "\(hash)" (docid INTEGER NOT NULL, i, body);
                CREATE INDEX likes ON "\(hash)" (body);
                CREATE TRIGGER "\(hash)::ins" AFTER INSERT ON "\(table)" BEGIN
                    INSERT INTO "\(hash)" VALUES (new.rowid, 0, new.body); END;
                CREATE TRIGGER "\(hash)::del" BEFORE DELETE ON "\(table)" BEGIN
                    DELETE FROM "\(hash)" WHERE docid = old.rowid; END;
                CREATE TABLE "\(nested)" (docid INTEGER NOT NULL, i, body);
                CREATE TRIGGER "\(nested)::ins" AFTER INSERT ON "\(hash)" BEGIN
                    INSERT INTO "\(nested)" VALUES (new.rowid, 0, new.body); END;
                CREATE TABLE "\(table):predict:0\\M\\W" (docid INTEGER PRIMARY KEY, body);
                CREATE TABLE "\(table):unnest:notes" (docid INTEGER NOT NULL, i, body);
                INSERT INTO indexes (name, type, keyStore, indexTableName) VALUES
                    ('value\(store)', 0, '\(store)', NULL),
                    ('byStreet', 1, '\(store)', '\(table)::by\\Street'),
                    ('likes', 2, '\(store)', '\(table):unnest:likes'),
                    ('other', 0, '.y', NULL);
                INSERT INTO "\(table)" (key, sequence, flags, body) VALUES ('a', 1, 0, 'street');
                """)
        try context.exec(
            sql: """
                INSERT INTO kvmeta (name, lastSeq, purgeCnt)
                VALUES ('\(store)', 9, 1), ('del_\(store)', 0, 2), ('.y', 3, 0), ('default', 4, 0)
                """)
    }

    @Test("deleting removes everything that belongs to the store, and nothing else")
    func deleting() throws {
        let before = try names().filter { !$0.hasPrefix("kv_.x") && !$0.hasPrefix("kv_del_.x") }
        try addIndexes(to: ".x")
        for index in LazyIndex.allCases {
            _ = try context.writing { try index.create(on: "kv_.x", in: $0) }
        }
        #expect(try delete(".x"))
        #expect(try names() == before)
        #expect(try context.selectAll(sql: "SELECT name FROM indexes") == [[.text("other")]])
        #expect(
            try context.selectAll(sql: "SELECT name, lastSeq, purgeCnt FROM kvmeta ORDER BY name")
                == [
                    [.text(".x"), .long(9), .long(1)], [.text(".y"), .long(3), .long(0)],
                    [.text("default"), .long(4), .long(0)], [.text("del_.x"), .long(0), .long(2)],
                ], "a store of that name goes on with the counts, as in LiteCore")
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
        #expect(try !delete(".x"), "it is gone")
        try create(".x")
        #expect(try delete(".x"))
    }

    @Test("a store whose name starts with another's, and one with the same hash, are separate")
    func neighbours() throws {
        try create(".x2")
        try create(".X")
        try addIndexes(to: ".x2")
        // A trigger of another store that fills the same table.
        try context.exec(
            sql: """
                CREATE TRIGGER "\(Self.hash)::upd" AFTER UPDATE ON "kv_.x" BEGIN SELECT 1; END
                """)
        let before = try names()
        #expect(try delete(".x"))
        let gone = [
            "kv_.x", "kv_.x_expiration", "kv_del_.x", "kv_del_.x_expiration", Self.hash + "::upd",
        ]
        #expect(try names() == before.filter { !gone.contains($0) })
    }

    @Test("a trigger with the name of another table does not assign that table to the store")
    func hostileTrigger() throws {
        try context.exec(
            sql: """
                CREATE TRIGGER "kv_default::ins" AFTER INSERT ON "kv_.x" BEGIN SELECT 1; END;
                CREATE TRIGGER "indexes::ins" AFTER INSERT ON "kv_.x" BEGIN SELECT 1; END;
                INSERT INTO indexes (name, type, keyStore, indexTableName)
                VALUES ('i', 1, '.x', 'kv_.y')
                """)
        #expect(try delete(".x"))
        #expect(try Set(names()).isSuperset(of: ["kv_default", "indexes", "kv_.y", "kv_info"]))
    }

    @Test("stores that each file needs cannot be deleted", arguments: ["default", "info"])
    func needed(name: String) throws {
        let error = #expect(throws: StoreError.self) { try delete(name) }
        #expect(error?.has(.invalidParameter) == true)
        #expect(try names().contains("kv_" + name))
    }

    @Test("a full-text index whose tokenizer is missing prevents deletion of its store")
    func missingTokenizer() throws {
        try addIndexes(to: ".x")
        try context.exec(
            sql: """
                PRAGMA writable_schema=on;
                UPDATE sqlite_master SET sql = replace(sql, '(street)', '(street, tokenize=none)')
                WHERE sql LIKE 'CREATE VIRTUAL%';
                PRAGMA writable_schema=reset
                """)
        let before = try names()
        try context.writing { context in
            let error = #expect(throws: StoreError.self) {
                try StoreSchema.delete(KeyStoreName(".x"), in: context)
            }
            #expect(error?.has(.unsupported) == true)
            #expect(error?.message.contains("unknown tokenizer: none") == true)
        }
        #expect(try names() == before)
        #expect(
            try context.selectValue(sql: "SELECT count(*) FROM \"\(Self.hash)\"") == .long(1))
    }
}
