import DataFileCore
import FleeceLite
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

/// Rows with as many revisions as a tree can have: 65,535.
@Suite("Documents with very many revisions", .timeLimit(.minutes(20)))
struct ManyRevisionsTests {
    let directory: TemporaryDirectory
    let path: String
    let people = DocumentCollection(.default)
    static let count = 65_535

    init() throws {
        directory = try TemporaryDirectory()
        path = directory("many.cblite2")
        var options = DataFileOptions(access: .create)
        options.versioning = .treesInExtra
        let file = try DataFile(path: path, options: options)
        try file.write { transaction in
            for id in ["many", "other"] {
                _ = try people.save(id, in: transaction) { try $0.writeJSON(#"{"n":1}"#) }
            }
        }
        file.close()
    }

    private func bigEndian(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// The binary id of a revision with a digest of three bytes.
    private func id(_ generation: Int, _ digest: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        Varint.append(UInt64(generation), to: &bytes)
        return bytes + bigEndian(digest, 3)
    }

    /// Gives the document a tree of 65,535 revisions.
    ///
    /// - Parameter isChain: whether each replaced the next one; otherwise all are first revisions.
    private func plant(_ isChain: Bool) throws {
        var tree: [UInt8] = []
        for place in 0..<Self.count {
            let isLast = place == Self.count - 1
            let parent = isChain && !isLast ? place + 1 : 0xFFFF
            let isLeaf = !isChain || place == 0
            let flags: UInt8 = (isLeaf ? 2 : 0) | (!isChain && place > 0 ? 0x20 : 0)
            let id = id(isChain ? Self.count - place : 1, Self.count - place)
            let record = bigEndian(parent, 2) + [flags, UInt8(id.count)] + id + [1]
            tree += bigEndian(record.count + 4, 4) + record
        }
        tree += bigEndian(0, 4) + bigEndian(0, 4)
        let version = id(isChain ? Self.count : 1, Self.count)
        try SQLContext(path: path + "/db.sqlite3", flags: .readWrite).exec(
            sql: "UPDATE kv_default SET version = ?, extra = ? WHERE key = 'many'",
            parameters: [.blob(.init(version)), .blob(.init(tree))])
    }

    private func open() throws -> DataFile {
        try DataFile(path: path, options: DataFileOptions(access: .readWrite))
    }

    @Test("a long branch is read, and pruned to fifty revisions by the next change")
    func chain() throws {
        try plant(true)
        let file = try open()
        let before = try file.read { try people.history(of: "many", in: $0)?.tree }
        #expect(before?.revisions.count == Self.count)
        let saved = try file.write { transaction in
            try people.save("many", in: transaction) { try $0.writeJSON(#"{"n":2}"#) }
        }
        #expect("\(saved.revisionID)".hasPrefix("65536-"))
        let tree = try file.read { try people.history(of: "many", in: $0)?.tree }
        #expect(tree?.revisions.map(\.generation) == (65_487...65_536).reversed())
        #expect(try file.read { try people.get("many", in: $0)?["n"]?.int } == 2)
    }

    @Test("a remote's revision can be added to it")
    func insert() throws {
        try plant(true)
        let file = try open()
        let parent = RevisionID.digest(generation: 65_535, digest: bigEndian(65_535, 3))
        let theirs = RevisionID.digest(generation: 65_536, digest: [1])
        let result = try file.write { transaction in
            try people.insert("many", history: [theirs, parent], remote: 1, in: transaction) {
                try $0.writeJSON(#"{"n":3}"#)
            }
        }
        guard case .saved = result else {
            Issue.record("\(result)")
            return
        }
        #expect(try file.read { try people.history(of: "many", in: $0)?.remotes } == [1: theirs])
    }

    @Test("a tree that is full of conflicts is rejected, and not changed")
    func conflicts() throws {
        try plant(false)
        let file = try open()
        let error = #expect(throws: StoreError.self) {
            try file.write { transaction in
                try people.save("many", in: transaction) { try $0.writeJSON(#"{"n":2}"#) }
            }
        }
        #expect(error?.has(.invalidParameter) == true)
        #expect(error?.message.contains("65535 revisions") == true)
        try file.write { transaction in
            _ = try people.save("other", in: transaction) { try $0.writeJSON(#"{"n":2}"#) }
        }
        try file.read { snapshot in
            let history = try #require(try people.history(of: "many", in: snapshot))
            #expect(history.tree?.revisions.count == Self.count)
            #expect(try history.conflicts().count == Self.count - 1)
            #expect(try people.get("many", in: snapshot)?["n"]?.int == 1)
        }
        #expect(try file.write { try people.purge("many", in: $0) })
    }
}
