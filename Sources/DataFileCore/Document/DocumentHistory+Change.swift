internal import FleeceLite
internal import StoreFormat

extension DocumentHistory {
    /// Adds a revision as the successor of the current one.
    ///
    /// - Parameter time: returns the time of a new version, later than those of the vector.
    mutating func add(
        _ new: NewRevision, maximumDepth: Int,
        time: (VersionVector) throws -> LogicalTime
    ) throws {
        let document = try new.document()
        switch form {
        case .tree(var tree):
            try tree.addChild(document, new, maximumDepth: maximumDepth)
            form = .tree(tree)
        case .vector(let vector, let remotes):
            let time = try time(vector)
            let new = vector.adding(localTime: time)
            form = .vector(new, remotes.withLegacy([received], of: new))
            received = nil
        }
        body = document
        flags = new.flags
        sharedKeys = new.sharedKeys
    }

    /// The row that stores it.
    func row() throws -> DocumentRow {
        switch form {
        case .tree(let tree):
            let columns = tree.columns()
            return DocumentRow(
                revisionID: try columns.version.map { try RevisionID(binary: $0) },
                body: columns.body, extra: columns.extra, flags: columns.flags)
        case .vector(let vector, let remotes):
            return try row(vector, remotes)
        }
    }

    private func row(
        _ vector: VersionVector, _ remotes: RemoteRevisions
    ) throws -> DocumentRow {
        var flags = flags.intersection(RemoteRevision.ownFlags)
        if remotes.isConflicted { flags.insert(.conflicted) }
        if remotes.all.contains(where: \.hasAttachments) { flags.insert(.hasAttachments) }
        let body =
            try self.body
            ?? FleeceDocument(trusted: NewRevision.emptyBody, sharedKeys: sharedKeys)
        let extra = try remotes.encoded(body: body)
        // Without remotes to compare with, a body without properties is not stored.
        let isEmpty = body.root.dictionary?.isEmpty ?? true
        let bytes = isEmpty && extra == nil ? nil : body.withBytes { [UInt8]($0) }
        return DocumentRow(
            revisionID: received ?? .vector(vector), body: bytes, extra: extra, flags: flags)
    }
}

extension RemoteRevisions {
    /// The same for a new version vector: with that of the tree revisions that its legacy version
    /// represents, if it has one.
    func withLegacy(_ others: [RevisionID?], of vector: VersionVector) -> RemoteRevisions {
        guard let time = vector.time(of: .legacy) else { return self }
        var remotes = self
        let candidates = (others + [legacyRevisionID]).compactMap(\.self)
        remotes.setLegacy(
            candidates.first { (try? VersionVector(of: $0))?.time(of: .legacy) == time })
        return remotes
    }
}

extension RevisionTree {
    /// Adds a child of the current revision, or the first revision of an empty tree.
    mutating func addChild(
        _ body: FleeceDocument, _ new: NewRevision, maximumDepth: Int
    ) throws {
        let isDeleted = new.flags.contains(.deleted)
        let parent = try revisions.first.map { try RevisionID(binary: $0.id) }
        let id = try RevisionID.child(
            of: parent, isDeleted: isDeleted, body: body.root.dictionary)
        makeSpace(for: 1, depth: maximumDepth)
        try add(
            id: id.binary, body: new.bodyBytes, flags: new.flags.ofRevision,
            parent: revisions.isEmpty ? nil : 0)
        prune(toDepth: maximumDepth)
    }
}

/// The columns of a document's row that store its revisions.
struct DocumentRow {
    /// The current revision.
    var revisionID: RevisionID?
    var body: [UInt8]?
    var extra: [UInt8]?
    var flags: DocumentFlags

    /// Lends the columns to a closure.
    func withContent<T>(_ use: (RowContent) throws -> T) throws -> T {
        try (revisionID?.binary).withOptionalBytes { version in
            try body.withOptionalBytes { body in
                try extra.withOptionalBytes { extra in
                    try use(
                        RowContent(version: version, body: body, extra: extra, flags: flags))
                }
            }
        }
    }
}
