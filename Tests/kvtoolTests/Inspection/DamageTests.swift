import Foundation
import SampleData
import StoreTestSupport
import Testing

@Suite(
    "A damaged database", .enabled(if: SQLiteShell.isPresent, "needs the sqlite3 command"))
struct DamageTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 5)
    }

    private static let others = ["person-0001", "person-0003", "person-0004", "person-0005"]

    static let emptyBodies =
        "documents with damaged bodies are treated as empty; list them with kvtool verify"

    static let skipped = "skipped; list them with kvtool verify"

    static let bodies = [
        "x'00'", "x'0000'", "x'8000'", "x'8001'", "x'ffff'", "x'6000'", "x'4161'", "x'7001'",
        "x'700100000000'", "'text'", "zeroblob(200)", "x'780100008000000080000000'",
        "x'4161700180028004'",
    ]

    @Test(
        "with one unreadable body: that document is named, the others are written",
        arguments: bodies)
    func body(_ body: String) throws {
        try database.rows("UPDATE kv_default SET body=\(body) WHERE key='person-0002'")
        let before = try database.bytes
        let export = try database.run("export")
        #expect(export.status == 5, "\(export)")
        #expect(export.lines.map { String($0.dropFirst(8).prefix(11)) } == Self.others)
        let complaints = export.stderr.split(separator: "\n")
        #expect(complaints.count == 2)
        #expect(
            complaints.first?.hasPrefix(
                "kvtool: \(database.path): document \"person-0002\" is damaged: ") == true)
        #expect(complaints.last == "kvtool: \(database.path): 1 damaged document \(Self.skipped)")
        let cat = try database.run("cat", "--raw", "person-0001", "person-0002", "person-0003")
        #expect(cat.status == 5)
        #expect(cat.lines.count == 2)
        #expect(
            cat.complaint().hasPrefix(
                "\(database.path): document \"person-0002\" is damaged: "))
        #expect(try database.run("ls").success().lines.count == 6)
        // It has no properties in a query, which is reported.
        let query = try database.run("query", "SELECT name FROM _ WHERE name IS VALUED", "--csv")
        #expect(query.status == 5)
        #expect(query.lines.count == 5)
        #expect(query.complaint() == "\(database.path): \(Self.emptyBodies)")
        #expect(try database.bytes == before)
        // A new body fixes it.
        try database.run("put", "person-0002", "{}").success()
        #expect(try database.exported().count == 5)
    }

    static let versions = ["x'00'", "x'00ff'", "x'deadbeef'", "x'01'", "zeroblob(30)"]

    @Test(
        "with an unreadable version: all but its revision can be listed",
        arguments: versions)
    func version(_ version: String) throws {
        try database.rows("UPDATE kv_default SET version=\(version) WHERE key='person-0002'")
        for command in ["ls", "export", "info"] {
            let outcome = try database.run(command)
            #expect(!outcome.isSignalled)
            #expect(outcome.status == (command == "info" ? 0 : 5), "\(command): \(outcome)")
            let complaints = outcome.stderr.split(separator: "\n")
            #expect(complaints.allSatisfy { $0.hasPrefix("kvtool: ") })
            #expect(complaints.isEmpty || complaints[0].contains("\"person-0002\""))
        }
        #expect(try database.run("ls").lines.count == 6)
        let json = try database.run("ls", "--json")
        let list = try JSONSerialization.jsonObject(with: json.standardOutput) as? [String: Any]
        let documents = try #require(list?["documents"] as? [[String: Any]])
        #expect(documents.map { $0["revision"] == nil } == [false, true, false, false, false])
        for command in [["put", "person-0002", "{}"], ["rm", "person-0002"]] {
            let outcome = try Kvtool.run([command[0], database.path] + command.dropFirst())
            #expect(outcome.refusal().contains("\"person-0002\""), "\(command)")
        }
        try database.run("purge", "person-0002", "--yes").success()
        #expect(try database.exported().count == 4)
    }

    @Test(
        "with unreadable shared keys: no document is read, and nothing is written",
        arguments: [
            "x'deadbeef'", "x'00'", "'text'", "x'6000'||x'00'", "x'60010000'", "zeroblob(100)",
        ])
    func sharedKeys(_ body: String) throws {
        try database.rows("UPDATE kv_info SET body=\(body) WHERE key='SharedKeys'")
        let before = try database.contents
        for command in [
            ["export"], ["cat", "person-0001"], ["put", "a", "{}"], ["rm", "person-0001"],
            ["import", "-"],
        ] {
            let outcome = try Kvtool.run(
                [command[0], database.path] + command.dropFirst(), stdin: Data("{}".utf8))
            let complaint = outcome.refusal(status: 5)
            #expect(complaint.hasPrefix("the shared keys of \(database.path) are damaged: "))
        }
        #expect(try database.contents == before)
    }

    @Test("without its shared keys: every document with unknown keys is named")
    func unknownSharedKeys() throws {
        try database.rows("DELETE FROM kv_info WHERE key='SharedKeys'")
        let outcome = try database.run("export")
        #expect(outcome.status == 5)
        #expect(outcome.stdout == "")
        let complaints = outcome.stderr.split(separator: "\n")
        #expect(complaints.count == 6)
        #expect(complaints.last == "kvtool: \(database.path): 5 damaged documents \(Self.skipped)")
        #expect(complaints.dropLast().allSatisfy { $0.contains("no shared key has the number ") })
    }

    @Test(
        "without tables or columns is refused with their names, without SQL",
        arguments: [
            "DROP TABLE kv_info", "DROP TABLE kvmeta; CREATE TABLE kvmeta (x)",
            "ALTER TABLE kv_info RENAME COLUMN body TO b",
        ])
    func schema(_ sql: String) throws {
        try database.rows(sql)
        for command in [["info"], ["put", "a", "{}"]] {
            let outcome = try Kvtool.run([command[0], database.path] + command.dropFirst())
            let complaint = outcome.refusal()
            #expect(complaint.contains(database.path))
            #expect(!complaint.contains("SELECT"), "\(complaint)")
        }
    }

    @Test("without a tombstone table refuses to delete, with its name")
    func noTombstones() throws {
        try database.rows("DROP TABLE kv_del_default")
        #expect(try database.exported().count == 5)
        let complaint = try database.run("rm", "person-0001").refusal()
        #expect(complaint.contains(database.path), "\(complaint)")
        #expect(try database.exported().count == 5)
    }

    @Test(
        "with the largest number as last sequence refuses changes instead of trapping",
        arguments: [
            "UPDATE kvmeta SET lastSeq=9223372036854775807",
            "UPDATE kv_default SET sequence=9223372036854775807 WHERE key='person-0001'",
        ])
    func largestSequence(_ sql: String) throws {
        try database.rows(sql)
        let before = try database.exported()
        for command in [["put", "a", "{}"], ["rm", "person-0002"], ["import", "-"]] {
            let outcome = try Kvtool.run(
                [command[0], database.path] + command.dropFirst(), stdin: Data("{}".utf8))
            outcome.refusal()
        }
        #expect(try database.exported() == before)
        try database.run("purge", "person-0002", "--yes").success()
    }

    @Test(
        "with extreme numbers is read without a trap",
        arguments: [
            "sequence=-9223372036854775808", "flags=-1", "flags=9223372036854775807",
            "expiration=-9223372036854775808", "expiration=253402300800000", "expiration=1e300",
            "sequence='x'", "flags='x'", "flags=x'ff'", "expiration=x'ff'", "sequence=1.5",
            "key=NULL",
            "key=x'00ff'", "key=CAST(x'61ff62' AS TEXT)", "extra=x'00'", "body=NULL",
            "version=NULL",
        ])
    func numbers(_ change: String) throws {
        try database.rows("UPDATE kv_default SET \(change) WHERE key='person-0002'")
        for command in [
            ["info"], ["ls", "--deleted", "--seq"], ["ls", "--json", "--deleted"], ["export"],
            ["cat", "person-0002", "--deleted", "--meta"], ["put", "person-0002", "{}"],
            ["rm", "person-0001"], ["purge", "person-0002", "--yes"],
        ] {
            let outcome = try Kvtool.run([command[0], database.path] + command.dropFirst())
            #expect(!outcome.isSignalled && outcome.status <= 6, "\(command): \(outcome)")
            #expect(outcome.stderr.split(separator: "\n").allSatisfy { $0.hasPrefix("kvtool: ") })
            if command.contains("--json") {
                #expect(throws: Never.self) {
                    try JSONSerialization.jsonObject(with: outcome.standardOutput)
                }
            }
        }
    }

    @Test("with line breaks and control characters in an id is reported in one line")
    func hostileID() throws {
        let id = "a\nkvtool: forged\u{1B}[31m"
        try database.rows(
            "UPDATE kv_default SET key='a'||char(10)||'kvtool: forged'||char(27)||'[31m', "
                + "body=x'6000' WHERE key='person-0002'")
        let cat = try database.run("cat", id).refusal(status: 5)
        #expect(cat.hasPrefix("\(database.path): document \"a"))
        let export = try database.run("export")
        #expect(export.stderr.split(separator: "\n").count == 2)
        #expect(!export.stderr.contains("\u{1B}"))
    }

    @Test("with line breaks in its schema is reported in one line")
    func hostileSchema() throws {
        let name = Data("sqlite_autoindex_kv_info_1".utf8)
        var bytes = try database.bytes
        let place = try #require(bytes.range(of: name))
        bytes[place.lowerBound + 12] = 0x0A
        try database.write(bytes)
        let info = try database.run("info")
        #expect(info.status == 5)
        _ = info.complaint()
        try database.run("put", "a", "{}").refusal(status: 5)
    }
}
