import SQLCore
import SQLPlus
import StoreTestSupport
import Testing

@Suite("PRAGMA key without .plus")
struct PragmaKeyTests {
    @Test(
        "is an error, since SQLite would ignore it and write a plaintext file",
        arguments: [
            "PRAGMA key = 'secret'", "pragma main.key('secret')", "PRAGMA /*x*/ \"key\"='secret'",
            "PRAGMA hexkey='616263'", "PRAGMA rekey = 'secret'", "PRAGMA hexrekey='616263'",
            "PRAGMA textkey='secret'", "PRAGMA [key] = 'secret'", "SELECT 1; PRAGMA key = 'secret'",
        ])
    func refused(_ sql: String) throws {
        let directory = try TemporaryDirectory()
        let context = try SQLContext(path: directory("plain.db"))
        let error = #expect(throws: SQLError.self) { try context.exec(sql: sql) }
        #expect(error?.code == .misuse)
        #expect(error?.message.contains("SQLiteConfiguration.plus") == true)
        #expect(error.map { "\($0.unredactedDescription)".contains("secret") } == false)
        #expect(throws: SQLError.self) { try context.setPragma("key", to: .text("secret")) }
    }

    @Test("other pragmas with similar names are unchanged")
    func others() throws {
        let directory = try TemporaryDirectory()
        let context = try SQLContext(path: directory("plain.db"))
        try context.exec(sql: "CREATE TABLE key (a); CREATE INDEX rekey ON key (a)")
        #expect(try context.selectAll(sql: "PRAGMA table_info(key)").count == 1)
        #expect(try context.selectAll(sql: "PRAGMA index_info('rekey')").count == 1)
        try context.exec(
            sql: "PRAGMA user_version = 7; PRAGMA unheard = 'key'; PRAGMA foreign_keys=1")
        let encrypted = try SQLContext(path: directory("encrypted.db"), configuration: .plus)
        try encrypted.exec(sql: "PRAGMA key = 'secret'; CREATE TABLE t (a)")
        #expect(try FileCopy.bytes(directory("encrypted.db")).starts(with: "SQLite".utf8) == false)
    }
}
