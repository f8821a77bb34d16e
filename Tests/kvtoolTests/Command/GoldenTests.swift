import DocumentStore
import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite(
    "On databases of other implementations",
    .enabled(if: GoldenFiles.arePresent, "needs the golden files"))
struct GoldenTests {
    static let names = [
        "db_3_0_0_names_100_with_deleted", "sample_revtree_503", "sample_vectors_503",
        "upgrade_2.7", "upgrade_2.8_index", "upgrade_3.1_peerCheckpoints",
    ]

    private func collections(_ database: SampleDatabase) throws -> [String] {
        let json = try database.run("info", "--json").success().standardOutput
        let info = try JSONSerialization.jsonObject(with: json) as? [String: Any]
        let collections = try #require(info?["collections"] as? [[String: Any]])
        return collections.compactMap { $0["collection"] as? String }
    }

    private func ids(_ database: SampleDatabase, _ collection: String) throws -> [String] {
        let json = try Kvtool.run(
            ["ls", database.path, "--json", "--deleted", "--collection", collection])
        let list = try JSONSerialization.jsonObject(with: json.standardOutput) as? [String: Any]
        return (list?["documents"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    }

    @Test("commands that read do not change any byte, and leave no file", arguments: names)
    func reading(_ name: String) throws {
        let database = try SampleDatabase(golden: name)
        let before = try database.contents
        try database.run("info").success()
        for collection in try collections(database) {
            let ids = try ids(database, collection)
            for command in [["ls"], ["ls", "--seq", "--desc", "--deleted"], ["export"]] {
                let arguments = [command[0], database.path] + command.dropFirst()
                let outcome = try Kvtool.run(arguments + ["--collection", collection])
                #expect(outcome.status == 0 && !outcome.isSignalled, "\(outcome)")
            }
            if !ids.isEmpty {
                let flags = ["cat", "--raw", "--deleted", "--meta", "--collection", collection]
                let cat = try Kvtool.run(flags + ["--", database.path] + ids).success()
                #expect(cat.lines.count == ids.count)
            }
        }
        #expect(try database.contents == before)
    }

    @Test(
        "commands that read work on read-only files",
        .enabled(if: Kvtool.canRunUnprivileged, "needs setpriv or runuser"), arguments: names)
    func readingTheOriginals(_ name: String) throws {
        let database = try SampleDatabase(golden: name)
        try database.setPermissions(0o755, of: database.directory.path)
        let expected = try database.run("export").success().standardOutput
        try database.setPermissions(0o444, of: database.file)
        try database.setPermissions(0o555, of: database.path)
        defer { try? database.setPermissions(0o755, of: database.path) }
        let before = try database.contents
        let outcome = try database.run("export", asUser: .unprivileged)
        #expect(outcome.status == 0)
        #expect(outcome.standardOutput == expected)
        #expect(outcome.complaint().hasPrefix("note: "))
        #expect(try database.contents == before)
    }

    static let reasons = [
        ("db_3_0_0_names_100_with_deleted", "has schema 400, older than 503"),
        ("upgrade_2.7", "has schema 302, older than 503"),
        ("upgrade_2.8_index", "has schema 302, older than 503"),
        ("upgrade_3.1_peerCheckpoints", "has schema 500, older than 503"),
    ]

    @Test("commands that write fail with the reason, and change nothing", arguments: reasons)
    func writing(_ name: String, _ reason: String) throws {
        let database = try SampleDatabase(golden: name)
        let before = try database.contents
        let id = try ids(database, "_default").first ?? "a"
        for command in [
            ["put", id, "{}"], ["put", "new", "{}"], ["rm", id], ["purge", id], ["import", "-"],
        ] {
            let outcome = try Kvtool.run(
                [command[0], "--", database.path] + command.dropFirst(), stdin: Data("{}\n".utf8))
            let complaint = outcome.refusal(status: 4)
            #expect(
                complaint.hasPrefix("\(database.path) can only be read: it \(reason)"),
                "\(command)")
            #expect(
                complaint.hasSuffix("; use --upgrade to upgrade it first"), "\(command)")
        }
        #expect(try database.contents == before)
    }

    @Test("an ID of Couchbase Lite that begins with a dash goes after --")
    func dash() throws {
        let database = try SampleDatabase(golden: "upgrade_2.8_index")
        let answer = try database.run("cat", "--raw", "-3aW8VeEWNHiXlvj6lhl2Cl")
        let complaint = answer.refusal(status: 2)
        #expect(complaint.contains("; a value that begins with a dash goes after --"))
        #expect(
            try Kvtool.run(["cat", "--raw", "--", database.path, "-3aW8VeEWNHiXlvj6lhl2Cl"])
                .success().stdout.hasPrefix(#"{"_id":"-3aW8VeEWNHiXlvj6lhl2Cl","#))
    }

    @Test(
        "overwriting a row keeps the revisions of other peers",
        .enabled(if: SQLiteShell.isPresent, "needs the sqlite3 command"))
    func conflicted() throws {
        let database = try SampleDatabase(golden: "sample_vectors_503")
        let isKnown = """
            SELECT hex(extra) LIKE '%9CB4E4A3DDDC0B90%' FROM kv_default WHERE key='conflicted'
            """
        #expect(try database.rows(isKnown) == ["1"])
        try database.run("put", "conflicted", #"{"n":1}"#).success()
        #expect(try database.rows(isKnown) == ["1"], "the remote's version")
        #expect(
            try database.rows("SELECT flags, sequence FROM kv_default WHERE key='conflicted'")
                == ["2|114"], "still in conflict")
        #expect(
            try database.run("put", "0000001", #"{"n":1}"#).success().stdout
                .hasSuffix(", sequence 115\n"))
        #expect(
            try database.run("cat", "--raw", "0000001").success().stdout
                == #"{"_id":"0000001","n":1}"# + "\n")
        try database.run("rm", "0000002").success()
        #expect(
            try database.rows("SELECT key, sequence FROM kv_del_default ORDER BY sequence").last
                == "0000002|116")
        try database.run("purge", "conflicted", "--yes").success()
        #expect(
            try database.rows("SELECT * FROM kvmeta WHERE name='default'") == ["default|116|3"])
    }

    @Test(
        "a change keeps a document's expiration, and the versions of other peers",
        .enabled(if: SQLiteShell.isPresent, "needs the sqlite3 command"))
    func faithful() throws {
        let database = try SampleDatabase(golden: "sample_vectors_503")
        try database.run("put", "expiring", "{}").success()
        #expect(
            try database.rows("SELECT expiration FROM kv_default WHERE key='expiring'")
                == ["4102444800000"])
        let employees = ["--collection", "hr.Employees"]
        try Kvtool.run(["rm", database.path, "emp-00"] + employees).success()
        let list = try Kvtool.run(["ls", database.path, "--deleted"] + employees).success().lines
        #expect(list.filter { $0.contains(" d---- ") }.count == 2)
        // SQLite's own command has none of the functions of the indexes.
        let file = try DataFile(path: database.path)
        defer { file.close() }
        #expect(try file.integrityCheck().isIntact)
    }
}
