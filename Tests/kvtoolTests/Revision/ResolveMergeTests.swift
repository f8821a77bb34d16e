import DocumentStore
import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool resolve merges")
struct ResolveMergeTests {
    typealias Form = ConflictedDatabase.Form

    /// Runs `resolve --merge` with a script as the editor.
    private func merge(
        _ conflicted: ConflictedDatabase, _ rest: String..., editor: String
    ) throws -> Command.Outcome {
        let script = try conflicted.database.newFile("editor.sh", Data(editor.utf8))
        return try Kvtool.run(
            ["resolve", conflicted.database.path, "--merge"] + rest,
            environment: [
                "VISUAL": "/bin/sh \(script)", "KVTOOL": Kvtool.path,
                "DB": conflicted.database.path, "TMPDIR": conflicted.database.directory.path,
            ])
    }

    private func leftovers(_ conflicted: ConflictedDatabase) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: conflicted.database.directory.path)
            .filter { $0.hasPrefix("kvtool-") }
    }

    private func contradicting(_ form: Form) throws -> ConflictedDatabase {
        try ConflictedDatabase(
            form, base: #"{"age":36,"city":"London"}"#, local: #"{"age":37,"city":"Paris"}"#,
            remotes: #"{"age":36,"city":"Rome","name":"Ada"}"#)
    }

    @Test("what only one side changed without an editor", arguments: Form.allCases)
    func clean(_ form: Form) throws {
        let conflicted = try ConflictedDatabase(
            form, base: #"{"a":1,"b":2,"c":3}"#, local: #"{"a":5,"b":2,"c":3}"#,
            remotes: #"{"a":1,"b":6}"#)
        let outcome = try merge(conflicted, "ada", editor: "exit 9").success()
        #expect(outcome.stdout.hasPrefix("Merged \"ada\", revision "))
        #expect(try conflicted.json() == #"{"_id":"ada","a":5,"b":6}"#)
        let history = try conflicted.history()
        #expect(try history.conflicts().isEmpty)
        guard case .vector(let vector) = history.revisionID else {
            let tree = try #require(history.tree)
            let parent = try #require(tree.revisions[0].parent)
            #expect(
                try RevisionID(binary: tree.revisions[parent].id).description == form.remotes[0])
            return
        }
        for side in [form.local, form.remotes[0]] {
            guard case .vector(let other) = try RevisionID(side) else { continue }
            #expect(vector.compare(to: other) == .newer)
        }
    }

    @Test("what several sides changed in an editor, which gets all values")
    func editor() throws {
        let conflicted = try contradicting(.vector)
        let seen = conflicted.database.directory("seen")
        let outcome = try merge(
            conflicted, "ada",
            editor: """
                cp "$1" \(seen)
                printf '// solved\\n{_id: "ada", age: 37, city: "Oslo", name: "Ada"}' > "$1"
                """)
        #expect(outcome.success().stdout.hasPrefix("Merged \"ada\", revision "))
        #expect(
            try String(contentsOfFile: seen, encoding: .utf8) == """
                // Revisions that are in conflict have different values of: city
                // Replace each object with the key <<<<<<< by the value to save, or remove the
                // property. A revision that is not in such an object does not have the property.
                {
                  "_id": "ada",
                  "age": 37,
                  "city": {
                    "<<<<<<< conflict": {
                      "ancestor": "London",
                      "local": "Paris",
                      "remote": "Rome"
                    }
                  },
                  "name": "Ada"
                }

                """)
        #expect(
            try conflicted.json() == #"{"_id":"ada","age":37,"city":"Oslo","name":"Ada"}"#)
        #expect(try leftovers(conflicted).isEmpty)
        #expect(try conflicted.resolve().status == 0)
    }

    @Test("nothing while a conflict is in the text, and keeps the text, which --with takes later")
    func unresolved() throws {
        let conflicted = try contradicting(.tree)
        let before = try conflicted.database.contents
        let message = try merge(conflicted, "ada", editor: "true").refusal(status: 1)
        #expect(message.hasPrefix("the conflict of city, line 8 is not resolved; the text is in "))
        let path = try #require(message.components(separatedBy: "the text is in ").last)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("<<<<<<< conflict"))
        #expect(try conflicted.database.contents == before)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let start = try #require(text.range(of: #"{\#n    "<<<<<<< conflict""#))
        let end = try #require(text.range(of: "}\n  }"))
        try text.replacingCharacters(
            in: start.lowerBound..<end.upperBound, with: #""Rome""#
        ).write(toFile: path, atomically: true, encoding: .utf8)
        try conflicted.resolve("ada", "--with", path).success()
        #expect(
            try conflicted.json() == #"{"_id":"ada","age":37,"city":"Rome","name":"Ada"}"#)
    }

    @Test("nothing if another process has changed the document, and keeps the text")
    func changed() throws {
        let conflicted = try contradicting(.vector)
        let outcome = try merge(
            conflicted, "ada",
            editor: #"""
                "$KVTOOL" put "$DB" ada '{"n":7}' > /dev/null
                printf '{"n":2}' > "$1"
                """#)
        #expect(outcome.status == 6, "\(outcome)")
        #expect(outcome.stderr.contains("another process has changed document \"ada\""))
        let path = try #require(outcome.stderr.firstMatch(of: /the text is in (\S+)/)?.output.1)
        #expect(try String(contentsOfFile: String(path), encoding: .utf8) == #"{"n":2}"#)
        #expect(try conflicted.json() == #"{"_id":"ada","n":7}"#)
        #expect(try conflicted.resolve().status == 6)
    }

    @Test("nothing if the editor fails")
    func failingEditor() throws {
        let conflicted = try contradicting(.vector)
        let before = try conflicted.database.contents
        let message = try merge(conflicted, "ada", editor: "exit 3").refusal(status: 1)
        #expect(message.contains("exited with status 3; the text is in /"))
        #expect(try conflicted.database.contents == before)
    }

    @Test("no deletion", arguments: Form.allCases)
    func deletion(_ form: Form) throws {
        let conflicted = try ConflictedDatabase(form, local: #"{"age":8}"#, remotes: nil)
        let message = try merge(conflicted, "ada", editor: "exit 9").refusal(status: 1)
        #expect(
            message.hasSuffix(
                "remote deletes the document \"ada\", so there is nothing to merge; use --take, "
                    + "--delete or --with"))
    }

    @Test("three revisions, each named by its ID", arguments: Form.allCases)
    func three(_ form: Form) throws {
        let conflicted = try ConflictedDatabase(
            form, base: #"{"a":1,"b":1,"c":1}"#, local: #"{"a":2,"b":1,"c":1}"#,
            remotes: #"{"a":3,"b":1,"c":1}"#, #"{"a":1,"b":4,"c":1}"#)
        let seen = conflicted.database.directory("seen")
        try merge(
            conflicted, "ada",
            editor: """
                cp "$1" \(seen)
                printf '{"a":5,"b":4,"c":1}' > "$1"
                """
        ).success()
        let text = try String(contentsOfFile: seen, encoding: .utf8)
        #expect(text.contains(#""local": 2"#))
        #expect(text.contains(#""\#(form.remotes[0])": 3"#))
        #expect(text.contains(#""\#(form.remotes[1])": 1"#))
        #expect(text.contains(#""b": 4"#))
        #expect(try conflicted.json() == #"{"_id":"ada","a":5,"b":4,"c":1}"#)
        #expect(try conflicted.resolve().status == 0)
    }

    @Test("all documents, each with its own editor; a dry run merges none")
    func all() throws {
        let conflicted = try contradicting(.vector)
        try conflicted.add(
            "bob", base: #"{"a":1}"#, local: #"{"a":1,"b":2}"#, remotes: [#"{"a":1,"c":3}"#])
        let before = try conflicted.database.contents
        let dry = try merge(conflicted, "--all", "-n", editor: "exit 9").success()
        #expect(dry.lines == ["Would have merged \"ada\"", "Would have merged \"bob\""])
        #expect(try conflicted.database.contents == before)
        let outcome = try merge(
            conflicted, "--all", editor: #"printf '{"city":"Oslo"}' > "$1""#
        ).success()
        #expect(outcome.lines.count == 2)
        #expect(try conflicted.json("ada") == #"{"_id":"ada","city":"Oslo"}"#)
        #expect(try conflicted.json("bob") == #"{"_id":"bob","a":1,"b":2,"c":3}"#)
    }

    @Test("data values, which JSON lacks, unchanged if no editor is needed")
    func data() throws {
        let conflicted = try ConflictedDatabase(.vector)
        let database = conflicted.database
        let file = try DataFile(
            path: database.path, options: DataFileOptions(access: .readWrite))
        try file.write { transaction in
            let collection = DocumentCollection(.default)
            func insert(_ revision: String, _ number: Int64, _ remote: Int?) throws {
                _ = try collection.insert(
                    "ada", history: [try RevisionID(revision)], remote: remote, in: transaction
                ) { try $0.write(["bytes": .data([0, 255]), "n": .int(number)]) }
            }
            try insert(Form.vector.local, 1, nil)
            try insert(Form.vector.remotes[0], 1, 1)
        }
        file.close()
        try merge(conflicted, "ada", editor: "exit 9").success()
        let again = try DataFile(
            path: database.path, options: DataFileOptions(access: .readOnly))
        defer { again.close() }
        let saved = try again.read { try DocumentCollection(.default).get("ada", in: $0) }
        #expect(saved?["bytes"]?.data == [0, 255])
    }
}
