import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool resolve lists")
struct ResolveListTests {
    typealias Form = ConflictedDatabase.Form

    @Test("nothing if there are no conflicts, with the status 0")
    func none() throws {
        let database = try SampleDatabase(lines: [#"{"_id":"a"}"#])
        let outcome = try database.run("resolve")
        #expect(outcome.status == 0)
        #expect(outcome.stdout == "")
        #expect(outcome.stderr == "(no conflicts)\n")
        let answer = try database.run("resolve", "--json").success().answer()
        #expect(answer["schema"] as? String == "kvtool.resolve/1")
        #expect(answer.list("documents").isEmpty)
    }

    @Test("both revisions of a conflict, with the status 6", arguments: Form.allCases)
    func sides(_ form: Form) throws {
        let conflicted = try ConflictedDatabase(
            form, local: #"{"age":8}"#, remotes: #"{"age":9}"#)
        try conflicted.database.run("put", "bob", "{}").success()
        let outcome = try conflicted.resolve("--json")
        #expect(outcome.status == 6)
        #expect(outcome.stderr == "")
        let documents = try outcome.answer().list("documents")
        let ada = try #require(documents.first)
        #expect(documents.count == 1)
        #expect(ada["collection"] as? String == "_default")
        #expect(ada["id"] as? String == "ada")
        #expect(ada["revisions"] as? Int == 2)
        #expect(ada["local"] as? String == form.local)
        #expect(ada["others"] as? [String] == [form.remotes[0]])
        #expect(ada["deleted"] as? [String] == [])
        #expect(ada["latest"] as? String == form.remotes[0])
        let sides = ada.list("sides")
        #expect(sides.map { $0["side"] as? String } == ["local", "remote"])
        #expect(sides.map { $0["revision"] as? String } == [form.local, form.remotes[0]])
        #expect(sides.map { $0["deleted"] as? Bool } == [false, false])
        #expect(sides.map { $0["remotes"] as? [String] } == [[], ["1"]])
        let isVector = form == .vector
        #expect(
            sides.map { $0["source"] as? String }
                == (isVector ? ["*", "AAAAAAAAAAAAAAAAAAAAEA"] : [nil, nil]))
        #expect(
            sides.map { $0["time"] as? Int }
                == (isVector ? [1_689_671_455_514, 1_689_672_555_026] : [nil, nil]))
    }

    @Test("a table for people, with a line for each document")
    func table() throws {
        let form = Form.tree
        let conflicted = try ConflictedDatabase(form, local: "{}", remotes: #"{"n":1}"#)
        try conflicted.add(
            "bob", in: "hr.staff", base: "{}", local: nil, remotes: [#"{"n":1}"#, "{}"])
        let outcome = try conflicted.resolve()
        #expect(outcome.status == 6)
        let columns = outcome.lines.map {
            $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        }
        #expect(
            columns == [
                ["Collection", "Document", "Revisions", "Local", "Remote", "Deleted", "Latest"],
                ["_default", "ada", "2", form.local, form.remotes[0], "remote"],
                [
                    "hr.staff", "bob", "3", form.local,
                    "\(form.remotes[1]),\(form.remotes[0])", "local", form.remotes[1],
                ],
            ])
        let csv = try conflicted.resolve("--csv")
        #expect(csv.status == 6)
        #expect(csv.lines.first == "collection,id,revisions,local,others,deleted,latest,sides")
    }

    @Test("deletions at a remote", arguments: Form.allCases)
    func deletions(_ form: Form) throws {
        let conflicted = try ConflictedDatabase(form, local: "{}", remotes: nil)
        let documents = try conflicted.resolve("--json").answer().list("documents")
        #expect(documents.map { $0["id"] as? String } == ["ada"])
        #expect(documents.map { $0["deleted"] as? [String] } == [[form.remotes[0]]])
    }

    @Test("tombstones")
    func tombstones() throws {
        let form = Form.vector
        let conflicted = try ConflictedDatabase(form, local: nil, remotes: #"{"age":9}"#)
        #expect(try conflicted.database.run("ls", "--count").success().stdout.contains("0"))
        let documents = try conflicted.resolve("--json").answer().list("documents")
        #expect(documents.map { $0["id"] as? String } == ["ada"])
        #expect(documents.map { $0["deleted"] as? [String] } == [[form.local]])
    }

    @Test("the conflicts of the collections that are named, or of all")
    func collections() throws {
        let conflicted = try ConflictedDatabase(.vector, local: "{}", remotes: #"{"n":1}"#)
        for name in ["hr.staff", "notes"] {
            try conflicted.add(
                "in-\(name)", in: name, base: nil, local: "{}", remotes: [#"{"n":1}"#])
        }
        func ids(_ rest: String...) throws -> [String] {
            let words = ["resolve", conflicted.database.path, "--json"] + rest
            return try Kvtool.run(words).answer().list("documents")
                .compactMap { $0["id"] as? String }
        }
        #expect(try ids().sorted() == ["ada", "in-hr.staff", "in-notes"])
        #expect(try ids("--collection", "hr.staff") == ["in-hr.staff"])
        #expect(
            try ids("--collection", "notes", "--collection", "_default") == ["in-notes", "ada"])
        #expect(try ids("--collection", "notes,_") == ["in-notes", "ada"])
        let addressed = try Kvtool.run(["resolve", "\(conflicted.database.path)//notes"])
        #expect(addressed.status == 6)
        #expect(addressed.lines.count == 2)
        let unknown = try conflicted.resolve("--collection", "note").refusal(status: 3)
        #expect(unknown.hasSuffix(" has no collection note; did you mean notes?"))
        #expect(try conflicted.resolve("--collection", "a b").status == 2)
    }

    @Test(
        "conflicts that LiteCore has kept, without changing the file",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"),
        arguments: [
            (
                "sample_revtree_503", "1-b24d6123a04b84d46e5577712a132c86bb2cf7a0",
                "1-aaaabbbbccccddddeeeeffff0000111122223333"
            ),
            (
                "sample_vectors_503", "18e9f0b79f010003@*",
                "1772ea3c8d0e0000@AAAAAAAAAAAAAAAAAAAAAQ"
            ),
        ])
    func golden(_ name: String, _ local: String, _ remote: String) throws {
        let database = try SampleDatabase(golden: name)
        let before = try database.contents
        let documents = try database.run("resolve", "--json").answer().list("documents")
        #expect(documents.map { $0["id"] as? String } == ["conflicted"])
        #expect(documents.first?["local"] as? String == local)
        #expect(documents.first?["others"] as? [String] == [remote])
        #expect(try database.contents == before)
    }

    @Test("an encrypted database only with its key")
    func encrypted() throws {
        let database = try EncryptedDatabase()
        #expect(try database.run("resolve").status == 0)
        let outcome = try Kvtool.run(["resolve", database.path])
        #expect(outcome.refusal(status: 4).contains("encrypted"))
    }
}
