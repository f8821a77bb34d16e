internal import FleeceLite

extension RevisionTree {
    /// Reads a tree: the `body` of a 2.x row or the `extra` of a 3.x row.
    ///
    /// Use ``init(_:)`` to read the tree of a row, which adds what the other columns record.
    ///
    /// - Parameter bytes: the bytes of the tree.
    /// - Throws: ``StoreError/Code/corruptRevisionData`` with the offset if the bytes are not a
    ///   complete tree: records with a wrong size, invalid IDs, parents that do not exist or form a
    ///   cycle, remotes and rejections of revisions that do not exist, trailing bytes.
    public init(binary bytes: [UInt8]) throws {
        let read = try bytes.withUnsafeBytes { bytes in
            var reader = Reader(bytes)
            try reader.read()
            return reader
        }
        self = read.tree
        if read.isOdd { stored.bytes = bytes }
    }

    /// Whether bytes have the outline of a tree: records of matching sizes, and an end marker.
    ///
    /// This distinguishes a 2.x row from others; it does not mean that the tree is readable.
    package static func hasOutline(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        while bytes.count - start >= 4 {
            let size = Int(number(bytes, start, as: UInt32.self))
            if size == 0 { return start > 0 }
            guard size <= bytes.count - start, size > headerLength,
                headerLength + Int(bytes[start + 7]) < size
            else { return false }
            start += size
        }
        return false
    }

    /// The current body of a tree whose outline has been checked; nil if the tree does not contain
    /// it.
    ///
    /// Throws `.corruptRevisionData` as `init(binary:)` does, but reads the first record only.
    package static func currentBody(in bytes: UnsafeRawBufferPointer) throws
        -> UnsafeRawBufferPointer?
    {
        var reader = Reader(bytes)
        guard let record = try reader.record(), record.flags.contains(.hasBody) else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[record.body])
    }

    /// The number of bytes before a revision's ID.
    static let headerLength = 8

    static func number<T: FixedWidthInteger>(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, as type: T.Type
    ) -> T {
        T(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }
}

extension RevisionTree {
    /// Parses a tree's bytes.
    struct Reader {
        /// A record as stored.
        struct Record {
            var start: Int
            var parent: UInt16
            var flags: Flags
            var id: Range<Int>
            var sequence: UInt64
            var body: Range<Int>
        }

        private let bytes: UnsafeRawBufferPointer
        private var position = 0
        var tree = RevisionTree()
        /// Whether writing the tree would produce different bytes.
        var isOdd = false

        init(_ bytes: UnsafeRawBufferPointer) {
            self.bytes = bytes
        }

        mutating func read() throws {
            var starts: [Int] = []
            while let record = try record() {
                guard starts.count < RevisionTree.maximumRevisions else {
                    throw damage("more than \(RevisionTree.maximumRevisions) revisions", position)
                }
                starts.append(record.start)
                tree.revisions.append(revision(record))
            }
            guard !starts.isEmpty else { throw damage("no revision", 0) }
            try checkParents(starts)
            try readIndexes()
        }

        /// The next record; nil at the end of the records.
        mutating func record() throws -> Record? {
            let start = position
            guard bytes.count - start >= 4 else { throw damage("a record is cut off", start) }
            let size = Int(RevisionTree.number(bytes, start, as: UInt32.self))
            position += 4
            if size == 0 { return nil }
            guard size > RevisionTree.headerLength, size <= bytes.count - start else {
                throw damage("a record has a size of \(size) bytes", start)
            }
            let end = start + size
            let id = start + RevisionTree.headerLength
            let idEnd = id + Int(bytes[start + 7])
            guard let base = bytes.baseAddress, idEnd < end,
                let (sequence, bodyStart) = Varint.read(base, at: idEnd, limit: end)
            else { throw damage("an id or a sequence exceeds its record", start + 7) }
            guard let generation = Varint.read(base, at: id, limit: idEnd),
                generation.value > 0, generation.end < idEnd
            else { throw damage("an id cannot be read", id) }
            let flags = Flags(rawValue: bytes[start + 6])
            guard flags.contains(.hasBody) || bodyStart == end else {
                throw damage("a record without a body has bytes left over", bodyStart)
            }
            if bodyStart - idEnd > 1, bytes[bodyStart - 1] == 0 { isOdd = true }
            position = end
            return Record(
                start: start, parent: RevisionTree.number(bytes, start + 4, as: UInt16.self),
                flags: flags, id: id..<idEnd, sequence: sequence, body: bodyStart..<end)
        }

        private func revision(_ record: Record) -> Revision {
            Revision(
                id: [UInt8](bytes[record.id]),
                parent: record.parent == .max ? nil : Int(record.parent),
                flags: record.flags.subtracting(.hasBody), sequence: record.sequence,
                body: record.flags.contains(.hasBody) ? [UInt8](bytes[record.body]) : nil)
        }

        /// Visits each revision at most twice, in whatever order the parents are.
        private func checkParents(_ starts: [Int]) throws {
            let revisions = tree.revisions
            for (index, revision) in revisions.enumerated() {
                if let parent = revision.parent, parent >= revisions.count {
                    throw damage("a parent has the index \(parent)", starts[index] + 4)
                }
            }
            // For each revision the number of the walk that visited it; 0 if none has.
            var walks = [Int](repeating: 0, count: revisions.count)
            for first in revisions.indices {
                var next: Int? = first
                while let index = next, walks[index] == 0 {
                    walks[index] = first + 1
                    next = revisions[index].parent
                    if let next, walks[next] == first + 1 {
                        throw damage("the parents form a cycle", starts[index] + 4)
                    }
                }
            }
        }

        /// Reads what follows the records: pairs of a remote and an index.
        private mutating func readIndexes() throws {
            var isAfterMarker = false
            while position < bytes.count {
                guard bytes.count - position >= 4 else {
                    throw damage("\(bytes.count - position) bytes are left over", position)
                }
                let remote = RevisionTree.number(bytes, position, as: UInt16.self)
                let index = Int(RevisionTree.number(bytes, position + 2, as: UInt16.self))
                guard index < tree.revisions.count else {
                    throw damage("a remote or a rejection has the index \(index)", position + 2)
                }
                switch (remote, isAfterMarker) {
                case (0, true): tree.rejected.append(index)
                case (0, false):
                    guard index == 0 else {
                        throw damage("a rejection without a marker before it", position)
                    }
                    isAfterMarker = true
                case (_, false): tree.remotes.append(Remote(number: remote, revision: index))
                case (_, true): throw damage("a remote after the marker", position)
                }
                position += 4
            }
            tree.stored.hasMarker = isAfterMarker
        }

        private func damage(_ what: String, _ offset: Int) -> StoreError {
            StoreError(
                .corruptRevisionData,
                "a revision tree of \(bytes.count) bytes is damaged: \(what), at byte \(offset)")
        }
    }
}
