import SampleData
import StoreTestSupport
import Testing
@testable import StoreFormat

@Suite("RevisionTree: changes")
struct RevisionTreeChangeTests {
    /// A tree as lines: id, parent, flags, body.
    private func lines(_ tree: RevisionTree) -> [String] {
        let ids = tree.revisions.map { RevisionTree.text($0.id) }
        return tree.revisions.map { revision in
            var words = [RevisionTree.text(revision.id)]
            if let parent = revision.parent { words.append("after \(ids[parent])") }
            let names: [(RevisionTree.Flags, String)] = [
                (.leaf, "leaf"), (.deleted, "deleted"), (.conflict, "conflict"),
                (.closed, "closed"), (.keepBody, "kept"),
            ]
            words += names.filter { revision.flags.contains($0.0) }.map(\.1)
            if let body = revision.body { words.append(String(decoding: body, as: UTF8.self)) }
            return words.joined(separator: " ")
        }
    }

    private func id(_ text: String) throws -> [UInt8] { try RevisionID(text).binary }

    /// 1-aa, 2-bb, 3-cc with bodies of the same names, each a child of the one before.
    private func chain(_ ids: [String] = ["1-aa", "2-bb", "3-cc"]) throws -> RevisionTree {
        var tree = RevisionTree()
        for text in ids {
            let body = Array(text.utf8.suffix(2))
            try tree.add(id: id(text), body: body, parent: tree.revisions.isEmpty ? nil : 0)
        }
        return tree
    }

    /// The chain, and a branch of remote 1 from 1-aa: 2-dd.
    private func conflict() throws -> RevisionTree {
        var tree = try chain()
        try tree.insert(
            history: [id("2-dd"), id("1-aa")], body: Array("dd".utf8), remote: 1,
            allowingConflict: true)
        return tree
    }

