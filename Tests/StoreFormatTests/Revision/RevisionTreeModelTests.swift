import Foundation
import SampleData
import StoreTestSupport
import Testing
@testable import StoreFormat

/// Seeded histories of a tree, each step compared with the model.
///
/// `STORE_HISTORIES` is the number of histories, `STORE_SEED` the first seed.
@Suite("RevisionTree: histories against a model", .timeLimit(.minutes(20)))
struct RevisionTreeModelTests {
    @Test("branches, merges, prunes, rejections and remotes give the same as the model")
    func histories() throws {
        let first = TestEnvironment.number("STORE_SEED", or: 1)
        let count = TestEnvironment.number("STORE_HISTORIES", or: 200)
        print("RevisionTreeModelTests: \(count) histories from STORE_SEED=\(first)")
        var done: [String: Int] = [:]
        for seed in first..<(first + count) {
            var history = RevisionTreeHistory(seed: UInt64(seed))
            for _ in 0..<40 {
                try history.step()
                if let difference = try history.difference() {
                    Issue.record("STORE_SEED=\(seed): \(difference)\n\(history.log)")
                    return
                }
            }
            done.merge(history.counts, uniquingKeysWith: +)
        }
        // Each kind of step happened, and was rejected where possible.
        let line = done.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print("RevisionTreeModelTests: \(line.joined(separator: ", "))")
        for kind in [
            "add", "insert", "resolve", "close", "purge", "prune", "reject", "latest", "save",
            "refused conflict", "refused badRevisionID", "refused invalidParameter", "conflicted",
            "emptied", "pruned",
        ] {
            #expect(done[kind, default: 0] > 0, "\(kind)")
        }
    }
}

/// A tree and its model, changed alike.
struct RevisionTreeHistory {
    private(set) var tree = RevisionTree()
    private(set) var model = RevisionTreeModel()
    private(set) var counts: [String: Int] = [:]
    private var steps: [String] = []
    private var random: SeededGenerator
    private var sequence = 0

    var log: String { steps.joined(separator: "\n") }

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    // MARK: Steps

    mutating func step() throws {
        switch random.below(20) {
        case 0...4: try extendCurrent()
        case 5: try addAnywhere()
        case 6...10: try insert()
        case 11...12: try resolve()
        case 13: try purge()
        case 14...15: prune()
        case 16: reject()
        case 17: setLatest()
        default: try save()
        }
        if tree.isConflicted { counts["conflicted", default: 0] += 1 }
        if tree.revisions.isEmpty { counts["emptied", default: 0] += 1 }
    }

    private mutating func note(_ kind: String, _ details: String) {
        counts[kind, default: 0] += 1
        steps.append("\(kind) \(details)")
    }

    /// Applies a step to both, which must both reject it or both succeed.
    private mutating func both(
        _ change: (inout RevisionTree) throws -> Void,
        _ modelChange: (inout RevisionTreeModel) throws -> Void
    ) throws {
        var refusal: RevisionTreeModel.Refusal?
        do { try modelChange(&model) } catch let error as RevisionTreeModel.Refusal {
            refusal = error
        }
        let before = tree
        do {
            try change(&tree)
            if let refusal { steps.append("THE TREE ALLOWED WHAT IS \(refusal)") }
            guard refusal == nil else { throw Difference(text: log) }
        } catch let error as StoreError {
            let code: StoreError.Code? =
                switch refusal {
                case .conflict: .conflict
                case .badRevisionID: .badRevisionID
                case .invalidParameter: .invalidParameter
                case nil: nil
                }
            guard let refusal, let code, error.has(code), tree == before else {
                throw Difference(text: "refused: \(error)\n\(log)")
            }
            counts["refused \(refusal)", default: 0] += 1
        }
    }

    struct Difference: Error {
        let text: String
    }

