extension RevisionTree {
    /// Adds a revision as a leaf, as a child of `parent` or as a first one; returns its index.
    ///
    /// It is marked as a conflict, and does not become current, if its parent is in conflict or
    /// already has a child, or if `parent` is nil and there are first revisions already. Bodies of
    /// replaced revisions are dropped, unless they are marked with ``Flags/keepBody``.
    ///
    /// ```swift
    /// var tree = revisionTree
    /// let parent = try tree.current.map { try RevisionID(binary: $0.id) }
    /// let id = try RevisionID.child(of: parent, isDeleted: true, body: nil)
    /// let index = parent == nil ? nil : 0
    /// try tree.add(id: id.binary, body: nil, flags: .deleted, parent: index)
    /// ```
    ///
    /// All revisions are sorted again, so indexes from before are invalid.
    ///
    /// - Parameters:
    ///   - id: the binary form of its ID; see ``RevisionID/child(of:isDeleted:body:)``.
    ///   - body: its Fleece; nil if it has no properties.
    ///   - flags: its flags (default: none); ``Flags/leaf`` is added.
    ///   - parent: the index of the revision that it replaces, which must be one of ``revisions``.
    /// - Returns: the index of the new revision, 0 if it is now current.
    /// - Throws: ``StoreError/Code/badRevisionID`` if the ID cannot be read, exceeds the length or
    ///   generation that other implementations read, or has a generation not higher than its
    ///   parent's; ``StoreError/Code/conflict`` if the tree has the revision already;
    ///   ``StoreError/Code/invalidParameter`` if there are too many revisions or the body is over 1
    ///   GiB. The tree is then unchanged.
    @discardableResult
    public mutating func add(
        id: [UInt8], body: [UInt8]?, flags: Flags = [], parent: Int?
    ) throws -> Int {
        try Self.check([id], after: parent.map { revisions[$0].generation } ?? 0)
        try checkSpace(for: 1, body)
        guard index(of: id) == nil else {
            throw StoreError(.conflict, "the revision \(Self.text(id)) is in the tree already")
        }
        append([id], after: parent, body, flags)
        return settle(id)
    }

    /// Appends a chain of revisions, newest first; the newest one gets the body.
    mutating func append(
        _ ids: ArraySlice<[UInt8]>, after parent: Int?, _ body: [UInt8]?, _ flags: Flags
    ) {
        let isConflict =
            flags.contains(.conflict)
            || (parent.map { isBranch(after: $0) } ?? !revisions.isEmpty)
        if let parent { revisions[parent].flags.remove(.leaf) }
        var last = parent
        for id in ids.reversed() {
            revisions.append(
                Revision(
                    id: id, parent: last, flags: isConflict ? .conflict : [], sequence: 0,
                    body: nil))
            last = revisions.count - 1
        }
        guard let last else { return }
        revisions[last].body = body
        revisions[last].flags.formUnion(flags.subtracting(.hasBody).union(.leaf))
    }

    /// Whether a child of a revision would be on a losing branch, or start a new branch.
    func isBranch(after parent: Int) -> Bool {
        !revisions[parent].isLeaf || revisions[parent].flags.contains(.conflict)
    }

    /// Drops the bodies that are not retained, restores the order, and returns the index of `id`.
    mutating func settle(_ id: [UInt8]) -> Int {
        dropBodies()
        reorder()
        return index(of: id) ?? 0
    }

    /// Drops the bodies of replaced revisions.
    mutating func dropBodies() {
        for index in revisions.indices where !revisions[index].holdsBody {
            revisions[index].body = nil
        }
    }

    /// Checks that there is space for more revisions, one of which has this body.
    func checkSpace(for count: Int, _ body: [UInt8]?) throws {
        guard revisions.count + count <= Self.maximumRevisions else {
            throw StoreError(
                .invalidParameter,
                "a tree of \(revisions.count) revisions cannot have \(count) more; prune it")
        }
        guard body?.count ?? 0 <= 1 << 30 else {
            throw StoreError(
                .invalidParameter, "a body of \(body?.count ?? 0) bytes is too long for a tree")
        }
    }

    /// Checks IDs, newest first, that follow a revision of the generation `before`.
    static func check(_ ids: [[UInt8]], after before: UInt64 = 0) throws {
        var before = before
        for id in ids.reversed() {
            guard id.count <= maximumIDLength, let generation = RevisionID.generation(of: id),
                generation <= RevisionID.maximumGeneration
            else {
                throw StoreError(.badRevisionID, "\(text(id)) is not the id of a tree revision")
            }
            guard generation > before else {
                throw StoreError(
                    .badRevisionID,
                    "the revision \(text(id)) cannot follow one of generation \(before)")
            }
            before = generation
        }
    }

    static func text(_ id: [UInt8]) -> String {
        (try? RevisionID(binary: id).description) ?? "of \(id.count) bytes"
    }
}

extension RevisionTree.Revision {
    /// Whether the tree retains its body.
    var holdsBody: Bool { isLeaf || flags.contains(.keepBody) }
}
