internal import FleeceLite
internal import StoreFormat

extension DocumentHistory {
    /// All revisions that are known.
    ///
    /// Of a tree each stands behind the one that it replaced, the branch of the current one before
    /// others. Of a version vector it is the current one, then what remotes have, then the
    /// revision of a tree that it was before.
    ///
    /// Throws `.corruptRevisionData` or `.corruptData` if one of them is damaged.
    public func revisionList() throws -> [RevisionListItem] {
        switch form {
        case .tree(let tree): try list(tree)
        case .vector(let vector, let remotes): try list(vector, remotes)
        }
    }

    private func list(_ tree: RevisionTree) throws -> [RevisionListItem] {
        let order = tree.parentsFirst()
        var places = [Int](repeating: 0, count: tree.revisions.count)
        for (place, index) in order.enumerated() { places[index] = place }
        let unresolved = Set(tree.conflicts)
        let rejected = Set(tree.rejected)
        var list: [RevisionListItem] = []
        list.reserveCapacity(order.count)
        for index in order {
            let stored = tree.revisions[index]
            let revision = try revision(index, of: tree)
            var item = RevisionListItem(id: revision.id, flags: revision.flags)
            item.parent = stored.parent.map { places[$0] }
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
        var current = RevisionListItem(id: .vector(vector), flags: flags)
        current.isCurrent = true
        current.bodySize = body?.withBytes { $0.count }
        current.properties = body?.root.dictionary
        var list = [current]
        for remote in remotes.all {
            if let known = list.firstIndex(where: { $0.id == remote.revisionID }) {
                list[known].remotes.append(remote.remote)
            } else {
                list.append(RevisionListItem(remote))
            }
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
    /// What a remote has.
    fileprivate init(_ remote: RemoteRevision) {
        self.init(
            id: remote.revisionID, flags: remote.flags.intersection(RemoteRevision.ownFlags))
        isConflict = remote.flags.contains(.conflicted)
        isUnresolved = isConflict
        properties = remote.properties
        bodySize = remote.properties.flatMap { Self.size(of: $0) }
        remotes = [remote.remote]
    }

    /// It shares its bytes with the current body.
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
    /// The indexes so that each revision stands before its children, and the branch of a better
    /// leaf before others.
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
