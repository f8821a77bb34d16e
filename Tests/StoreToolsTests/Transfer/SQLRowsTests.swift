import DataFileCore
import FleeceLite
import SQLCore
import StoreFormat
import StoreTestSupport
import StoreTools
import Testing

@Suite("SQL that reads a snapshot")
struct SQLRowsTests {
    let store: TemporaryStore
    let people = DocumentCollection(.default)
    var file: DataFile { store.file }

    init() throws {
        store = try TemporaryStore(options: TransferFixture.options())
        try store.file.write { transaction in
            for (id, age) in [("ada", 36), ("alan", 41), ("grace", 85)] {
                _ = try DocumentCollection(.default).save(id, in: transaction) {
                    try $0.writeJSON(#"{"age":\#(age)}"#)
                }
            }
        }
    }

    private func rows(
        _ sql: String, _ parameters: [SQLValue] = [], in snapshot: Snapshot
    ) throws -> [[SQLValue]] {
        var rows: [[SQLValue]] = []
        try snapshot.sqlRows(sql, parameters) { row in
            rows.append((0..<row.count).map { row.value(at: $0) })
            return true
        }
        return rows
    }

    private func rows(_ sql: String, _ parameters: [SQLValue] = []) throws -> [[SQLValue]] {
        try file.read { try rows(sql, parameters, in: $0) }
    }

    @Test("gives rows, with the functions that queries use")
    func reading() throws {
        let sql = """
            SELECT key, fl_value(body, 'age') AS age FROM kv_default
            WHERE fl_value(body, 'age') > ? ORDER BY 1
            """
        #expect(
            try rows(sql, [.long(40)]) == [
                [.text("alan"), .long(41)], [.text("grace"), .long(85)],
            ])
        #expect(
            try rows("VALUES (NULL, 1.5, x'0102', 'é', ?)", [.real(2.5)])
                == [[.null, .real(1.5), .blob([1, 2] as [UInt8]), .text("é"), .real(2.5)]])
        #expect(
            try rows(" /* a */ -- b\n ;; WITH a AS (SELECT 1) SELECT * FROM a ; -- c") == [
                [.long(1)]
            ])
        #expect(try rows("PRAGMA user_version") == [[.long(503)]])
        #expect(try rows("pragma main.table_info(kvmeta)").count == 3)
        #expect(try !rows("EXPLAIN QUERY PLAN SELECT * FROM kv_default").isEmpty)
        #expect(try !rows("EXPLAIN SELECT 1").isEmpty)
    }

    @Test("reports the columns before the first row, and ends when the caller stops it")
    func columns() throws {
        var names: [String] = []
        var count = 0
        try file.read { snapshot in
            try snapshot.sqlRows("SELECT key AS id, body FROM kv_default") {
                names = $0
            } _: { row in
                count += 1
                let (titles, key) = (row.columnNames, row.value(at: 0))
                let length = row.withBytes(at: 0) { $0?.count }
                let isBeyond = row.withBytes(at: 7) { $0 == nil }
                #expect(titles == ["id", "body"])
                #expect(length == key.textLength && length != nil)
                #expect(isBeyond)
                return count < 2
            }
        }
        #expect(names == ["id", "body"] && count == 2)
    }

    @Test(
        "that could change anything is not run",
        arguments: [
            "DELETE FROM kv_default", "INSERT INTO kv_default (key) VALUES ('x')", "",
            "UPDATE kv_default SET flags = 1", "DROP TABLE kv_default", "VACUUM", "REINDEX",
            "WITH x AS (SELECT 1) DELETE FROM kv_default", "BEGIN", "COMMIT", "ROLLBACK",
            "SAVEPOINT s", "ATTACH ':memory:' AS other", "DETACH main", "ANALYZE",
            "PRAGMA user_version = 1", "PRAGMA user_version(1)", "PRAGMA main.user_version=1",
            "PRAGMA journal_mode=delete", "PRAGMA cache_size=5", ";PRAGMA/**/cache_size(5)",
            "PRAGMA writable_schema=on", "PRAGMA wal_checkpoint", "PRAGMA query_only=off",
            "EXPLAIN PRAGMA cache_size=5", "EXPLAIN QUERY PLAN PRAGMA cache_size=5",
            "SELECT 1; DELETE FROM kv_default", "SELECT 1; SELECT 2", "-- nothing",
            "SELECT fts3_tokenizer('x', ?)", "CREATE TEMP TABLE t (a)",
            "CREATE TEMP VIEW v AS SELECT 1", "CREATE VIRTUAL TABLE temp.v USING fts4(a)",
            "CREATE TEMP TRIGGER t AFTER INSERT ON kv_default BEGIN SELECT 1; END",
            "VACUUM INTO '/nowhere/copy'", "EXPLAIN DELETE FROM kv_default", "RELEASE s",
            "SELECT load_extension('x')", "SELECT sqlite_log(1, 'x')", "PRAGMA optimize",
            "PRAGMA incremental_vacuum(5)", "PRAGMA shrink_memory", "PRAGMA main.journal_mode=off",
            "PRAGMA case_sensitive_like(0)", "PRAGMA temp_store_directory='/tmp'",
            "ALTER TABLE kv_default RENAME TO x", "INSERT INTO \"kv_default\" (key) VALUES (1)",
            "REPLACE INTO kvmeta (name) VALUES ('x')", "SELECT \"load_extension\"('x')",
            "EXPLAIN ATTACH ':memory:' AS other", "PRAGMA \"user_version\" = 5",
            "WITH x AS (SELECT 1) INSERT INTO kvmeta (name) SELECT * FROM x",
            "UPDATE kv_default SET flags = 1 RETURNING key", "SELECT * FROM pragma_optimize",
        ])
    func refused(_ sql: String) throws {
        #expect {
            try rows(sql)
        } throws: {
            ($0 as? StoreError)?.has(.invalidParameter) == true
        }
        #expect {
            try file.write { try rows(sql, in: $0) }
        } throws: {
            ($0 as? StoreError)?.has(.invalidParameter) == true
        }
        #expect(try rows("SELECT count(*) FROM kv_default") == [[.long(3)]])
        #expect(try rows("PRAGMA user_version") == [[.long(503)]])
        #expect(try rows("PRAGMA cache_size") == [[.long(-10_240)]])
    }

    @Test("names the part that does more than read")
    func reasons() throws {
        for (sql, word) in [
            ("/* SELECT */ DELETE FROM kv_default", "DELETE"), ("ATTACH 'x' AS y", "ATTACH"),
            ("PRAGMA user_version = 1", "PRAGMA user_version cannot be set"),
            ("SELECT load_extension('x')", "load_extension() is not allowed"),
        ] {
            let error = #expect(throws: StoreError.self) { try rows(sql) }
            #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
        }
    }

    @Test("is run in every read-only form, however it is written")
    func forms() throws {
        #expect(try rows("PRAGMA journal_mode") == [[.text("wal")]])
        #expect(try rows("/*x*/ pragma /*y*/ main . user_version") == [[.long(503)]])
        #expect(try rows("SELECT name FROM pragma_table_info('kvmeta')").count == 3)
        #expect(try rows("SELECT 'fts3_tokenizer', 'DELETE FROM x'").count == 1)
        #expect(
            try rows(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3) "
                    + "SELECT count(*) FROM n") == [[.long(3)]])
        #expect(try rows("PRAGMA quick_check(1)") == [[.text("ok")]])
        try file.write { _ = try people.createIndex(.fullText("words", on: "text"), in: $0) }
        let sql = "SELECT count(*) FROM \"kv_default::words\" WHERE \"kv_default::words\" MATCH 'x'"
        #expect(try rows(sql) == [[.long(0)]])
        // Nothing of it is left on the connection.
        _ = try file.write { try people.delete("ada", in: $0) }
        #expect(try rows("SELECT count(*) FROM kv_default") == [[.long(2)]])
    }

    @Test("that SQLite rejects is an error with the position")
    func mistakes() throws {
        for sql in [
            "SELECT * FROM nowhere", "SELECT 1 +", "SELECT fl_nothing(1)", "(SELECT 1)",
        ] {
            #expect {
                try rows(sql)
            } throws: {
                ($0 as? StoreError)?.has(.invalidQuery) == true
            }
        }
        #expect {
            try rows("SELECT ?, ?", [.null])
        } throws: {
            ($0 as? StoreError)?.has(.invalidQueryParameter) == true
        }
    }

    @Test("sees the changes of its transaction, and prevents writes meanwhile")
    func transactions() throws {
        try file.write { transaction in
            _ = try people.save("new", in: transaction) { try $0.writeJSON(#"{"age":1}"#) }
            let sql = "SELECT fl_value(body, 'age') FROM kv_default WHERE key = 'new'"
            #expect(try rows(sql, in: transaction) == [[.long(1)]])
            #expect(throws: (any Error).self) {
                try transaction.sqlRows("SELECT 1") { _ in
                    _ = try people.delete("ada", in: transaction)
                    return true
                }
            }
            // Afterwards writing is possible.
            _ = try people.save("later", in: transaction) { try $0.writeJSON("{}") }
        }
        #expect(try rows("SELECT count(*) FROM kv_default") == [[.long(5)]])
        #expect(try rows("SELECT count(*) FROM kv_del_default") == [[.long(0)]])
    }

    @Test("does not write through a function either")
    func functionsThatWrite() throws {
        // Several transactions make several segments, which it would merge.
        try file.write { _ = try people.createIndex(.fullText("words", on: "text"), in: $0) }
        for number in 0..<5 {
            try file.write { transaction in
                _ = try people.save("t\(number)", in: transaction) {
                    try $0.writeJSON(#"{"text":"word\#(number)"}"#)
                }
            }
        }
        let sql = "SELECT optimize(\"kv_default::words\") FROM \"kv_default::words\" LIMIT 1"
        let segments = { try rows("SELECT count(*) FROM \"kv_default::words_segdir\"") }
        let before = try segments()
        #expect(before != [[.long(1)]])
        #expect(throws: (any Error).self) { try file.write { try rows(sql, in: $0) } }
        #expect(try segments() == before)
    }
}

extension SQLValue {
    fileprivate var textLength: Int? {
        if case .text(let text) = self { text.utf8.count } else { nil }
    }
}
