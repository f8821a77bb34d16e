extension RevisionTree {
    /// Adds a revision as a leaf, after `parent` or as a first one, and returns its index.
    ///
    /// It is marked as a conflict if its parent is, if its parent has been replaced before, or if
    /// there are first revisions already; then it does not become the current one. Bodies of
    /// replaced revisions go, unless they are marked to be kept.
    /// - Parameters:
    ///   - id: the binary form of its id; `RevisionID.child(of:isDeleted:body:)` makes one.
    ///   - body: its Fleece, nil if it has no properties.
    ///   - flags: what it is; `leaf` is added.
    ///   - parent: the index of the revision that it replaces, which must be one of `revisions`.
    ///
    /// Throws `.badRevisionID` if the id cannot be read, is longer or has a higher generation than
    /// other engines read, or has no higher generation than its parent; `.conflict` if it is there
    /// already; `.invalidParameter` if there are too many revisions or the body is over 1 GiB.
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

    /// Appends a chain of revisions, the newest first, of which that one gets the body.
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

    /// Whether what follows a revision is on a branch that has lost or begins there.
    func isBranch(after parent: Int) -> Bool {
        !revisions[parent].isLeaf || revisions[parent].flags.contains(.conflict)
    }

    /// Drops the bodies that are not kept, puts everything in order, and says where `id` is.
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

    /// Checks that there is space for more revisions, of which one has this body.
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

    /// Checks ids, the newest first, that follow a revision of the generation `before`.
    static func check(_ ids: [[UInt8]], after before: UInt64 = 0) throws {
        var before = before
        for id in ids.reversed() {
            guard id.count <= maximumIDLength, let generation = RevisionID.generation(of: id),
                generation <= RevisionID.maximumGeneration
            else {
                throw StoreError(.badRevisionID, "\(text(id)) is no id of a revision of a tree")
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
    /// Whether the tree goes on holding its body.
    var holdsBody: Bool { isLeaf || flags.contains(.keepBody) }
}
