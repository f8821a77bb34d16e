// A revision tree's bytes, all numbers big-endian, nothing aligned:
//
//   for each revision, the current one first:
//     u32 size of this record | u16 index of the parent, FFFF for none | u8 flags
//     u8 length of the id | id | varint sequence, 0 for the row's | body, if the flags say so
//   u32 0
//   for each remote: u16 its number, not 0 | u16 index of its latest known revision
//   u16 0 | u16 0, missing in older files
//   for each revision that a remote rejected: u16 0 | u16 its index

/// The history of a document in Couchbase Lite 2 and 3: a tree of revisions.
///
/// Each change of a document adds a revision, a child of the one that it replaces. Concurrent
/// changes of two databases give a revision two children: the tree then has several leaves, of
/// which the best one is current, and the others are in conflict.
///
/// ```swift
/// let tree = try RevisionTree(storedRecord)
/// for index in tree.history(of: 0) {
///     let revision = tree.revisions[index]
///     show(try RevisionID(binary: revision.id), revision.isDeleted, revision.body?.count ?? 0)
/// }
/// ```
///
/// Revisions are identified by their index in ``revisions``, which each change of the tree can
/// alter. The current revision always has index 0. Only leaves and revisions with
/// ``Flags/keepBody`` have bodies.
///
/// It is a value type: read it from a row, change it, and write it back as the columns of a row,
/// with ``columns()``.
///
/// Files of Couchbase Lite 4 have a ``VersionVector`` instead. ``DocumentHistory`` reads the
/// history of a document in either form.
public struct RevisionTree: Sendable, Hashable {
    /// A revision of the tree: its ID, its parent, its flags and, if the tree contains it, its
    /// body.
    ///
    /// It is immutable from outside: change the tree with its methods.
    public struct Revision: Sendable, Hashable {
        /// The ID in binary form: a varint generation, not 0, and a digest. Read it with
        /// ``RevisionID/init(binary:)``.
        public let id: [UInt8]
        /// The index of the revision that it replaced; nil for a first revision.
        ///
        /// Also nil for a revision whose ancestors were pruned or purged.
        public internal(set) var parent: Int?
        /// Its flags, such as ``Flags/leaf``.
        ///
        /// ``isLeaf`` and ``isDeleted`` test the most frequent ones.
        public internal(set) var flags: Flags
        /// The sequence it was saved with; 0 for the row's, if it has not been saved yet.
        ///
        /// Sequences are counted per collection; see ``Record/sequence``.
        public internal(set) var sequence: UInt64
        /// Its Fleece; nil if the tree does not contain it, or if it has no properties.
        ///
        /// ```swift
        /// let body = try revisionTree.current?.body.map {
        ///     try FleeceDocument(validating: $0, sharedKeys: sharedKeys)
        /// }
        /// ```
        public internal(set) var body: [UInt8]?
    }

    /// The flags of a revision: one byte of the tree.
    ///
    /// They are not those of a document; ``columns()`` derives a document's ``DocumentFlags`` from
    /// them.
    public struct Flags: OptionSet, Sendable, Hashable {
        /// The bits, as in the file; some may be unknown to this version.
        public let rawValue: UInt8

        /// Wraps the file's bits, known and unknown ones.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The revision deletes the document.
        public static let deleted = Flags(rawValue: 0x01)
        /// No revision replaced it. A tree can have several; see ``conflicts``.
        public static let leaf = Flags(rawValue: 0x02)
        /// Its body refers to blobs. The document has ``DocumentFlags/hasAttachments`` if one of
        /// its revisions has this flag.
        public static let hasAttachments = Flags(rawValue: 0x08)
        /// Its body is retained although it was replaced, for example because a remote has the
        /// revision.
        public static let keepBody = Flags(rawValue: 0x10)
        /// It lost against another leaf, or is an ancestor of one that did.
        ///
        /// ``resolveConflict(winner:loser:closing:)`` clears it.
        public static let conflict = Flags(rawValue: 0x20)
        /// Its branch was resolved by a deletion, which ends it in other databases as well.
        ///
        /// Only ``resolveConflict(winner:loser:closing:)`` with `closing` creates such revisions.
        public static let closed = Flags(rawValue: 0x40)
        /// The tree's bytes contain its body; for a revision that was read, see `body`.
        static let hasBody = Flags(rawValue: 0x80)
    }

