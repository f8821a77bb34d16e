import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool blob")
struct BlobTests {
    private let database: SampleDatabase
    private let digest = "sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00="

    init() throws {
        database = try SampleDatabase(people: 2)
    }

    /// A blob of `hello`, which a document refers to.
    private func putHello() throws {
        let outcome = try database.run(
            "blob", stdin: Data("hello".utf8))
        #expect(outcome.status != 0, "a subcommand is needed")
        let put = try Kvtool.run(
            ["blob", "put", database.path, "-", "--type", "text/plain"],
            stdin: Data("hello".utf8)
        ).success()
        #expect(
            put.stdout
                == #"{"@type":"blob","content_type":"text/plain","digest":"\#(digest)","length":5}"#
                + "\n")
        try database.run("put", "doc", #"{"file":\#(put.lines[0])}"#).success()
    }

    @Test("are added, listed with their documents, and read")
    func roundTrip() throws {
        try putHello()
        let list = try Kvtool.run(["blob", "ls", database.path, "-l", "--json"]).success().answer()
        #expect(list["schema"] as? String == "kvtool.blob.ls/1")
        #expect(
            list["blobs"] as? NSArray == [
                [
                    "digest": digest, "bytes": 5, "contentType": "text/plain",
                    "references": ["_default/doc"],
                ]
            ])
        #expect(
            try Kvtool.run(["blob", "get", database.path, digest]).success().stdout == "hello")
        let path = database.directory("out")
        let name = String(digest.dropFirst(5)) + ".blob"
        try Kvtool.run(["blob", "get", database.path, name, "--out", path]).success()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "hello")
        try Kvtool.run(["blob", "get", database.path, name, "--out", path]).refusal(status: 6)
        let other = "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA="
        try Kvtool.run(["blob", "get", database.path, other]).refusal(status: 3)
        try Kvtool.run(["blob", "get", database.path, "nonsense"]).refusal(status: 2)
    }

    @Test("are copied with their documents by cp; status 7 if one is missing")
    func copied() throws {
        try putHello()
        let (target, other) = (database.directory("some.cblite2"), database.directory("b.cblite2"))
        try Kvtool.run(["cp", database.path, target, "--limit", "10"]).success()
        #expect(
            try Kvtool.run(["blob", "get", target, digest]).success().stdout == "hello")
        try FileManager.default.removeItem(
            atPath: "\(database.path)/Attachments/\(digest.dropFirst(5)).blob")
        let outcome = try Kvtool.run(["cp", database.path, other, "--limit", "10"])
        #expect(outcome.status == 7)
        #expect(
            outcome.complaint()
                == "note: 1 blob missing or damaged; see blob check \(database.path)")
        #expect(try Kvtool.run(["export", other]).success().lines.count == 3)
    }

    @Test("that are damaged are skipped by cp, with status 7, whatever their length")
    func damagedCopies() throws {
        try putHello()
        let file = "\(database.path)/Attachments/\(digest.dropFirst(5)).blob"
        for (name, text) in [("same.cblite2", "jello"), ("longer.cblite2", "hello there")] {
            try FileManager.default.removeItem(atPath: file)
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            let target = database.directory(name)
            let outcome = try Kvtool.run(["cp", database.path, target, "--limit", "10"])
            #expect(outcome.status == 7)
            #expect(
                outcome.complaint()
                    == "note: 1 blob missing or damaged; see blob check \(database.path)")
            #expect(
                try DirectoryContents(target).names.allSatisfy {
                    !$0.hasSuffix(".blob") && !$0.contains("incoming_")
                })
        }
    }

    @Test("that are damaged or missing are found, with status 5 and the document")
    func damage() throws {
        try putHello()
        #expect(
            try Kvtool.run(["blob", "check", database.path]).success().stdout
                == "1 blob, none damaged\n")
        let file = "\(database.path)/Attachments/\(digest.dropFirst(5)).blob"
        try Data("jello".utf8).write(to: URL(fileURLWithPath: file))
        let damaged = try Kvtool.run(["blob", "check", database.path, "--json"])
        #expect(damaged.status == 5)
        let finding = try #require(try damaged.answer().list("findings").first)
        #expect(finding["digest"] as? String == digest)
        #expect(finding["state"] as? String == "damaged")
        #expect(finding["references"] as? [String] == ["_default/doc"])
        try FileManager.default.removeItem(atPath: file)
        let missing = try Kvtool.run(["blob", "check", database.path, digest, "--json"])
        #expect(missing.status == 5)
        #expect(try missing.answer().list("findings").first?["state"] as? String == "missing")
        let list = try Kvtool.run(["blob", "ls", database.path, "-l"])
        #expect(list.status == 5)
        #expect(list.stdout.contains("missing"))
    }

    @Test("that no document refers to are removed once they are old enough")
    func collection() throws {
        try putHello()
        try Kvtool.run(["blob", "put", database.path, "-"], stdin: Data("unused".utf8)).success()
        func collect(_ rest: String...) throws -> [[String: Any]] {
            try Kvtool.run(["blob", "gc", database.path, "--json"] + rest).success().answer()
                .list("blobs")
        }
        #expect(try collect().isEmpty, "it was put just now")
        let directory = "\(database.path)/Attachments"
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
                ofItemAtPath: "\(directory)/\(name)")
        }
        let dry = try collect("--dry-run")
        #expect(dry.count == 1)
        #expect(dry.first?["bytes"] as? Int == 6)
        #expect(dry.first?["action"] as? String == "none")
        #expect(try collect().first?["action"] as? String == "removed")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 1)
    }
}
