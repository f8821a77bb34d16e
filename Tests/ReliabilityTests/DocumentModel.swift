import DocumentStore

/// A document's properties, with the JSON of each value.
struct ModelBody: Equatable {
    var members: [String: String] = [:]
    /// The digests of the referenced blobs.
    var blobs: Set<BlobDigest> = []

    /// Canonical JSON: sorted by key, without spaces.
    var json: String {
        let pairs = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        return "{" + pairs.joined(separator: ",") + "}"
    }

    /// The body with other values of some properties.
    func with(_ others: [String: String]) -> ModelBody {
        ModelBody(members: members.merging(others) { $1 }, blobs: blobs)
    }
}

/// The known revision of a remote, for a document with a version vector.
struct ModelRemote {
    let id: RevisionID
    /// The body; nil if it is not stored.
    let body: ModelBody?
    let isDeleted: Bool
    var isConflicted: Bool
    /// The body that the remote had before the conflict, which is stored until that is resolved.
    var base: ModelBody?

    /// The bodies that are stored.
    var bodies: [ModelBody] { [body, isConflicted ? base : nil].compactMap(\.self) }
}

/// A simple model of one document.
struct ModelDocument {
    /// How the document's revisions are stored.
    enum Form {
        case tree(ModelTree)
        case vector(VersionVector, [Int: ModelRemote])
    }

    var form: Form
    /// The current body of a document with a version vector.
    var vectorBody = ModelBody()
    /// Whether a document with a version vector is deleted.
    var vectorIsDeleted = false
    /// The current revision of a document in the form of a version vector, if that is a tree
    /// revision of another database.
    var received: RevisionID?
    var sequence: Int64 = 0
    var subsequence = 0
    /// Past revisions, the latest last: possible parents for other databases.
    var past: [RevisionID] = []

    var revisionID: RevisionID {
        switch form {
        case .tree(let tree): tree.current
        case .vector(let vector, _): received ?? .vector(vector)
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

    /// The unresolved revisions beside the current one.
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

    /// Whether its row is marked as conflicted: in a tree more than one revision must be live, or
    /// the latest of a remote, the current one among them.
    var isConflicted: Bool {
        guard case .tree(let tree) = form else { return !conflicts.isEmpty }
        return tree.conflicts.count + (tree.isActive(tree.current) ? 1 : 0) > 1
    }

    /// The known revision of each remote.
    var remotes: [Int: RevisionID] {
        switch form {
        case .tree(let tree): tree.remotes
        case .vector(_, let remotes): remotes.mapValues(\.id)
        }
    }

    /// The bodies that the row stores.
    var bodies: [ModelBody] {
        switch form {
        case .tree(let tree): tree.revisions.values.compactMap(\.body)
        case .vector(_, let remotes): [vectorBody] + remotes.values.flatMap(\.bodies)
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

/// A document that was read before, and may be out of date.
struct HeldDocument {
    var mutable: MutableDocument
    let document: Document?
    let body: ModelBody
}

/// A model of a collection of documents, with those that were read from it before.
struct DocumentModel {
    var documents: [String: ModelDocument] = [:]
    var lastSequence: Int64 = 0
    var usesVectors: Bool
    var held: [HeldDocument] = []

    /// Stores a document with a new sequence.
    mutating func put(_ document: ModelDocument, _ id: String) {
        var document = document
        lastSequence += 1
        document.sequence = lastSequence
        document.subsequence = 0
        document.past.append(document.revisionID)
        documents[id] = document
    }

    /// Stores a document whose sequence stays.
    mutating func keep(_ document: ModelDocument, _ id: String) {
        var document = document
        document.subsequence += 1
        documents[id] = document
    }

    /// Whether a document is unchanged since it was read; for a new one, whether its id is unused.
    func allows(_ base: RevisionID?, _ id: String) -> Bool {
        guard let document = documents[id] else { return base == nil }
        guard let base else { return document.isDeleted }
        return base == document.revisionID
    }

    /// Saves a change by this database.
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

/// A difference between the engine and the model.
struct DocumentMismatch: Error, CustomStringConvertible {
    let description: String
}

func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw DocumentMismatch(description: message()) }
}
