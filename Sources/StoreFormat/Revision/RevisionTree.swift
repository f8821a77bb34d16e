// A revision tree's bytes, all numbers big-endian, nothing aligned:
//
//   for each revision, the current one first:
//     u32 size of this record | u16 index of the parent, FFFF for none | u8 flags
//     u8 length of the id | id | varint sequence, 0 for the row's | body, if the flags say so
//   u32 0
//   for each remote: u16 its number, not 0 | u16 index of the latest revision known there
//   u16 0 | u16 0, missing in older files
//   for each revision that a remote rejected: u16 0 | u16 its index

/// The history of a document in Couchbase Lite 2 and 3: a tree of revisions.
///
/// A value: it is read from a row, changed, and written back as the columns of a row.
public struct RevisionTree: Sendable, Hashable {
    /// What is known of one revision.
    public struct Revision: Sendable, Hashable {
        /// The id in binary form: a varint generation, not 0, and a digest.
        public let id: [UInt8]
        /// The index of the revision that it replaced, nil for a first one.
        public internal(set) var parent: Int?
        /// What kind of revision it is.
        public internal(set) var flags: Flags
        /// The sequence it was saved with, 0 for the row's: it has not been saved yet.
        public internal(set) var sequence: UInt64
        /// Its Fleece, nil if the tree does not hold it.
        public internal(set) var body: [UInt8]?
    }

    /// What kind of revision it is.
    public struct Flags: OptionSet, Sendable, Hashable {
        /// The bits, as in the file.
        public let rawValue: UInt8

        /// Wraps the file's bits; unknown ones are kept.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The document was deleted.
        public static let deleted = Flags(rawValue: 0x01)
        /// No revision replaced it.
        public static let leaf = Flags(rawValue: 0x02)
        /// Its body refers to blobs.
        public static let hasAttachments = Flags(rawValue: 0x08)
        /// Its body is kept although it was replaced.
        public static let keepBody = Flags(rawValue: 0x10)
        /// It lost against another leaf.
        public static let conflict = Flags(rawValue: 0x20)
        /// Its branch was resolved.
        public static let closed = Flags(rawValue: 0x40)
        /// The tree's bytes hold its body; of a revision that was read, `body` says so.
        static let hasBody = Flags(rawValue: 0x80)
    }

    /// What a remote database is known to have.
    public struct Remote: Sendable, Hashable {
        /// Its number, not 0.
        public let number: UInt16
        /// The index of the latest revision that it has.
        public internal(set) var revision: Int
    }

    /// The revisions, the current one first.
    public internal(set) var revisions: [Revision] = []
    /// What each remote has, in the order of the file.
    public internal(set) var remotes: [Remote] = []
    /// The indexes of the revisions that a remote refused, in the order of the file.
    public internal(set) var rejected: [Int] = []
    /// How the tree stands in its file, as far as the values do not say it.
    var stored = Stored()

    /// What of a tree's bytes is not to be seen in its values.
    struct Stored: Sendable, Hashable {
        /// Whether a marker follows the remotes: not in files of older versions.
        var hasMarker = true
        /// The bytes, if others would come out: they hold numbers longer than need be.
        var bytes: [UInt8]?
    }

    /// The most revisions that indexes of 16 bits can tell apart.
    public static let maximumRevisions = 65_535
    /// The most bytes of an id that other engines read.
    public static let maximumIDLength = 42

    /// A tree without revisions, to which a first one can be added.
    public init() {}
}

extension RevisionTree {
    /// The current revision, nil if there are none.
    public var current: Revision? { revisions.first }

    /// The current revision's body, nil if the tree does not hold it.
    package var currentBody: [UInt8]? { revisions.first?.body }

    /// The index of a revision by the binary form of its id, nil if it is not known.
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
