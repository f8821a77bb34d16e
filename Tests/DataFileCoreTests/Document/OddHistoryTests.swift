import DataFileCore
import FleeceLite
import SQLCore
import StoreTestSupport
import Testing
@testable import StoreFormat

@Suite("Unusual histories")
struct OddHistoryTests {
    let directory: TemporaryDirectory
    let file: DataFile
    let people = DocumentCollection(.default)

    init() throws {
        directory = try TemporaryDirectory()
        var options = DataFileOptions(access: .create)
        options.versioning = .treesInExtra
        file = try DataFile(path: directory("trees.cblite2"), options: options)
    }

    private struct Refused: Error {}

    @discardableResult
    private func save(_ id: String, _ json: String) throws -> DocumentCollection.Saved {
        try file.write { transaction in
            try people.save(id, in: transaction) { try $0.writeJSON(json) }
        }
    }

    private func sqlite() throws -> SQLContext {
        let context = try SQLContext(
            path: directory("trees.cblite2/db.sqlite3"), flags: .readWrite)
        try context.setBusyTimeout(milliseconds: 5000)
        return context
    }

    private func rows(_ sql: String) throws -> [[SQLValue]] { try sqlite().selectAll(sql: sql) }

    private func json(_ id: String) throws -> String? {
        try file.read { snapshot in
            guard let document = try people.get(id, in: snapshot) else { return nil }
            var writer = JSONWriter(options: .init(canonical: true))
            try document.write(to: &writer)
            return writer.text.string
        }
    }

    private func history(_ id: String) throws -> DocumentHistory {
        try #require(try file.read { try people.history(of: id, in: $0) })
    }

    private func digest(_ generation: UInt64, _ byte: UInt8) -> RevisionID {
        .digest(generation: generation, digest: Array(repeating: byte, count: 20))
    }

    @discardableResult
    private func insert(
        _ id: String, _ history: [RevisionID], _ json: String, remote: Int? = nil,
        isDeleted: Bool = false
    ) throws -> DocumentCollection.InsertResult {
        try file.write { transaction in
            try people.insert(
                id, history: history, isDeleted: isDeleted, remote: remote, in: transaction
            ) { try $0.writeJSON(json) }
        }
    }

    // Damage.

    @Test("a tree whose replaced revision is marked as a leaf does not resolve forever")
    func leafWithChild() throws {
        let tree =
            "0000000B0001020202AA01" + "0000000BFFFF020201BB01" + "00000000" + "00000000"
        try sqlite().exec(
            sql: """
                INSERT INTO kv_default (key, sequence, flags, version, body, extra)
                VALUES ('ada', 1, 2, x'02AA', x'7000', x'\(tree)')
                """)
        for answer in [ConflictResolution.keepCurrent, .takeOther, .delete, .merge(["n": 1])] {
            var calls = 0
            _ = try? file.write { transaction in
                try people.resolveConflicts(of: "ada", in: transaction) { _, _ in
                    calls += 1
                    if calls > 9 { throw Refused() }
                    return answer
                }
            }
            #expect(calls <= 2, "\(answer)")
        }
    }

