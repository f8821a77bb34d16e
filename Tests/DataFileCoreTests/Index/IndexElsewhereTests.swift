import DataFileCore
import EngineTestSupport
import SQLCore
import Testing

@Suite("Indexes that another process creates meanwhile")
struct IndexElsewhereTests {
    @Test("a full-text index does not make the next write fail")
    func words() throws {
        let fixture = try StoreFixture()
        var options = DataFileOptions(access: .readWrite)
        options.trustsSchema = true
        let file = try DataFile(path: fixture.path, options: options)
        try fixture.save("ada", "{}", in: file)
        let context = try fixture.sqlite()
        try context.exec(
            sql: """
                CREATE VIRTUAL TABLE words USING fts4(text);
                CREATE TRIGGER more AFTER INSERT ON kv_default
                    BEGIN INSERT INTO words (docid, text) VALUES (new.rowid, new.key); END
                """)
        try fixture.save("bob", "{}", in: file)
        #expect(try context.selectValue(sql: "SELECT count(*) FROM words") == .long(1))
        try context.close()
    }
}
