import DataFileCore
import FleeceLite
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing
@testable import StoreTools

@Suite("Pruned revision trees")
struct RevisionPruningTests {
    let store: TemporaryStore
    let people = DocumentCollection(.default)
    var file: DataFile { store.file }

    init() throws {
        store = try TemporaryStore(options: TransferFixture.options(.create, .treesInExtra))
    }

    /// Documents with one to five revisions, one of them deleted, one that expires.
    private func fill() throws {
        for (place, id) in ["a", "b", "c", "d", "e"].enumerated() {
            for number in 0...place {
                try file.write { transaction in
                    _ = try people.save(id, in: transaction) {
                        try $0.writeJSON("{\"n\":\(number)}")
                    }
                }
            }
        }
        try file.write { transaction in
            _ = try people.delete("d", in: transaction)
            try people.keyStore.setExpiration(9_000_000_000_000, of: "e", in: transaction)
        }
    }

    private func revisions(_ id: String) throws -> [RevisionID] {
        let history = try file.read { try people.history(of: id, in: $0) }
        return try #require(history?.tree).revisions.map { try RevisionID(binary: $0.id) }
    }

    private func counts() throws -> [Int] {
        try ["a", "b", "c", "d", "e"].map { try revisions($0).count }
    }

    /// The invariants: sequences, low flags, expirations, tables.
    private func fixed() throws -> [[SQLValue]] {
        let columns = "key, sequence, flags & 65535, expiration, body"
        return try SQLContext(path: store.path + "/db.sqlite3", flags: .readWrite).selectAll(
            sql: """
                SELECT \(columns), 0 FROM kv_default UNION ALL
                SELECT \(columns), 1 FROM kv_del_default ORDER BY key
                """)
    }

    private func prune(_ depth: Int, limit: Int = 1000) throws -> RevisionPruning {
        var all = RevisionPruning()
        var key: String?
        repeat {
            let step = try file.write {
                try people.pruneRevisions(in: $0, depth: depth, after: key, limit: limit)
            }
            #expect(step.lookedAt <= limit)
            all.lookedAt += step.lookedAt
            all.pruned += step.pruned
            all.removed += step.removed
            all.damaged += step.damaged
            key = step.lastKey
        } while key != nil
        return all
    }

    @Test("keep the newest revisions, and body, sequence, flags and expiration", arguments: 1...5)
    func depth(_ depth: Int) throws {
        try fill()
        #expect(try counts() == [1, 2, 3, 5, 5])
        let before = try (fixed(), TransferFixture.documents(file), revisions("e"))
        let pruning = try prune(depth)
        #expect(try counts() == [1, 2, 3, 5, 5].map { min($0, depth) })
        #expect(pruning.removed == [1, 2, 3, 5, 5].reduce(0) { $0 + max(0, $1 - depth) })
        #expect(pruning.pruned == [1, 2, 3, 5, 5].count { $0 > depth })
        #expect(pruning.lookedAt == 5 && pruning.damaged == 0)
        #expect(try fixed() == before.0)
        #expect(try TransferFixture.documents(file) == before.1)
        #expect(try revisions("e") == Array(before.2.prefix(depth)))
        #expect(try prune(depth).removed == 0)
    }

    @Test("can be pruned in steps", arguments: 1...6)
    func batches(limit: Int) throws {
        try fill()
        let pruning = try prune(2, limit: limit)
        #expect(pruning.lookedAt == 5 && pruning.pruned == 3 && pruning.removed == 7)
        #expect(try counts() == [1, 2, 2, 2, 2])
    }

    @Test("keep the revisions of remotes, and conflicts")
    func remotes() throws {
        try fill()
        let all = try revisions("e")
        let other = RevisionID.digest(generation: 3, digest: Array(repeating: 0xAB, count: 20))
        try file.write { transaction in
            _ = try people.insert("e", history: [other, all[3]], remote: 1, in: transaction) {
                try $0.writeJSON(#"{"n":9}"#)
            }
        }
        _ = try prune(1)
        // The current one, the branch of the conflict, and their common ancestor.
        #expect(Set(try revisions("e")) == [all[0], other, all[3]])
        let conflicts = try file.read { try people.history(of: "e", in: $0)?.conflicts() }
        #expect(conflicts?.map(\.id) == [other])
    }

    @Test("are not changed if they are damaged, nor are version vectors")
    func damaged() throws {
        try fill()
        try SQLContext(path: store.path + "/db.sqlite3", flags: .readWrite).exec(
            sql: "UPDATE kv_default SET extra = x'00000001' WHERE key = 'c'")
        let pruning = try prune(1)
        #expect(pruning.damaged == 1 && pruning.pruned == 3 && pruning.lookedAt == 5)
        let vectors = try TemporaryStore(options: TransferFixture.options())
        try vectors.file.write { transaction in
            for number in 0..<3 {
                _ = try people.save("a", in: transaction) { try $0.writeJSON("{\"n\":\(number)}") }
            }
        }
        let none = try vectors.file.write { try people.pruneRevisions(in: $0, depth: 1) }
        #expect(none.lookedAt == 1 && none.pruned == 0 && none.damaged == 0)
    }

    @Test("keep at least one revision")
    func refused() throws {
        #expect(throws: StoreError.self) {
            try file.write { try people.pruneRevisions(in: $0, depth: 0) }
        }
    }
}
