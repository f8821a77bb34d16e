import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

/// Where Litestream is installed.
private enum Litestream {
    static let program: String? = {
        let installed = PackageDirectory.url.path + "/.build/litestream/bin/litestream"
        if FileManager.default.isExecutableFile(atPath: installed) { return installed }
        if let path = Command.path(of: "litestream") { return path }
        Command.reportMissing("there is no litestream; run Scripts/install-litestream")
        return nil
    }()
}

/// Litestream copies the SQLite file continuously to another place while programs write it.
@Suite("Beside Litestream", .enabled(if: Litestream.program != nil))
struct LitestreamTests {
    private let database: SampleDatabase
    /// Where Litestream copies to.
    private let backup: String

    init() throws {
        database = try SampleDatabase(people: 500)
        backup = "file://" + database.directory("backup")
    }

    private func litestream(_ arguments: String...) throws {
        let program = try #require(Litestream.program)
        let outcome = try Command.run(program, arguments)
        #expect(outcome.status == 0, "\(outcome)")
    }

    private func restored() throws -> String {
        let path = database.directory("restored-\(UUID().uuidString).cblite2")
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        try litestream("restore", "-o", "\(path)/db.sqlite3", backup)
        return path
    }

    /// Checks that a restored file is intact and has the same documents and revisions.
    private func expectEqual(_ path: String) throws {
        for path in [database.path, path] { try Kvtool.run(["verify", path]).success() }
        let dump = { try Kvtool.run(["dump", $0]).success().stdout }
        #expect(try dump(path) == dump(database.path))
    }

    @Test("what a program writes meanwhile is in the restored file, with all revisions")
    func writing() throws {
        try litestream("replicate", "-once", database.file, backup)
        try expectEqual(try restored())
        // Litestream ends when the program has ended, whose last changes it still copies.
        let file = try database.newFile(
            "more.ndjson",
            Data((0..<2000).map { #"{"_id":"new-\#($0)","n":\#($0)}"# + "\n" }.joined().utf8))
        let script = "import '\(database.path)' '\(file)'"
        try litestream(
            "replicate", "-exec", "'\(Kvtool.path)' \(script)", database.file, backup)
        try database.run("rm", "person-0001").success()
        try litestream("replicate", "-once", database.file, backup)
        let path = try restored()
        try expectEqual(path)
        #expect(try Kvtool.run(["ls", path, "--csv"]).success().lines.count == 1 + 2499)
    }

    @Test(
        "a restored file that is older than the server continues to replicate, and loses nothing",
        .enabled(if: PostgresServer.isInstalled))
    func replication() throws {
        let url = try #require(PostgresServer.shared).newDatabase("litestream")
        try Kvtool.run(["sync", "init", url]).success()
        try Kvtool.run(["sync", database.path, url]).success()
        try litestream("replicate", "-once", database.file, backup)
        try database.run("put", "later", #"{"n":1}"#).success()
        try Kvtool.run(["sync", database.path, url]).success()
        let path = try restored()
        try Kvtool.run(["put", path, "person-0002", #"{"restored":true}"#]).success()
        let ofCopies =
            "Another file has replicated _default with the identity of this one, or an older copy "
            + "of this one: everything was compared. kvtool cp gives a copy an identity of its "
            + "own\n"
        let ofRestored = try Kvtool.run(["sync", path, url]).success().stdout
        #expect(ofRestored == "pushed 1 document, pulled 1 document\n" + ofCopies)
        let ofOriginal = try Kvtool.run(["sync", database.path, url]).success().stdout
        #expect(ofOriginal == "pushed 0 documents, pulled 1 document\n" + ofCopies)
        #expect(try Kvtool.run(["diff", database.path, path]).status == 0)
    }
}
