internal import FleeceLite

extension RevisionTree {
    /// The tree with all bodies, in the form of 2.x: the original bytes if the tree was not changed
    /// since it was read.
    ///
    /// To save a tree, use ``columns()``, whose form is that of 3.x.
    public var binary: [UInt8] {
        stored.bytes ?? written(withCurrentBody: true)
    }

    /// The bytes, with or without the current revision's body, which 3.x stores separately.
    func written(withCurrentBody: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(writtenLength(withCurrentBody))
        for (index, revision) in revisions.enumerated() {
            let body = index > 0 || withCurrentBody ? revision.body : nil
            Self.append(revision, body, to: &bytes)
        }
        Self.append(UInt32(0), to: &bytes)
        for remote in remotes {
            Self.append(remote.number, to: &bytes)
            Self.append(UInt16(truncatingIfNeeded: remote.revision), to: &bytes)
        }
        guard stored.hasMarker || !rejected.isEmpty else { return bytes }
        Self.append(UInt32(0), to: &bytes)
        for index in rejected {
            Self.append(UInt16(0), to: &bytes)
            Self.append(UInt16(truncatingIfNeeded: index), to: &bytes)
        }
        return bytes
    }

    /// An upper bound of the length.
    private func writtenLength(_ withCurrentBody: Bool) -> Int {
        var length = 8 + 4 * (remotes.count + rejected.count)
        for (index, revision) in revisions.enumerated() {
            length += Self.headerLength + revision.id.count + Varint.maximumLength
            if index > 0 || withCurrentBody { length += revision.body?.count ?? 0 }
        }
        return length
    }

    private static func append(_ revision: Revision, _ body: [UInt8]?, to bytes: inout [UInt8]) {
        let start = bytes.count
        append(UInt32(0), to: &bytes)
        append(UInt16(truncatingIfNeeded: revision.parent ?? Int(UInt16.max)), to: &bytes)
        let flags = body == nil ? revision.flags : revision.flags.union(.hasBody)
        bytes.append(flags.rawValue)
        bytes.append(UInt8(truncatingIfNeeded: revision.id.count))
        bytes.append(contentsOf: revision.id)
        Varint.append(revision.sequence, to: &bytes)
        if let body { bytes.append(contentsOf: body) }
        // Lengths are checked when a revision is added to the tree.
        let size = UInt32(truncatingIfNeeded: bytes.count - start)
        for index in 0..<4 {
            bytes[start + index] = UInt8(truncatingIfNeeded: size >> UInt32(24 - 8 * index))
        }
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