    private mutating func newID(after parent: String?) -> String {
        let generation = parent.map { RevisionTreeModel.generation($0) } ?? 0
        let digits = (0...random.below(2)).map { _ in
            let byte = random.below(256)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        // Now and then a generation that cannot be, or one that leaves some out.
        let step = random.below(30) == 0 ? 0 : random.below(20) == 0 ? 130 : 1
        return "\(max(1, generation + step))-\(digits.joined())"
    }

    private mutating func newNode(_ parent: String?) -> RevisionTreeModel.Node {
        var node = RevisionTreeModel.Node(parent: parent)
        node.deleted = random.below(6) == 0
        node.attachments = random.below(8) == 0
        node.kept = random.below(5) == 0
        if random.below(5) > 0 { node.body = "body \(random.below(1000))" }
        return node
    }

    private mutating func anyID() -> String? {
        tree.revisions.isEmpty ? nil : Self.text(random.pick(tree.revisions).id)
    }

    private mutating func anyLeaf() -> String? {
        let leaves = tree.revisions.filter(\.isLeaf)
        return leaves.isEmpty || random.below(15) == 0 ? anyID() : Self.text(random.pick(leaves).id)
    }

    private mutating func extendCurrent() throws {
        try add(after: tree.current.map { Self.text($0.id) })
    }

    private mutating func addAnywhere() throws {
        try add(after: random.below(5) == 0 ? nil : anyID())
    }

    private mutating func add(after parent: String?) throws {
        let id = newID(after: parent)
        let node = newNode(parent)
        note("add", "\(id) after \(parent ?? "nothing"): \(node)")
        let index = parent.flatMap { place($0) }
        try both(
            { tree in
                let index = try tree.add(
                    id: RevisionID(id).binary, body: node.body.map { Array($0.utf8) },
                    flags: node.flags, parent: index)
                guard Self.text(tree.revisions[index].id) == id else {
                    throw Difference(text: "add said that \(id) is at \(index)")
                }
            }, { try $0.add(id, node) })
    }

    private mutating func insert() throws {
        let known = random.below(12) == 0 ? nil : random.below(3) == 0 ? anyID() : anyLeaf()
        var history = known.map { Array(model.line($0).prefix(1 + random.below(4))) } ?? []
        for _ in 0..<random.below(4) { history.insert(newID(after: history.first), at: 0) }
        let node = newNode(nil)
        let remote: UInt16? = random.below(2) == 0 ? nil : UInt16(1 + random.below(3))
        let allowingConflict = random.below(3) > 0
        note(
            "insert",
            "\(history) remote \(remote ?? 0) allowing conflict \(allowingConflict): \(node)")
        try both(
            { tree in
                let index = try tree.insert(
                    history: history.map { try RevisionID($0).binary },
                    body: node.body.map { Array($0.utf8) }, flags: node.flags, remote: remote,
                    allowingConflict: allowingConflict)
                guard Self.text(tree.revisions[index].id) == history.first else {
                    throw Difference(text: "insert said that \(history) is at \(index)")
                }
            },
            {
                try $0.insert(history, node, remote: remote, allowingConflict: allowingConflict)
            })
    }

    private mutating func resolve() throws {
        guard
            let winner = random.below(2) == 0 ? anyLeaf() : tree.current.map({ Self.text($0.id) }),
            let loser = anyLeaf(), let winnerPosition = place(winner),
            let loserPosition = place(loser)
        else { return }
        let closing = random.below(2) == 0
        note(closing ? "close" : "resolve", "\(winner) won against \(loser)")
        let end =
            try closing
            ? RevisionID.child(of: RevisionID(loser), isDeleted: true, body: nil).description : nil
        try both(
            { tree in
                let index = try tree.resolveConflict(
                    winner: winnerPosition, loser: loserPosition, closing: closing)
                guard Self.text(tree.revisions[index].id) == winner else {
                    throw Difference(text: "the winner is not at \(index)")
                }
            }, { try $0.resolve(winner, loser, end: end) })
    }

    private mutating func purge() throws {
        guard let leaf = anyLeaf(), let index = place(leaf) else { return }
        note("purge", leaf)
        try both({ try $0.purge(leaf: index) }, { try $0.purge(leaf) })
    }

    private mutating func prune() {
        let depth = 1 + random.below(6)
        note("prune", "to \(depth)")
        let count = tree.prune(toDepth: depth)
        if count > 0 { counts["pruned", default: 0] += count }
        if model.prune(depth) != count { steps.append("THE TREE PRUNED \(count)") }
    }

    private mutating func reject() {
        guard let id = anyID(), let index = place(id) else { return }
        note("reject", id)
        tree.reject(index)
        if !model.rejected.contains(id) { model.rejected.append(id) }
    }

    private mutating func setLatest() {
        guard let id = anyID(), let index = place(id) else { return }
        let remote = UInt16(1 + random.below(3))
        note("latest", "\(id) of \(remote)")
        tree.setLatest(index, of: remote)
        model.remotes[remote] = id
    }

    /// Writes the tree as columns, and continues with what is read from them.
    private mutating func save() throws {
        guard !tree.revisions.isEmpty else { return }
        sequence += 1
        let isSynced = random.below(6) == 0
        note("save", "sequence \(sequence), synced \(isSynced)")
        let columns = tree.columns()
        guard columns.flags == model.flags else {
            throw Difference(text: "flags \(columns.flags.names)\n\(log)")
        }
        tree = try RevisionTree(
            Record(
                key: "doc", sequence: Int64(sequence), subsequence: 0,
                flags: isSynced ? columns.flags.union(.synced) : columns.flags,
                version: columns.version ?? [], body: columns.body, extra: columns.extra,
                bodySize: columns.body?.count ?? 0, extraSize: columns.extra?.count ?? 0,
                expiration: nil, isInTombstoneTable: false))
        model.save(sequence: sequence)
        if isSynced, let current = model.order.first {
            model.remotes[1] = current
            model.nodes[current]?.kept = true
        }
    }

    private func place(_ id: String) -> Int? {
        tree.revisions.firstIndex { Self.text($0.id) == id }
    }

    private static func text(_ id: [UInt8]) -> String { RevisionTree.text(id) }

    // MARK: Comparison

    /// The difference between the tree and the model; nil if there is none.
    func difference() throws -> String? {
        let ids = tree.revisions.map { Self.text($0.id) }
        guard ids == model.order else { return "order \(ids), not \(model.order)" }
        let leaves = model.leaves
        for (id, revision) in zip(ids, tree.revisions) {
            guard let node = model.nodes[id] else { return "\(id) is no more" }
            let parent = revision.parent.map { ids[$0] }
            guard parent == node.parent else { return "\(id) after \(parent ?? "nothing")" }
            guard revision.isLeaf == leaves.contains(id) else { return "leaf \(id)" }
            guard revision.flags.subtracting(.leaf) == node.flags else { return "flags of \(id)" }
            guard revision.body == node.body.map({ Array($0.utf8) }) else { return "body of \(id)" }
            guard revision.sequence == UInt64(node.sequence) else { return "sequence of \(id)" }
        }
        for (index, id) in ids.enumerated() {
            guard tree.history(of: index).map({ ids[$0] }) == model.line(id) else {
                return "history of \(id)"
            }
        }
        guard tree.conflicts.map({ ids[$0] }) == model.conflicts else { return "conflicts" }
        guard tree.isConflicted == (model.active.count > 1) else { return "isConflicted" }
        let remotes = tree.remotes.map { ($0.number, ids[$0.revision]) }
        guard remotes.count == model.remotes.count,
            remotes.allSatisfy({ model.remotes[$0] == $1 })
        else { return "remotes \(remotes)" }
        guard tree.rejected.map({ ids[$0] }) == model.rejected else { return "rejected" }
        guard steps.last?.hasPrefix("THE TREE") != true else { return steps.last }
        guard !ids.isEmpty else { return nil }
        return try RevisionTree(binary: tree.binary) == tree ? nil : "read again"
    }
}
