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
/// A value type: read it from a row, change it, and write it back as the columns of a row.
public struct RevisionTree: Sendable, Hashable {
    /// A revision of the tree.
    public struct Revision: Sendable, Hashable {
        /// The id in binary form: a varint generation, not 0, and a digest.
        public let id: [UInt8]
        /// The index of the revision that it replaced; nil for a first revision.
        public internal(set) var parent: Int?
        /// Its flags.
        public internal(set) var flags: Flags
        /// The sequence it was saved with; 0 for the row's, if it has not been saved yet.
        public internal(set) var sequence: UInt64
        /// Its Fleece; nil if the tree does not contain it.
        public internal(set) var body: [UInt8]?
    }

    /// The flags of a revision.
    public struct Flags: OptionSet, Sendable, Hashable {
        /// The bits, as in the file.
        public let rawValue: UInt8

        /// Wraps the file's bits, known and unknown ones.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The document was deleted.
        public static let deleted = Flags(rawValue: 0x01)
        /// No revision replaced it.
        public static let leaf = Flags(rawValue: 0x02)
        /// Its body refers to blobs.
        public static let hasAttachments = Flags(rawValue: 0x08)
        /// Its body is retained although it was replaced.
        public static let keepBody = Flags(rawValue: 0x10)
        /// It lost against another leaf.
        public static let conflict = Flags(rawValue: 0x20)
        /// Its branch was resolved.
        public static let closed = Flags(rawValue: 0x40)
        /// The tree's bytes contain its body; for a revision that was read, see `body`.
        static let hasBody = Flags(rawValue: 0x80)
    }

    /// The known state of a remote database.
    public struct Remote: Sendable, Hashable {
        /// Its number, not 0.
        public let number: UInt16
        /// The index of the latest revision that it has.
        public internal(set) var revision: Int
    }

    /// The revisions, the current one first.
    public internal(set) var revisions: [Revision] = []
    /// The latest revision of each remote, in the order of the file.
    public internal(set) var remotes: [Remote] = []
    /// The indexes of the revisions that a remote rejected, in the order of the file.
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

    /// The maximum number of revisions, which 16-bit indexes can address.
    public static let maximumRevisions = 65_535
    /// The maximum length of an id in bytes that other implementations read.
    public static let maximumIDLength = 42

    /// A tree without revisions, to which a first one can be added.
    public init() {}
}

extension RevisionTree {
    /// The current revision; nil if the tree is empty.
    public var current: Revision? { revisions.first }

    /// The current revision's body; nil if the tree does not contain it.
    package var currentBody: [UInt8]? { revisions.first?.body }

    /// The index of a revision, found by the binary form of its id; nil if it is not in the tree.
    public func index(of id: [UInt8]) -> Int? {
        revisions.firstIndex { $0.id == id }
    }

    /// The indexes of a revision and its ancestors, up to a first revision.
    ///
    /// `index` must be one of `revisions`.
    public func history(of index: Int) -> [Int] {
        Array(sequence(first: index) { revisions[$0].parent })
    }
}

extension RevisionTree.Revision {
    /// The number of its id: its distance from the document's first revision, plus one.
    public var generation: UInt64 { RevisionID.generation(of: id) ?? 0 }
    /// Whether no revision replaced it.
    public var isLeaf: Bool { flags.contains(.leaf) }
    /// Whether it deletes the document.
    public var isDeleted: Bool { flags.contains(.deleted) }
}

extension RevisionTree {
    /// The index of the latest known revision of a remote; nil if none is known.
    public func latest(of remote: UInt16) -> Int? {
        remotes.last { $0.number == remote }?.revision
    }

    /// Records that a revision is a remote's latest.
    ///
    /// `revision` must be an index of `revisions`, `remote` not 0.
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

    /// Records that a remote rejected a revision, which must be an index of `revisions`.
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
