internal import StoreFormat

/// Maps B-trees to KeyStores according to the schema table or, if that is lost, to their contents.
struct TreeNames {
    /// The store of a B-tree, and whether it was inferred from the contents.
    struct Name: Equatable {
        let store: KeyStoreName
        let isGuess: Bool
    }

    private var names: [Int: Name] = [:]
    /// B-trees that do not belong to a store, by name.
    private var others: Set<Int> = []
    /// The rows of `kvmeta`.
    private(set) var counts: [StoreCounts] = []

    init(_ map: PageMap) {
        for (root, entry) in map.entries {
            if entry.name == entry.table, let store = StoreTable.store(ofTable: entry.name) {
                names[root] = Name(store: store.store, isGuess: false)
            } else {
                others.insert(root)
            }
        }
        counts = Self.counts(map, known: Set(names.values.map(\.store)))
        guess(map)
    }

    /// The store of a B-tree; nil if it does not belong to a store.
    subscript(_ root: Int) -> Name? { names[root] }

    /// The rows of `kvmeta`. Entries of document indexes can have the same form, so only names that
    /// a store can have are accepted.
    private static func counts(_ map: PageMap, known: Set<KeyStoreName>) -> [StoreCounts] {
        let root = map.entries.first { $0.value.name == "kvmeta" }?.key
        let isLost = root == nil
        var counts: [StoreCounts] = []
        for (page, entry) in map.counts.values {
            let live = entry.name.hasPrefix("del_") ? String(entry.name.dropFirst(4)) : entry.name
            let store = KeyStoreName(live)
            let isName = KeyStoreName(tableName: store.tableName) == store
            let isNamed = known.contains(store) || isLost && store.isCollection && isName
            guard isNamed, root == nil || map.root(of: page) == root, entry.lastSequence >= 0,
                entry.purges >= 0
            else { continue }
            counts.append(entry)
        }
        return counts
    }

    private mutating func guess(_ map: PageMap) {
        var trees: [Int: PageMap.Leaf] = [:]
        for (page, leaf) in map.leaves {
            let root = map.root(of: page)
            guard names[root] == nil else { continue }
            var tree = trees[root, default: PageMap.Leaf()]
            tree.rows += leaf.rows
            tree.documents += leaf.documents
            tree.highestSequence = max(tree.highestSequence, leaf.highestSequence)
            tree.hasInfoKey = tree.hasInfoKey || leaf.hasInfoKey
            trees[root] = tree
        }
        let collections = collections()
        for root in trees.keys.sorted() {
            guard let tree = trees[root] else { continue }
            // The name itself can be damaged: documents are recovered whatever the table's name is.
            if others.contains(root), tree.documents == 0, !tree.hasInfoKey { continue }
            let store = store(of: tree, root, collections)
            names[root] = Name(store: store, isGuess: true)
        }
    }

    /// The collections of the file, as far as known.
    private func collections() -> [KeyStoreName] {
        let counted = counts.filter { !$0.name.hasPrefix("del_") }.map { KeyStoreName($0.name) }
        let all = Set(names.values.map(\.store) + counted).filter(\.isCollection)
        return all.isEmpty ? [.default] : all.sorted { $0.rawName < $1.rawName }
    }

    private func store(
        of tree: PageMap.Leaf, _ root: Int, _ collections: [KeyStoreName]
    ) -> KeyStoreName {
        if tree.hasInfoKey { return .info }
        guard tree.documents > 0 else { return KeyStoreName("recovered_\(root)") }
        if collections.count == 1 { return collections[0] }
        let sameSequence = counts.filter {
            $0.lastSequence == tree.highestSequence && KeyStoreName($0.name).isCollection
        }
        if sameSequence.count == 1 { return KeyStoreName(sameSequence[0].name) }
        return KeyStoreName(".recovered.tree\(root)")
    }
}
