import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool ls")
struct ListTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 5)
    }

    /// The cells of the table, without its headings.
    private func table(_ arguments: String...) throws -> [[String]] {
        let outcome = try Kvtool.run(["ls", database.path] + arguments).success()
        return outcome.lines.dropFirst().map { $0.split(separator: " ").map(String.init) }
    }

    private func ids(_ arguments: String...) throws -> [String] {
        try Kvtool.run(["ls", database.path] + arguments).success().lines.dropFirst()
            .map { String($0.prefix { $0 != " " }) }
    }

    private func json(_ arguments: String...) throws -> [[String: Any]] {
        let outcome = try Kvtool.run(["ls", database.path, "--json"] + arguments).success()
        let object = try #require(
            JSONSerialization.jsonObject(with: outcome.standardOutput) as? [String: Any])
        #expect(object["schema"] as? String == "kvtool.ls/1")
        #expect(object["collection"] as? String == "_default")
        #expect(Set(object.keys) == ["schema", "collection", "documents"])
        return try #require(object["documents"] as? [[String: Any]])
    }

    @Test("writes a table with a line for each document", .enabled(if: SQLiteShell.isPresent))
    func asTable() throws {
        let outcome = try database.run("ls").success()
        #expect(
            outcome.lines.first == "Document     Revision            Flags  Sequence  Size  Expires"
        )
        let rows = try table()
        #expect(rows.map(\.count) == [5, 5, 5, 5, 5])
        #expect(rows.allSatisfy { $0[1].wholeMatch(of: /[0-9a-f]{16}@\*/) != nil }, "\(rows)")
        #expect(
            rows.map { [$0[0], $0[2], $0[3], $0[4]].joined(separator: "|") }
                == (try database.rows(
                    "SELECT key, '-----', sequence, length(body) FROM kv_default ORDER BY key")))
    }

    @Test("writes the same as JSON with --json")
    func asJSON() throws {
        let documents = try json()
        #expect(documents.map { $0["id"] as? String } == (1...5).map { "person-000\($0)" })
        #expect(documents.map { $0["sequence"] as? Int } == [1, 2, 3, 4, 5])
        let rows = try table()
        #expect(documents.map { $0["revision"] as? String } == rows.map { $0[1] })
        #expect(documents.map { $0["bytes"] as? Int } == rows.map { Int($0[4]) })
        for document in documents {
            #expect(Set(document.keys) == ["id", "revision", "flags", "sequence", "bytes"])
            #expect(document["flags"] as? [String] == [])
        }
    }

    @Test("orders by ID, by the last change, descending, and stops at a limit")
    func order() throws {
        try database.run("put", "person-0002", "{}").success()
        #expect(
            try ids() == [
                "person-0001", "person-0002", "person-0003", "person-0004", "person-0005",
            ])
        #expect(
            try ids("--seq")
                == ["person-0001", "person-0003", "person-0004", "person-0005", "person-0002"])
        #expect(try ids("--desc", "--limit", "2") == ["person-0005", "person-0004"])
        #expect(try ids("--seq", "--desc", "--limit", "2") == ["person-0002", "person-0005"])
        #expect(try ids("--limit", "100").count == 5)
        #expect(try json("--seq", "--limit", "1").map { $0["id"] as? String } == ["person-0001"])
    }

    @Test("orders ids by their bytes")
    func byteOrder() throws {
        let sorted = ["A", "B", "a", "a1", "z", "\u{E9}", "\u{4E2D}", "\u{1F600}"]
        let other = try SampleDatabase(lines: sorted.reversed().map { #"{"_id":"\#($0)"}"# })
        let outcome = try other.run("ls").success()
        #expect(outcome.lines.dropFirst().map { String($0.prefix { $0 != " " }) } == sorted)
    }

    @Test("shows deleted documents with --deleted only")
    func deleted() throws {
        try database.run("rm", "person-0003").success()
        #expect(
            try ids() == ["person-0001", "person-0002", "person-0004", "person-0005"])
        let row = try #require(try table("--deleted").first { $0[0] == "person-0003" })
        #expect(row.dropFirst(2) == ["d----", "6", "0"])
        #expect(try ids("--deleted", "--seq").last == "person-0003")
        let last = try #require(try json("--deleted", "--seq").last)
        #expect(last["flags"] as? [String] == ["deleted"])
        #expect(last["bytes"] as? Int == 0)
    }

    @Test("reports that there are no documents")
    func nothing() throws {
        let empty = try SampleDatabase(lines: [])
        let outcome = try empty.run("ls")
        #expect(outcome.status == 0)
        #expect(outcome.stdout == "")
        #expect(outcome.stderr == "(no documents)\n")
        #expect(try json("--limit", "0").isEmpty)
    }

    @Test("notes that other collections have documents if this one is empty")
    func otherCollections() throws {
        try database.run("mkcoll", "empty").success()
        let outcome = try database.run("ls", "--collection", "empty")
        #expect(outcome.status == 0)
        #expect(
            outcome.stderr.hasSuffix(
                "note: other collections have documents; list them with kvtool lscoll\n"))
        #expect(try database.run("ls", "--collection", "empty", "--json").success().stderr == "")
        #expect(
            try database.run("ls", "x*", "--collection", "empty").stderr
                == "(no documents match x*)\n")
    }

    @Test("shows when a document expires", .enabled(if: SQLiteShell.isPresent))
    func expiration() throws {
        try database.rows("UPDATE kv_default SET expiration=4102444800000 WHERE sequence=1")
        try database.rows("UPDATE kv_default SET expiration=9223372036854775807 WHERE sequence=2")
        #expect(
            try table().map { $0.dropFirst(5).joined(separator: " ") }
                == ["2100-01-01T00:00:00Z", "9223372036854775807 ms", "", "", ""])
        #expect(
            try json().map { $0["expiration"] as? Int64 }
                == [4_102_444_800_000, .max, nil, nil, nil])
    }

    @Test("escapes control characters in IDs on a terminal", .enabled(if: SQLiteShell.isPresent))
    func controlCharacters() throws {
        let id = "a\n\u{1B}[31m\u{7F}\u{85}\"\\"
        try database.rows(
            #"""
            UPDATE kv_default SET key='a'||char(10,27)||'[31m'||char(127,133)||'"\' WHERE sequence=1
            """#
        )
        let outcome = try database.run("ls").success()
        let line = try #require(outcome.lines.first { $0.hasPrefix("a") })
        #expect(line.hasPrefix(#"a\n\u{1B}[31m\u{7F}\u{0085}"\ "#))
        #expect(outcome.lines.count == 6)
        #expect(try json().map { $0["id"] as? String }.contains(id))
    }

    @Test("aligns long lists, whatever follows the first thousand rows")
    func longList() throws {
        let long = "z" + String(repeating: "é", count: 100)
        let lines = ((1...1200).map { "d\($0)" } + [long]).map { #"{"_id":"\#($0)"}"# }
        let other = try SampleDatabase(lines: lines)
        let rows = try other.run("ls").success().lines
        #expect(rows.count == 1202)
        #expect(rows.last?.hasPrefix("\(long)  ") == true)
        #expect(rows.last?.hasSuffix("      1201     0") == true)
    }
}
