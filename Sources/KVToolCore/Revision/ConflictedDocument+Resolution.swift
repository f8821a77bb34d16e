package import DocumentStore

extension ConflictedDocument {
    /// How to resolve a conflict.
    package enum Resolution: Sendable {
        case take(Side)
        case delete
        case save(MutableFleeceDictionary)
    }

    /// Which side a person chooses, of any document.
    package enum Choice: Sendable {
        case local, remote, latest
        /// The ID of a revision or the beginning of it.
        case revision(String)

        package init(_ word: String) {
            self =
                switch word {
                case ConflictedDocument.local: .local
                case ConflictedDocument.remote: .remote
                case "latest": .latest
                default: .revision(word)
                }
        }
    }

    /// Returns the side that a choice means.
    ///
    /// - Throws: an error if there is none, or several, or its properties are not stored.
    package func side(_ choice: Choice) throws -> Side {
        let side = try found(choice)
        guard side.isStored else {
            throw StoreError(
                .notFound,
                "the properties of revision \(side.id) of \(name) are not stored")
        }
        return side
    }

    private func found(_ choice: Choice) throws -> Side {
        switch choice {
        case .local: return current
        case .latest: return latest
        case .remote:
            guard sides.count == 2 else {
                throw ToolError(
                    "\(name) has \(others.count) other revisions; take one of "
                        + others.map(\.id.description).joined(separator: ", "), status: .usage)
            }
            return sides[1]
        case .revision(let text):
            let matches = sides.filter { $0.id.description == text }
            let found =
                matches.isEmpty ? sides.filter { $0.id.description.hasPrefix(text) } : matches
            guard found.count == 1, !text.isEmpty else {
                let problem = found.isEmpty ? "no revision" : "several revisions"
                let ids = sides.map(\.id.description).joined(separator: ", ")
                throw StoreError(
                    .notFound,
                    "\(problem) in the conflict of \(name) with the ID \(Text.line(text)); there "
                        + "are \(ids)")
            }
            return found[0]
        }
    }

    private var name: String { "document \"\(Text.line(id))\"" }

    /// Resolves the conflict with all other revisions.
    ///
    /// The result is a revision on top of them. If only the other revision of two remains, which
    /// remotes have, it becomes the current one, and there is nothing to push.
    ///
    /// - Returns: what was saved.
    package func resolve(
        _ resolution: Resolution, in transaction: Transaction
    ) throws -> DocumentCollection.Saved {
        let collection = DocumentCollection(collection)
        let saved = try collection.resolveConflicts(of: id, in: transaction) { _, _ in
            switch resolution {
            case .take(let side): step(toward: side)
            case .delete: .delete
            case .save(let properties): .merge(properties)
            }
        }
        guard let saved else {
            throw StoreError(.conflict, "\(name) has no conflict any more")
        }
        return saved
    }

    private func step(toward side: Side) -> ConflictResolution {
        if side.revision.isCurrent { return .keepCurrent }
        // Another remote may have the current revision, so the result has to be its successor.
        if sides.count == 2, current.revision.remotes.isEmpty { return .takeOther }
        if side.isDeleted { return .delete }
        return .merge(side.revision.properties.map { MutableFleeceDictionary($0) } ?? [:])
    }
}

extension ConflictedDocument.Side {
    /// Whether the file has its properties.
    fileprivate var isStored: Bool {
        isDeleted || revision.isCurrent || revision.properties != nil || revision.bodySize == 0
    }
}
