import SampleData
import StoreFormat

/// A simple model of a revision tree: nodes by the text of their ids, and
/// everything else computed when it is needed.
struct RevisionTreeModel {
    struct Node: Equatable {
        var parent: String?
        var deleted = false
        var attachments = false
        var kept = false
        var conflict = false
        var closed = false
        var sequence = 0
        var body: String?
    }

    enum Refusal: Error, Equatable {
        case conflict, badRevisionID, invalidParameter
    }

    var nodes: [String: Node] = [:]
    var remotes: [UInt16: String] = [:]
    var rejected: [String] = []

    // MARK: Queries

    func isLeaf(_ id: String) -> Bool { !nodes.values.contains { $0.parent == id } }
    var leaves: Set<String> {
        Set(nodes.keys).subtracting(nodes.values.compactMap(\.parent))
    }

    static func generation(_ id: String) -> Int {
        Int(id.prefix { $0 != "-" }) ?? 0
    }

    /// The node and its ancestors.
    func line(_ id: String) -> [String] {
        var line = [id]
        while let last = line.last, let parent = nodes[last]?.parent { line.append(parent) }
        return line
    }

    /// What makes one revision better than another, most important first.
    private func merits(_ id: String, _ leaves: Set<String>) -> [Int] {
        guard let node = nodes[id] else { return [] }
        return [
            leaves.contains(id) ? 1 : 0, node.conflict ? 0 : 1, node.deleted ? 0 : 1,
            node.closed ? 0 : 1, Self.generation(id),
        ]
    }

    var order: [String] {
        let leaves = leaves
        return nodes.keys.sorted { left, right in
            let (first, second) = (merits(left, leaves), merits(right, leaves))
            return first == second ? left > right : second.lexicographicallyPrecedes(first)
        }
    }

    var active: [String] {
        let leaves = leaves
        return order.filter { id in
            leaves.contains(id)
                && (nodes[id]?.deleted == false || remotes.values.contains(id))
        }
    }

    var conflicts: [String] {
        let current = order.first
        return active.filter { $0 != current }
    }

    var flags: DocumentFlags {
        guard let current = order.first else { return .deleted }
        var flags: DocumentFlags = []
        if nodes[current]?.deleted == true { flags.insert(.deleted) }
        if active.count > 1 { flags.insert(.conflicted) }
        if nodes.values.contains(where: \.attachments) { flags.insert(.hasAttachments) }
        return flags
    }

    // MARK: Changes

    mutating func add(_ id: String, _ new: Node) throws(Refusal) {
        if let parent = new.parent, Self.generation(parent) >= Self.generation(id) {
            throw .badRevisionID
        }
        guard nodes[id] == nil else { throw .conflict }
        link(id, new)
        dropBodies()
    }

    private mutating func link(_ id: String, _ new: Node) {
        var node = new
        if let parent = new.parent {
            if !isLeaf(parent) || nodes[parent]?.conflict == true { node.conflict = true }
        } else if !nodes.isEmpty {
            node.conflict = true
        }
        nodes[id] = node
    }

    private mutating func dropBodies() {
        let leaves = leaves
        for (id, node) in nodes where !leaves.contains(id) && !node.kept { nodes[id]?.body = nil }
    }

    mutating func insert(
        _ history: [String], _ new: Node, remote: UInt16?, allowingConflict: Bool
    ) throws(Refusal) {
        guard let newest = history.first else { throw .invalidParameter }
        let generations = history.map(Self.generation)
        guard zip(generations, generations.dropFirst()).allSatisfy({ $0 > $1 }) else {
            throw .badRevisionID
        }
        let common = history.first { nodes[$0] != nil }
        if common == newest {
            fill(newest, new)
        } else {
            let begins = common.map { !isLeaf($0) } ?? !nodes.isEmpty
            if begins, !allowingConflict { throw .conflict }
            let missing = history.prefix { $0 != common }
            // Marked as the newest is: one by one each would extend what came before.
            let isConflict =
                new.conflict || begins || common.flatMap { nodes[$0]?.conflict } ?? false
            var parent = common
            for id in missing.reversed() {
                var node = id == newest ? new : Node()
                node.parent = parent
                node.conflict = isConflict
                nodes[id] = node
                parent = id
            }
            dropBodies()
        }
        if let remote { remotes[remote] = newest }
    }

    private mutating func fill(_ id: String, _ new: Node) {
        guard var node = nodes[id], let body = new.body, node.body == nil,
            isLeaf(id) || node.kept || new.kept
        else { return }
        node.body = body
        node.kept = node.kept || new.kept
        node.attachments = node.attachments || new.attachments
        nodes[id] = node
    }

    private mutating func winBranch(_ leaf: String) {
        for id in line(leaf) {
            guard nodes[id]?.conflict == true else { return }
            nodes[id]?.conflict = false
        }
    }

    mutating func resolve(_ winner: String, _ loser: String, end: String?) throws(Refusal) {
        guard winner != loser, isLeaf(winner), isLeaf(loser) else { throw .invalidParameter }
        if let end {
            guard nodes[end] == nil else { throw .conflict }
            link(end, Node(parent: loser, deleted: true, closed: true))
            winBranch(end)
            winBranch(winner)
            dropBodies()
        } else {
            winBranch(winner)
            removeBranch(loser)
        }
    }

    mutating func purge(_ leaf: String) throws(Refusal) {
        guard isLeaf(leaf) else { throw .invalidParameter }
        removeBranch(leaf)
        if let best = order.first { winBranch(best) }
    }

    private mutating func removeBranch(_ leaf: String) {
        let needed = Set(leaves.subtracting([leaf]).flatMap { line($0) })
        remove(Set(line(leaf)).subtracting(needed))
    }

    private mutating func remove(_ gone: Set<String>) {
        var replacements: [String: String] = [:]
        for id in nodes.keys { replacements[id] = line(id).first { !gone.contains($0) } }
        remotes = remotes.compactMapValues { replacements[$0] }
        rejected.removeAll { gone.contains($0) }
        for (id, node) in nodes { nodes[id]?.parent = node.parent.flatMap { replacements[$0] } }
        for id in gone { nodes[id] = nil }
    }

    mutating func prune(_ depth: Int) -> Int {
        var needed = Set(remotes.values).union(rejected)
        let mainLine = Set(order.first.map { line($0) } ?? [])
        for leaf in leaves {
            let line = line(leaf)
            needed.formUnion(line.prefix(depth))
            guard let node = nodes[leaf], !mainLine.contains(leaf) else { continue }
            let isOpen = active.contains(leaf) || (node.conflict && !node.closed)
            guard isOpen else { continue }
            let end = line.firstIndex { mainLine.contains($0) } ?? line.count - 1
            needed.formUnion(line[...end])
        }
        let gone = Set(nodes.keys).subtracting(needed)
        remove(gone)
        return gone.count
    }

    /// What a save and a read do: the revisions that were new have the row's sequence.
    mutating func save(sequence: Int) {
        for (id, node) in nodes where node.sequence == 0 { nodes[id]?.sequence = sequence }
    }
}

extension RevisionTreeModel.Node {
    /// The flags of a revision in the tree, but for the leaf's.
    var flags: RevisionTree.Flags {
        var flags: RevisionTree.Flags = []
        if deleted { flags.insert(.deleted) }
        if attachments { flags.insert(.hasAttachments) }
        if kept { flags.insert(.keepBody) }
        if conflict { flags.insert(.conflict) }
        if closed { flags.insert(.closed) }
        return flags
    }
}
