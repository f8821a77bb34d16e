import EngineTestSupport
import FleeceLite
import StoreFormat
import StoreTestSupport
import Testing
@testable import DataFileCore

@Suite("The list of a document's revisions")
struct RevisionListTests {
    let people = DocumentCollection(.default)

    private func make(_ versioning: Versioning) throws -> TemporaryStore {
        try TemporaryStore(options: TransferFixture.options(.create, versioning))
    }

    private func save(_ json: String, in store: TemporaryStore) throws -> RevisionID {
        try store.file.write { transaction in
            try people.save("ada", in: transaction) { try $0.writeJSON(json) }.revisionID
        }
    }

    private func list(_ store: TemporaryStore) throws -> [RevisionListItem] {
        let history = try store.file.read { try people.history(of: "ada", in: $0) }
        return try #require(history).revisionList()
    }

    private func digest(_ generation: UInt64, _ byte: UInt8) -> RevisionID {
        .digest(generation: generation, digest: Array(repeating: byte, count: 20))
    }

    @Test("has each revision of a tree after those that replaced it, the current branch first")
    func tree() throws {
        let store = try make(.treesInExtra)
        let first = try save(#"{"n":1}"#, in: store)
        let second = try save(#"{"n":2}"#, in: store)
        let third = try save(#"{"n":3}"#, in: store)
        _ = try store.file.write { transaction in
            try people.insert(
                "ada", history: [digest(2, 0xAB), first], remote: 1, in: transaction
            ) { try $0.writeJSON(#"{"n":9}"#) }
        }
        let list = try list(store)
        #expect(list.map(\.id) == [first, second, third, digest(2, 0xAB)])
        #expect(list.map(\.parent) == [nil, 0, 1, 0])
        #expect(list.map(\.depth) == [0, 1, 2, 1])
        #expect(list.map(\.isCurrent) == [false, false, true, false])
        #expect(list.map(\.isLeaf) == [false, false, true, true])
        #expect(list.map(\.isConflict) == [false, false, false, true])
        #expect(list.map(\.isUnresolved) == [false, false, false, true])
        #expect(list.map(\.remotes) == [[], [], [], [1]])
        #expect(list.map(\.sequence) == [1, 2, 3, 4])
        #expect(list.map { $0.properties?["n"]?.int } == [nil, nil, 3, 9])
        #expect(list.map { $0.bodySize != nil } == [false, false, true, true])
        #expect(list.allSatisfy { !$0.isDeleted && !$0.hasAttachments && !$0.isLegacy })
    }

    @Test("marks a tombstone as deleted")
    func tombstone() throws {
        for versioning in [Versioning.treesInExtra, .versionVectors] {
            let store = try make(versioning)
            _ = try save("{}", in: store)
            _ = try store.file.write { try people.delete("ada", in: $0) }
            let current = try list(store).filter(\.isCurrent)
            #expect(current.map(\.isDeleted) == [true])
        }
    }

    @Test("has the current version, those of remotes, and the earlier revision of a tree")
    func vector() throws {
        let store = try make(.treesInExtra)
        let old = try save(#"{"n":1}"#, in: store)
        try store.file.write { try $0.upgradeVersioning(to: .versionVectors) }
        let new = try save(#"{"n":2}"#, in: store)
        let list = try list(store)
        #expect(list.map(\.id) == [new, old])
        #expect(list.map(\.isCurrent) == [true, false])
        #expect(list.map(\.isLegacy) == [false, true])
        #expect(list.map { $0.properties?["n"]?.int } == [2, nil])
        #expect(list.map(\.sequence) == [nil, nil])
        #expect((list[0].bodySize ?? 0) > 0 && list[1].bodySize == nil)
    }

    @Test("has a remote's unmerged revision, with its own size")
    func remote() throws {
        let keys = RemoteRows.keys
        let body = RemoteRows.conflictedBody
        let record = Record(
            key: "conflicted", sequence: 3, subsequence: 0, flags: .conflicted,
            version: VersionVector(localTime: LogicalTime(rawValue: 1 << 60)).binary, body: body,
            extra: RemoteRows.conflictedExtra, bodySize: body.count,
            extraSize: RemoteRows.conflictedExtra.count, expiration: nil,
            isInTombstoneTable: false)
        let list = try DocumentHistory(record, sharedKeys: keys).revisionList()
        #expect(list.map { $0.properties?["who"]?.string } == ["local", "remote"])
        #expect(list.map(\.remotes) == [[], [1]])
        #expect(list.map(\.isUnresolved) == [false, true])
        #expect(list[0].bodySize == 14)
        // "remote" in 8 bytes, a dictionary of one pair in 6, the pointer at the end.
        #expect(list[1].bodySize == 16)
    }

    @Test("of a long branch is created without deep recursion")
    func long() throws {
        var tree = RevisionTree()
        for generation in 1...400 as ClosedRange<UInt64> {
            try tree.add(
                id: digest(generation, 1).binary, body: [0x70, 0x00], flags: [],
                parent: generation == 1 ? nil : 0)
        }
        let columns = tree.columns()
        let record = Record(
            key: "long", sequence: 1, subsequence: 0, flags: [], version: columns.version ?? [],
            body: columns.body, extra: columns.extra, bodySize: columns.body?.count ?? 0,
            extraSize: columns.extra?.count ?? 0, expiration: nil, isInTombstoneTable: false)
        let list = try DocumentHistory(record, sharedKeys: SharedKeys()).revisionList()
        #expect(list.map(\.depth) == Array(0..<400))
        #expect(list.last?.isCurrent == true)
    }

    @Test("of a document without revisions is empty")
    func none() throws {
        let history = DocumentHistory(newTree: "new", sharedKeys: SharedKeys())
        #expect(try history.revisionList().isEmpty)
    }
}