    @Test(
        "a list of remotes with invalid numbers is an error",
        arguments: [Int64.max, -1, 0, 65_535, 65_536, 1 << 40])
    func remoteNumbers(_ number: Int64) throws {
        var encoder = FleeceEncoder()
        encoder.beginDictionary()
        try encoder.writeKey("wss://example.com")
        encoder.writeInt(number)
        try encoder.endDictionary()
        let hex = try encoder.finish().map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        try sqlite().exec(
            sql: """
                INSERT OR REPLACE INTO kv_info (key, body) VALUES ('remotes', x'\(hex.joined())')
                """)
        let id = try? file.write { try $0.remoteID(of: "wss://other.example.com") }
        if let id { #expect((1...65_535).contains(id)) }
        #expect((id != nil) == (0..<65_535).contains(number))
    }

    @Test("a tombstone whose history is lost can be overwritten, in every kind of file")
    func bareTombstone() throws {
        for versioning in [Versioning.treesInExtra, .versionVectors] {
            try file.write { try $0.upgradeVersioning(to: versioning) }
            for (key, table) in [("a", "kv_default"), ("b", "kv_del_default")] {
                try sqlite().exec(
                    sql: """
                        DELETE FROM kv_default; DELETE FROM kv_del_default;
                        INSERT INTO \(table) (key, sequence, flags) VALUES ('\(key)', 100, 1)
                        """)
                #expect(try json(key) == nil)
                #expect(try save(key, #"{"n":1}"#).isNew)
                #expect(try json(key) == "{\"_id\":\"\(key)\",\"n\":1}")
                try save(key, #"{"n":2}"#)
                #expect(try json(key) == "{\"_id\":\"\(key)\",\"n\":2}")
            }
        }
    }

    // The form of the file.

    @Test("writing a tree to a file of Couchbase Lite 2 changes it to one of 3")
    func oldVersioning() throws {
        for way in ["insert", "resolve", "save", "delete"] {
            try file.write { _ = try people.purge("ada", in: $0) }
            let first = try save("ada", #"{"n":1}"#)
            try save("ada", #"{"n":2}"#)
            try insert("ada", [digest(2, 0xAB), first.revisionID], #"{"n":3}"#, remote: 1)
            try sqlite().exec(
                sql: "UPDATE kv_info SET body=x'0000000000000000' WHERE key='versioning'")
            try file.write { transaction in
                switch way {
                case "insert":
                    _ = try people.insert(
                        "ada", history: [digest(3, 1), digest(2, 0xAB)], remote: 1, in: transaction
                    ) { try $0.writeJSON("{}") }
                case "resolve":
                    _ = try people.resolveConflicts(of: "ada", in: transaction) { _, _ in
                        .takeOther
                    }
                case "save":
                    _ = try people.save("ada", in: transaction) { try $0.writeJSON("{}") }
                default: _ = try people.delete("ada", in: transaction)
                }
            }
            #expect(try file.read { try $0.versioning() } == .treesInExtra, "\(way)")
        }
    }

    @Test("a file whose versioning is unknown or missing can be read and is not written")
    func unknownVersioning() throws {
        let first = try save("ada", #"{"n":1}"#)
        try save("ada", #"{"n":2}"#)
        try insert("ada", [digest(2, 0xAB), first.revisionID], #"{"n":3}"#, remote: 1)
        let before = try rows("SELECT * FROM kv_default")
        for change in [
            "UPDATE kv_info SET body=x'0000000000000009' WHERE key='versioning'",
            "DELETE FROM kv_info WHERE key='versioning'",
        ] {
            try sqlite().exec(sql: change)
            #expect(try json("ada") != nil)
            #expect(throws: StoreError.self) { try save("ada", "{}") }
            #expect(throws: StoreError.self) { try save("new", "{}") }
            #expect(throws: StoreError.self) {
                try file.write { _ = try people.delete("ada", in: $0) }
            }
            #expect(throws: StoreError.self) {
                try insert("ada", [digest(3, 1), digest(2, 0xAB)], "{}", remote: 1)
            }
            #expect(throws: StoreError.self) {
                try file.write {
                    _ = try people.resolveConflicts(of: "ada", in: $0) { _, _ in .takeOther }
                }
            }
            #expect(try rows("SELECT * FROM kv_default") == before)
        }
    }

    @Test("after a rolled-back change to version vectors, trees are written")
    func undoneUpgrade() throws {
        try? file.write { transaction in
            try transaction.upgradeVersioning(to: .versionVectors)
            throw Refused()
        }
        guard case .digest = try save("ada", "{}").revisionID else {
            Issue.record("it is not a tree")
            return
        }
        try file.write { transaction in
            try? transaction.savepoint {
                try transaction.upgradeVersioning(to: .versionVectors)
                _ = try people.save("eve", in: transaction) { try $0.writeJSON("{}") }
                throw Refused()
            }
            let saved = try people.save("eve", in: transaction) { try $0.writeJSON("{}") }
            guard case .digest = saved.revisionID else {
                Issue.record("it is not a tree")
                return
            }
        }
        let other = try DataFile(
            path: directory("trees.cblite2"), options: DataFileOptions(access: .readWrite))
        try other.write { try $0.upgradeVersioning(to: .versionVectors) }
        guard case .vector = try save("bob", "{}").revisionID else {
            Issue.record("it is a tree")
            return
        }
    }

    // Trees.

    @Test("a history that skips generations is accepted, invalid ids are not")
    func skippedGenerations() throws {
        try insert("ada", [digest(9, 9), digest(4, 4), digest(1, 1)], #"{"n":1}"#)
        #expect(try history("ada").tree?.revisions.map(\.generation) == [9, 4, 1])
        let saved = try save("ada", #"{"n":2}"#)
        #expect("\(saved.revisionID)".hasPrefix("10-"))
        for ids in [
            [digest(3, 3), digest(3, 4)], [digest(0, 1)], [digest(2, 2), digest(9, 9)],
            [RevisionID.digest(generation: 11, digest: [])],
            [RevisionID.digest(generation: 11, digest: Array(repeating: 1, count: 60))],
            [digest(.max, 1)], [digest(1 << 31, 1)], [],
        ] {
            let error = #expect(throws: StoreError.self, "\(ids)") {
                try insert("bob", ids, #"{"n":1}"#)
            }
            #expect(error?.has(.badRevisionID) == true, "\(ids)")
        }
        #expect(try json("bob") == nil)
    }

    @Test("an existing ancestor is recorded for its remote, and nothing else changes")
    func insertAncestor() throws {
        let first = try save("ada", #"{"n":1}"#)
        let second = try save("ada", #"{"n":2}"#)
        guard case .known = try insert("ada", [first.revisionID], #"{"n":1}"#, remote: 65_535)
        else {
            Issue.record("it is not known")
            return
        }
        #expect(try history("ada").remotes == [65_535: first.revisionID])
        #expect(try history("ada").revisionID == second.revisionID)
        #expect(try json("ada") == #"{"_id":"ada","n":2}"#)
        for remote in [0, -1, 65_536, .max] {
            #expect(throws: StoreError.self) {
                try insert("ada", [first.revisionID], "{}", remote: remote)
            }
        }
    }

    @Test("three branches of two remotes are resolved one after the other, each of them once")
    func threeBranches() throws {
        for answer in ["current", "other", "merge", "delete"] {
            let id = "doc-\(answer)"
            let first = try save(id, #"{"n":1}"#)
            try save(id, #"{"n":2}"#)
            try insert(id, [digest(2, 0xAA), first.revisionID], #"{"n":3}"#, remote: 1)
            try insert(id, [digest(2, 0xBB), first.revisionID], #"{"n":4}"#, remote: 2)
            try insert(id, [digest(2, 0xCC), first.revisionID], #"{"n":5}"#)
            #expect(try history(id).conflicts().count == 3)
            var seen: [Int64] = []
            _ = try file.write {
                try people.resolveConflicts(of: id, in: $0) { current, other in
                    seen.append(other.properties?["n"]?.int ?? -1)
                    switch answer {
                    case "current": return .keepCurrent
                    case "other": return .takeOther
                    case "delete": return .delete
                    default:
                        return .merge([
                            "n": .int(
                                (current["n"]?.int ?? 0) + (other.properties?["n"]?.int ?? 0))
                        ])
                    }
                }
            }
            #expect(try history(id).conflicts().isEmpty, "\(answer)")
            #expect(Set(seen).count == seen.count, "\(answer): \(seen)")
            switch answer {
            case "current": #expect(try json(id) == "{\"_id\":\"\(id)\",\"n\":2}")
            case "merge": #expect(try json(id) == "{\"_id\":\"\(id)\",\"n\":14}")
            case "delete": #expect(try json(id) == nil)
            default: #expect(try json(id) == "{\"_id\":\"\(id)\",\"n\":\(seen.last ?? 0)}")
            }
            let flags = try rows(
                """
                SELECT flags & 2 FROM kv_default WHERE key='\(id)' UNION ALL
                SELECT flags & 2 FROM kv_del_default WHERE key='\(id)'
                """)
            #expect(flags == [[.long(0)]], "\(answer)")
        }
    }

    @Test("a resolution that changes the document itself is an error, and nothing is changed")
    func savingResolver() throws {
        let first = try save("ada", #"{"n":1}"#)
        try save("ada", #"{"n":2}"#)
        try insert("ada", [digest(2, 0xAA), first.revisionID], #"{"n":3}"#, remote: 1)
        let before = try rows("SELECT * FROM kv_default")
        try file.write { transaction in
            _ = #expect(throws: StoreError.self) {
                try people.resolveConflicts(of: "ada", in: transaction) { _, _ in
                    _ = try people.save("ada", in: transaction) { try $0.writeJSON("{}") }
                    return .keepCurrent
                }
            }
            #expect(throws: Refused.self) {
                try people.resolveConflicts(of: "ada", in: transaction) { _, _ in
                    throw Refused()
                }
            }
        }
        #expect(try rows("SELECT * FROM kv_default") == before)
    }

    @Test("a resolution succeeds the branch that it was made for, whatever other leaves exist")
    func unmarkedLeaves() throws {
        var tree = RevisionTree()
        try tree.add(id: [1, 0x11], body: nil, parent: nil)
        for (byte, number) in [(UInt8(0xAA), 1), (0xBB, 2), (0xCC, 4)] {
            var encoder = FleeceEncoder()
            try encoder.writeJSON("{\"n\":\(number)}")
            let root = try #require(tree.index(of: [1, 0x11]))
            try tree.add(id: [2, byte], body: try encoder.finish(), parent: root)
        }
        // Three leaves, none of which is marked as a conflict.
        for index in tree.revisions.indices { tree.revisions[index].flags.remove(.conflict) }
        tree.reorder()
        let columns = tree.columns()
        let result = try file.write { transaction in
            try people.keyStore.put(
                RecordUpdate(
                    "ada", version: columns.version ?? [], body: columns.body,
                    extra: columns.extra, flags: columns.flags, expecting: .absent),
                in: transaction)
        }
        guard case .saved = result else {
            Issue.record("it is not there")
            return
        }
        #expect(try json("ada") == #"{"_id":"ada","n":4}"#)
        try insert("ada", [.digest(generation: 2, digest: [0xAA])], "{}", remote: 1)
        try insert("ada", [.digest(generation: 2, digest: [0xBB])], "{}", remote: 2)
        _ = try file.write {
            try people.resolveConflicts(of: "ada", in: $0) { current, other in
                .merge([
                    "n": .int((current["n"]?.int ?? 0) + (other.properties?["n"]?.int ?? 0))
                ])
            }
        }
        #expect(try json("ada") == #"{"_id":"ada","n":7}"#)
        #expect(try history("ada").conflicts().isEmpty)
    }

    @Test("an invalid number in a file with trees is an error or stored, and nothing is lost")
    func notANumber() throws {
        try save("ada", #"{"n":1}"#)
        for value in [Double.nan, .infinity, -.infinity, -0.0, .leastNonzeroMagnitude] {
            try file.write { transaction in
                _ = try? people.save("ada", in: transaction) { encoder in
                    encoder.beginDictionary()
                    try encoder.writeKey("n")
                    try encoder.writeDouble(value)
                    try encoder.endDictionary()
                }
            }
            #expect(try file.read { try people.get("ada", in: $0) }?["n"] != nil, "\(value)")
        }
    }

    @Test("a tombstone among the live records of an older file is a tombstone for all operations")
    func unmovedTombstone() throws {
        let id = try save("t", #"{"n":1}"#)
        _ = id
        _ = try file.write { try people.delete("t", in: $0) }
        try sqlite().exec(
            sql: """
                INSERT INTO kv_default (key, sequence, flags, version, body, extra)
                SELECT key || v, sequence + 10 + v, flags, version, body, extra
                FROM kv_del_default, (SELECT 1 v UNION ALL SELECT 2 UNION ALL SELECT 3
                    UNION ALL SELECT 4);
                """)
        for key in ["t1", "t2", "t3", "t4"] {
            #expect(try json(key) == nil)
            let tombstones = try file.read { try people.get(key, includesDeleted: true, in: $0) }
            #expect(tombstones?.isDeleted == true)
        }
        #expect(try file.write { try people.delete("t1", in: $0) } == nil)
        #expect(try save("t1", #"{"n":2}"#).isNew)
        let back = try file.write { transaction in
            try people.undelete("t2", in: transaction) { try $0.writeJSON(#"{"n":3}"#) }
        }
        #expect(back?.isNew == true)
        var mine = MutableDocument("t3", ["n": 4])
        #expect(try file.write { try people.save(&mine, in: $0) }.saved?.isNew == true)
        #expect(try file.write { try people.purge("t4", in: $0) })
        #expect(try file.read { try people.get("t4", includesDeleted: true, in: $0) } == nil)
        for (key, number) in [("t1", 2), ("t2", 3), ("t3", 4)] {
            #expect(try json(key) == "{\"_id\":\"\(key)\",\"n\":\(number)}")
            #expect(try history(key).tree?.revisions.map(\.generation) == [3, 1, 2])
        }
        #expect(try file.write { try people.delete("t1", in: $0) } != nil)
        #expect(
            try rows("SELECT key FROM kv_del_default ORDER BY key") == [
                [.text("t")], [.text("t1")],
            ])
    }

    @Test("our deletion stays the current revision beside a live branch of theirs")
    func deletedBesideLive() throws {
        let first = try save("ada", #"{"n":1}"#)
        _ = try file.write { try people.delete("ada", in: $0) }
        let result = try insert(
            "ada", [digest(2, 0xAB), first.revisionID], #"{"n":3}"#, remote: 1)
        guard case .conflict = result else {
            Issue.record("\(result)")
            return
        }
        #expect(try json("ada") == nil)
        let other = try #require(try history("ada").conflicts().first)
        #expect(other.properties?["n"]?.int == 3)
        _ = try file.write {
            try people.resolveConflicts(of: "ada", in: $0) { current, _ in
                #expect(current.isDeleted)
                return .takeOther
            }
        }
        #expect(try json("ada") == #"{"_id":"ada","n":3}"#)
        #expect(try history("ada").revisionID == digest(2, 0xAB))
        #expect(try rows("SELECT flags FROM kv_default") == [[.long(0)]])
    }
}
