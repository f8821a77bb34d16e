import Testing
@testable import StoreFormat

@Suite("RevisionTree: rows")
struct RevisionTreeRecordTests {
    private func row(
        _ version: [UInt8], body: [UInt8]?, extra: [UInt8]? = nil, flags: DocumentFlags = []
    ) -> Record {
        Record(
            key: "doc", sequence: 9, subsequence: 0, flags: flags, version: version, body: body,
            extra: extra, bodySize: body?.count ?? 0, extraSize: extra?.count ?? 0,
            expiration: nil, isInTombstoneTable: false)
    }

    /// 2-bbbb, current, over 1-aaaa of sequence 5, which retains its body `70 00`.
    private let extra: [UInt8] = [
        0, 0, 0, 0x0C, 0x00, 0x01, 0x02, 0x03, 0x02, 0xBB, 0xBB, 0x00,
        0, 0, 0, 0x0E, 0xFF, 0xFF, 0x90, 0x03, 0x01, 0xAA, 0xAA, 0x05, 0x70, 0x00,
        0, 0, 0, 0, 0, 0, 0, 0,
    ]
    private let second: [UInt8] = [2, 0xBB, 0xBB]

    @Test("the current body of a 3.x row is separate from the tree")
    func treeInExtra() throws {
        let tree = try RevisionTree(row(second, body: [0x71, 0, 0, 0], extra: extra))
        #expect(tree.revisions.map(\.body) == [[0x71, 0, 0, 0], [0x70, 0]])
        // The row's sequence, and the revision's own.
        #expect(tree.revisions.map(\.sequence) == [9, 5])
        var expected = extra
        expected[11] = 9
        #expect(
            tree.columns()
                == TreeColumns(
                    version: second, body: [0x71, 0, 0, 0], extra: expected, flags: []))
    }

    @Test("a change gets the row's new sequence, existing revisions keep their own")
    func sequences() throws {
        var tree = try RevisionTree(row(second, body: nil, extra: extra))
        try tree.add(
            id: [3, 0xCC], body: [0x70, 0], flags: [.deleted, .hasAttachments], parent: 0)
        #expect(tree.revisions.map(\.sequence) == [0, 9, 5])
        let columns = tree.columns()
        #expect(columns.version == [3, 0xCC])
        #expect(columns.body == [0x70, 0])
        #expect(columns.flags == [.deleted, .hasAttachments])
        #expect(
            columns.extra == [
                0, 0, 0, 0x0B, 0x00, 0x01, 0x0B, 0x02, 0x03, 0xCC, 0x00,
                0, 0, 0, 0x0C, 0x00, 0x02, 0x00, 0x03, 0x02, 0xBB, 0xBB, 0x09,
                0, 0, 0, 0x0E, 0xFF, 0xFF, 0x90, 0x03, 0x01, 0xAA, 0xAA, 0x05, 0x70, 0x00,
                0, 0, 0, 0, 0, 0, 0, 0,
            ])
    }

    @Test("a retained body moves into the tree when it is replaced")
    func keptBody() throws {
        var bytes = extra
        bytes[6] = 0x12
        var tree = try RevisionTree(row(second, body: [0x71, 0, 0, 0], extra: bytes))
        try tree.add(id: [3, 0xCC], body: nil, parent: 0)
        #expect(tree.revisions.map(\.body) == [nil, [0x71, 0, 0, 0], [0x70, 0]])
        let columns = tree.columns()
        let saved = row([3, 0xCC], body: columns.body, extra: columns.extra)
        #expect(try RevisionTree(saved).revisions.map(\.body) == tree.revisions.map(\.body))
    }

    @Test("a 2.x row has everything in its body, and is written as a 3.x row")
    func treeInBody() throws {
        // doc-001 and doc-051 of golden upgrade_2.7.
        let body: [UInt8] = [0x70, 0x02, 0, 0, 0, 1, 0, 0x01, 0x34, 0, 0x80, 5]
        let old: [UInt8] =
            [0, 0, 0, 0x18, 0xFF, 0xFF, 0x82, 3, 1, 0xAB, 0xCD, 0] + body + [0, 0, 0, 0]
        let record = row([1, 0xAB, 0xCD], body: old)
        #expect(record.layout == .treeInBody)
        #expect(record.currentBody == body)
        #expect(
            try RevisionTree(record).columns()
                == TreeColumns(
                    version: [1, 0xAB, 0xCD], body: body,
                    extra: [0, 0, 0, 12, 0xFF, 0xFF, 0x02, 3, 1, 0xAB, 0xCD, 9]
                        + [0, 0, 0, 0, 0, 0, 0, 0],
                    flags: []))
    }

    @Test("a row without a tree is a document of one revision")
    func withoutTree() throws {
        for (extra, flags) in [(nil, []), ([], [.deleted, .hasAttachments])]
            as [([UInt8]?, DocumentFlags)]
        {
            let tree = try RevisionTree(row([7, 1], body: [0x70, 0], extra: extra, flags: flags))
            #expect(tree.revisions.count == 1)
            #expect(
                tree.columns()
                    == TreeColumns(
                        version: [7, 1], body: [0x70, 0],
                        extra: [
                            0, 0, 0, 11, 0xFF, 0xFF, flags.isEmpty ? 0x02 : 0x0B, 2, 7, 1, 9,
                            0, 0, 0, 0, 0, 0, 0, 0,
                        ], flags: flags))
        }
    }

    @Test("facts about remotes that only the row records are added to the tree")
    func syncedAndRejected() throws {
        let tree = try RevisionTree(
            row(second, body: nil, extra: extra, flags: [.synced, .rejected, .hasAttachments]))
        #expect(tree.latest(of: 1) == 0)
        #expect(tree.rejected == [0])
        #expect(tree.revisions[0].flags == [.leaf, .keepBody])
        #expect(tree.columns().flags == [])
        #expect(
            tree.columns().extra?.suffix(16) == [
                0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            ])
    }

    @Test("the error of a row with a damaged or another document's tree names the row")
    func damaged() throws {
        for (version, bytes) in [(second, Array(extra.dropLast())), ([1, 1], extra)] {
            let error = #expect(throws: StoreError.self) {
                try RevisionTree(row(version, body: nil, extra: bytes))
            }
            #expect(error?.has(.corruptRevisionData) == true)
            #expect(error?.message.hasPrefix("document \"doc\": ") == true)
        }
        for version in [[], [3]] as [[UInt8]] {
            let error = #expect(throws: StoreError.self) {
                try RevisionTree(row(version, body: nil))
            }
            #expect(error?.has(.corruptRevisionData) == true)
        }
    }

    @Test("a partially read row, or one with a vector, is an error of the caller")
    func notWhole() {
        let part = Record(
            key: "doc", sequence: 9, subsequence: 0, flags: [], version: second, body: nil,
            extra: nil, bodySize: 0, extraSize: extra.count, expiration: nil,
            isInTombstoneTable: false)
        for record in [part, row([0, 0x02, 0x80], body: nil)] {
            let error = #expect(throws: StoreError.self) { try RevisionTree(record) }
            #expect(error?.has(.invalidParameter) == true)
        }
    }

    @Test("the body of a row with a damaged tree is not taken for a missing body")
    func damagedBody() {
        // The outline is that of a tree; the id of its first revision cannot be read.
        let bytes: [UInt8] = [0, 0, 0, 12, 0xFF, 0xFF, 0x02, 3, 0, 0xAB, 0xCD, 0, 0, 0, 0, 0]
        let record = row([1, 0xAB, 0xCD], body: bytes)
        #expect(record.layout == .treeInBody)
        #expect(record.currentBody == bytes)
    }
}
