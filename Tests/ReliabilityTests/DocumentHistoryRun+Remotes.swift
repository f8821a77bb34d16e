import DocumentStore
import SampleData
@testable import StoreFormat

// Revisions of other databases.
extension DocumentHistoryRun {
    /// The expected outcome of an insertion.
    private enum Outcome: String {
        case saved, known, conflict, refused
    }

    func insert(_ id: String) throws {
        let number = chance(15) ? nil : 1 + random.below(2)
        try write { transaction in
            let remote = try number.map { try transaction.remoteID(of: "wss://remote/\($0)") }
            let isDeleted = chance(20)
            let body = isDeleted && chance(70) ? ModelBody() : try body()
            let takesTree =
                if case .tree = model.documents[id]?.form {
                    chance(model.usesVectors ? 50 : 97)
                } else {
                    // Those in the other form are not modeled: see `ReceivedTreeRevisionTests`.
                    !model.usesVectors && chance(model.documents[id] == nil ? 97 : 3)
                }
            let history = takesTree ? treeHistory(id) : [.vector(try vector(id, number ?? 1))]
            let before = model
            let expected =
                takesTree
                ? expectTree(id, history, body, isDeleted, remote)
                : expectVector(id, history[0], body, isDeleted, remote)
            let isNew = before.documents[id]?.isDeleted ?? true
            let found = try insert(
                id, history, body, isDeleted, remote, isNew: isNew, in: transaction)
            note("insert: \(found)", "\(id) \(history.map { "\($0)" }) remote \(remote ?? 0)")
            try require(found == expected, "insert \(id): \(found), not \(expected)")
        }
    }

    private func insert(
        _ id: String, _ history: [RevisionID], _ body: ModelBody, _ isDeleted: Bool,
        _ remote: Int?, isNew: Bool, in transaction: Transaction
    ) throws -> Outcome {
        do {
            let result = try collection.insert(
                id, history: history, isDeleted: isDeleted, remote: remote, in: transaction
            ) { try $0.writeJSON(body.json) }
            switch result {
            case .known: return .known
            case .conflict: return .conflict
            case .saved(let saved):
                try require(
                    saved.sequence == model.lastSequence && saved.isNew == isNew
                        && saved.revisionID == model.documents[id]?.revisionID,
                    "\(saved), not \(model.lastSequence), \(isNew)")
                return .saved
            }
        } catch let error as StoreError where error.has(.conflict) || error.has(.badRevisionID) {
            return .refused
        }
    }

    // Trees.

