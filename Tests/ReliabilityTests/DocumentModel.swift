import DocumentStore

/// A document's properties as the JSON of each member.
struct ModelBody: Equatable {
    var members: [String: String] = [:]
    /// The digests of the blobs that it refers to.
    var blobs: Set<BlobDigest> = []

    /// Canonical: by the order of the keys, without spaces.
    var json: String {
        let pairs = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        return "{" + pairs.joined(separator: ",") + "}"
    }

    /// The same with other values of some members.
    func with(_ others: [String: String]) -> ModelBody {
        ModelBody(members: members.merging(others) { $1 }, blobs: blobs)
    }
}

/// What a remote is known to have of a document with a version vector.
struct ModelRemote {
    let id: RevisionID
    /// Nil if it is not kept.
    let body: ModelBody?
    let isDeleted: Bool
    var isConflicted: Bool
}

/// One document, as simple as can be.
struct ModelDocument {
    /// How its revisions are kept.
    enum Form {
        case tree(ModelTree)
        case vector(VersionVector, [Int: ModelRemote])
    }

    var form: Form
    /// The current body of one with a version vector.
    var vectorBody = ModelBody()
    /// Whether one with a version vector is deleted.
    var vectorIsDeleted = false
    var sequence: Int64 = 0
    var subsequence = 0
    /// Revisions that it had, the latest last: what others may build upon.
    var past: [RevisionID] = []

    var revisionID: RevisionID {
        switch form {
        case .tree(let tree): tree.current
        case .vector(let vector, _): .vector(vector)
        }
    }

    var body: ModelBody {
        guard case .tree(let tree) = form else { return vectorBody }
        return tree.revisions[tree.current]?.body ?? ModelBody()
    }

    var isDeleted: Bool {
        guard case .tree(let tree) = form else { return vectorIsDeleted }
        return tree.revisions[tree.current]?.isDeleted ?? true
    }

    /// The revisions beside the current one that are not merged yet.
    var conflicts: [ModelConflict] {
        switch form {
        case .tree(let tree):
            tree.conflicts.map { id in
                let remotes = tree.remotes.filter { $0.value == id }.map(\.key)
                let revision = tree.revisions[id]
                return ModelConflict(
                    id: id, body: revision?.body, isDeleted: revision?.isDeleted ?? false,
                    remotes: Set(remotes))
            }
        case .vector(_, let remotes):
            remotes.filter(\.value.isConflicted).map { number, remote in
                ModelConflict(
                    id: remote.id, body: remote.body, isDeleted: remote.isDeleted,
                    remotes: [number])
            }
        }
    }

    /// Whether its row says that there are conflicts: in a tree more than one revision must be
    /// alive, or the latest of a remote, the current one among them.
    var isConflicted: Bool {
        guard case .tree(let tree) = form else { return !conflicts.isEmpty }
        return tree.conflicts.count + (tree.isActive(tree.current) ? 1 : 0) > 1
    }

    /// What each remote is known to have.
    var remotes: [Int: RevisionID] {
        switch form {
        case .tree(let tree): tree.remotes
        case .vector(_, let remotes): remotes.mapValues(\.id)
        }
    }

    /// The bodies that the row keeps.
    var bodies: [ModelBody] {
        switch form {
        case .tree(let tree): tree.revisions.values.compactMap(\.body)
        case .vector(_, let remotes): [vectorBody] + remotes.values.compactMap(\.body)
        }
    }
}

/// A revision beside the current one.
struct ModelConflict {
    let id: RevisionID
    let body: ModelBody?
    let isDeleted: Bool
    let remotes: Set<Int>
}

/// Something that was read before, and may be out of date.
struct HeldDocument {
    var mutable: MutableDocument
    let document: Document?
    let body: ModelBody
}

/// A collection of documents, and what was read from it before.
struct DocumentModel {
    var documents: [String: ModelDocument] = [:]
    var lastSequence: Int64 = 0
    var usesVectors: Bool
    var held: [HeldDocument] = []

    /// Notes a document with a new sequence.
    mutating func put(_ document: ModelDocument, _ id: String) {
        var document = document
        lastSequence += 1
        document.sequence = lastSequence
        document.subsequence = 0
        document.past.append(document.revisionID)
        documents[id] = document
    }

    /// Notes a document whose sequence stays.
    mutating func keep(_ document: ModelDocument, _ id: String) {
        var document = document
        document.subsequence += 1
        documents[id] = document
    }

    /// Whether a document is as it was read; for a new one, whether its id is free.
    func allows(_ base: RevisionID?, _ id: String) -> Bool {
        guard let document = documents[id] else { return base == nil }
        guard let base else { return document.isDeleted }
        return base == document.revisionID
    }

    /// A change by this database.
    mutating func save(
        _ id: String, _ body: ModelBody, isDeleted: Bool = false, as new: RevisionID
    ) throws {
        guard let old = documents[id] else {
            var document: ModelDocument
            switch new {
            case .vector(let vector):
                try require(usesVectors && vector.versions.map(\.source) == [.local], "\(new)")
                document = ModelDocument(form: .vector(vector, [:]))
                document.vectorBody = body
                document.vectorIsDeleted = isDeleted
            case .digest(let generation, _):
                try require(!usesVectors && generation == 1, "\(new)")
                var tree = ModelTree()
                tree.add([new], after: nil, body, isDeleted)
                document = ModelDocument(form: .tree(tree))
            }
            return put(document, id)
        }
        var document = usesVectors ? old.upgraded() : old
        try document.change(body, isDeleted, as: new)
        put(document, id)
    }
}

/// The engine and the model differ.
struct DocumentMismatch: Error, CustomStringConvertible {
    let description: String
}

func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw DocumentMismatch(description: message()) }
}
