import Foundation
import StoreTestSupport
import Testing

@Suite(
    "A document whose body cannot be read",
    .enabled(if: SQLiteShell.isPresent, "needs the sqlite3 command"))
struct UnreadableDocumentTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"ada","age":36,"likes":["chess"]}"#,
            #"{"_id":"bob","age":17,"likes":["chess"]}"#,
            #"{"_id":"eve","age":50,"likes":["go"]}"#,
        ])
    }

    private func damage(_ ids: String..., body: String = zeros) throws {
        for id in ids {
            try database.rows("UPDATE kv_default SET body=\(body) WHERE key='\(id)'")
        }
    }

    private static let zeros = "zeroblob(200)"
    /// `{"age": 17, "likes": [a text that is not UTF-8]}`: damaged, but not at its root.
    private static let deep = "x'600141FF43616765456C696B65737002800600118006800B8005'"

    @Test(
        "is reported by watch if the condition uses its body, and not listed",
        arguments: [
            ("age > 10", ["ada", "eve"]), ("age IS MISSING", []),
            ("ANY l IN likes SATISFIES l = 'chess' END", ["ada"]),
        ])
    func watch(_ condition: String, _ shown: [String]) throws {
        try damage("bob")
        let outcome = try database.run("watch", "--where", condition, "--csv")
        #expect(outcome.status == 5)
        let ids = outcome.lines.dropFirst().map { String($0.split(separator: ",")[2]) }
        #expect(ids == shown)
        #expect(
            outcome.complaint()
                == "\(database.path): the body of the document \"bob\" is damaged, so it is "
                + "unknown whether it meets the condition")
    }

    @Test("is reported by watch also if an array index serves the condition")
    func watchedByIndex() throws {
        try damage("bob")
        #expect(try database.run("mkindex", "byLikes", "--array", "likes").status == 5)
        let condition = "ANY l IN likes SATISFIES l = 'chess' END"
        let outcome = try database.run("watch", "--where", condition, "--csv")
        #expect(outcome.status == 5 && outcome.lines.count == 2, "\(outcome)")
        #expect(outcome.complaint().contains("\"bob\""))
    }

    @Test("is reported by watch however deep the damage is", arguments: [deep, "5"])
    func watchedDeep(_ body: String) throws {
        try damage("bob", body: body)
        let outcome = try database.run("watch", "--where", "age > 10", "--csv")
        #expect(outcome.status == 5)
        let ids = outcome.lines.dropFirst().map { String($0.split(separator: ",")[2]) }
        #expect(ids == ["ada", "eve"])
        #expect(outcome.complaint().contains("the document \"bob\" is damaged"))
    }

    /// `{"age": 17, "likes": [a pointer to nowhere]}`: damaged, but not at its root.
    private static let dangling = "x'6001808043616765456C696B65737002800600118006800B8005'"

    @Test("is not patched, however deep the damage is")
    func patched() throws {
        try damage("bob", body: Self.dangling)
        let before = try database.contents
        let outcome = try database.run("put", "bob", #"{"age":18}"#, "--merge-patch")
        #expect(
            outcome.refusal(status: 5).hasPrefix(
                "\(database.path): document \"bob\" is damaged: "))
        #expect(try database.contents == before)
    }

    @Test(
        "is neither deleted nor purged by a condition, however deep the damage is",
        arguments: ["rm", "purge"], [deep, dangling])
    func removed(_ command: String, _ body: String) throws {
        try damage("bob", body: body)
        let before = try database.contents
        for selection in [[], ["*"], ["--dry-run"]] {
            let outcome = try Kvtool.run(
                [command, database.path] + selection + ["--where", "name IS MISSING", "--yes"])
            #expect(
                outcome.refusal(status: 5)
                    == "\(database.path): document \"bob\" is damaged, so it may not meet the "
                    + "condition, and nothing was changed; specify its ID to change it")
        }
        #expect(try database.contents == before)
        // A document that is named individually is removed.
        try database.run("purge", "bob", "--where", "name IS MISSING", "--yes").success()
        #expect(try database.exported().count == 2)
    }

    @Test("is reported by watch if the condition uses only a full-text index")
    func watchedByWords() throws {
        try damage("bob", body: Self.deep)
        #expect(try database.run("mkindex", "words", "likes", "--fts").status == 5)
        let outcome = try database.run("watch", "--where", "MATCH(words, 'chess')", "--csv")
        #expect(outcome.status == 5 && outcome.lines.count == 2, "\(outcome)")
        #expect(outcome.complaint().contains("the document \"bob\" is damaged"))
    }

    @Test("is every document for watch if the shared keys are lost")
    func watchedWithoutKeys() throws {
        try database.rows("DELETE FROM kv_info WHERE key='SharedKeys'")
        let outcome = try database.run("watch", "--where", "age > 10", "--ndjson")
        #expect(outcome.status == 5 && outcome.lines == [], "\(outcome)")
        #expect(outcome.stderr.split(separator: "\n").count == 3)
        let byID = try database.run("watch", "--where", "META().id = 'bob'", "--ndjson")
        #expect(byID.success().lines.count == 1)
    }

    @Test("is listed by watch if the condition does not use its body")
    func watchedByID() throws {
        try damage("bob")
        let outcome = try database.run("watch", "--where", "META().id = 'bob'", "--csv").success()
        #expect(outcome.lines.count == 2)
    }

    @Test("does not stop watch --follow")
    func follow() throws {
        try damage("bob")
        let tool = try RunningTool([
            "watch", database.path, "-f", "--where", "age > 40", "--ndjson", "--limit", "2",
        ])
        #expect(tool.line()?.contains(#""id":"eve""#) == true)
        try database.run("put", "dan", #"{"age":60}"#).success()
        #expect(tool.line()?.contains(#""id":"dan""#) == true)
    }

    @Test(
        "is reported by mkindex and reindex, which build the index",
        arguments: [
            (["age"], zeros), (["age"], deep), (["age"], "5"), (["--array", "likes"], zeros),
            (["--array", "likes"], "5"), (["likes", "--fts"], zeros), (["likes", "--fts"], deep),
        ])
    func index(_ definition: [String], _ body: String) throws {
        try damage("bob", body: body)
        let arguments = ["mkindex", database.path, "new"] + definition
        let made = try Kvtool.run(arguments)
        #expect(made.status == 5, "\(made)")
        #expect(made.stdout.hasPrefix("The index new was created in "))
        let said =
            "\(database.path): the document \"bob\" has a damaged body and may be missing or wrong "
            + "in the index new; check it with kvtool verify"
        #expect(made.complaint() == said)
        #expect(try Kvtool.run(arguments).success().stdout == "The index new already exists\n")
        let again = try database.run("reindex", "new")
        #expect(again.status == 5 && again.lines.count == 2, "\(again)")
        #expect(again.complaint() == said)
    }

    @Test("is counted by mkindex, and not reported for an index on another collection")
    func indexOfMany() throws {
        try damage("ada", "eve")
        let made = try database.run("mkindex", "byAge", "age", "--json")
        #expect(made.status == 5)
        #expect(try made.answer().list("indexes").first?["action"] as? String == "made")
        #expect(
            made.complaint()
                == "\(database.path): 2 documents, the first is \"ada\", have damaged bodies and "
                + "may be missing or wrong in the index byAge; list them with kvtool verify")
        try database.run("mkcoll", "x").success()
        try database.run("mkindex", "byN", "n", "--collection", "x").success()
    }

    /// Puts two blobs, one of which `photo` refers to, and lets them seem old.
    private func putBlobs() throws {
        func put(_ text: String) throws -> String {
            let arguments = ["blob", "put", database.path, "-"]
            return try Kvtool.run(arguments, stdin: Data(text.utf8)).success().lines[0]
        }
        _ = try put("unused")
        try database.run("put", "photo", #"{"file":\#(put("used"))}"#).success()
        for name in try blobs() {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
                ofItemAtPath: "\(attachments)/\(name)")
        }
    }

    private var attachments: String { "\(database.path)/Attachments" }

    private func blobs() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: attachments)
    }

    private static let mayRefer =
        ", because an unreadable document may refer to any: \"photo\" of _default; check it with "
        + "kvtool verify, or use kvtool recover to create a database without it"

    @Test("keeps all blobs in compact, which reports it and does the rest")
    func compact() throws {
        try putBlobs()
        try damage("photo")
        let dry = try database.run("compact", "--dry-run", "--json")
        #expect(dry.status == 5)
        #expect(try dry.answer()["unusedBlobs"] as? Int == 0)
        #expect(
            dry.complaint() == "\(database.path): no blobs would be removed" + Self.mayRefer)
        let outcome = try database.run("compact", "--json")
        #expect(outcome.status == 5)
        let answer = try outcome.answer()
        #expect(answer["removedBlobs"] as? Int == 0)
        #expect(answer["blobsCollected"] as? Bool == false)
        #expect(answer["unreadableDocuments"] as? Int == 1)
        let after = try #require(answer["after"] as? [String: Any])
        #expect(after["freePages"] as? Int == 0)
        #expect(outcome.complaint() == "\(database.path): no blobs were removed" + Self.mayRefer)
        #expect(try blobs().count == 2)
        try database.rows("DELETE FROM kv_default WHERE key='photo'")
        let last = try database.run("compact", "--json").success().answer()
        #expect(last["removedBlobs"] as? Int == 2)
        #expect(last["unreadableDocuments"] == nil)
    }

    @Test("keeps all blobs in blob gc, which reports it")
    func collection() throws {
        try putBlobs()
        try damage("bob", "photo")
        for (options, verb) in [(["--dry-run"], "would be"), ([], "were")] {
            let outcome = try Kvtool.run(["blob", "gc", database.path] + options)
            #expect(outcome.status == 5 && outcome.lines == [], "\(outcome)")
            #expect(
                outcome.stderr.hasSuffix(
                    "kvtool: \(database.path): no blobs \(verb) removed, because 2 unreadable "
                        + "documents may refer to any, the first is \"bob\" of _default; "
                        + "check them with kvtool verify, or use kvtool recover to create a "
                        + "database without them\n"))
        }
        #expect(try blobs().count == 2)
    }
}
