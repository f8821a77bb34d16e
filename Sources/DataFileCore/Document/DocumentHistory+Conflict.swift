internal import FleeceLite
internal import StoreFormat

extension DocumentHistory {
    /// Resolves a conflict with a new revision that succeeds both.
    ///
    /// - Parameter isCurrent: whether it is the current revision again, so that it is as old.
    mutating func resolve(
        _ other: DocumentRevision, _ new: NewRevision, isCurrent: Bool = false,
        in transaction: Transaction
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
            let time =
                try isCurrent
                ? vector.timeAfterCurrent(theirs)
                    ?? transaction.newTime(after: vector, theirs, id: id)
                : transaction.newTime(after: vector, theirs, id: id)
            let merged = vector.merging(theirs, at: time)
            let rest = remotes.ended(other).ended(by: merged)
            form = .vector(merged, rest.withLegacy([received, other.id], of: merged))
            received = nil
            body = try new.document()
            flags = new.flags
            sharedKeys = new.sharedKeys
        }
    }

    /// Resolves a conflict in favor of the current revision.
    mutating func keepCurrent(
        against other: DocumentRevision, in transaction: Transaction
    ) throws {
        if case .tree(let tree) = form, other.remotes.isEmpty {
            // No remote has the other branch, so the result need not be its successor.
            form = .tree(try tree.ended(against: other, takingOther: false))
            return
        }
        let flags =
            tree?.current?.flags.ofDocument ?? self.flags.intersection(RemoteRevision.ownFlags)
        guard let body else {
            return try resolve(
                other, NewRevision(body: nil, flags: flags, sharedKeys: sharedKeys),
                isCurrent: true, in: transaction)
        }
        try body.withBytes { bytes in
            try resolve(
                other, NewRevision(body: bytes, flags: flags, sharedKeys: sharedKeys),
                isCurrent: true, in: transaction)
        }
    }

    /// Resolves a conflict in favor of the other revision, which becomes the current one.
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
            var rest = remotes.ended(other).ended(by: vector)
            let own = received
            received = other.id.isVector ? nil : other.id
            if received == nil, vector.time(of: .legacy) != nil {
                rest = rest.withLegacy([own], of: vector)
            } else {
                rest.setLegacy(nil)
            }
            form = .vector(vector, rest)
            body = try new.document()
            sharedKeys = new.sharedKeys
        }
    }
}

extension VersionVector {
    /// The least time for a version of this database that is a successor of this vector and another
    /// one: later than the current version, so that it ranks among other changes by the time at
    /// which its content was written. Nil if the current version has no actual time.
    fileprivate func timeAfterCurrent(_ other: VersionVector) -> LogicalTime? {
        guard !first.isLegacy else { return nil }
        let own = [time(of: .local), other.time(of: .local)].compactMap { $0?.rawValue }
        let time = LogicalTime(rawValue: max(own.max() ?? 0, first.time.rawValue) + 1)
        return LogicalTime.valid.contains(time) ? time : nil
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
                .corruptRevisionData, "the ID of the revision \(other.id) is not in canonical form")
        }
        try tree.resolveConflict(
            winner: takingOther ? other : 0, loser: takingOther ? 0 : other)
        return tree
    }
}

extension RemoteRevisions {
    /// The remotes' revisions after the document got a version that may have resolved conflicts.
    func ended(by vector: VersionVector) -> RemoteRevisions {
        ended { remote in
            // Unknown for tree revisions, whose versions have no actual times.
            guard case .vector(let other) = remote.revisionID, !other.first.isLegacy else {
                return false
            }
            return vector.contains(other.first) && other.compare(to: vector) != .conflicting
        }
    }

    /// The remotes' revisions after the conflict with one of them is resolved.
    fileprivate func ended(_ other: DocumentRevision) -> RemoteRevisions {
        ended { other.remotes.contains($0.remote) }
    }

    private func ended(where isOver: (RemoteRevision) -> Bool) -> RemoteRevisions {
        var remotes = self
        for remote in all where remote.flags.contains(.conflicted) && isOver(remote) {
            remotes.setRemote(remote.remote, to: remote.resolved)
        }
        return remotes
    }
}