    private func expect(
        _ code: StoreError.Code, _ tree: RevisionTree, location: SourceLocation = #_sourceLocation,
        _ change: (inout RevisionTree) throws -> Void
    ) {
        var changed = tree
        let error = #expect(throws: StoreError.self, sourceLocation: location) {
            try change(&changed)
        }
        #expect(error?.has(code) == true, "\(error?.message ?? "")", sourceLocation: location)
        #expect(changed == tree, "a change that is refused changes nothing")
    }

    @Test("a new revision becomes the current one, and the body of its parent is dropped")
    func adding() throws {
        let tree = try chain()
        #expect(
            lines(tree) == ["3-cc after 2-bb leaf cc", "2-bb after 1-aa", "1-aa"])
        #expect(tree.current?.generation == 3)
        #expect(
            tree.binary == [
                0, 0, 0, 0x0D, 0, 1, 0x82, 2, 3, 0xCC, 0, 0x63, 0x63,
                0, 0, 0, 0x0B, 0, 2, 0x00, 2, 2, 0xBB, 0,
                0, 0, 0, 0x0B, 0xFF, 0xFF, 0x00, 2, 1, 0xAA, 0,
                0, 0, 0, 0, 0, 0, 0, 0,
            ])
    }

    @Test("a body marked to be retained is retained when its revision is replaced")
    func keptBody() throws {
        var tree = RevisionTree()
        try tree.add(id: id("1-aa"), body: Array("aa".utf8), flags: .keepBody, parent: nil)
        try tree.add(id: id("2-bb"), body: nil, flags: .deleted, parent: 0)
        #expect(lines(tree) == ["2-bb after 1-aa leaf deleted", "1-aa kept aa"])
        #expect(tree.columns().flags == .deleted)
    }

    @Test("a second child, and a second first revision, lose against the current one")
    func branches() throws {
        var tree = try chain()
        #expect(try tree.add(id: id("9-ff"), body: nil, parent: 2) == 1)
        #expect(try tree.add(id: id("8-ee"), body: nil, parent: nil) == 2)
        #expect(try tree.add(id: id("10-11"), body: nil, parent: 1) == 1)
        #expect(
            lines(tree) == [
                "3-cc after 2-bb leaf cc", "10-11 after 9-ff leaf conflict", "8-ee leaf conflict",
                "2-bb after 1-aa", "1-aa", "9-ff after 1-aa conflict",
            ])
        #expect(tree.conflicts == [1, 2] && tree.isConflicted)
        #expect(tree.columns().flags == .conflicted)
    }

    @Test("ids that exist, cannot be read or cannot follow are rejected")
    func badIDs() throws {
        let tree = try chain()
        expect(.conflict, tree) { try $0.add(id: id("1-aa"), body: nil, parent: nil) }
        for bad in [
            [], [3], [0, 1], [0x80], [3, 1], [2, 1], [9] + Array(repeating: 7, count: 42),
        ]
            as [[UInt8]]
        {
            expect(.badRevisionID, tree) { try $0.add(id: bad, body: nil, parent: 0) }
            expect(.badRevisionID, tree) {
                try $0.insert(history: [bad, id("3-cc")], body: nil, allowingConflict: true)
            }
        }
        expect(.invalidParameter, tree) {
            try $0.insert(history: [], body: nil, allowingConflict: true)
        }
        expect(.invalidParameter, tree) {
            try $0.insert(history: [id("4-dd")], body: nil, remote: 0, allowingConflict: true)
        }
    }

    @Test("a revision from another database is added with its missing ancestors")
    func inserting() throws {
        var tree = try chain()
        let history = try ["6-ff", "5-ee", "3-cc", "2-bb"].map { try id($0) }
        let index = try tree.insert(
            history: history, body: Array("ff".utf8), flags: .hasAttachments, remote: 2,
            allowingConflict: false)
        #expect(index == 0 && tree.latest(of: 2) == 0)
        #expect(
            lines(tree) == [
                "6-ff after 5-ee leaf ff", "5-ee after 3-cc", "3-cc after 2-bb", "2-bb after 1-aa",
                "1-aa",
            ])
        #expect(tree.columns().flags == .hasAttachments)
    }

    @Test("a new branch from another database is a conflict, and must be allowed")
    func insertingBranch() throws {
        let tree = try conflict()
        #expect(
            lines(tree) == [
                "3-cc after 2-bb leaf cc", "2-dd after 1-aa leaf conflict dd", "2-bb after 1-aa",
                "1-aa",
            ])
        #expect(tree.latest(of: 1) == 1)
        for history in [["2-ee", "1-aa"], ["1-ee"]] {
            expect(.conflict, tree) {
                try $0.insert(
                    history: history.map { try id($0) }, body: nil, allowingConflict: false)
            }
        }
        // An existing branch can be extended.
        var longer = tree
        try longer.insert(
            history: [id("3-dd"), id("2-dd")], body: nil, remote: 1, allowingConflict: false)
        #expect(lines(longer)[1] == "3-dd after 2-dd leaf conflict")
        #expect(longer.latest(of: 1) == 1)
    }

    @Test("an existing revision is not changed, except that a missing body is added")
    func insertingKnown() throws {
        var tree = try chain()
        let before = tree
        for text in ["3-cc", "1-aa"] {
            try tree.insert(history: [id(text)], body: Array("xx".utf8), allowingConflict: false)
            #expect(tree == before)
        }
        try tree.insert(
            history: [id("1-aa")], body: Array("xx".utf8), flags: .keepBody, remote: 1,
            allowingConflict: false)
        #expect(lines(tree).last == "1-aa kept xx")
        #expect(tree.latest(of: 1) == 2)
    }

    @Test("a winning leaf becomes the current one; the loser's branch is removed")
    func resolving() throws {
        var tree = try conflict()
        #expect(try tree.resolveConflict(winner: 1, loser: 0) == 0)
        #expect(lines(tree) == ["2-dd after 1-aa leaf dd", "1-aa"])
        #expect(tree.latest(of: 1) == 0)
        try tree.add(id: id("3-ee"), body: nil, parent: 0)
        #expect(lines(tree).first == "3-ee after 2-dd leaf")
        #expect(!tree.isConflicted)
    }

    @Test("remotes whose latest revision is removed get the one where the branch started")
    func resolvingForRemote() throws {
        var tree = try conflict()
        tree.reject(1)
        tree.reject(0)
        try tree.resolveConflict(winner: 0, loser: 1)
        #expect(lines(tree) == ["3-cc after 2-bb leaf cc", "2-bb after 1-aa", "1-aa"])
        #expect(tree.latest(of: 1) == 2)
        #expect(tree.rejected == [0])
        // Without one, they have no revision.
        try tree.insert(history: [id("5-ee")], body: nil, remote: 1, allowingConflict: true)
        try tree.resolveConflict(winner: 0, loser: 1)
        #expect(tree.remotes == [] && tree.revisions.count == 3)
    }

    @Test("a branch can be closed by a deletion instead")
    func closing() throws {
        var tree = try conflict()
        try tree.resolveConflict(winner: 0, loser: 1, closing: true)
        // printf '\x042-dd\x01{}' | sha1sum
        let end = "3-796c1bd777f2879a81782531890a815668b709ac"
        #expect(
            lines(tree) == [
                "3-cc after 2-bb leaf cc", "\(end) after 2-dd leaf deleted closed",
                "2-dd after 1-aa", "2-bb after 1-aa", "1-aa",
            ])
        #expect(tree.latest(of: 1) == 2)
        #expect(!tree.isConflicted && tree.columns().flags == [])
    }

    @Test("only two leaves can be in conflict, and only a leaf can be purged")
    func notLeaves() throws {
        let tree = try conflict()
        for (winner, loser) in [(0, 0), (0, 2), (3, 1), (0, 4), (-1, 1)] {
            expect(.invalidParameter, tree) {
                try $0.resolveConflict(winner: winner, loser: loser)
            }
        }
        for leaf in [2, 4, -1] { expect(.invalidParameter, tree) { try $0.purge(leaf: leaf) } }
    }

    @Test("when the current branch is purged, the best of the others wins")
    func purging() throws {
        var tree = try conflict()
        try tree.purge(leaf: 0)
        #expect(lines(tree) == ["2-dd after 1-aa leaf dd", "1-aa"])
        try tree.purge(leaf: 0)
        #expect(tree == RevisionTree())
        #expect(
            tree.columns() == TreeColumns(version: nil, body: nil, extra: nil, flags: .deleted))
        try tree.add(id: id("1-bb"), body: nil, parent: nil)
        #expect(lines(tree) == ["1-bb leaf"])
    }

    @Test("pruning retains the newest, remotes' and rejected revisions, and conflicts")
    func pruning() throws {
        var tree = try chain((1...9).map { "\($0)-aa" })
        tree.setLatest(6, of: 4)
        tree.reject(4)
        #expect(tree.prune(toDepth: 9) == 0)
        #expect(tree.prune(toDepth: 2) == 5)
        #expect(
            lines(tree) == [
                "9-aa after 8-aa leaf aa", "8-aa after 5-aa", "5-aa after 3-aa", "3-aa",
            ])
        #expect(tree.latest(of: 4) == 3 && tree.rejected == [2])
        try tree.insert(
            history: [id("5-cc"), id("4-cc"), id("3-aa")], body: nil, allowingConflict: true)
        tree.setLatest(0, of: 4)
        #expect(tree.prune(toDepth: 1) == 1)
        #expect(
            lines(tree) == [
                "9-aa after 5-aa leaf aa", "5-cc after 4-cc leaf conflict", "5-aa after 3-aa",
                "3-aa", "4-cc after 3-aa conflict",
            ])
    }

    @Test("a closed branch is pruned like others")
    func pruningClosed() throws {
        var tree = try conflict()
        try tree.resolveConflict(winner: 0, loser: 1, closing: true)
        tree.setLatest(0, of: 1)
        #expect(tree.prune(toDepth: 1) == 3)
        #expect(tree.revisions.map(\.generation) == [3, 3])
        #expect(tree.revisions.map(\.parent) == [nil, nil])
    }

    @Test("so is one that is closed and still marked as a conflict, but not an open one")
    func pruningMarked() throws {
        for (flags, kept) in [
            ([.deleted, .closed], ["3-cc", "4-ff"]),
            (.deleted, ["3-cc", "4-ff", "1-aa", "3-ee", "2-dd"]),
        ] as [(RevisionTree.Flags, [String])] {
            var tree = try chain()
            try tree.insert(
                history: ["4-ff", "3-ee", "2-dd", "1-aa"].map { try id($0) }, body: nil,
                flags: flags, allowingConflict: true)
            tree.prune(toDepth: 1)
            #expect(tree.revisions.map { RevisionTree.text($0.id) } == kept)
        }
    }

    @Test("a deleted leaf is a conflict only while it is a remote's latest")
    func deletedConflict() throws {
        var tree = try chain()
        try tree.insert(
            history: [id("2-dd"), id("1-aa")], body: nil, flags: .deleted, remote: 1,
            allowingConflict: true)
        #expect(tree.conflicts == [1] && tree.isConflicted)
        tree.setLatest(0, of: 1)
        #expect(tree.conflicts == [] && !tree.isConflicted)
    }

    @Test("the longest tree supports all changes, and no further revisions")
    func longest() throws {
        let count = RevisionTree.maximumRevisions
        let parents = (0..<count).map { $0 + 1 < count ? $0 + 1 : 0xFFFF }
        var bytes = RevisionTreeReadingTests.bytes(parents: parents)
        bytes[6] = 0x02
        // A remote for each revision, so that each has to be looked up.
        bytes.removeLast(4)
        for index in 0..<count {
            let remote = index + 1
            bytes += [
                UInt8(remote >> 8), UInt8(remote & 0xFF), UInt8(index >> 8), UInt8(index & 0xFF),
            ]
        }
        var tree = RevisionTree()
        let seconds = try processorSeconds {
            tree = try RevisionTree(binary: bytes)
            expect(.invalidParameter, tree) {
                try $0.add(id: [0x7F, 1], body: nil, parent: 0)
            }
            try tree.purge(leaf: 0)
            #expect(tree.revisions.isEmpty && tree.remotes.isEmpty)
            bytes.removeLast(4 * count)
            tree = try RevisionTree(binary: bytes)
            #expect(tree.history(of: 0).count == count)
            #expect(tree.prune(toDepth: count - 1) == 1)
            try tree.add(id: [0x7F, 1], body: nil, parent: 0)
            try tree.purge(leaf: 0)
            #expect(tree.columns().extra == nil)
        }
        print("RevisionTreeChangeTests: the longest tree in \(seconds) s")
        #expect(seconds < 20)
    }
}
