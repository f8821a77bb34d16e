import Foundation
import StoreTestSupport
import Testing

@testable import KVToolCore

@Suite("Progress of single SQLite operations", .enabled(if: SQLiteShell.isPresent))
struct EngineProgressTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 2000)
    }

    /// The objects on standard error.
    private func told(_ command: String, _ rest: String...) throws -> [[String: Any]] {
        let outcome = try Kvtool.run([command, database.path] + rest + ["--progress", "json"])
        #expect(outcome.status == 0, "\(outcome)")
        return try outcome.stderr.split(separator: "\n").map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                "\(line)")
        }
    }

    @Test("counts the written bytes of a file that is rewritten")
    func rewriting() throws {
        let counts = try database.rows(
            "PRAGMA page_count; PRAGMA freelist_count; PRAGMA page_size"
        ).compactMap(Int.init)
        // The contents go into a temporary file and into the WAL.
        let total = try #require(counts.count == 3 ? 2 * (counts[0] - counts[1]) * counts[2] : nil)
        let lines = try told("compact", "--full").filter { $0["task"] as? String == "rewrite" }
        #expect(!lines.isEmpty)
        for line in lines {
            #expect(line["total"] as? Int == total)
            let bytes = try #require(line["bytes"] as? Int)
            #expect((0...total).contains(bytes) && line["progress"] as? Int == bytes)
            #expect((line["operations"] as? Int ?? 0) >= 1000)
            #expect(line["seconds"] is Double)
        }
    }

    @Test("is the same if compact has to rewrite the file")
    func olderFile() throws {
        try database.rows(
            """
            PRAGMA journal_mode=delete; PRAGMA auto_vacuum=none; VACUUM; PRAGMA journal_mode=wal;
            """)
        let lines = try told("compact")
        #expect(lines.first?["task"] as? String == "rewrite")
        #expect((lines.first?["total"] as? Int ?? 0) > 0)
        #expect(try database.rows("PRAGMA auto_vacuum") == ["2"])
    }

    @Test("counts the operations if the total is unknown")
    func optimizing() throws {
        let lines = try told("optimize", "--thorough")
        #expect(!lines.isEmpty)
        for line in lines {
            #expect(line["task"] as? String == "optimize")
            #expect(line["total"] == nil && line["bytes"] == nil)
            let operations = try #require(line["operations"] as? Int)
            #expect(operations >= 1000 && line["progress"] as? Int == operations)
        }
    }

    @Test("is shown for SQLite's own indexes, too")
    func reindexing() throws {
        #expect(try told("reindex").contains { $0["task"] as? String == "reindex" })
    }

    @Test("is a bar at a terminal, which grows or moves back and forth, and is cleared")
    func bars() throws {
        let full = try PseudoTerminal(["compact", database.path, "--full"], columns: 80).end()
        #expect(full.status == 0, "\(full)")
        #expect(
            full.output.contains(
                /\r\[=* *\] [0-9]+ % rewriting the file, [0-9.]+ [KM]?B of [0-9.]+ MB/),
            "\(full.output)")
        #expect(full.output.contains("\r\u{1B}[K"))
        let thorough = ["optimize", database.path, "--thorough"]
        let optimized = try PseudoTerminal(thorough, columns: 80).end()
        #expect(optimized.status == 0, "\(optimized)")
        #expect(
            optimized.output.contains(/\r\[ *==== *\] analyzing the indexes/),
            "\(optimized.output)")
        #expect(optimized.output.contains("\r\u{1B}[K"))
    }

    @Test("has a segment that moves a step each tenth of a second, and reverses at the ends")
    func pieces() {
        func bar(_ spaces: Int) -> String {
            let (left, right) = (
                String(repeating: " ", count: spaces), String(repeating: " ", count: 20 - spaces)
            )
            return "[\(left)====\(right)] "
        }
        #expect(Progress.bar(after: 0) == bar(0))
        #expect(Progress.bar(after: 0.15) == bar(1))
        #expect(Progress.bar(after: 2) == bar(20))
        #expect(Progress.bar(after: 2.1) == bar(19))
        #expect(Progress.bar(after: 4) == bar(0))
        #expect(Progress.bar(after: 7.95) == bar(1))
        #expect(Progress.bar(after: -1) == bar(0))
    }
}
