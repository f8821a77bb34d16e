internal import FleeceLite
internal import SQLCore
internal import StoreFormat

// The version and history of a document, in the three forms that rows have had.
extension RowVerifier {
    mutating func check(_ content: Content, _ row: SQLStatement) throws {
        if content.version.isEmpty {
            try checkWithoutVersion(content, row)
        } else if VersionVector.isVector(content.version)
            || RemoteRevisions.isStored(in: content.extra)
        {
            try checkVersion(content, row)
        } else {
            try checkTree(content, row)
        }
    }

    /// A tombstone may consist of nothing but its deletion.
    private mutating func checkWithoutVersion(_ content: Content, _ row: SQLStatement) throws {
        let isBare =
            content.flags.contains(.deleted) && content.body.isEmpty && content.extra.isEmpty
        guard !isBare else { return }
        add(.missingRevision, "it has no version", row)
        _ = try check(body: content.body, row)
    }

    // 4.x: a version vector, or the tree revision of another database, and in `extra` the versions
    // of remotes.

    private mutating func checkVersion(_ content: Content, _ row: SQLStatement) throws {
        do {
            if case .vector(let vector) = try RevisionID(binary: content.version) {
                checkTimes(of: vector, "its version", row)
            }
        } catch {
            add(.damagedRevision, "its version is damaged: \(error)", row)
        }
        let hasBlobs = try check(body: content.body, row)
        guard content.extra.isEmpty else {
            guard let hasBlobs else { return }
            return try checkRemotes(content, hasBlobs, row)
        }
        if content.flags.contains(.conflicted) {
            add(
                .conflictedFlag, "it is marked as conflicted, but no remote has another version",
                row)
        }
        if let hasBlobs { checkAttachments(content.flags, hasBlobs, row) }
    }

    /// Checks that no version is years ahead of the wall clock, which a wrong clock can cause.
    private func checkTimes(
        of vector: VersionVector, _ subject: @autoclosure () -> String, _ row: SQLStatement
    ) {
        guard vector.latestTime > setting.latestPlausible,
            let version = vector.versions.first(where: {
                $0.time > setting.latestPlausible && !$0.isLegacy
            })
        else { return }
        add(
            .implausibleVersion,
            "\(subject()) \(version) is from the year \(version.time.year), years ahead of the "
                + "system clock: other databases reject it", row)
    }

    private func checkRemotes(
        _ content: Content, _ hasBlobs: Bool, _ row: SQLStatement
    ) throws {
        let remotes: RemoteRevisions
        do {
            remotes = try setting.bodies.remotes(content.extra, content.body)
        } catch {
            return add(.damagedHistory, "its list of remote versions is damaged: \(error)", row)
        }
        if remotes.isConflicted != content.flags.contains(.conflicted) {
            let state = remotes.isConflicted ? "conflicted" : "not conflicted"
            add(.conflictedFlag, "it is \(state), but its flags do not match", row)
        }
        for remote in remotes.all {
            if case .vector(let vector) = remote.revisionID {
                checkTimes(of: vector, "the version of remote \(remote.remote)", row)
            }
            try setting.blobUse.check(remote.properties, of: table.store) {
                row.text(at: Column.key) ?? ""
            }
        }
        let hasMore = remotes.all.contains(where: \.hasAttachments)
        checkAttachments(content.flags, hasBlobs, orBefore: hasMore, row)
    }

    /// Checks that a document that refers to blobs has the flag.
    private func checkAttachments(
        _ flags: DocumentFlags, _ hasBlobs: Bool, orBefore hasMore: Bool = false,
        _ row: SQLStatement
    ) {
        let hasFlag = flags.contains(.hasAttachments)
        if hasBlobs, !hasFlag {
            add(.attachmentsFlag, "it refers to blobs but lacks the attachments flag", row)
        } else if hasFlag, !hasBlobs, !hasMore {
            add(
                .needlessAttachmentsFlag,
                "it has the attachments flag but refers to no blob", row)
        }
    }

    // 3.x: a revision tree in `extra`; 2.x: in `body`.