    private func digest(_ generation: UInt64) -> RevisionID {
        .digest(
            generation: generation,
            digest: (0..<20).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    /// A revision and its ancestors: known ones, or new ones after a known one.
    private func treeHistory(_ id: String) -> [RevisionID] {
        guard case .tree(let tree) = model.documents[id]?.form else {
            let generation = UInt64(1 + random.below(3))
            return (1...generation).reversed().map { digest($0) }
        }
        var leaves = [tree.current] + tree.conflicts
        leaves.sort { "\($0)" < "\($1)" }
        let leaf = chance(60) ? tree.current : random.pick(leaves)
        let branch = tree.branch(of: leaf).prefix(8)
        let position = chance(40) ? 0 : random.below(branch.count)
        let known = Array(branch.dropFirst(position).prefix(1 + random.below(5)))
        let roll = random.below(100)
        if roll < 25 { return known }
        guard roll < 95, case .digest(let generation, _) = known[0] else {
            return [digest(UInt64(1 + random.below(4)))]
        }
        let new = (1...UInt64(1 + random.below(3))).reversed().map { digest(generation + $0) }
        return new + known
    }

    private func expectTree(
        _ id: String, _ history: [RevisionID], _ body: ModelBody, _ isDeleted: Bool,
        _ remote: Int?
    ) -> Outcome {
        var document = model.documents[id] ?? ModelDocument(form: .tree(ModelTree()))
        guard case .tree(var tree) = document.form else { return .refused }
        let before = model.documents[id]?.revisionID
        let position = history.firstIndex { tree.revisions[$0] != nil }
        if position != 0 {
            tree.add(
                Array(history[..<(position ?? history.count)]), after: position.map { history[$0] },
                body, isDeleted)
        }
        let isNews = remote.map { tree.remotes[$0] != history[0] } ?? false
        if let remote { tree.remotes[remote] = history[0] }
        document.form = .tree(tree)
        guard position != 0 else {
            // Without a new revision nothing is written.
            if isNews { model.keep(document, id) }
            return .known
        }
        model.put(document, id)
        return tree.current == before ? .conflict : .saved
    }

    // Version vectors.

    private static let peers = ["AAAAAAAAAAAAAAAAAAAAEA", "AAAAAAAAAAAAAAAAAAAAIA"]

    private func vector(_ id: String, _ number: Int) throws -> VersionVector {
        let peer = Self.peers[number - 1]
        let new = "\(time())@\(peer)"
        let document = model.documents[id]
        let past =
            (document?.past.suffix(6) ?? [])
            + (document?.remotes.values.sorted {
                "\($0)" < "\($1)"
            } ?? [])
        let known = past.compactMap { if case .vector(let vector) = $0 { vector } else { nil } }
        let roll = random.below(100)
        if roll < 25, !known.isEmpty { return random.pick(known) }
        var base: VersionVector?
        if roll < 65, let document {
            // A descendant of the current version, once that is a vector.
            if case .vector(let current, _) = document.upgraded().form { base = current }
        } else if roll < 85, !known.isEmpty {
            base = random.pick(known)
        }
        // A version that was merged into another one of its source does not count any more.
        let bases = base.map { base in
            [base.first] + base.others.filter { $0.source != base.first.source }
        }
        let others = (bases ?? []).map(\.description).filter { !$0.hasSuffix(peer) }
        return try VersionVector(text: ([new] + others).joined(separator: ", "))
    }

    private func expectVector(
        _ id: String, _ new: RevisionID, _ body: ModelBody, _ isDeleted: Bool, _ remote: Int?
    ) -> Outcome {
        guard case .vector(let vector) = new, model.usesVectors else { return .refused }
        var theirs = ModelRemote(id: new, body: body, isDeleted: isDeleted, isConflicted: false)
        var document =
            model.documents[id]?.upgraded() ?? ModelDocument(form: .vector(vector, [:]))
        guard case .vector(let current, var remotes) = document.form else { return .refused }
        if let remote, let theirs = remotes[remote], case .vector = theirs.id,
            ModelOrder(new.times, to: theirs.id.times) == .older
        {
            // A remote's revision does not become older.
            return .known
        }
        let isFirst = model.documents[id] == nil
        let order = isFirst ? .newer : ModelOrder(new.times, to: RevisionID.vector(current).times)
        switch order {
        case .newer:
            remotes = remotes.ended(by: new)
            if let remote { remotes[remote] = theirs }
            document.form = .vector(vector, remotes)
            document.received = nil
            document.vectorBody = body
            document.vectorIsDeleted = isDeleted
            model.put(document, id)
            return .saved
        case .older:
            guard let remote else { return .known }
            remotes[remote] = theirs
            document.form = .vector(current, remotes)
            model.keep(document, id)
            return .known
        case .conflicting:
            guard let remote else { return .refused }
            theirs.isConflicted = true
            theirs.base = remotes[remote].flatMap { $0.isConflicted ? $0.base : $0.body }
            remotes[remote] = theirs
            document.form = .vector(current, remotes)
            model.keep(document, id)
            return .conflict
        }
    }
}

// Conflicts.
extension DocumentHistoryRun {
    private enum Resolution {
        case keep, take, delete
        case merge(ModelBody)
    }

    /// Resolves the conflicts of a document, one in each round, each in another way.
    func resolve(_ id: String) throws {
        // A document with conflicts, if there is one.
        let conflicted = model.documents.filter { !$0.value.conflicts.isEmpty }.keys.sorted()
        let id = conflicted.isEmpty || chance(10) ? id : random.pick(conflicted)
        let hasConflicts = model.documents[id]?.conflicts.isEmpty == false
        var pending: (other: RevisionID, remotes: Set<Int>, Resolution)?
        let saved = try write { transaction in
            try collection.resolveConflicts(of: id, in: transaction) { current, other in
                if let (id, remotes, resolution) = pending {
                    try finish(current.id, id, remotes, resolution, as: current.revisionID)
                }
                let (resolution, answer) = try resolution(id)
                pending = (other.id, Set(other.remotes), resolution)
                return answer
            }
        }
        note(saved == nil ? "resolve: nothing" : "resolve", id)
        try require((saved != nil) == hasConflicts, "resolve \(id): \(hasConflicts)")
        guard let saved, let (other, remotes, resolution) = pending else { return }
        try finish(id, other, remotes, resolution, as: saved.revisionID)
        try require(saved.sequence == model.lastSequence, "\(saved)")
    }

    private func resolution(_ id: String) throws -> (Resolution, ConflictResolution) {
        switch random.below(4) {
        case 0: return (.keep, .keepCurrent)
        case 1: return (.take, .takeOther)
        case 2: return (.delete, .delete)
        default:
            let body = try body()
            return (.merge(body), .merge(try MutableFleeceDictionary(json: body.json)))
        }
    }

    /// Updates the model after one round.
    private func finish(
        _ id: String, _ other: RevisionID, _ remotes: Set<Int>, _ resolution: Resolution,
        as new: RevisionID?
    ) throws {
        guard var document = model.documents[id], let new,
            let conflict = document.conflicts.first(where: {
                $0.id == other && $0.remotes == remotes
            })
        else { throw DocumentMismatch(description: "\(id) has no conflict with \(other)") }
        let (body, isDeleted) = (document.body, document.isDeleted)
        var isDone = false
        switch document.form {
        case .tree(var tree):
            let current = tree.current
            var takesOther = !remotes.isEmpty
            if case .take = resolution { takesOther = true }
            tree.end(takesOther ? current : other, winner: takesOther ? other : current)
            if case .keep = resolution { isDone = !takesOther }
            document.form = .tree(tree)
        case .vector(let vector, var known):
            for remote in remotes { known[remote]?.isConflicted = false }
            document.form = .vector(vector, known)
        }
        switch resolution {
        case .keep:
            if !isDone {
                try document.change(body, isDeleted, as: new, merging: other, isKept: true)
            }
        case .merge(let body): try document.change(body, false, as: new, merging: other)
        case .delete: try document.change(ModelBody(), true, as: new, merging: other)
        case .take:
            if case .vector(_, let known) = document.form {
                try require(new.times == other.times, "\(new) is not \(other)")
                switch new {
                case .vector(let vector):
                    document.form = .vector(vector, known.ended(by: new))
                    document.received = nil
                case .digest(let generation, let digest):
                    let version = VersionVector.Version(
                        legacy: generation, digest, isCurrent: true)
                    guard let version else { return }
                    document.form = .vector(VersionVector(first: version), known)
                    document.received = new
                }
                document.vectorBody = conflict.body ?? ModelBody()
                document.vectorIsDeleted = conflict.isDeleted
            }
        }
        try require(document.revisionID == new, "\(document.revisionID), not \(new)")
        model.put(document, id)
    }
}
