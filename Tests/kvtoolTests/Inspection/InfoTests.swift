import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool info", .enabled(if: SQLiteShell.isPresent))
struct InfoTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 5)
        try database.run("rm", "person-0002").success()
    }

    private func uuid(_ name: String) throws -> String {
        try #require(
            try database.rows("SELECT lower(hex(body)) FROM kv_info WHERE key='\(name)'").first)
    }

    /// The id of this database for peers: the base64 of its UUID, without padding.
    private func source() throws -> String {
        let digits = Array(try uuid("publicUUID"))
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        return String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
    }

    @Test("prints the properties and the contents of the database")
    func text() throws {
        let size = Double(try database.bytes.count) / 1024
        #expect(
            try database.run("info").success().stdout == """
                Database:     \(database.path)
                Size:         \(size) KB
                Schema:       503
                Versioning:   version vectors (source \(try source()))
                Public UUID:  \(try uuid("publicUUID"))
                Private UUID: \(try uuid("privateUUID"))
                Shared keys:  19 of 2048
                Indexes:      none

                Collection  Documents  Deleted  Last sequence
                _default            4        1              6

                """)
    }

    @Test("writes the same as JSON with --json")
    func json() throws {
        let outcome = try database.run("info", "--json").success()
        let info = try #require(
            JSONSerialization.jsonObject(with: outcome.standardOutput) as? NSDictionary)
        #expect(
            info == [
                "schema": "kvtool.info/2", "database": database.path,
                "encrypted": false,
                "bytes": try database.bytes.count, "walBytes": 0, "blobs": 0, "blobBytes": 0,
                "schemaVersion": 503,
                "versioning": 2, "publicUUID": try uuid("publicUUID"),
                "privateUUID": try uuid("privateUUID"), "sharedKeys": 19, "indexes": [Any](),
                "collections": [
                    ["collection": "_default", "documents": 4, "deleted": 1, "lastSequence": 6]
                ],
            ])
    }

    @Test("prints pages and sizes of collections with -v, the size distribution with -v -v or -vv")
    func verbose() throws {
        let lines = try database.run("info", "-v").success().lines
        #expect(lines.contains { $0.hasPrefix("Pages:") && $0.hasSuffix(" free") })
        #expect(lines.contains { $0.hasSuffix("Bodies  Other revisions") })
        let twice = try database.run("info", "-v", "-v").success().stdout
        #expect(twice.contains("Document body sizes\n"))
        #expect(try database.run("info", "-vv").success().stdout == twice)
        #expect(try database.run("file", "-vv").success().stdout == twice)
        let outcome = try database.run("info", "-v", "-v", "--json").success()
        let info = try #require(
            JSONSerialization.jsonObject(with: outcome.standardOutput) as? [String: Any])
        let collection = try #require((info["collections"] as? [[String: Any]])?.first)
        #expect(
            Set(collection.keys) == [
                "collection", "documents", "deleted", "lastSequence", "withBlobs", "conflicted",
                "expiring", "bodyBytes", "extraBytes",
            ])
        #expect(
            try database.rows("SELECT sum(length(body)) FROM kv_default")
                == ["\(collection["bodyBytes"] ?? "")"])
        let histogram = try #require(info["histogram"] as? [[String: Int]])
        #expect(histogram.reduce(0) { $0 + ($1["documents"] ?? 0) } == 4)
        #expect(info["pageBytes"] as? Int == 4096)
        #expect(
            try (info["pages"] as? Int).map { $0 * 4096 } == database.bytes.count)
    }

    @Test("prints one part: indexes, an index, or the shared keys")
    func topics() throws {
        try database.run("mkindex", "byAge", "age", "--where", "active").success()
        #expect(
            try database.run("info", "indexes", "--csv").success().stdout
                == "name,collection,kind,expressions,language,where,path,stale\n"
                + "byAge,_default,value,age,SQL++,active,,\n")
        #expect(
            try database.run("info", "index", "byAge").success().stdout.contains("Expressions:"))
        #expect(
            try database.run("info", "index", "none").refusal(status: 3)
                .contains("there is no index \"none\""))
        let keys = try database.run("info", "keys", "--csv").success().lines
        #expect(keys.count == 20)
        #expect(keys[1].hasPrefix("0,"))
        #expect(try database.run("info", "nonsense").status == 2)
    }

    @Test("accepts a path with trailing slashes, and a link to the directory")
    func paths() throws {
        let text = try database.run("info").success().stdout
        #expect(try Kvtool.run(["info", database.path + "//"]).success().stdout == text)
        let link = database.directory("link.cblite2")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: database.path)
        #expect(try Kvtool.run(["info", link]).success().lines[2] == "Schema:       503")
        #expect(try database.contents.names == ["db.sqlite3"])
    }

    @Test(
        "prints indexes and collections in scopes, the default one first",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"))
    func golden() throws {
        let sample = try SampleDatabase(golden: "sample_vectors_503")
        let lines = try sample.run("info").success().lines
        #expect(lines[3] == "Versioning:   version vectors (source IxkZ5V3YQaGFstTeiVGAOw)")
        #expect(lines[4] == "Public UUID:  231919e55dd841a185b2d4de8951803b")
        #expect(
            lines.suffix(3) == [
                "Collection    Documents  Deleted  Last sequence",
                "_default            107        1            113",
                "hr.Employees         10        1             12",
            ])
        #expect(
            Set(lines[7].dropFirst("Indexes:      ".count).components(separatedBy: ", ")) == [
                "hr.Employees.bySalary (value)", "_default.byName (value)",
                "_default.byState (value)", "_default.byStreet (full-text)",
                "_default.likesIdx (array)", "_default.partialBday (value)",
            ])
    }

    @Test(
        "handles values that no program should have written",
        arguments: [
            "DELETE FROM kv_info WHERE key='publicUUID'",
            "UPDATE kv_info SET body=x'00' WHERE key='publicUUID'",
            "UPDATE kv_info SET body=NULL WHERE key='privateUUID'",
            "UPDATE kv_info SET body=x'0000000000000009' WHERE key='versioning'",
            "UPDATE kv_info SET body='text' WHERE key='versioning'",
            "DELETE FROM kv_info WHERE key='versioning'",
            "DELETE FROM kvmeta",
            "UPDATE kvmeta SET lastSeq='many'",
            "CREATE TABLE indexes (name, type, keyStore); INSERT INTO indexes DEFAULT VALUES",
            "CREATE TABLE \"kv_\" (key, sequence, flags, version, body)",
            "CREATE TABLE \"kv_.\" (key, sequence, flags, version, body)",
            "CREATE TABLE \"kv_.a.b.c\" (key, sequence, flags, version, body)",
        ])
    func oddities(_ sql: String) throws {
        try database.rows(sql)
        #expect(try database.run("info").success().lines.contains { $0.hasPrefix("_default ") })
        let json = try database.run("info", "--json").success().standardOutput
        #expect(try JSONSerialization.jsonObject(with: json) is [String: Any])
    }
}
