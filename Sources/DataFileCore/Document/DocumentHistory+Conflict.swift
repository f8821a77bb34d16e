internal import FleeceLite
internal import StoreFormat

extension DocumentHistory {
    /// Ends a conflict with a new revision that stands for both.
    mutating func resolve(
        _ other: DocumentRevision, _ new: NewRevision, in transaction: Transaction
    ) throws {
        switch form {
        case .tree(let tree):
            form = .tree(try tree.ended(against: other, takingOther: !other.remotes.isEmpty))
            let id = id
            try add(new, maximumDepth: transaction.maximumTreeDepth()) {
                try transaction.newTime(after: $0, id: id)
            }
        case .vector(let vector, let remotes):
            let theirs = try VersionVector(of: other.id)
            let time = try transaction.newTime(after: vector, theirs, id: id)
            let merged = vector.merging(theirs, at: time)
            form = .vector(merged, remotes.ended(other).ended(by: merged))
            body = try new.document()
            flags = new.flags
            sharedKeys = new.sharedKeys
        }
    }

    /// Ends a conflict by the document as it is here.
    mutating func keepCurrent(
        against other: DocumentRevision, in transaction: Transaction
    ) throws {
        if case .tree(let tree) = form, other.remotes.isEmpty {
            // Nobody else has the other branch, so nothing has to stand on top of it.
            form = .tree(try tree.ended(against: other, takingOther: false))
            return
        }
        let flags =
            tree?.current?.flags.ofDocument ?? self.flags.intersection(RemoteRevision.ownFlags)
        guard let body else {
            return try resolve(
                other, NewRevision(body: nil, flags: flags, sharedKeys: sharedKeys),
                in: transaction)
        }
        try body.withBytes { bytes in
            try resolve(
                other, NewRevision(body: bytes, flags: flags, sharedKeys: sharedKeys),
                in: transaction)
        }
    }

    /// Ends a conflict by the other revision, which becomes the current one.
    ///
    /// - Parameter new: its body, encoded again.
    mutating func take(_ other: DocumentRevision, _ new: NewRevision) throws {
        flags = other.flags
        switch form {
        case .tree(let tree):
            let ended = try tree.ended(against: other, takingOther: true)
            form = .tree(ended)
            body = try ended.revisions[0].body.map { try document($0) }
        case .vector(_, let remotes):
            let vector = try VersionVector(of: other.id)
            form = .vector(vector, remotes.ended(other).ended(by: vector))
            body = try new.document()
            sharedKeys = new.sharedKeys
        }
    }
}

extension RevisionTree {
    /// The tree with only one of the two branches, the other one or the current one.
    fileprivate func ended(
        against other: DocumentRevision, takingOther: Bool
    ) throws -> RevisionTree {
        var tree = self
        guard let other = index(of: other.id.binary) else {
            throw StoreError(
                .corruptRevisionData, "the id of the revision \(other.id) is not written as it is")
        }
        try tree.resolveConflict(
            winner: takingOther ? other : 0, loser: takingOther ? 0 : other)
        return tree
    }
}

extension RemoteRevisions {
    /// What remotes have once the document has a version that may have seen conflicts end.
    func ended(by vector: VersionVector) -> RemoteRevisions {
        ended { remote in
            // Of revisions of a tree nobody can tell: their versions are no times.
            guard case .vector(let other) = remote.revisionID, !other.first.isLegacy else {
                return false
            }
            return vector.contains(other.first) && other.compare(to: vector) != .conflicting
        }
    }

    /// What remotes have once the conflict with one of them has ended.
    fileprivate func ended(_ other: DocumentRevision) -> RemoteRevisions {
        ended { other.remotes.contains($0.remote) }
    }

    private func ended(where isOver: (RemoteRevision) -> Bool) -> RemoteRevisions {
        var remotes = self
        for remote in all where remote.flags.contains(.conflicted) && isOver(remote) {
            var ended = remote
            ended.flags.remove(.conflicted)
            remotes.setRemote(remote.remote, to: ended)
        }
        return remotes
    }
}
