package import ArgumentParser
package import DocumentStore

/// The operation of `put`.
package enum PutMode: String, EnumerableFlag, Sendable {
    case create, update, delete, purge, mergePatch, patch

    package static func help(for value: PutMode) -> ArgumentHelp? {
        switch value {
        case .create: "Fail with status 6 if the document exists."
        case .update: "Fail with status 3 if the document does not exist."
        case .delete: "Delete the document, as rm does."
        case .purge: "Remove the document permanently, as purge does."
        case .mergePatch: "The JSON has properties to set, null for those to remove (RFC 7396)."
        case .patch: "The JSON is a list of operations (RFC 6902)."
        }
    }

    package var isRemoval: Bool { self == .delete || self == .purge }
    var isPatch: Bool { self == .mergePatch || self == .patch }
}

/// A change that `put` makes to a document if the document is in the expected state.
package struct PutChange: Sendable {
    /// The result of the change.
    package struct Done: Sendable {
        package let title: String
        package var saved: DocumentCollection.Saved?
    }

    /// The content to write.
    enum Content: Sendable {
        case nothing
        case text(DocumentText)
        case mergePatch(MergePatch)
        case patch(JSONPatch)
    }

    package let id: String
    let mode: PutMode?
    let content: Content
    /// Whether the text is a command-line argument.
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
        do {
            return try applied(to: collection, transaction)
        } catch let error as FleeceError where error.code == .invalidData && mode?.isPatch == true {
            throw StoreError.damaged(document: id, error)
        }
    }

    private func applied(
        to collection: DocumentCollection, _ transaction: Transaction
    ) throws -> Done {
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

    /// The current document, read only if the change depends on it.
    private func current(in collection: DocumentCollection, _ transaction: Transaction) throws
        -> Document?
    {
        guard mode != nil || expectedRevision != nil, mode != .purge || expectedRevision != nil
        else {
            return nil
        }
        let document = try collection.get(id, includesDeleted: true, in: transaction)
        let isLive = document.map { !$0.isDeleted } ?? false
        if mode == .create, isLive {
            throw StoreError(.conflict, "document \"\(Text.line(id))\" already exists")
        }
        if mode == .update || mode?.isPatch == true || mode == .delete, !isLive {
            throw missing(document, collection)
        }
        if let expectedRevision {
            try require(expectedRevision, document)
        }
        return document
    }

    private func missing(_ document: Document?, _ collection: DocumentCollection) -> StoreError {
        let what =
            document == nil ? "is not in the collection \(collection.name)" : "is already deleted"
        return StoreError(.notFound, "document \"\(Text.line(id))\" \(what)")
    }

    private func require(_ expected: String, _ document: Document?) throws {
        guard let revision = document?.revisionID else {
            throw StoreError(
                .conflict,
                "document \"\(Text.line(id))\" has no revision, expected \(Text.line(expected))")
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

/// A JSON Merge Patch (RFC 7396): an object with properties to set, and `null` for those to remove.
struct MergePatch {
    private let patch: FleeceValue

    /// - Throws: an error for a patch whose result would not be an object.
    init(_ value: FleeceValue) throws {
        guard value.dictionary != nil else {
            throw ToolError("a merge patch is a JSON object")
        }
        patch = value
    }

    /// Applies the patch to properties.
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
