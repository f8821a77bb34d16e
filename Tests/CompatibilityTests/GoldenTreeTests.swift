import DocumentStore
import ProjectTestSupport
import StoreTestSupport
import Testing
@testable import StoreFormat

/// Every revision tree of every real database.
@Suite("Revision trees of real databases", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenTreeTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let treeCounts = [
        "upgrade_2.7": 100, "upgrade_2.8_index": 2, "db_3_0_0_names_100_with_deleted": 100,
        "upgrade_3.1_peerCheckpoints": 100, "sample_revtree_503": 119, "sample_vectors_503": 0,
    ]

    /// Calls a closure with each row that contains a tree.
    private func forEachRow(
        of golden: GoldenDatabase, _ body: (Record, SharedKeys) throws -> Void
    ) throws {
        var options = DataFileOptions(access: .readOnly)
        options.maintenance = false
        let file = try DataFile(path: golden.copy(to: directory), options: options)
        defer { file.close() }
        try file.read { snapshot in
            let keys = snapshot.sharedKeys
            var all = RecordEnumerator.Options()
            all.includesDeleted = true
            for name in try snapshot.keyStoreNames() where name.isCollection {
                let records = try KeyStore(name).records(all, in: snapshot)
                while let record = try records.next() {
                    if record.layout != .versionVector { try body(record, keys) }
                }
            }
        }
    }

    @Test("a tree is encoded to the bytes that it was decoded from", arguments: GoldenDatabase.all)
    func sameBytes(_ golden: GoldenDatabase) throws {
        var count = 0
        try forEachRow(of: golden) { record, _ in
            count += 1
            let bytes = record.layout == .treeInBody ? record.body : record.extra
            let tree = try RevisionTree(binary: try #require(bytes))
            #expect(tree.stored.bytes == nil, "\(record.key)")
            #expect(tree.written(withCurrentBody: true) == bytes, "\(record.key)")
        }
        #expect(count == Self.treeCounts[golden.name])
    }

    @Test("a row is written with the columns that it was read from", arguments: GoldenDatabase.all)
    func sameColumns(_ golden: GoldenDatabase) throws {
        try forEachRow(of: golden) { record, _ in
            let tree = try RevisionTree(record)
            let columns = tree.columns()
            #expect(columns.version == record.version, "\(record.key)")
            #expect(columns.body == record.currentBody, "\(record.key)")
            #expect(columns.flags == record.flags, "\(record.key)")
            #expect(tree.revisions.allSatisfy { $0.sequence > 0 }, "\(record.key)")
            // Decoded again from those columns it is the same tree, now in the format of 3.x.
            let row = record.with(columns)
            #expect(row.layout == .treeInExtra)
            #expect(try RevisionTree(row) == tree, "\(record.key)")
        }
    }

    @Test("an edit preserves the known revisions of each document", arguments: GoldenDatabase.all)
    func edit(_ golden: GoldenDatabase) throws {
        try forEachRow(of: golden) { record, _ in
            let before = try RevisionTree(record)
            var tree = before
            let current = try RevisionID(binary: record.version)
            let body = try FleeceDocument(json: #"{"edited":true}"#)
            let id = try RevisionID.child(
                of: current, isDeleted: false, body: body.root.dictionary)
            #expect(
                try tree.add(id: id.binary, body: Array(body.bytes), parent: 0) == 0,
                "\(record.key)")
            #expect(tree.prune(toDepth: 50) == 0)
            let columns = tree.columns()
            #expect(columns.version == id.binary)
            #expect(!columns.flags.contains(.deleted))
            #expect(columns.flags.contains(.conflicted) == record.flags.contains(.conflicted))
            let read = try RevisionTree(record.with(columns))
            #expect(read.revisions.count == before.revisions.count + 1)
            for (index, old) in before.revisions.enumerated() {
                let position = try #require(read.index(of: old.id), "\(record.key)")
                let new = read.revisions[position]
                #expect(new.sequence == old.sequence)
                #expect(new.isLeaf == (old.isLeaf && index > 0))
                #expect(new.flags.subtracting(.leaf) == old.flags.subtracting(.leaf))
                #expect(new.body == (index > 0 || old.flags.contains(.keepBody) ? old.body : nil))
                let parents = (
                    new.parent.map { read.revisions[$0].id },
                    old.parent.map { before.revisions[$0].id }
                )
                #expect(parents.0 == parents.1)
            }
            #expect(
                read.remotes.map { read.revisions[$0.revision].id }
                    == before.remotes.map { before.revisions[$0.revision].id })
        }
    }

    /// How the revision ids of a file were computed.
    private struct Digests {
        /// Digests of canonical JSON, as this library computes them.
        var ofJSON = 0
        /// Digests of the body's Fleece data, as releases before 3.2 computed them.
        var ofFleece = 0
        /// Invented for a test.
        var others: [String: Int] = [:]
    }

    private func digests(of golden: GoldenDatabase) throws -> Digests {
        var found = Digests()
        try forEachRow(of: golden) { record, keys in
            let tree = try RevisionTree(record)
            for (index, revision) in tree.revisions.enumerated()
            where index == 0 || revision.body != nil {
                let id = try RevisionID(binary: revision.id)
                #expect(id.binary == revision.id)
                #expect(try RevisionID(id.description) == id)
                let parent = try revision.parent.map {
                    try RevisionID(binary: tree.revisions[$0].id)
                }
                let body = try revision.body.map {
                    try FleeceDocument(trusted: $0, sharedKeys: keys)
                }
                let made = try RevisionID.child(
                    of: parent, isDeleted: revision.isDeleted, body: body?.root.dictionary)
                if made == id {
                    found.ofJSON += 1
                } else if Self.fleeceDigest(revision, after: parent) == revision.id.dropFirst() {
                    found.ofFleece += 1
                } else {
                    found.others[id.description, default: 0] += 1
                }
            }
        }
        return found
    }

    private static func fleeceDigest(
        _ revision: RevisionTree.Revision, after parent: RevisionID?
    ) -> ArraySlice<UInt8> {
        let text = Array((parent?.description ?? "").utf8)
        var hash = SHA1()
        hash.add([UInt8(text.count)] + text + [revision.isDeleted ? 1 : 0])
        hash.add(revision.body ?? [])
        return hash.digest()[...]
    }

    @Test(
        "the digests of revisions are those that LiteCore computed",
        arguments: [
            ("upgrade_2.7", 0, 0, ["1-abcd": 100]),
            ("upgrade_2.8_index", 0, 2, [:]),
            ("db_3_0_0_names_100_with_deleted", 0, 100, [:]),
            ("upgrade_3.1_peerCheckpoints", 0, 100, [:]),
            (
                "sample_revtree_503", 119, 0,
                ["1-aaaabbbbccccddddeeeeffff0000111122223333": 1]
            ),
        ] as [(String, Int, Int, [String: Int])])
    func digests(
        _ name: String, _ ofJSON: Int, _ ofFleece: Int, _ others: [String: Int]
    ) throws {
        let found = try digests(of: GoldenDatabase.named(name))
        #expect(found.ofJSON == ofJSON)
        #expect(found.ofFleece == ofFleece)
        #expect(found.others == others)
    }

    @Test("a conflict, a synced and a deleted document are read correctly")
    func samples() throws {
        var trees: [String: RevisionTree] = [:]
        try forEachRow(of: GoldenDatabase.named("sample_revtree_503")) { record, _ in
            trees[record.key] = try RevisionTree(record)
        }
        let conflicted = try #require(trees["conflicted"])
        #expect(
            conflicted.text == [
                "1-b24d6123a04b84d46e5577712a132c86bb2cf7a0 leaf sequence 113",
                "1-aaaabbbbccccddddeeeeffff0000111122223333 leaf conflict kept sequence 114",
            ])
        #expect(conflicted.conflicts == [1] && conflicted.isConflicted)
        #expect(conflicted.latest(of: 1) == 1)
        let synced = try #require(trees["synced"])
        #expect(synced.history(of: 0) == [0, 1])
        #expect(synced.latest(of: 1) == 1)
        #expect(!synced.isConflicted)
        let deleted = try #require(trees["deleted"])
        #expect(
            deleted.text == [
                "2-34a18aba59147265d962224cc8541bdec3568970 after 1 leaf deleted sequence 105",
                "1-e4cc4c7deb08f389d883bf1859f723354d888110 sequence 104",
            ])
        let updated = try #require(trees["updated3x"])
        #expect(updated.revisions.map(\.generation) == [3, 2, 1])
    }
}

extension RevisionTree {
    /// A line for each revision.
    fileprivate var text: [String] {
        revisions.map { revision in
            var words = [RevisionTree.text(revision.id)]
            if let parent = revision.parent { words.append("after \(parent)") }
            if revision.isLeaf { words.append("leaf") }
            if revision.isDeleted { words.append("deleted") }
            if revision.flags.contains(.conflict) { words.append("conflict") }
            if revision.flags.contains(.keepBody) { words.append("kept") }
            words.append("sequence \(revision.sequence)")
            return words.joined(separator: " ")
        }
    }
}

extension Record {
    /// The same row with other columns.
    fileprivate func with(_ columns: TreeColumns) -> Record {
        Record(
            key: key, sequence: sequence, subsequence: subsequence, flags: columns.flags,
            version: columns.version ?? [], body: columns.body, extra: columns.extra,
            bodySize: columns.body?.count ?? 0, extraSize: columns.extra?.count ?? 0,
            expiration: expiration, isInTombstoneTable: isInTombstoneTable)
    }
}