    /// The known state of a remote database: the latest revision that it has.
    ///
    /// ``latest(of:)`` finds it by the remote's number.
    public struct Remote: Sendable, Hashable {
        /// Its number in this file, from 1.
        public let number: UInt16
        /// The index of the latest revision that it has, in ``RevisionTree/revisions``.
        public internal(set) var revision: Int
    }

    /// The revisions: the current one first, then other leaves, the best first, then the rest.
    ///
    /// Among leaves, those that won precede those that lost, and live ones deleted ones; of equals,
    /// the higher ID comes first.
    public internal(set) var revisions: [Revision] = []
    /// The latest revision of each remote, in the order of the file.
    ///
    /// Change it with ``setLatest(_:of:)``.
    public internal(set) var remotes: [Remote] = []
    /// The indexes of the revisions that a remote rejected, in the order of the file.
    ///
    /// Change it with ``reject(_:)``.
    public internal(set) var rejected: [Int] = []
    /// Properties of the stored form that the other values do not determine.
    var stored = Stored()

    /// The part of a tree's stored form that its values do not determine.
    struct Stored: Sendable, Hashable {
        /// Whether a marker follows the remotes: not in files of older versions.
        var hasMarker = true
        /// The original bytes, if writing would give others: some of their numbers are longer than
        /// necessary.
        var bytes: [UInt8]?
    }

    /// The maximum number of revisions, which 16-bit indexes can address. ``prune(toDepth:)``
    /// removes old ones.
    public static let maximumRevisions = 65_535
    /// The maximum length of an ID in bytes that other implementations read: 42.
    ///
    /// An ID with the SHA-1 of a body has at most 25 bytes.
    public static let maximumIDLength = 42

    /// Creates a tree without revisions, to which a first one can be added.
    ///
    /// ```swift
    /// var tree = RevisionTree()
    /// let id = try RevisionID.child(of: nil, isDeleted: false, body: document.properties)
    /// try tree.add(id: id.binary, body: bytes, parent: nil)
    /// ```
    public init() {}
}

extension RevisionTree {
    /// The current revision, which has index 0; nil if the tree is empty.
    ///
    /// It can be a deletion: the document is then a tombstone.
    public var current: Revision? { revisions.first }

    /// The current revision's body; nil if the tree does not contain it.
    package var currentBody: [UInt8]? { revisions.first?.body }

    /// The index of a revision, found by the binary form of its ID; nil if it is not in the tree.
    ///
    /// ```swift
    /// let id = try RevisionID("2-0f3a").binary
    /// if let index = revisionTree.index(of: id) { show(revisionTree.revisions[index].isLeaf) }
    /// ```
    ///
    /// It is a linear search.
    ///
    /// - Parameter id: the ID in binary form.
    public func index(of id: [UInt8]) -> Int? {
        revisions.firstIndex { $0.id == id }
    }

    /// The indexes of a revision and its ancestors, up to a first revision.
    ///
    /// - Parameter index: an index of ``revisions``.
    /// - Returns: the indexes, beginning with `index` itself.
    public func history(of index: Int) -> [Int] {
        Array(sequence(first: index) { revisions[$0].parent })
    }
}

extension RevisionTree.Revision {
    /// The number of its ID: its distance from the document's first revision, plus one.
    ///
    /// It is 0 only if the ID is damaged.
    public var generation: UInt64 { RevisionID.generation(of: id) ?? 0 }
    /// Whether no revision replaced it.
    public var isLeaf: Bool { flags.contains(.leaf) }
    /// Whether it deletes the document.
    public var isDeleted: Bool { flags.contains(.deleted) }
}

extension RevisionTree {
    /// The index of the latest known revision of a remote; nil if none is known.
    ///
    /// - Parameter remote: the remote's number, from 1.
    public func latest(of remote: UInt16) -> Int? {
        remotes.last { $0.number == remote }?.revision
    }

