internal import FleeceLite
internal import StoreFormat

extension DocumentHistory {
    /// All known revisions.
    ///
    /// For a tree, each revision follows the one that it replaced, the current branch before
    /// others. For a version vector, it is the current revision, then those of remotes, then those
    /// that remotes had before a conflict, then the tree revision that it was before the upgrade.
    ///
    /// ```swift
    /// for item in try history.revisionList() {
    ///     let indent = String(repeating: "  ", count: item.depth)
    ///     show("\(indent)\(item.id)", item.isDeleted ? "deleted" : "")
    /// }
    /// ```
    ///
    /// - Throws: ``StoreError/Code/corruptRevisionData`` or ``StoreError/Code/corruptData`` if one
    ///   of them is damaged.
    public func revisionList() throws -> [RevisionListItem] {
        switch form {
        case .tree(let tree): try list(tree)
        case .vector(let vector, let remotes): try list(vector, remotes)
        }
    }

    private func list(_ tree: RevisionTree) throws -> [RevisionListItem] {
        let order = tree.parentsFirst()
        var positions = [Int](repeating: 0, count: tree.revisions.count)
        for (position, index) in order.enumerated() { positions[index] = position }
        let unresolved = Set(tree.conflicts)
        let rejected = Set(tree.rejected)
        var list: [RevisionListItem] = []
        list.reserveCapacity(order.count)
        for index in order {
            let stored = tree.revisions[index]
            let revision = try revision(index, of: tree)
            var item = RevisionListItem(id: revision.id, flags: revision.flags)
            item.parent = stored.parent.map { positions[$0] }
            item.depth = item.parent.map { list[$0].depth + 1 } ?? 0
            item.isCurrent = index == 0
            item.isLeaf = stored.isLeaf
            item.isClosed = stored.flags.contains(.closed)
            item.isConflict = stored.flags.contains(.conflict)
            item.isUnresolved = unresolved.contains(index)
            item.keepsBody = stored.flags.contains(.keepBody)
            item.isRejected = rejected.contains(index)
            item.sequence = stored.sequence
            item.bodySize = stored.body?.count
            item.properties = revision.properties
            item.remotes = revision.remotes
            list.append(item)
        }
        return list
    }

    private func list(
        _ vector: VersionVector, _ remotes: RemoteRevisions
    ) throws -> [RevisionListItem] {
        let flags = flags.intersection(RemoteRevision.ownFlags)
        var current = RevisionListItem(id: received ?? .vector(vector), flags: flags)
        current.isCurrent = true
        current.bodySize = body?.withBytes { $0.count }
        current.properties = body?.root.dictionary
        var list = [current]
        for remote in remotes.all {
            if let index = list.firstIndex(where: { $0.id == remote.revisionID }) {
                list[index].remotes.append(remote.remote)
            } else {
                list.append(RevisionListItem(remote))
            }
        }
        for base in remotes.all.compactMap(\.base)
        where !list.contains(where: { $0.id == base.revisionID }) {
            list.append(RevisionListItem(base))
        }
        if let id = remotes.legacyRevisionID, !list.contains(where: { $0.id == id }) {
            var legacy = RevisionListItem(id: id, flags: [])
            legacy.isLegacy = true
            legacy.isLeaf = false
            list.append(legacy)
        }
        return list
    }
}

extension RevisionListItem {
    /// The revision of a remote.
    fileprivate init(_ remote: RemoteRevision) {
        self.init(
            id: remote.revisionID, flags: remote.flags.intersection(RemoteRevision.ownFlags))
        isConflict = remote.flags.contains(.conflicted)
        isUnresolved = isConflict
        properties = remote.properties
        bodySize = remote.properties.flatMap { Self.size(of: $0) }
        remotes = [remote.remote]
    }

    /// The base of a conflict.
    fileprivate init(_ base: RemoteRevision.Base) {
        self.init(id: base.revisionID, flags: base.flags)
        isLeaf = false
        properties = base.properties
        bodySize = base.properties.flatMap { Self.size(of: $0) }
    }

    /// Not stored, since the properties share bytes with the current body.
    private static func size(of properties: FleeceDictionary) -> Int? {
        let value = properties.value
        var encoder = FleeceEncoder(sharedKeys: value.document.sharedKeys)
        return try? {
            try encoder.write(value)
            return try encoder.finish().count
        }()
    }
}

extension RevisionTree {
    /// The indexes in an order in which each revision precedes its children, and the branch of a
    /// higher-ranking leaf precedes others.
    fileprivate func parentsFirst() -> [Int] {
        var best = Array(revisions.indices)
        for index in childrenFirst() {
            if let parent = revisions[index].parent {
                best[parent] = min(best[parent], best[index])
            }
        }
        var children = [[Int]](repeating: [], count: revisions.count)
        var waiting: [Int] = []
        for (index, revision) in revisions.enumerated() {
            if let parent = revision.parent {
                children[parent].append(index)
            } else {
                waiting.append(index)
            }
        }
        waiting.sort { best[$0] > best[$1] }
        var order: [Int] = []
        while let index = waiting.popLast() {
            order.append(index)
            waiting += children[index].sorted { best[$0] > best[$1] }
        }
        return order
    }
}
