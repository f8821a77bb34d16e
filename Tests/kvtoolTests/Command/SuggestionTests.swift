import Foundation
import StoreTestSupport
import Testing

@Suite("An invalid command line suggests")
struct SuggestionTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 2)
    }

    @Test("the database with its extension, or with a similar name")
    func names() throws {
        let bare = String(database.path.dropLast(".cblite2".count))
        for command in [["info"], ["ls"], ["verify"], ["put", "a", "{}"], ["recover", "x"]] {
            for wrong in [bare, bare + "/", "\(bare)x.cblite2", "\(bare).cblite"] {
                if command[0] == "recover" { continue }
                let words = [command[0], wrong] + command.dropFirst()
                let complaint = try Kvtool.run(words).refusal(status: 3)
                #expect(complaint.hasSuffix("did you mean \(database.path)?"), "\(complaint)")
            }
        }
        let alone = try Kvtool.run([bare]).refusal(status: 2)
        #expect(alone.contains("kvtool shell \(database.path)"), "\(alone)")
        let imported = try Kvtool.run(["import", bare, "-"]).refusal(status: 3)
        #expect(imported.hasSuffix("did you mean \(database.path)?"))
    }

    @Test("the databases in a directory")
    func directory() throws {
        let complaint = try Kvtool.run(["info", database.directory.path]).refusal(status: 4)
        #expect(
            complaint == "\(database.directory.path) is not a database: there is no db.sqlite3 in "
                + "it; it contains people.cblite2")
    }

    @Test("the file without its directory is read, and not written")
    func bareFile() throws {
        let place = database.directory("backup")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: database.file, toPath: "\(place)/db.sqlite3")
        let before = try DirectoryContents(place)
        let file = "\(place)/db.sqlite3"
        #expect(try Kvtool.run(["ls", file, "--count"]).success().stdout.contains("2"))
        #expect(try Kvtool.run(["export", file]).success().lines == database.exported())
        let refused = try Kvtool.run(["put", file, "a", "{}"]).refusal(status: 2)
        #expect(refused.contains("is not in a directory NAME.cblite2, so it can only be read"))
        #expect(try DirectoryContents(place) == before)
        // In its directory it is the database.
        try Kvtool.run(["put", database.file, "a", "{}"]).success()
        #expect(try database.exported().count == 3)
        try FileManager.default.moveItem(atPath: file, toPath: "\(place)/people.sqlite3")
        let loose = try Kvtool.run(["info", "\(place)/people.sqlite3"]).refusal(status: 4)
        #expect(loose.contains("copy it to NAME.cblite2/db.sqlite3"), "\(loose)")
    }

    @Test("the collection of that name in another case or scope")
    func collections() throws {
        try database.run("mkcoll", "hr.staff", "notes").success()
        for (name, meant) in [
            ("Staff", "hr.staff"), ("staff", "hr.staff"), ("HR.Staff", "hr.staff"),
            ("other.staff", "hr.staff"), ("NOTES", "notes"), ("note", "notes"),
        ] {
            for words in [
                ["ls", "\(database.path)//\(name)"],
                ["query", database.path, "SELECT * FROM \(name)"],
                ["export", database.path, "--collection", name],
                ["put", database.path, "--collection", name, "a", "{}"],
            ] {
                let complaint = try Kvtool.run(words).refusal(status: 3)
                #expect(complaint.hasSuffix("; did you mean \(meant)?"), "\(words): \(complaint)")
            }
        }
        let complaint = try database.run("ls", "--collection", "zzz").refusal(status: 3)
        #expect(complaint.hasSuffix("; there are _default, notes, hr.staff"), "\(complaint)")
    }

    @Test("the command before the database, and the query after it")
    func order() throws {
        for (words, expected) in [
            (["ls", "-l"], "the command comes first: kvtool ls \(database.path) -l"),
            (["info"], "the command comes first: kvtool info \(database.path)"),
            (
                ["SELECT * FROM _"],
                "a query needs a command: kvtool query \(database.path) 'SELECT * FROM _'"
            ),
            (
                ["{\"WHAT\": []}"],
                "a query needs a command: kvtool query \(database.path) '{\"WHAT\": []}'"
            ),
            (
                ["frobnicate"],
                "a database without a command opens a shell and takes options only; there is no "
                    + "command frobnicate"
            ),
        ] {
            #expect(try Kvtool.run([database.path] + words).refusal(status: 2) == expected)
        }
        let query = try Kvtool.run(["DELETE FROM _", database.path]).refusal(status: 2)
        #expect(
            query == "a query follows the database: kvtool query DATABASE 'DELETE FROM _'")
    }

    @Test(
        "the counterpart of another program's command",
        arguments: [
            ("count", "kvtool ls DATABASE --count"), ("delete", "kvtool rm DATABASE ID"),
            ("insert", "kvtool put DATABASE ID JSON"), ("drop", "kvtool rmcoll"),
            ("backup", "kvtool snapshot DATABASE COPY"), ("restore", "kvtool load DATABASE FILE"),
            ("list", "kvtool ls DATABASE"), ("show", "kvtool cat DATABASE ID"),
            ("create", "kvtool mkcoll DATABASE NAME --create"),
            ("history", "kvtool revs DATABASE ID"),
            ("conflicts", "kvtool resolve DATABASE"), ("vacuum", "kvtool compact DATABASE"),
            ("update", "kvtool query DATABASE 'UPDATE …'"), ("GET", "kvtool cat DATABASE ID"),
            ("replicate", "kvtool sync DATABASE URL"),
        ])
    func synonyms(_ word: String, _ advice: String) throws {
        for words in [[word, database.path], [database.path, word]] {
            let complaint = try Kvtool.run(words).refusal(status: 2)
            #expect(complaint.hasPrefix("there is no command \(word); "), "\(complaint)")
            #expect(complaint.contains(advice), "\(complaint)")
        }
    }

    @Test(
        "Couchbase Lite 1.x, and the encryption of the Enterprise Edition",
        .enabled(if: SQLiteShell.isPresent))
    func otherFiles() throws {
        let old = database.directory("old.cblite2")
        try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: false)
        try SQLiteShell.rows(
            "\(old)/db.sqlite3",
            "CREATE TABLE docs (doc_id INTEGER PRIMARY KEY, docid TEXT UNIQUE NOT NULL);"
                + "CREATE TABLE revs (sequence INTEGER PRIMARY KEY AUTOINCREMENT, doc_id INTEGER);"
                + "CREATE TABLE info (key TEXT PRIMARY KEY, value TEXT); PRAGMA user_version=17;")
        for name in ["old.cblite", "old.touchdb"] {
            try FileManager.default.copyItem(
                atPath: "\(old)/db.sqlite3", toPath: database.directory(name))
        }
        for path in [old, database.directory("old.cblite"), database.directory("old.touchdb")] {
            for command in [["info"], ["ls"], ["put", "a", "{}"], ["shell"]] {
                let words = [command[0], path] + command.dropFirst()
                let complaint = try Kvtool.run(words).refusal(status: 4)
                #expect(
                    complaint.hasPrefix("\(path) is a database of Couchbase Lite 1.x"),
                    "\(complaint)")
            }
        }
        let sealed = try SampleDatabase(bytes: Self.sealedPage())
        let complaint = try sealed.run("info", "--key", "k").refusal(status: 4)
        #expect(
            complaint.hasPrefix(
                "\(sealed.path) is encrypted with the format of Couchbase Lite Enterprise Edition"))
        let unknown = try SampleDatabase(bytes: Self.noise)
        #expect(
            try unknown.run("info", "--key", "k").refusal(status: 4).contains("Enterprise Edition"))
    }

    /// Bytes without any structure.
    private static var noise: Data {
        var state: UInt32 = 1
        return Data(
            (0..<4096).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(state >> 24)
            })
    }

    /// A page of which only the sizes and versions can be read.
    private static func sealedPage() -> Data {
        var page = noise
        page.replaceSubrange(16..<24, with: [0x10, 0x00, 1, 1, 12, 64, 32, 32])
        return page
    }
}
