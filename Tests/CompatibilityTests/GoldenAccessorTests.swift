import DocumentStore
import ProjectTestSupport
import SQLCore
import StoreTestSupport
import Testing
@testable import QueryFunctions

@Suite(
    "Results of LiteCore: functions that access documents", .enabled(if: GoldenFiles.arePresent))
struct GoldenAccessorTests {
    private static let functions: Set<String> = [
        "fl_root", "fl_value", "fl_nested_value", "fl_unnested_value", "fl_exists", "fl_count",
        "fl_contains", "fl_each", "fl_result", "fl_boolean_result", "fl_null", "fl_bool",
        "fl_version", "fl_blob", "array_of", "dict_of",
    ]

    @Test("the SQL that LiteCore generated for the queries gives the same rows")
    func results() throws {
        let results = try GoldenResults.calling(only: Self.functions)
        let queries = try GoldenQueries(AccessorFunctions.register)
        #expect(results.count > 60)
        print("GoldenAccessorTests: \(results.count) results")
        for result in results {
            let difference = queries.difference(from: result)
            #expect(difference == nil, "\(result.testDescription): \(result.sql)")
        }
    }

    @Test("the indexes of golden files equal the results of the functions: integrity_check passes")
    func indexes() throws {
        let queries = try GoldenQueries(AccessorFunctions.register)
        for index in ["byState", "byName", "partialBday", "bySalary", "likesIdx"] {
            let messages = try queries.context.selectAll(
                sql: "SELECT * FROM pragma_integrity_check((SELECT tbl_name FROM sqlite_master "
                    + "WHERE name = '\(index)'))")
            #expect(messages == [[.text("ok")]], "\(index)")
        }
    }

    @Test("the table of an array index equals the rows of fl_each")
    func arrayTable() throws {
        let queries = try GoldenQueries(AccessorFunctions.register)
        let name = try queries.context.selectValue(
            sql: "SELECT tbl_name FROM sqlite_master WHERE name = 'likesIdx'")
        let table = try #require(name?.textValue)
        let stored = try queries.context.selectAll(
            sql: "SELECT docid, i, body FROM \"\(table)\" ORDER BY 1, 2")
        let given = try queries.context.selectAll(
            sql: """
                SELECT new.rowid, _each.rowid, _each.value FROM kv_default AS new,
                fl_each(new.body, 'likes') AS _each WHERE (new.flags & 1) = 0 ORDER BY 1, 2
                """)
        #expect(stored == given)
        #expect(stored.count > 90)
    }

    @Test("the strings of a full-text index equal the results of fl_fts_value")
    func texts() throws {
        let queries = try GoldenQueries(AccessorFunctions.register)
        let stored = try queries.context.selectAll(
            sql: #"SELECT docid, * FROM "kv_default::by\Street_content" ORDER BY 1"#)
        let given = try queries.context.selectAll(
            sql: "SELECT rowid, fl_fts_value(body, 'contact.address.street') FROM kv_default")
        let texts = Dictionary(given.map { ($0[0], $0[1]) }) { first, _ in first }
        #expect(stored.count > 50)
        for row in stored { #expect(texts[row[0]] == row.last) }
    }

    @Test(
        "the functions read the current revision of bodies of 2.x, which are revision trees",
        arguments: ["upgrade_2.7", "upgrade_2.8_index"])
    func oldBodies(name: String) throws {
        let directory = try TemporaryDirectory()
        let path = try GoldenDatabase.named(name).copy(to: directory)
        let context = try SQLContext(path: path + "/db.sqlite3")
        let functions = try FunctionContext(sharedKeys: GoldenQueries.sharedKeys(of: context))
        try AccessorFunctions.register(in: context, functions)
        let rows = try context.selectAll(
            sql: """
                SELECT key, fl_root(body), fl_count(body, NULL), fl_exists(body, 'nothing')
                FROM kv_default WHERE (flags & 1) = 0
                """)
        #expect(rows.count >= 2)
        for row in rows {
            #expect(row[1].blobValue != nil, "\(row[0])")
            #expect(row[2].longValue ?? 0 > 0, "\(row[0])")
            #expect(row[3] == .long(0))
        }
    }
}
