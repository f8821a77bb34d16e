import DocumentStore

/// A revision tree as a dictionary, without pruning.
struct ModelTree {
    struct Revision {
        let parent: RevisionID?
        /// Nil if another revision has replaced it.
        var body: ModelBody?
        let isDeleted: Bool
        var hasLost: Bool
    }

    var revisions: [RevisionID: Revision] = [:]
    var remotes: [Int: RevisionID] = [:]

    func hasChildren(_ id: RevisionID) -> Bool {
        revisions.values.contains { $0.parent == id }
    }

    private var leaves: [RevisionID] {
        let parents = Set(revisions.values.compactMap(\.parent))
        return revisions.keys.filter { !parents.contains($0) }
    }

    /// The current leaf: it has not lost, is live, and has the highest id.
    var current: RevisionID {
        leaves.max { left, right in
            for fact in [\Revision.hasLost, \Revision.isDeleted] {
                let (one, other) = (
                    revisions[left]?[keyPath: fact], revisions[right]?[keyPath: fact]
                )
                if one != other { return one == true }
            }
            return left.digestParts.lexicographicallyPrecedes(right.digestParts)
        } ?? .digest(generation: 0, digest: [])
    }

    var conflicts: [RevisionID] {
        let current = current
        return leaves.filter { $0 != current && isActive($0) }
    }

    /// Whether a leaf is the latest revision of this database or of a remote.
    func isActive(_ leaf: RevisionID) -> Bool {
        revisions[leaf]?.isDeleted == false || remotes.values.contains(leaf)
    }

    /// The current revision or another one, with its ancestors.
    func branch(of id: RevisionID) -> [RevisionID] {
        Array(sequence(first: id) { revisions[$0]?.parent })
    }

    /// Adds revisions, the newest first.
    mutating func add(
        _ ids: [RevisionID], after parent: RevisionID?, _ body: ModelBody, _ isDeleted: Bool
    ) {
        let hasLost =
            parent.map { hasChildren($0) || revisions[$0]?.hasLost == true } ?? !revisions.isEmpty
        var last = parent
        for id in ids.reversed() {
            if let last { revisions[last]?.body = nil }
            revisions[id] = Revision(
                parent: last, body: id == ids[0] ? body : nil,
                isDeleted: id == ids[0] && isDeleted, hasLost: hasLost)
            last = id
        }
    }

    /// Removes a leaf and the ancestors that only it has; `winner` is not marked as lost any more.
    mutating func end(_ loser: RevisionID, winner: RevisionID) {
        for id in branch(of: winner) {
            guard revisions[id]?.hasLost == true else { break }
            revisions[id]?.hasLost = false
        }
        var next: RevisionID? = loser
        while let id = next, !hasChildren(id) {
            next = revisions[id]?.parent
            revisions[id] = nil
            for (remote, known) in remotes where known == id { remotes[remote] = next }
        }
    }
}

extension RevisionID {
    /// Numbers that order digests as in a tree.
    fileprivate var digestParts: [UInt64] {
        guard case .digest(let generation, let digest) = self else { return [] }
        return [generation] + digest.map { UInt64($0) }
    }

    /// The times of the sources of a vector, or of the vector that represents a tree's revision.
    var times: [VersionVector.Source: UInt64] {
        switch self {
        case .vector(let vector):
            return vector.versions.reduce(into: [:]) {
                $0[$1.source] = max($0[$1.source] ?? 0, $1.time.rawValue)
            }
        case .digest(let generation, let digest):
            let prefix = digest.prefix(5).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return [.legacy: generation << 40 | prefix]
        }
    }
}

/// The relation of a version to another.
enum ModelOrder {
    case older, newer, conflicting

    init(
        _ one: [VersionVector.Source: UInt64], to other: [VersionVector.Source: UInt64]
    ) {
        if one.allSatisfy({ $0.value <= other[$0.key] ?? 0 }) {
            self = .older
        } else if other.allSatisfy({ $0.value <= one[$0.key] ?? 0 }) {
            self = .newer
        } else {
            self = .conflicting
        }
    }
}

extension [Int: ModelRemote] {
    /// The remote revisions after the document has a version that supersedes some of them.
    func ended(by new: RevisionID) -> [Int: ModelRemote] {
        mapValues { remote in
            var remote = remote
            if case .vector = remote.id, ModelOrder(remote.id.times, to: new.times) == .older {
                remote.isConflicted = false
            }
            return remote
        }
    }
}

extension ModelDocument {
    /// A tree as a version vector, if every branch is known to a remote.
    func upgraded() -> ModelDocument {
        guard case .tree(let tree) = form else { return self }
        let conflicts = tree.conflicts
        guard conflicts.allSatisfy(tree.remotes.values.contains),
            case .digest(let generation, let digest) = tree.current,
            let legacy = VersionVector.Version(legacy: generation, digest, isCurrent: true)
        else { return self }
        var document = self
        document.vectorBody = body
        document.vectorIsDeleted = isDeleted
        document.form = .vector(
            VersionVector(first: legacy),
            tree.remotes.mapValues { id in
                let revision = tree.revisions[id]
                return ModelRemote(
                    id: id, body: revision?.body, isDeleted: revision?.isDeleted ?? false,
                    isConflicted: conflicts.contains(id))
            })
        return document
    }

    /// Adds a revision on top of the current one, by this database.
    ///
    /// - Parameter isKept: whether it has the content of the current one, so that it is as old.
    mutating func change(
        _ body: ModelBody, _ isDeleted: Bool, as new: RevisionID,
        merging other: RevisionID? = nil, isKept: Bool = false
    ) throws {
        switch (form, new) {
        case (.tree(var tree), .digest(let generation, _)):
            guard case .digest(let before, _) = tree.current else { return }
            try require(generation == before + 1, "\(new) on \(tree.current)")
            tree.add([new], after: tree.current, body, isDeleted)
            form = .tree(tree)
        case (.vector(let old, let remotes), .vector(let vector)):
            var times = RevisionID.vector(old).times
            if let other { times.merge(other.times, uniquingKeysWith: max) }
            let latest = isKept ? old.first.time.rawValue : times.values.max() ?? 0
            let found = new.times
            times[.local] = found[.local]
            try require(
                found == times && vector.first.source == .local
                    && vector.first.time.rawValue > latest,
                "\(vector.text) on \(old.text) and \(other.map { "\($0)" } ?? "nothing")")
            form = .vector(vector, other == nil ? remotes : remotes.ended(by: new))
            received = nil
            vectorBody = body
            vectorIsDeleted = isDeleted
        default: try require(false, "\(new) on \(revisionID): another kind")
        }
    }
}
