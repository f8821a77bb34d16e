import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool resolve shows")
struct ResolveShowTests {
    typealias Form = ConflictedDatabase.Form

    /// A value as JSON.
    private func text(_ value: Any?) throws -> String {
        let value = try #require(value)
        let bytes = try JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("what each revision changed, and what cannot be merged", arguments: Form.allCases)
    func changes(_ form: Form) throws {
        let conflicted = try ConflictedDatabase(
            form, base: #"{"age":36,"city":"London"}"#, local: #"{"age":37,"city":"Paris"}"#,
            remotes: #"{"age":36,"city":"Rome","name":"Ada"}"#)
        let before = try conflicted.database.contents
        let outcome = try conflicted.resolve("ada", "--json")
        #expect(outcome.status == 6)
        let ada = try #require(try outcome.answer().list("documents").first)
        #expect(ada["ancestor"] as? String == form.base)
        #expect(try text(ada["ancestorBody"]) == #"{"age":36,"city":"London"}"#)
        let sides = ada.list("sides")
        #expect(try text(sides.first?["body"]) == #"{"age":37,"city":"Paris"}"#)
        #expect(try text(sides.first?["delta"]) == #"{"age":37,"city":"Paris"}"#)
        #expect(try text(sides.last?["delta"]) == #"{"city":"Rome","name":"Ada"}"#)
        let conflicts = ada.list("conflicts")
        #expect(conflicts.map { $0["path"] as? String } == ["city"])
        #expect(conflicts.first?["ancestor"] as? String == "London")
        let values = conflicts.first?.list("values") ?? []
        #expect(values.map { $0["side"] as? String } == ["local", "remote"])
        #expect(values.map { $0["value"] as? String } == ["Paris", "Rome"])
        #expect(try conflicted.database.contents == before)
    }

    @Test("a report for people")
    func text() throws {
        let form = Form.tree
        let conflicted = try ConflictedDatabase(
            form, base: #"{"age":36,"city":"London"}"#, local: #"{"age":37,"city":"Paris"}"#,
            remotes: #"{"age":36,"city":"Rome","name":"Ada"}"#)
        let outcome = try conflicted.resolve("ada")
        #expect(outcome.status == 6)
        #expect(
            outcome.stdout == """
                "ada": 2 revisions in conflict
                ancestor: \(form.base)
                local:    \(form.local)
                remote:   \(form.remotes[0]) (wss://example.com/1)

                Changes of local
                  {"age":37,"city":"Paris"}

                Changes of remote
                  {"city":"Rome","name":"Ada"}

                Changed in different ways
                Property  ancestor  local    remote
                city      "London"  "Paris"  "Rome"

                """)
    }

    @Test("the time and source of version vectors, and that nothing contradicts")
    func vector() throws {
        let conflicted = try ConflictedDatabase(
            .vector, base: #"{"a":1,"b":2}"#, local: #"{"a":5,"b":2}"#,
            remotes: #"{"a":1,"b":6}"#)
        let lines = try conflicted.resolve("ada").lines
        #expect(
            lines.prefix(4) == [
                #""ada": 2 revisions in conflict"#,
                "ancestor: 1772ea3c8d0e0000@AAAAAAAAAAAAAAAAAAAAEA",
                "local:    1772eb3c8d0e0000@*, 2023-07-18T09:10:55.514Z, written here",
                "remote:   1772ec3c8d0e0000@AAAAAAAAAAAAAAAAAAAAEA, 2023-07-18T09:29:15.026Z, "
                    + "written by AAAAAAAAAAAAAAAAAAAAEA (wss://example.com/1)",
            ])
        #expect(
            lines.last
                == "No property was changed in different ways; --merge merges all changes")
    }

    @Test("the differences if the file has no ancestor", arguments: Form.allCases)
    func noAncestor(_ form: Form) throws {
        let conflicted = try ConflictedDatabase(
            form, base: nil, local: #"{"a":1,"b":2}"#, remotes: #"{"a":1,"b":3}"#)
        let lines = try conflicted.resolve("ada").lines
        #expect(lines.contains("ancestor: not in the file"))
        #expect(
            lines.suffix(3) == ["Differences", "Property  local  remote", "b         2      3"])
        let ada = try #require(
            try conflicted.resolve("ada", "--json").answer().list("documents").first)
        #expect(ada["ancestor"] == nil)
        #expect(ada.list("sides").allSatisfy { $0["delta"] == nil })
        #expect(ada.list("conflicts").map { $0["path"] as? String } == ["b"])
    }

    @Test("deletions", arguments: Form.allCases)
    func deletions(_ form: Form) throws {
        let conflicted = try ConflictedDatabase(form, local: #"{"age":8}"#, remotes: nil)
        // LiteCore does not flag such a tree, so the list does not have it; its name does.
        try conflicted.add("bob", base: "{}", local: nil, remotes: [#"{"n":1}"#])
        let lines = try conflicted.resolve("ada").lines
        #expect(lines.contains { $0.hasPrefix("remote:") && $0.contains("deletes the document") })
        #expect(lines.contains("Changes of local"))
        #expect(!lines.contains("Changes of remote"))
        let bob = try #require(
            try conflicted.resolve("bob", "--json").answer().list("documents").first)
        #expect(bob["deleted"] as? [String] == [form.local])
        #expect(bob["conflicts"] == nil)
    }

    @Test("three revisions, each by its ID")
    func three() throws {
        let form = Form.vector
        let conflicted = try ConflictedDatabase(
            form, base: #"{"a":1}"#, local: #"{"a":2}"#, remotes: #"{"a":3}"#, #"{"a":4}"#)
        let ada = try #require(
            try conflicted.resolve("ada", "--json").answer().list("documents").first)
        #expect(
            ada.list("sides").map { $0["side"] as? String }
                == ["local", form.remotes[0], form.remotes[1]])
        #expect(ada["ancestor"] as? String == form.base)
        #expect(try conflicted.resolve("ada").lines.last?.hasSuffix("1         2      3") == false)
    }

    @Test("all documents that are named or match a pattern, and reports the others")
    func selection() throws {
        let conflicted = try ConflictedDatabase(.vector, local: "{}", remotes: #"{"n":1}"#)
        try conflicted.add("abe", base: nil, local: "{}", remotes: [#"{"n":1}"#])
        try conflicted.database.run("put", "plain", "{}").success()
        func ids(_ outcome: Command.Outcome) throws -> [String] {
            try outcome.answer().list("documents").compactMap { $0["id"] as? String }
        }
        #expect(try ids(conflicted.resolve("a*", "--json")) == ["abe", "ada"])
        #expect(try ids(conflicted.resolve("ada", "a?e", "ada", "--json")) == ["ada", "abe"])
        let partial = try conflicted.resolve("ada", "plain", "nope", "--json")
        #expect(partial.status == 7)
        #expect(try ids(partial) == ["ada"])
        let path = conflicted.database.path
        #expect(
            try conflicted.resolve("plain").refusal(status: 3)
                == "\(path): document \"plain\" has no conflict")
        #expect(
            try conflicted.resolve("nope").refusal(status: 3)
                == "\(path): document \"nope\" is not in the collection _default")
        #expect(
            try conflicted.resolve("x*").refusal(status: 3).hasSuffix(
                "no document with a conflict of the collection _default matches \"x*\""))
        #expect(try Kvtool.run(["resolve", "\(path)//_default/ada"]).status == 6)
    }
}
