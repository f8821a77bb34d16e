internal import FleeceLite

// A revision tree's bytes, all numbers big-endian, nothing aligned:
//
//   for each revision, the current one first:
//     u32 size of this record | u16 index of the parent, FFFF for none | u8 flags
//     u8 length of the id | id | varint sequence, 0 for the row's | body, if the flags say so
//   u32 0
//   for each remote: u16 its number, not 0 | u16 index of the latest revision known there
//   u16 0 | u16 0
//   for each revision that a remote rejected: u16 0 | u16 its index

/// The history of a document in Couchbase Lite 2 and 3: a tree of revisions.
public struct RevisionTree: Sendable {
    /// What is known of one revision.
    public struct Revision: Sendable {
        /// The index of the revision that it replaced, nil for a first one.
        public let parent: Int?
        /// What kind of revision it is.
        public let flags: Flags
        /// The id in binary form.
        public let id: [UInt8]
        /// The sequence it was saved with, 0 for the row's.
        public let sequence: UInt64
        /// Where its body stands in the tree's bytes, nil if the tree does not hold it.
        let body: Range<Int>?
    }

    /// What kind of revision it is.
    public struct Flags: OptionSet, Sendable {
        /// The bits, as in the file.
        public let rawValue: UInt8

        /// Wraps the file's bits.
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
        /// The tree holds its body.
        static let hasBody = Flags(rawValue: 0x80)
    }

    /// The revisions, the current one first.
    public let revisions: [Revision]
    let bytes: [UInt8]

    /// The most revisions that indexes of 16 bits can tell apart.
    public static let maximumRevisions = 65_535
    /// The bytes before a revision's id.
    private static let headerLength = 8

    /// Reads a tree, the `body` of a 2.x row or the `extra` of a 3.x one.
    ///
    /// Throws `.corruptRevisionData` if the records do not end where they say.
    public init(binary bytes: [UInt8]) throws {
        let revisions = bytes.withUnsafeBytes { Self.revisions(in: $0) }
        guard let revisions, !revisions.isEmpty else {
            throw StoreError(
                .corruptRevisionData, "a revision tree of \(bytes.count) bytes is damaged")
        }
        self.revisions = revisions
        self.bytes = bytes
    }

    /// The current revision's body, nil if the tree does not hold it.
    var currentBody: [UInt8]? {
        revisions.first?.body.map { [UInt8](bytes[$0]) }
    }

    private static func revisions(in bytes: UnsafeRawBufferPointer) -> [Revision]? {
        var revisions: [Revision] = []
        var start = 0
        while true {
            guard start + 4 <= bytes.count else { return nil }
            let size = Int(number(bytes, start, as: UInt32.self))
            if size == 0 { return revisions }
            guard size > headerLength, size <= bytes.count - start,
                revisions.count < maximumRevisions,
                let revision = revision(in: bytes, start, size)
            else { return nil }
            revisions.append(revision)
            start += size
        }
    }

    private static func revision(
        in bytes: UnsafeRawBufferPointer, _ start: Int, _ size: Int
    ) -> Revision? {
        let end = start + size
        let parent = number(bytes, start + 4, as: UInt16.self)
        let flags = Flags(rawValue: bytes[start + 6])
        let idStart = start + headerLength
        let idEnd = idStart + Int(bytes[start + 7])
        guard let base = bytes.baseAddress, idEnd < end,
            let (sequence, bodyStart) = Varint.read(base, at: idEnd, limit: end)
        else { return nil }
        return Revision(
            parent: parent == .max ? nil : Int(parent), flags: flags,
            id: [UInt8](bytes[idStart..<idEnd]), sequence: sequence,
            body: flags.contains(.hasBody) ? bodyStart..<end : nil)
    }

    private static func number<T: FixedWidthInteger>(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, as type: T.Type
    ) -> T {
        T(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }
}
