import DocumentStore
import SQLCore
import StoreTestSupport
import Testing

/// Tests of the comparison of indexes with documents: it detects each kind of index damage.
@Suite("A damaged index is detected")
struct IndexOracleTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory("store.cblite2")
        TestIndexes.registerModel()
        let people = DocumentCollection(.default)
        let file = try DataFile(path: path, options: DataFileOptions(access: .create))
        try file.write { transaction in
            try TestIndexes.create("", of: people, in: transaction)
            for number in 0..<3 {
                _ = try people.save("\(number)", in: transaction) {
                    try $0.writeJSON(
                        """
                        {"name": "Anna", "n": \(number + 4), "text": "running houses",
                         "tags": ["red", "blue"], "groups": [{"name": "a", "tags": ["x"]}]}
                        """)
                }
            }
        }
        file.close()
        #expect(try IndexOracle(path).problems == [])
    }

    /// Changes the file on a separate connection, without the engine.
    ///
    /// - Parameter prepare: sets up the connection before.
    private func problems(
        after sql: String, prepare: (SQLContext) throws -> Void = { _ in }
    ) throws -> [String] {
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        let keys = try context.selectValue(
            sql: "SELECT body FROM kv_info WHERE key = 'SharedKeys'")
        try SQLFunctions.register(
            in: context, sharedKeys: SharedKeys(state: #require(keys?.bytesValue)))
        try prepare(context)
        try context.exec(sql: sql)
        try context.close()
        return try IndexOracle(path).problems
    }

    /// Whether the problems include this one of an index.
    private func names(_ problems: [String], _ index: String, _ text: String) -> Bool {
        problems.contains { $0.hasPrefix(index + ": ") && $0.contains(text) }
    }

    private func table(_ index: String) throws -> String {
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readOnly)
        let name = try context.selectValue(
            sql: "SELECT tbl_name FROM sqlite_master WHERE type = 'index' AND name = ?",
            parameters: [.text(index)])
        return try #require(name?.textValue).sqlName
    }

    private func dropTriggers(_ context: SQLContext) throws {
        let names = try context.selectAll(
            sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for name in names {
            try context.exec(sql: "DROP TRIGGER \(try #require(name[0].textValue).sqlName)")
        }
    }

    @Test("a value index with other values than the documents'")
    func values() throws {
        let found = try problems(
            after: """
                INSERT INTO kv_default (key, sequence, flags, version, body)
                SELECT 'new', 9, 0, version, body FROM kv_default WHERE key = '1'
                """
        ) {
            try dropTriggers($0)
            try $0.registerFunction("fl_value", argumentCount: 2) { _ in .long(77) }
        }
        #expect(names(found, "number", "[row 4: [77]] should not be there"))
        #expect(names(found, "number", "[row 4: [5]] should be there"))
        #expect(names(found, "above", "row 4"))
        #expect(names(found, "folded", "row 4"))
        #expect(names(found, "two", "row 4"))
        #expect(names(found, "array", "row 4"))
    }

    @Test("documents that were changed without the triggers")
    func missedChange() throws {
        let found = try problems(
            after: "UPDATE kv_default SET body = (SELECT NULL) WHERE key = '1'"
        ) { try dropTriggers($0) }
        #expect(names(found, "words", "strings"))
        #expect(names(found, "words", "words"))
        #expect(names(found, "words", "sizes"))
        #expect(names(found, "someWords", "words"))
        for index in ["tags", "someTags", "groups", "nested"] {
            #expect(names(found, index, "elements"), "\(index)")
        }
        for index in ["size", "next", "answer"] {
            #expect(names(found, index, "predictions"), "\(index)")
        }
        #expect(!found.contains { $0.hasPrefix("number: ") }, "SQLite maintains value indexes")
    }

    @Test("a missing or additional word, though all strings are correct")
    func words() throws {
        let found = try problems(
            after: """
                DELETE FROM "kv_default::words_segdir";
                """)
        #expect(names(found, "words", "should be there"))
        #expect(names(found, "words", "FTS4 finds damage"))
        #expect(!names(found, "words", "strings"))
    }

    @Test("a missing, additional or different element or prediction")
    func elements() throws {
        var found = try problems(
            after: "DELETE FROM \(table("tags")) WHERE i = 1 AND docid = 1")
        #expect(names(found, "tags", #"[1, 1]: "blue""#))
        #expect(!found.contains { $0.hasPrefix("someTags: ") })
        found = try problems(
            after: "UPDATE \(table("nested")) SET body = 'y' WHERE docid = 1")
        #expect(names(found, "nested", #""y""#))
        found = try problems(
            after: "INSERT INTO \(table("nested")) (docid, i, body) VALUES (77, 0, 'z')")
        #expect(names(found, "nested", "row 77, which does not exist"))
        found = try problems(after: "DELETE FROM \(table("size")) WHERE docid = 2")
        #expect(names(found, "size", "predictions"))
        #expect(names(found, "next", "predictions"), "they share a table")
        #expect(!found.contains { $0.hasPrefix("answer: ") })
    }

    @Test("a table or trigger without an index, and an index that cannot be read")
    func strays() throws {
        var found = try problems(after: "DELETE FROM indexes WHERE name IN ('nested', 'words')")
        #expect(found.filter { $0.hasSuffix("belongs to no index") }.count == 1 + 2 + 6 + 4)
        found = try problems(
            after: "UPDATE indexes SET expression = '=nlower(name)' WHERE name = 'number'")
        #expect(found.contains("number: lower(name) cannot be checked"))
    }
}
