import DocumentStore
import SQLCore
import SQLPlus
import StoreTestSupport
import Testing

@Suite("kvtool on a file whose tables another program has changed")
struct TrustSchemaTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory("people.cblite2")
        let file = try DataFile(path: path, options: DataFileOptions(access: .create))
        try file.write { transaction in
            _ = try DocumentCollection(.default).save("a", in: transaction) {
                try $0.writeJSON(#"{"n":1}"#)
            }
        }
        file.close()
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        try context.exec(
            sql: "CREATE TABLE log (key); CREATE TRIGGER mine AFTER UPDATE ON kv_default "
                + "BEGIN INSERT INTO log VALUES (new.key); END")
        try context.close()
    }

    @Test("commands that write refuse it, and name the option")
    func refused() throws {
        for command in [
            ["put", path, "a", "{}"], ["rm", path, "a"], ["compact", path],
            ["mkindex", path, "byN", "n"], ["mkcoll", path, "other"],
        ] {
            let complaint = try Kvtool.run(command).refusal(status: 1)
            #expect(complaint.contains("the trigger mine of kv_default is another program's"))
            #expect(complaint.contains("or use --trust-schema"))
        }
        #expect(try Kvtool.run(["cat", path, "a", "--raw"]).success().stdout.contains(#""n":1"#))
    }

    @Test("verify reports it")
    func verified() throws {
        let outcome = try Kvtool.run(["verify", path]).success()
        #expect(outcome.stdout.contains("the trigger mine of kv_default is another program's"))
    }

    @Test("--trust-schema runs it")
    func trusted() throws {
        try Kvtool.run(["put", path, "a", "{}", "--trust-schema"]).success()
        let log = try Kvtool.run(["sql", path, "SELECT key FROM log", "--csv"]).success()
        #expect(log.stdout == "key\na\n")
    }

    @Test("sql refuses statements that do more than read")
    func sql() throws {
        for statement in [
            "ATTACH 'x' AS y", "CREATE TEMP TABLE t (a)", "PRAGMA user_version = 5",
            "VACUUM INTO 'x'", "SELECT load_extension('x')", "/* SELECT */ DELETE FROM log",
        ] {
            let complaint = try Kvtool.run(["sql", path, statement]).refusal(status: 1)
            #expect(complaint.contains("the SQL was not run"), "\(complaint)")
        }
    }
}
