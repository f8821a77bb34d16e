import SampleData
import Testing
@testable import StoreFormat

@Suite("RevisionTree: reading and writing")
struct RevisionTreeReadingTests {
    /// Two revisions, 2-bbbb (current, deleted) over 1-aaaa (sequence 5, with the body `70 00`),
    /// known to remote 1.
    static let bytes: [UInt8] = [
        0, 0, 0, 0x0C, 0x00, 0x01, 0x03, 0x03, 0x02, 0xBB, 0xBB, 0x00,
        0, 0, 0, 0x0E, 0xFF, 0xFF, 0x80, 0x03, 0x01, 0xAA, 0xAA, 0x05, 0x70, 0x00,
        0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0,
    ]

    @Test("the revisions, their parents and their bodies are read")
    func reading() throws {
        let tree = try RevisionTree(binary: Self.bytes)
        #expect(
            try tree.revisions.map { try RevisionID(binary: $0.id).description }
                == ["2-bbbb", "1-aaaa"])
        #expect(tree.revisions.map(\.parent) == [1, nil])
        #expect(tree.revisions.map(\.sequence) == [0, 5])
        #expect(tree.revisions.map(\.generation) == [2, 1])
        #expect(tree.revisions[0].flags == [.deleted, .leaf])
        #expect(tree.revisions.map(\.body) == [nil, [0x70, 0x00]])
        #expect(tree.remotes == [.init(number: 1, revision: 0)])
        #expect(tree.latest(of: 1) == 0 && tree.latest(of: 2) == nil)
        #expect(tree.rejected == [])
        #expect(tree.history(of: 0) == [0, 1])
        #expect(tree.index(of: [1, 0xAA, 0xAA]) == 1)
        #expect(tree.written(withCurrentBody: true) == Self.bytes)
    }

    @Test("a tree of older versions, without a final marker, is written without one")
    func withoutMarker() throws {
        for count in [30, 34] {
            let bytes = Array(Self.bytes.prefix(count))
            let tree = try RevisionTree(binary: bytes)
            #expect(tree.stored.bytes == nil)
            #expect(tree.written(withCurrentBody: true) == bytes)
        }
        var changed = try RevisionTree(binary: Array(Self.bytes.prefix(34)))
        changed.setLatest(1, of: 1)
        #expect(changed.binary.suffix(8) == [0, 1, 0, 1, 0, 0, 0, 0])
    }

    @Test("rejected revisions follow the marker")
    func rejected() throws {
        let bytes = Self.bytes + [0, 0, 0, 1, 0, 0, 0, 0]
        let tree = try RevisionTree(binary: bytes)
        #expect(tree.rejected == [1, 0])
        #expect(tree.written(withCurrentBody: true) == bytes)
        var refused = try RevisionTree(binary: Self.bytes)
        refused.reject(1)
        refused.reject(0)
        refused.reject(1)
        #expect(refused.binary == bytes)
    }

    @Test("numbers that are longer than necessary are written unchanged until the tree is changed")
    func longNumbers() throws {
        let bytes: [UInt8] =
            [0, 0, 0, 0x0D, 0xFF, 0xFF, 0x02, 0x03, 0x02, 0xBB, 0xBB, 0x85, 0x00]
            + [0, 0, 0, 0, 0, 0, 0, 0]
        var tree = try RevisionTree(binary: bytes)
        #expect(tree.binary == bytes)
        tree.setLatest(0, of: 3)
        #expect(
            tree.binary == [0, 0, 0, 0x0C, 0xFF, 0xFF, 0x02, 0x03, 0x02, 0xBB, 0xBB, 0x05]
                + [0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0])
    }

    @Test("unknown flags, ids of any length and high sequences are preserved")
    func unusual() throws {
        let id = [UInt8](repeating: 0xCC, count: 254)
        let sequence: [UInt8] = [255, 255, 255, 255, 255, 255, 255, 255, 255, 1]
        let bytes: [UInt8] =
            [0, 0, 0x01, 0x11, 0xFF, 0xFF, 0x06, 0xFF, 0x01] + id + sequence
            + [0, 0, 0, 0, 0, 0, 0, 0]
        let tree = try RevisionTree(binary: bytes)
        #expect(tree.revisions[0].flags.rawValue == 0x06)
        #expect(tree.revisions[0].sequence == .max)
        #expect(tree.written(withCurrentBody: true) == bytes)
    }

    @Test("a tree that is cut off anywhere is an error")
    func cutOff() {
        for count in 0..<Self.bytes.count where ![30, 34].contains(count) {
            #expect(throws: StoreError.self, "\(count) bytes") {
                try RevisionTree(binary: Array(Self.bytes.prefix(count)))
            }
        }
    }

    @Test(
        "damage is described, with its offset",
        arguments: [
            (3, 0x08, "a record has a size of 8 bytes, at byte 0"),
            (3, 0x0B, "an id or a sequence exceeds its record, at byte 7"),
            (3, 0x40, "a record has a size of 64 bytes, at byte 0"),
            (5, 0x02, "a parent has the index 2, at byte 4"),
            (5, 0x00, "the parents form a cycle, at byte 4"),
            (7, 0x00, "an id cannot be read, at byte 8"),
            (7, 0x04, "an id or a sequence exceeds its record, at byte 7"),
            (8, 0x00, "an id cannot be read, at byte 8"),
            (18, 0x00, "a record without a body has bytes left over, at byte 24"),
            (31, 0x00, "a remote or a rejection has the index 256, at byte 32"),
            (33, 0x02, "a remote or a rejection has the index 2, at byte 32"),
            (37, 0x01, "a rejection without a marker before it, at byte 34"),
            (35, 0x01, "nothing"),
        ] as [(Int, UInt8, String)])
    func damaged(index: Int, value: UInt8, message: String) throws {
        var bytes = Self.bytes
        bytes[index] = value
        if index == 31 { bytes[32] = 1 }
        guard message != "nothing" else {
            // Another remote in place of the marker.
            #expect(try RevisionTree(binary: bytes).remotes.map(\.number) == [1, 1])
            return
        }
        let error = #expect(throws: StoreError.self) { try RevisionTree(binary: bytes) }
        #expect(error?.has(.corruptRevisionData) == true)
        #expect(error?.message == "a revision tree of 38 bytes is damaged: \(message)")
    }

    @Test("a remote after the marker, and trailing bytes, are damage")
    func leftOver() {
        for (rest, message) in [
            ([0, 2, 0, 0], "a remote after the marker, at byte 38"),
            ([0, 0, 0], "3 bytes are left over, at byte 38"),
        ] as [([UInt8], String)] {
            let error = #expect(throws: StoreError.self) {
                try RevisionTree(binary: Self.bytes + rest)
            }
            #expect(error?.message.hasSuffix(message) == true, "\(error?.message ?? "")")
        }
    }

    @Test("long cycles and long branches are distinguished, whatever their order")
    func circles() throws {
        let count = RevisionTree.maximumRevisions
        // Each revision's parent follows it, or precedes it; the last one has none.
        for step in [1, -1] {
            let end = step == 1 ? count - 1 : 0
            let parents = (0..<count).map { $0 == end ? 0xFFFF : $0 + step }
            let tree = try RevisionTree(binary: Self.bytes(parents: parents))
            #expect(tree.history(of: step == 1 ? 0 : count - 1).count == count)
            var circle = parents
            circle[end] = count / 2
            #expect(throws: StoreError.self) {
                try RevisionTree(binary: Self.bytes(parents: circle))
            }
        }
    }

    /// Revisions with these parents, in this order, with unique ids.
    static func bytes(parents: [Int]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, parent) in parents.enumerated() {
            let id = [UInt8(1), UInt8(index >> 8), UInt8(index & 0xFF)]
            bytes += [0, 0, 0, 12, UInt8(parent >> 8), UInt8(parent & 0xFF), 0, 3] + id + [1]
        }
        return bytes + [0, 0, 0, 0, 0, 0, 0, 0]
    }

    @Test("a Fleece body is not taken for a tree, but a damaged tree is")
    func outline() throws {
        for bytes in [[0x70, 0x00], [0x70, 0x02, 0, 0, 0, 1, 0, 1, 0x34, 0, 0x80, 5], []]
            as [[UInt8]]
        {
            #expect(!bytes.withUnsafeBytes(RevisionTree.hasOutline))
            #expect(throws: StoreError.self) { try RevisionTree(binary: bytes) }
        }
        var bytes = Self.bytes
        bytes[5] = 7
        #expect(bytes.withUnsafeBytes(RevisionTree.hasOutline))
        #expect(throws: StoreError.self) { try RevisionTree(binary: bytes) }
    }
}