    private mutating func checkTree(_ content: Content, _ row: SQLStatement) throws {
        let isInBody = content.extra.isEmpty && RevisionTree.hasOutline(content.body)
        guard isInBody || !content.extra.isEmpty else {
            return try checkOnlyRevision(content, row)
        }
        let tree: RevisionTree
        do {
            tree = try RevisionTree(binary: [UInt8](isInBody ? content.body : content.extra))
        } catch {
            add(.damagedHistory, "its revision tree is damaged: \(error)", row)
            if !isInBody { _ = try check(body: content.body, row) }
            return
        }
        if let current = tree.current, !Self.areSame(current.id, content.version) {
            add(.otherRevision, "its tree begins with another revision than its version", row)
        }
        let hasBlobs =
            isInBody
            ? try checkCurrentBody(of: tree, row) : try check(body: content.body, row)
        let hasOlderBlobs = try checkOlderBodies(of: tree, row)
        checkLeaves(of: tree, row)
        check(content.flags, tree, hasBlobs, hasOlderBlobs, row)
    }

    private static func areSame(_ id: [UInt8], _ version: UnsafeRawBufferPointer) -> Bool {
        id.withUnsafeBytes { version.hasSameBytes(as: $0) }
    }

    private mutating func checkCurrentBody(
        of tree: RevisionTree, _ row: SQLStatement
    ) throws -> Bool? {
        guard let body = tree.currentBody else { return false }
        return try body.withUnsafeBytes { try check(body: $0, row) }
    }

    /// Checks a row of which only the current revision is known.
    private mutating func checkOnlyRevision(_ content: Content, _ row: SQLStatement) throws {
        do {
            _ = try RevisionID(binary: content.version)
        } catch {
            add(.damagedRevision, "its version is damaged: \(error)", row)
        }
        if let hasBlobs = try check(body: content.body, row) {
            checkAttachments(content.flags, hasBlobs, row)
        }
    }

    /// Checks the bodies of other revisions. Returns whether one of them refers to blobs.
    private func checkOlderBodies(of tree: RevisionTree, _ row: SQLStatement) throws -> Bool {
        var hasBlobs = false
        for revision in tree.revisions.dropFirst() {
            guard let body = revision.body, !body.isEmpty else { continue }
            try body.withUnsafeBytes { bytes in
                guard let properties = readable(bytes, revision, row),
                    properties.hasBlobs || properties.hasAttachments
                else { return }
                hasBlobs = true
                try checkBlobs(of: bytes, row)
            }
        }
        return hasBlobs
    }

    /// The properties of another revision's body. If it is damaged, adds a finding and returns nil.
    private func readable(
        _ body: UnsafeRawBufferPointer, _ revision: RevisionTree.Revision, _ row: SQLStatement
    ) -> RawBody? {
        let state: String
        switch setting.bodies.look(at: body) {
        case .readable(let properties): return properties
        case .notADictionary: state = "not a dictionary"
        case .damaged(let error): state = "damaged: \(error)"
        }
        let id = (try? RevisionID(binary: revision.id)).map { "\($0)" } ?? "?"
        add(.damagedBody, "the body of its revision \(id) is \(state)", row)
        return nil
    }

    private func checkLeaves(of tree: RevisionTree, _ row: SQLStatement) {
        let children = tree.childCounts()
        let isWrong = zip(tree.revisions, children).contains { $0.isLeaf && $1 > 0 }
        if isWrong {
            add(
                .damagedHistory,
                "a revision in its tree is marked as a leaf but has a child", row)
        }
    }

    private func check(
        _ flags: DocumentFlags, _ tree: RevisionTree, _ hasBlobs: Bool?, _ hasOlderBlobs: Bool,
        _ row: SQLStatement
    ) {
        let isDeleted = tree.current?.isDeleted ?? true
        if isDeleted != flags.contains(.deleted) {
            let state = isDeleted ? "deletes the document" : "does not delete the document"
            add(.deletedFlag, "its current revision \(state), but its flags do not match", row)
        }
        if tree.isConflicted != flags.contains(.conflicted) {
            let state = tree.isConflicted ? "conflicted" : "not conflicted"
            add(.conflictedFlag, "its tree is \(state), but its flags do not match", row)
        }
        guard let hasBlobs else { return }
        let hasMarked = tree.revisions.contains { $0.flags.contains(.hasAttachments) }
        checkAttachments(flags, hasBlobs, orBefore: hasMarked || hasOlderBlobs, row)
    }
}
