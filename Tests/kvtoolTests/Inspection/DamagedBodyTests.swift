import Foundation
import StoreTestSupport
import Testing

@Suite(
    "A damaged body in an index",
    .enabled(if: SQLiteShell.isPresent, "needs the sqlite3 command"))
struct DamagedBodyTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 5)
        try database.run("mkindex", "byAge", "age").success()
        try Self.damage("person-0002", in: database)
    }

    /// Makes the root of a body invalid in the bytes of the file: an UPDATE would need the
    /// functions of the index.
    private static func damage(_ id: String, in database: SampleDatabase) throws {
        let hexadecimal = Array(
            try #require(
                database.rows("SELECT hex(body) FROM kv_default WHERE key='\(id)'").first
            ).utf8)
        let body = Data(
            stride(from: 0, to: hexadecimal.count, by: 2).compactMap {
                UInt8(String(decoding: hexadecimal[$0..<$0 + 2], as: UTF8.self), radix: 16)
            })
        var bytes = try database.bytes
        let place = try #require(bytes.firstRange(of: body))
        bytes.replaceSubrange(place.upperBound - 2..<place.upperBound, with: [0x80, 0x7F])
        try database.write(bytes)
    }

    @Test(
        "prevents writing the document until verify --fix, which is named",
        arguments: [
            ["put", "person-0002", "{}"], ["rm", "person-0002"],
            ["purge", "person-0002", "--yes"],
            ["query", "DELETE FROM _ WHERE META().id = 'person-0002'"],
        ])
    func writing(_ command: [String]) throws {
        let complaint = try Kvtool.run([command[0], database.path] + command.dropFirst())
            .refusal(status: 5)
        #expect(complaint.contains("an index of the table kv_default of \(database.path)"))
        #expect(complaint.hasSuffix("kvtool verify --fix rebuilds it"))
        // The body itself remains lost.
        #expect(try database.run("verify", "--fix", "--yes").status == 5)
        let done = try Kvtool.run([command[0], database.path] + command.dropFirst())
        // A query that reads the lost body reports it.
        #expect(done.status == (command[0] == "query" ? 5 : 0), "\(done)")
        try database.run("verify").success()
    }

    @Test("does not prevent writing other documents")
    func others() throws {
        try database.run("put", "person-0003", "{}").success()
        try database.run("rm", "person-0004").success()
    }
}

@Suite(
    "kvtool info of a damaged database prints what is readable",
    .enabled(if: SQLiteShell.isPresent, "needs the sqlite3 command"))
struct DamagedInfoTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 50)
        try database.run("mkcoll", "hr.staff").success()
        try database.run("mkindex", "byAge", "age").success()
    }

    /// Overwrites the root page of a table or index.
    private func damageRoot(of name: String) throws {
        let page = try #require(
            Int(
                database.rows("SELECT rootpage FROM sqlite_schema WHERE name='\(name)'").first
                    ?? ""))
        var bytes = try database.bytes
        let start = (page - 1) * 4096
        bytes.replaceSubrange(start..<start + 4096, with: Data(repeating: 0xA5, count: 4096))
        try database.write(bytes)
    }

    @Test(
        "if a table is unreadable",
        arguments: ["kv_default", "kv_del_default", "kvmeta", "kv_info", "indexes"], [[], ["-v"]])
    func tables(_ name: String, _ options: [String]) throws {
        try damageRoot(of: name)
        let before = try database.contents
        let outcome = try Kvtool.run(["info", database.path] + options)
        #expect(outcome.status == 5, "\(outcome)")
        #expect(outcome.lines.first?.hasPrefix("Database: ") == true, "\(outcome)")
        #expect(outcome.lines.first?.hasSuffix(" " + database.path) == true)
        #expect(outcome.stdout.contains("\nSize: "))
        #expect(outcome.stderr.hasPrefix("kvtool: "))
        #expect(outcome.stderr.contains("kvtool recover"))
        if ["kv_default", "kv_del_default", "kvmeta"].contains(name) {
            #expect(outcome.stdout.contains("byAge (value)"))
            #expect(outcome.lines.contains { $0.hasPrefix("hr.staff ") })
        }
        let json = try Kvtool.run(["info", database.path, "--json"] + options)
        #expect(json.status == 5)
        #expect(try json.answer()["database"] as? String == database.path)
        #expect(try database.contents == before)
    }

    @Test("if pages are missing")
    func cutOff() throws {
        let bytes = try database.bytes
        try database.write(bytes.prefix(5 * 4096))
        let outcome = try database.run("info")
        #expect(outcome.status == 5)
        #expect(
            outcome.stdout.contains(
                "\(bytes.count / 4096) of 4096 bytes, of which the file contains 5\n"),
            "\(outcome)")
        #expect(outcome.stderr.contains("is damaged"))
        let json = try database.run("info", "--json")
        #expect(try json.answer()["pages"] as? Int == bytes.count / 4096)
    }
}