    /// Records that a revision is a remote's latest.
    ///
    /// - Parameters:
    ///   - revision: an index of ``revisions``.
    ///   - remote: the remote's number, from 1.
    /// - Precondition: `revision` is an index of ``revisions``, and `remote` is not 0.
    public mutating func setLatest(_ revision: Int, of remote: UInt16) {
        precondition(revisions.indices.contains(revision), "there is no revision \(revision)")
        precondition(remote != 0, "remotes are counted from 1")
        guard latest(of: remote) != revision else { return }
        stored = Stored()
        guard let index = remotes.firstIndex(where: { $0.number == remote }) else {
            remotes.append(Remote(number: remote, revision: revision))
            return
        }
        remotes[index].revision = revision
        var rest = remotes[(index + 1)...]
        rest.removeAll { $0.number == remote }
        remotes.replaceSubrange((index + 1)..., with: rest)
    }

    /// Records that a remote rejected a revision. Recording it twice has no effect.
    ///
    /// - Parameter revision: an index of ``revisions``.
    /// - Precondition: `revision` is an index of ``revisions``.
    public mutating func reject(_ revision: Int) {
        precondition(revisions.indices.contains(revision), "there is no revision \(revision)")
        guard !rejected.contains(revision) else { return }
        stored = Stored()
        rejected.append(revision)
    }
}

extension RevisionTree {
    /// Removes the revisions that are more than `depth` away from every leaf, the leaf itself
    /// counting as 1; returns how many were removed.
    ///
    /// Retains revisions that are referred to: the latest of remotes, rejected ones, and branches
    /// of unresolved conflicts, with the revision where each left the current branch. Children of
    /// removed revisions are attached to the nearest remaining ancestor.
    ///
    /// ```swift
    /// var tree = revisionTree
    /// let removed = tree.prune(toDepth: 20)
    /// show("\(removed) of \(revisionTree.revisions.count) revisions removed")
    /// ```
    ///
    /// - Parameter depth: the number of revisions to retain on each branch, at least 1; lower
    ///   numbers count as 1.
    /// - Returns: the number of removed revisions.
    @discardableResult
    public mutating func prune(toDepth depth: Int) -> Int {
        guard revisions.count > max(1, depth) else { return 0 }
        var isRetained = depths().map { $0 <= max(1, depth) }
        for remote in remotes { isRetained[remote.revision] = true }
        for index in rejected { isRetained[index] = true }
        retainConflicts(&isRetained)
        let count = isRetained.count { !$0 }
        if count > 0 { reorder(retaining: isRetained) }
        return count
    }

    /// Prunes a tree that has no space for `count` more revisions; other trees stay unchanged.
    package mutating func makeSpace(for count: Int, depth: Int) {
        if revisions.count + count > Self.maximumRevisions { prune(toDepth: depth) }
    }

    /// The distance of each revision from the nearest leaf below it.
    private func depths() -> [Int] {
        var depths = revisions.map { $0.isLeaf ? 1 : Int.max }
        for index in childrenFirst() {
            // A revision without children counts as a leaf, whatever its flags.
            if depths[index] == .max { depths[index] = 1 }
            if let parent = revisions[index].parent {
                depths[parent] = min(depths[parent], depths[index] + 1)
            }
        }
        return depths
    }

    /// Retains the branches of conflicts, each up to the current or another retained branch.
    private func retainConflicts(_ isRetained: inout [Bool]) {
        var leaves = Set(conflicts)
        for (index, revision) in revisions.enumerated().dropFirst()
        where revision.isLeaf && revision.flags.contains(.conflict) {
            if !revision.flags.contains(.closed) { leaves.insert(index) }
        }
        guard !leaves.isEmpty else { return }
        var isOnCurrentBranch = [Bool](repeating: false, count: revisions.count)
        for index in history(of: 0) { isOnCurrentBranch[index] = true }
        var wasPassed = isOnCurrentBranch
        for leaf in leaves {
            var next: Int? = leaf
            while let index = next {
                isRetained[index] = true
                if wasPassed[index] { break }
                wasPassed[index] = true
                next = revisions[index].parent
            }
        }
    }
}
