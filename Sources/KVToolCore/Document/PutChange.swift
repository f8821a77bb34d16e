package import ArgumentParser
package import DocumentStore

/// What `put` does with the document.
package enum PutMode: String, EnumerableFlag, Sendable {
    case create, update, delete, purge, mergePatch, patch

    package static func help(for value: PutMode) -> ArgumentHelp? {
        switch value {
        case .create: "Only if there is no such document (6 if there is)."
        case .update: "Only if there is such a document (3 if not)."
        case .delete: "Delete it, as rm does."
        case .purge: "Remove it permanently, as purge does."
        case .mergePatch: "The JSON holds properties to set, null for those to remove (RFC 7396)."
        case .patch: "The JSON is a list of operations (RFC 6902)."
        }
    }

    package var isRemoval: Bool { self == .delete || self == .purge }
    var isPatch: Bool { self == .mergePatch || self == .patch }
}

/// A change that `put` makes of a document, if the document is as it must be.
package struct PutChange: Sendable {
    /// What was done.
    package struct Done: Sendable {
        package let title: String
        package var saved: DocumentCollection.Saved?
    }

    /// What is written.
    enum Content: Sendable {
        case nothing
        case text(DocumentText)
        case mergePatch(MergePatch)
        case patch(JSONPatch)
    }

    package let id: String
    let mode: PutMode?
    let content: Content
    /// Whether the text is an argument itself.
    private let isTyped: Bool
    let expectedRevision: String?

    package init(id: String, mode: PutMode?, text: DocumentText?, expectedRevision: String?) throws
    {
        self.id = id
        self.mode = mode
        self.expectedRevision = expectedRevision
        if text != nil { try ToolError.asUsage { try DocumentID.validate(id) } }
        isTyped = text?.isTyped ?? false
        content = try ToolError.asUsage(ifTyped: isTyped) {
            try Self.content(of: text, id: id, mode)
        }
    }

    private static func content(
        of text: DocumentText?, id: String, _ mode: PutMode?
    ) throws -> Content {
        guard let text else { return .nothing }
        if mode == .patch { return .patch(try JSONPatch(text.value())) }
        try text.require(id: id)
        return mode == .mergePatch ? .mergePatch(try MergePatch(text.value())) : .text(text)
    }

    package func apply(to collection: DocumentCollection, _ transaction: Transaction) throws -> Done
    {
        let current = try current(in: collection, transaction)
        switch content {
        case .nothing: return try remove(from: collection, transaction)
        case .text(let text):
            return try ToolError.asUsage(ifTyped: isTyped) {
                try save(in: collection, transaction) { try text.write(to: &$0) }
            }
        case .mergePatch(let patch):
            let result = patch.applied(to: current?.mutableCopy().properties ?? [:])
            return try ToolError.asUsage(ifTyped: isTyped) {
                try save(in: collection, transaction) { try $0.write(result) }
            }
        case .patch(let patch):
            let result = try patch.applied(to: current?.mutableCopy().properties ?? [:])
            return try save(in: collection, transaction) { try $0.write(result) }
        }
    }

    /// The document as it is, read only if something depends on it.
    private func current(in collection: DocumentCollection, _ transaction: Transaction) throws
        -> Document?
    {
        guard mode != nil || expectedRevision != nil, mode != .purge || expectedRevision != nil
        else {
            return nil
        }
        let document = try collection.get(id, includesDeleted: true, in: transaction)
        let isThere = document.map { !$0.isDeleted } ?? false
        if mode == .create, isThere {
            throw StoreError(.conflict, "document \"\(Text.line(id))\" is there already")
        }
        if mode == .update || mode?.isPatch == true || mode == .delete, !isThere {
            throw missing(document, collection)
        }
        if let expectedRevision {
            try require(expectedRevision, document)
        }
        return document
    }

    private func missing(_ document: Document?, _ collection: DocumentCollection) -> StoreError {
        let what =
            document == nil ? "is not in the collection \(collection.name)" : "is deleted already"
        return StoreError(.notFound, "document \"\(Text.line(id))\" \(what)")
    }

    private func require(_ expected: String, _ document: Document?) throws {
        guard let revision = document?.revisionID else {
            throw StoreError(
                .conflict,
                "document \"\(Text.line(id))\" has no revision, so not \(Text.line(expected))")
        }
        guard revision.description != expected, (try? RevisionID(expected)) != revision else {
            return
        }
        throw StoreError(
            .conflict,
            "document \"\(Text.line(id))\" has the revision \(revision), not \(Text.line(expected))"
        )
    }

    private func save(
        in collection: DocumentCollection, _ transaction: Transaction,
        _ write: (inout FleeceEncoder) throws -> Void
    ) throws -> Done {
        let saved = try collection.save(id, in: transaction, write)
        return Done(title: saved.isNew ? "Created" : "Updated", saved: saved)
    }

    private func remove(from collection: DocumentCollection, _ transaction: Transaction) throws
        -> Done
    {
        if mode == .delete, let saved = try collection.delete(id, in: transaction) {
            return Done(title: "Deleted", saved: saved)
        }
        guard mode == .purge, try collection.purge(id, in: transaction) else {
            throw missing(nil, collection)
        }
        return Done(title: "Purged")
    }
}

/// Changes of an object as RFC 7396 writes them: properties that are set, `null` for those that go.
struct MergePatch {
    private let patch: FleeceValue

    /// Throws for a patch that would not leave an object.
    init(_ value: FleeceValue) throws {
        guard value.dictionary != nil else {
            throw ToolError("a merge patch is a JSON object")
        }
        patch = value
    }

    /// What it makes of properties.
    func applied(to properties: MutableFleeceDictionary) -> MutableFleeceDictionary {
        Self.merged(patch, into: .dictionary(properties)).dictionary ?? [:]
    }

    private static func merged(
        _ patch: FleeceValue, into target: MutableFleeceValue?
    ) -> MutableFleeceValue {
        guard let changes = patch.dictionary else { return .value(patch) }
        var result = target?.dictionary ?? [:]
        for (key, value) in changes {
            result[key] = value.isNull ? nil : merged(value, into: result[key])
        }
        return .dictionary(result)
    }
}
