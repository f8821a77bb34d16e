import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool cp and snapshot")
struct CopyTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 20)
    }

    @Test(
        "copies a database with new UUIDs, or with the same", .enabled(if: SQLiteShell.isPresent))
    func databases() throws {
        let sql = "SELECT hex(body) FROM kv_info WHERE key='privateUUID'"
        let own = try database.rows(sql)
        let (copy, backup) = (database.directory("copy.cblite2"), database.directory("b.cblite2"))
        let outcome = try Kvtool.run(["cp", database.path, copy]).success()
        #expect(outcome.stdout == "Copied \(database.path) to \(copy)\n")
        try database.run("snapshot", backup).success()
        #expect(try SQLiteShell.rows("\(copy)/db.sqlite3", sql) != own)
        #expect(try SQLiteShell.rows("\(backup)/db.sqlite3", sql) == own)
        for path in [copy, backup] {
            #expect(try Kvtool.run(["export", path]).success().lines == database.exported())
            try Kvtool.run(["cp", database.path, path]).refusal(status: 6)
        }
    }

    @Test("copies to files and back, and documents into an existing database")
    func files() throws {
        let (json, target) = (database.directory("all.json"), database.directory("new.cblite2"))
        try Kvtool.run(["cp", database.path, json]).success()
        try Kvtool.run(["cp", json, target]).success()
        #expect(try Kvtool.run(["export", target]).success().lines == database.exported())
        let arguments = ["cp", database.path, target, "--existing", "--idprefix", "x-"]
        try Kvtool.run(arguments + ["--limit", "5"]).success()
        #expect(try Kvtool.run(["export", target]).success().lines.count == 25)
        try Kvtool.run(["cp", json, database.directory("none.cblite2"), "-x"]).refusal(status: 3)
    }

    @Test("documents are copied into an existing database only with --existing")
    func withoutExisting() throws {
        let other = try SampleDatabase(people: 2)
        let before = try other.contents
        for option in ["--limit=3", "--idprefix=x-", "--collection=_default"] {
            #expect(
                try Kvtool.run(["cp", database.path, other.path, option]).refusal(status: 6)
                    == "\(other.path) already exists; use --existing to copy documents into it")
        }
        #expect(try other.contents == before)
    }

    @Test(
        "a damaged document is reported for the source only",
        .enabled(if: SQLiteShell.isPresent, "needs the sqlite3 command"))
    func damagedSource() throws {
        let other = try SampleDatabase(people: 1)
        try database.rows("UPDATE kv_default SET body=x'6000' WHERE key='person-0002'")
        let outcome = try Kvtool.run(["cp", database.path, other.path, "--existing"])
        #expect(outcome.status == 5, "\(outcome)")
        #expect(
            outcome.stderr.hasPrefix(
                "kvtool: \(database.path): document \"person-0002\" is damaged: "))
    }

    @Test("a missing collection is reported for the source, and nothing is created")
    func noCollection() throws {
        let target = database.directory("new.cblite2")
        let complaint = try Kvtool.run(
            ["cp", database.path, target, "--collection", "nosuch"]
        ).refusal(status: 3)
        #expect(
            complaint.hasSuffix(
                "people.cblite2: there is no collection nosuch; there is _default"))
        #expect(!complaint.contains("new.cblite2"))
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    private static let staff = [#"{"_id":"a","n":1}"#, #"{"_id":"b"}"#]

    /// The database with a collection `hr.staff`, which has two documents.
    private func addStaff() throws {
        try database.run("mkcoll", "hr.staff").success()
        try database.importing(Self.staff, "--collection", "hr.staff").success()
    }

    private func exported(_ path: String) throws -> [String] {
        try Kvtool.run(["export", path]).success().lines
    }

    @Test("a new database gets the copied collection and no other")
    func collections() throws {
        try addStaff()
        let source = "\(database.path)//hr.staff"
        let (one, two) = (database.directory("one.cblite2"), database.directory("two.cblite2"))
        try Kvtool.run(["cp", database.path, one, "--collection", "hr.staff"]).success()
        let outcome = try Kvtool.run(["cp", source, two]).success()
        #expect(outcome.stdout == "Copied \(source) to \(two): 2 new\n")
        for path in [one, two] {
            #expect(try exported("\(path)//hr.staff") == Self.staff)
            #expect(try exported(path) == [])
        }
        let third = database.directory("third.cblite2")
        try Kvtool.run(["cp", "\(source)/b", "\(third)//people"]).success()
        #expect(try exported("\(third)//people") == [Self.staff[1]])
        try Kvtool.run(["export", "\(third)//hr.staff"]).refusal(status: 3)
        let json = try database.newFile("staff.json", Data(Self.staff[0].utf8))
        let fourth = database.directory("fourth.cblite2")
        try Kvtool.run(["cp", json, "\(fourth)//hr.staff"]).success()
        #expect(try exported("\(fourth)//hr.staff") == [Self.staff[0]])
    }

    @Test("an address and --collection name the same collection, or those of both sides")
    func twoCollections() throws {
        try addStaff()
        let source = "\(database.path)//hr.staff"
        let target = database.directory("new.cblite2")
        for (source, other) in [(source, "people"), ("\(database.path)//_default", "hr.staff")] {
            #expect(
                try Kvtool.run(["cp", source, target, "--collection", other]).refusal(status: 2)
                    == "\(source) and --collection \(other) are different collections; name one")
        }
        #expect(!FileManager.default.fileExists(atPath: target))
        let arguments = ["cp", database.path, "\(target)//other", "--collection", "hr.staff"]
        try Kvtool.run(arguments).success()
        #expect(try exported("\(target)//other") == Self.staff)
        let same = database.directory("same.cblite2")
        try Kvtool.run(["cp", source, same, "--collection", "hr.staff"]).success()
        #expect(try exported("\(same)//hr.staff") == Self.staff)
    }

    @Test("a database cannot be one of several sources")
    func severalSources() throws {
        let source = "\(database.path)//_default/person-0001"
        let target = database.directory("new.cblite2")
        let complaint = try Kvtool.run(["cp", source, database.path, target]).refusal(status: 2)
        #expect(
            complaint.hasPrefix(
                "\(source) is a database, or in one, and must be the only "
                    + "source: "))
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test("an error names the destination that cannot be created, not the source")
    func noDirectory() throws {
        let target = database.directory("none/new.cblite2")
        for option in [[], ["--limit", "3"]] {
            #expect(
                try Kvtool.run(["cp", database.path, target] + option).refusal(status: 4)
                    == "the directory \(target) cannot be created: No such file or directory")
        }
    }

    @Test("a missing document, or a document as destination, is an error; nothing is created")
    func documents() throws {
        try addStaff()
        let (source, target) = ("\(database.path)//hr.staff", database.directory("new.cblite2"))
        #expect(
            try Kvtool.run(["cp", "\(source)/none", target]).refusal(status: 3)
                == "\(database.path): document \"none\" is not in the collection hr.staff")
        let complaint = try Kvtool.run(["cp", source, "\(target)//hr.staff/a"]).refusal(status: 2)
        #expect(complaint.hasPrefix("the destination must be a database or collection, not an ID"))
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test("an existing database without the collection stays unchanged, without blobs")
    func noTargetCollection() throws {
        try addStaff()
        let bytes = Data("hello".utf8)
        let put = try Kvtool.run(["blob", "put", database.path, "-"], stdin: bytes).success()
        try database.importing(
            [#"{"_id":"c","file":\#(put.lines[0])}"#], "--collection", "hr.staff"
        ).success()
        let other = try SampleDatabase(people: 2)
        let before = try other.contents
        let complaint = try Kvtool.run(["cp", "\(database.path)//hr.staff", other.path, "-x"])
            .refusal(status: 3)
        #expect(complaint.hasSuffix("\(other.path) has no collection hr.staff"))
        #expect(try other.contents == before)
        try other.run("mkcoll", "hr.staff").success()
        try Kvtool.run(["cp", "\(database.path)//hr.staff", other.path, "-x"]).success()
        #expect(try exported("\(other.path)//hr.staff").count == 3)
        #expect(try exported(other.path).count == 2)
    }

    @Test("a failed copy of documents leaves no new database")
    func failing() throws {
        try addStaff()
        let target = database.directory("new.cblite2")
        let rest = ["--id", "n", "--batch", "1"]
        // The first document was committed before the second one, which has no such property.
        try Kvtool.run(["cp", "\(database.path)//hr.staff", target] + rest).refusal(status: 1)
        #expect(
            try DirectoryContents(database.directory.path).names.allSatisfy {
                !$0.contains("new.c")
            })
        try Kvtool.run(["cp", "\(database.path)//hr.staff", target]).success()
        #expect(try exported("\(target)//hr.staff") == Self.staff)
    }

    @Test("names the command that replicates")
    func replication() throws {
        let complaint = try Kvtool.run(["cp", database.path, "ws://localhost/db"])
            .refusal(status: 2)
        #expect(complaint.contains("kvtool sync DATABASE URL"))
    }
}
