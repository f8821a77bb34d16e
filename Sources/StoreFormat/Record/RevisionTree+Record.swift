extension RevisionTree {
    /// Reads the revision tree of a 2.x or 3.x row, including the current body.
    ///
    /// Revisions without a sequence in the file get the row's. Facts that only the row's flags
    /// record are added to the tree: that the first remote has the current revision, whose body is
    /// then retained, and that a remote rejected it.
    ///
    /// ```swift
    /// let tree = try file.read { snapshot in
    ///     try store.get(id, in: snapshot).map { try RevisionTree($0) }
    /// }
    /// show(tree?.conflicts.count ?? 0)
    /// ```
    ///
    /// - Parameter record: a record that was read with the content ``RecordContent/all``. Without a
    ///   tree, as after a lost history, its version becomes the only revision.
    /// - Throws: ``StoreError/Code/invalidParameter`` if the record was not read with all content
    ///   or has the form of 4.x; ``StoreError/Code/corruptRevisionData``, which names the key, if
    ///   the tree is damaged.
    public init(_ record: Record) throws {
        guard record.extraSize == record.extra?.count ?? 0,
            record.bodySize == record.body?.count ?? 0
        else {
            throw StoreError(
                .invalidParameter,
                "the revisions of \"\(record.key)\" need all of its columns; read it with .all")
        }
        guard record.layout != .versionVector else {
            throw StoreError(
                .invalidParameter,
                "\"\(record.key)\" has revisions in the form of Couchbase Lite 4, not a tree")
        }
        do {
            self = try RevisionTree(columnsOf: record)
        } catch let error as StoreError {
            throw StoreError(
                .corruptRevisionData, "document \"\(record.key)\": \(error.message)",
                underlying: error)
        }
        stored = Stored()
        for index in revisions.indices where revisions[index].sequence == 0 {
            revisions[index].sequence = UInt64(max(0, record.sequence))
        }
        if record.flags.contains(.synced) {
            setLatest(0, of: 1)
            revisions[0].flags.insert(.keepBody)
        }
        if record.flags.contains(.rejected) { reject(0) }
    }

    private init(columnsOf record: Record) throws {
        switch record.layout {
        case .treeInBody: try self.init(binary: record.body ?? [])
        case .treeInExtra, .versionVector:
            guard let extra = record.extra, !extra.isEmpty else {
                self.init()
                revisions = [try Self.onlyRevision(of: record)]
                return
            }
            try self.init(binary: extra)
            if let body = record.body, !body.isEmpty { revisions[0].body = body }
        }
        guard revisions[0].id == record.version else {
            throw StoreError(
                .corruptRevisionData, "its tree begins with another revision than its version")
        }
    }

    /// The revision of a row without a tree: a document whose history is unknown.
    private static func onlyRevision(of record: Record) throws -> Revision {
        _ = try RevisionID(binary: record.version)
        var flags: Flags = .leaf
        if record.flags.contains(.deleted) { flags.insert(.deleted) }
        if record.flags.contains(.hasAttachments) { flags.insert(.hasAttachments) }
        let body = record.body.flatMap { $0.isEmpty ? nil : $0 }
        return Revision(id: record.version, parent: nil, flags: flags, sequence: 0, body: body)
    }

    /// The columns to save, in the form of 3.x: the current body separate from the tree.
    ///
    /// Revisions added since the row was read have no sequence in the tree, so they get the row's.
    ///
    /// ```swift
    /// let columns = revisionTree.columns()
    /// var update = RecordUpdate(
    ///     storedRecord.key, version: columns.version ?? [], body: columns.body,
    ///     expecting: .revision(of: storedRecord))
    /// update.extra = columns.extra
    /// update.flags = columns.flags
    /// ```
    ///
    /// - Returns: the columns; without a version for an empty tree, whose row is to be purged.
    public func columns() -> TreeColumns {
        guard let current = revisions.first else {
            return TreeColumns(version: nil, body: nil, extra: nil, flags: .deleted)
        }
        var flags: DocumentFlags = []
        if current.isDeleted { flags.insert(.deleted) }
        if isConflicted { flags.insert(.conflicted) }
        if revisions.contains(where: { $0.flags.contains(.hasAttachments) }) {
            flags.insert(.hasAttachments)
        }
        return TreeColumns(
            version: current.id, body: current.body, extra: written(withCurrentBody: false),
            flags: flags)
    }
}
