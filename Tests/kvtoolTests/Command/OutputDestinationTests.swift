import Foundation
import StoreTestSupport
import Testing

@Suite("A file that a command writes")
struct OutputPlaceTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 3)
    }

    @Test(
        "is never a part of a database, even with --force",
        arguments: [
            ["dump", "/db.sqlite3"], ["export", "/db.sqlite3"], ["export", "/db.sqlite3-wal"],
            ["export", "/new.ndjson"], ["export", "/"], ["export", ""],
            ["export", "/Attachments/x.blob"], ["dump", "/more/deep.dump"],
        ])
    func insideOfDatabase(_ arguments: [String]) throws {
        for directory in ["Attachments", "more"] {
            try FileManager.default.createDirectory(
                atPath: "\(database.path)/\(directory)", withIntermediateDirectories: false)
        }
        let other = try SampleDatabase(people: 1)
        let link = database.directory("link")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: database.path)
        let before = try database.contents
        for (source, target) in [
            (database.path, database.path), (other.path, database.path), (database.path, link),
        ] {
            let outcome = try Kvtool.run([
                arguments[0], source, target + arguments[1], "--force",
            ])
            #expect(
                outcome.refusal(status: 6).hasSuffix(
                    " is in the database \(database.path); specify another path"), "\(outcome)")
        }
        #expect(try database.contents == before)
    }

    @Test(
        "is not a database in the directory of another one either",
        arguments: ["/new.cblite2", "/Attachments/new.cblite2", "/Attachments", "/deep/er.cblite2"])
    func databases(_ place: String) throws {
        for directory in ["Attachments", "deep"] {
            try FileManager.default.createDirectory(
                atPath: "\(database.path)/\(directory)", withIntermediateDirectories: false)
        }
        let dump = database.directory("a.dump")
        try database.run("dump", dump).success()
        let documents = try database.newFile("a.ndjson", Data("{}".utf8))
        let before = try database.contents
        let new = database.path + place
        let commands = [
            ["cp", database.path, new + "//"], ["import", new, documents, "--create"],
        ]
        let copies = [
            ["snapshot", database.path, new], ["recover", database.path, new], ["load", new, dump],
        ]
        for command in commands + (place == "/Attachments" ? [] : copies) {
            let refusal = try Kvtool.run(command).refusal(status: 6)
            #expect(
                refusal.contains("is in the database \(database.path); specify another path"),
                "\(command)")
        }
        #expect(try database.contents == before)
    }

    @Test("is not an error log, blob or shell output in a database either")
    func others() throws {
        let before = try database.contents
        let file = database.file
        try database.importing(["{"], "--error-log", file).refusal(status: 6)
        let photo = try database.newFile("photo", Data("photo".utf8))
        let put = try Kvtool.run(["blob", "put", database.path, photo, "--json"]).success()
        let digest = try #require(put.answer().list("blobs").first?["digest"] as? String)
        let withBlob = try database.contents
        try Kvtool.run(["blob", "get", database.path, digest, "--out", file, "--force"])
            .refusal(status: 6)
        #expect(try database.contents == withBlob)
        #expect(withBlob["db.sqlite3"] == before["db.sqlite3"])
        for sign in [">", ">>"] {
            let shell = try Kvtool.run([database.path], stdin: Data("ls \(sign) \(file)\n".utf8))
            #expect(shell.refusal(status: 6).contains("is in the database"))
        }
        #expect(try database.contents == withBlob)
    }

    @Test("is written even if its temporary name is taken by a link or another file")
    func drafts() throws {
        let target = database.directory("out.ndjson")
        let before = try database.contents
        try FileManager.default.createSymbolicLink(
            atPath: target + ".part", withDestinationPath: database.file)
        try database.run("export", target).success()
        #expect(try database.contents == before)
        let mine = try database.newFile("mine.dump.part", Data("mine".utf8))
        try database.run("dump", database.directory("mine.dump")).success()
        #expect(try String(contentsOfFile: mine, encoding: .utf8) == "mine")
        #expect(
            try String(contentsOfFile: target, encoding: .utf8).split(separator: "\n").count == 3)
    }

    @Test("keeps its permissions, and replaces a link, not the target of the link")
    func replacing() throws {
        let target = try database.newFile("private.ndjson", Data("old".utf8))
        try database.setPermissions(0o600, of: target)
        try database.run("export", target, "--force").success()
        let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let directory = database.directory("documents")
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false)
        let victim = try database.newFile("victim", Data("mine".utf8))
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory)/person-0001.json", withDestinationPath: victim)
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory)/person-0002.json", withDestinationPath: database.file)
        let before = try database.contents
        try database.run("export", directory + "/", "--force").success()
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "mine")
        #expect(try database.contents == before)
        let written = try String(contentsOfFile: "\(directory)/person-0001.json", encoding: .utf8)
        #expect(written.hasPrefix(#"{"_id":"person-0001""#))
    }

    @Test(
        "lost output is reported, whatever else the command reports",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"),
        arguments: [
            #"diff "$1" "$2" --ndjson"#, #"diff "$1" "$2""#, #"cat "$1" person-0001 nobody"#,
            #"rm "$1" person-0001 nobody -n"#, #"ls "$1" person-0001 nobody --json"#,
        ])
    func lostOutput(_ command: String) throws {
        let other = try SampleDatabase(people: 2)
        let outcome = try Kvtool.shell(
            #""$KVTOOL" "# + command + " > /dev/full", [database.path, other.path])
        #expect(outcome.status == 1, "\(outcome)")
        #expect(
            outcome.stderr.contains("standard output cannot be written: No space left on device"),
            "\(outcome)")
    }
}
