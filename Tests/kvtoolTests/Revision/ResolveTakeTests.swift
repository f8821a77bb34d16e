import DocumentStore
import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool resolve takes")
struct ResolveTakeTests {
    typealias Form = ConflictedDatabase.Form

    /// Checks that no conflict remains, and that the current revision follows these.
    private func check(
        _ conflicted: ConflictedDatabase, follows revisions: [String], _ id: String = "ada"
    ) throws {
        let history = try conflicted.history(id)
        #expect(try history.conflicts().isEmpty)
        let current = try #require(history.revisionID)
        switch current {
        case .vector(let vector):
            for revision in revisions {
                guard case .vector(let other) = try RevisionID(revision) else { continue }
                #expect([.newer, .same].contains(vector.compare(to: other)), "\(revision)")
            }
        case .digest:
            let tree = try #require(history.tree)
            let ids = try tree.history(of: 0).map {
                try RevisionID(binary: tree.revisions[$0].id).description
            }
            for revision in revisions { #expect(ids.contains(revision)) }
        }
        let lists = try conflicted.resolve()
        #expect(lists.status == 0)
    }

    @Test("the local revision, as the successor of both", arguments: Form.allCases)
    func local(_ form: Form) throws {
        let conflicted = try ConflictedDatabase(
            form, local: #"{"age":8}"#, remotes: #"{"age":9}"#)
        let outcome = try conflicted.resolve("ada", "--take", "local").success()
        let revision = try #require(try conflicted.history().revisionID?.description)
        #expect(
            outcome.stdout.hasPrefix(
                "Resolved \"ada\" with local \(form.local), revision \(revision), sequence "))
        #expect(try conflicted.json() == #"{"_id":"ada","age":8}"#)
        #expect(revision != form.local)
        // A tree has one line: the branch that only the database had ends.
        try check(
            conflicted,
            follows: form == .vector ? [form.local, form.remotes[0]] : form.remotes.dropLast())
    }

    @Test("the remote's revision, which becomes the current one", arguments: Form.allCases)
    func remote(_ form: Form) throws {
        let conflicted = try ConflictedDatabase(
            form, local: #"{"age":8}"#, remotes: #"{"age":9}"#)
        let outcome = try conflicted.resolve("ada", "--take", "remote", "--json").success()
        let done = try #require(try outcome.answer().list("documents").first)
        #expect(done["action"] as? String == "taken")
        #expect(done["taken"] as? String == form.remotes[0])
        #expect(done["revision"] as? String == form.remotes[0])
        #expect(done["collection"] as? String == "_default")
        #expect(try conflicted.json() == #"{"_id":"ada","age":9}"#)
        #expect(try conflicted.history().revisionID?.description == form.remotes[0])
        try check(conflicted, follows: [form.remotes[0]])
    }

    @Test("the deletion of one side, or the change of the other", arguments: Form.allCases)
    func deletion(_ form: Form) throws {
        for (choice, isDeleted) in [("local", false), ("remote", true)] {
            let conflicted = try ConflictedDatabase(form, local: #"{"age":8}"#, remotes: nil)
            try conflicted.resolve("ada", "--take", choice).success()
            #expect(try conflicted.history().isDeleted == isDeleted)
            try check(conflicted, follows: [form.remotes[0]])
        }
        for (choice, isDeleted) in [("local", true), ("remote", false)] {
            let conflicted = try ConflictedDatabase(form, local: nil, remotes: #"{"age":9}"#)
            try conflicted.resolve("ada", "--take", choice).success()
            #expect(try conflicted.history().isDeleted == isDeleted)
            try check(conflicted, follows: [form.remotes[0]])
        }
    }

    @Test("one of three revisions, as the successor of all", arguments: Form.allCases)
    func three(_ form: Form) throws {
        for (index, revision) in ([form.local] + form.remotes).enumerated() {
            let conflicted = try ConflictedDatabase(
                form, local: #"{"n":0}"#, remotes: #"{"n":1}"#, #"{"n":2}"#)
            #expect(
                try conflicted.resolve("ada", "--take", "remote").refusal(status: 2)
                    .contains("document \"ada\" has 2 other revisions; take one of "))
            try conflicted.resolve("ada", "--take", String(revision.prefix(6))).success()
            #expect(try conflicted.json() == #"{"_id":"ada","n":\#(index)}"#)
            try check(
                conflicted, follows: form == .vector ? [form.local] + form.remotes : [])
        }
    }

    @Test("a revision by its ID, and refuses others", arguments: Form.allCases)
    func revision(_ form: Form) throws {
        let conflicted = try ConflictedDatabase(
            form, local: #"{"age":8}"#, remotes: #"{"age":9}"#)
        let before = try conflicted.database.contents
        for (wrong, problem) in [
            (form.base, "no revision"), ("9-ff", "no revision"),
            (form == .tree ? "2-" : "1772e", "several revisions"),
        ] {
            #expect(
                try conflicted.resolve("ada", "--take", wrong).refusal(status: 3).hasSuffix(
                    "\(problem) in the conflict of document \"ada\" with the ID \(wrong); "
                        + "there are \(form.local), \(form.remotes[0])"))
        }
        #expect(try conflicted.database.contents == before)
        try conflicted.resolve("ada", "--take", form.remotes[0]).success()
        #expect(try conflicted.json() == #"{"_id":"ada","age":9}"#)
    }

    @Test("the last writer's revision of all documents, after confirmation")
    func all() throws {
        let conflicted = try ConflictedDatabase(.vector, local: #"{"n":0}"#, remotes: #"{"n":1}"#)
        try conflicted.add(
            "bob", in: "hr.staff", base: nil, local: #"{"n":2}"#, remotes: [#"{"n":3}"#])
        let before = try conflicted.database.contents
        #expect(
            try conflicted.resolve("--all", "--take", "latest").refusal(status: 2)
                .contains("confirmation is required, but there is no terminal ("))
        let dry = try conflicted.resolve("--all", "--take", "latest", "--dry-run").success()
        #expect(
            dry.lines.sorted() == [
                "Would have resolved \"ada\" with remote 1772ec3c8d0e0000@AAAAAAAAAAAAAAAAAAAAEA",
                "Would have resolved \"bob\" of hr.staff with remote "
                    + "1772ec3c8d0e0000@AAAAAAAAAAAAAAAAAAAAEA",
            ])
        #expect(try conflicted.database.contents == before)
        let path = conflicted.database.path
        let terminal = try PseudoTerminal(["resolve", path, "--all", "--take", "latest"])
        try terminal.wait(for: "Resolve 2 conflicts? [y/N] ")
        terminal.enter("n")
        #expect(try terminal.end().status == 1)
        #expect(try conflicted.resolve().status == 6)
        try conflicted.resolve(
            "--all", "--take", "latest", "--collection", "hr.staff", "--yes"
        ).success()
        #expect(
            try conflicted.resolve("--json").answer().list("documents")
                .map { $0["id"] as? String } == ["ada"])
        try conflicted.resolve("--all", "--take", "latest", "--yes").success()
        #expect(try conflicted.json() == #"{"_id":"ada","n":1}"#)
        let none = try conflicted.resolve("--all", "--take", "local", "--yes")
        #expect(none.status == 0)
        #expect(none.stderr == "(no conflicts)\n")
    }

    @Test("what can be taken of several documents, and reports the others")
    func partial() throws {
        let conflicted = try ConflictedDatabase(
            .tree, local: #"{"n":0}"#, remotes: #"{"n":1}"#, #"{"n":2}"#)
        try conflicted.add("bob", base: nil, local: #"{"n":2}"#, remotes: [#"{"n":3}"#])
        let outcome = try conflicted.resolve("--all", "--take", "remote", "--yes")
        #expect(outcome.status == 7)
        #expect(outcome.lines.count == 1)
        #expect(outcome.complaint().contains("document \"ada\" has 2 other revisions"))
        #expect(try conflicted.json("bob") == #"{"_id":"bob","n":3}"#)
        #expect(try conflicted.json("ada") == #"{"_id":"ada","n":0}"#)
    }

    @Test("--delete deletes the document after all revisions", arguments: Form.allCases)
    func delete(_ form: Form) throws {
        let conflicted = try ConflictedDatabase(
            form, local: #"{"age":8}"#, remotes: #"{"age":9}"#)
        let outcome = try conflicted.resolve("ada", "--delete").success()
        #expect(outcome.stdout.hasPrefix("Deleted \"ada\", revision "))
        #expect(try conflicted.history().isDeleted)
        try check(conflicted, follows: [form.remotes[0]])
    }

    @Test("the document in a file or on standard input", arguments: Form.allCases)
    func with(_ form: Form) throws {
        let conflicted = try ConflictedDatabase(
            form, local: #"{"age":8}"#, remotes: #"{"age":9}"#)
        let path = conflicted.database.path
        let before = try conflicted.database.contents
        for (text, problem) in [
            (#"{"age":"#, "invalid JSON, line 1, column 8"),
            ("[1]", "a document's body must be an object"),
            (#"{"_id":"bob"}"#, "the JSON has the _id \"bob\", not \"ada\""),
            (
                "{\n\"age\":{\"<<<<<<< conflict\":{}}}",
                "the conflict of age, line 2 is not resolved"
            ),
        ] {
            let file = try conflicted.database.newFile("wrong.json", Data(text.utf8))
            #expect(
                try conflicted.resolve("ada", "--with", file).refusal(status: 1)
                    .hasPrefix("\(file): \(problem)"))
        }
        #expect(try conflicted.database.contents == before)
        let outcome = try Kvtool.run(
            ["resolve", path, "ada", "--with", "-"], stdin: Data("{_id: 'ada', age: 10}".utf8))
        #expect(outcome.success().stdout.hasPrefix("Merged \"ada\", revision "))
        #expect(try conflicted.json() == #"{"_id":"ada","age":10}"#)
        try check(
            conflicted,
            follows: form == .vector ? [form.local, form.remotes[0]] : [form.remotes[0]])
    }

    @Test("nothing of a database that cannot be written")
    func readOnly() throws {
        guard Kvtool.canRunUnprivileged else { return }
        let conflicted = try ConflictedDatabase(.vector, local: "{}", remotes: #"{"n":1}"#)
        let database = conflicted.database
        try database.setPermissions(0o755, of: database.directory.path)
        try database.setPermissions(0o555, of: database.path)
        try database.setPermissions(0o444, of: database.file)
        let before = try database.contents
        let outcome = try database.run(
            "resolve", "ada", "--take", "local", asUser: .unprivileged)
        #expect(outcome.refusal(status: 1).contains("no permission to write"))
        #expect(try database.contents == before)
        try database.setPermissions(0o755, of: database.path)
    }

    @Test("a conflict in a shell, in its transaction and collection")
    func shell() throws {
        let conflicted = try ConflictedDatabase(.vector, local: #"{"n":0}"#, remotes: #"{"n":1}"#)
        try conflicted.add(
            "bob", in: "hr.staff", base: nil, local: #"{"n":2}"#, remotes: [#"{"n":3}"#])
        let path = conflicted.database.path
        let undone = "begin\nresolve ada --take remote\nrollback\n"
        try Kvtool.run(["-w", path], stdin: Data(undone.utf8)).success()
        #expect(try conflicted.json() == #"{"_id":"ada","n":0}"#)
        let done = "cd hr.staff\nresolve bob --take remote\ncd\nresolve ada --take remote\n"
        try Kvtool.run(["-w", path], stdin: Data(done.utf8)).success()
        #expect(try conflicted.json() == #"{"_id":"ada","n":1}"#)
        #expect(try conflicted.resolve().status == 0)
    }

    @Test(
        "conflicts that LiteCore has kept",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"),
        arguments: ["sample_revtree_503", "sample_vectors_503"])
    func golden(_ name: String) throws {
        for choice in ["local", "remote"] {
            let database = try SampleDatabase(golden: name)
            try database.run("resolve", "conflicted", "--take", choice).success()
            #expect(
                try database.run("cat", "conflicted", "--raw").success().lines
                    == [#"{"_id":"conflicted","who":"\#(choice)"}"#])
            #expect(try database.run("resolve").status == 0)
            #expect(try database.run("verify").status == 0)
        }
    }
}
