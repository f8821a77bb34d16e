internal import DocumentStore

// A blob is on the disk under its name as soon as it is whole, so that none is written twice.
extension DumpLoader {
    private static var part: Int { 1 << 16 }

    /// Takes a blob whose bytes are in lines.
    mutating func loadBlob(_ digest: BlobDigest, bytes: Int, pieces: Int) throws {
        let writer = try blobWriter(digest, bytes: bytes)
        for _ in 0..<pieces {
            try Interruption.check()
            guard let next = try lines.next() else { throw DumpFailure.cutOff }
            guard case .line(let text) = next, text.starts(with: DumpPrefix.data) else {
                throw DumpFailure(message: "data of the blob \(digest) is expected")
            }
            guard let writer else { continue }
            guard case .data(let data) = try text.withUnsafeBytes({ try DumpLine($0, &encoder) })
            else {
                throw DumpFailure(message: "data of the blob \(digest) is expected")
            }
            try writer.write(data)
        }
        try finish(writer, digest, bytes: bytes)
    }

    /// Takes a blob that is a file of an archive.
    mutating func loadBlob(_ digest: BlobDigest, bytes: Int) throws {
        let writer = try blobWriter(digest, bytes: bytes)
        while true {
            try Interruption.check()
            let data = try lines.bytes(atMost: Self.part)
            guard !data.isEmpty else { break }
            try writer?.write(data)
        }
        try finish(writer, digest, bytes: bytes)
    }

    /// Nil for a blob that is there already.
    private func blobWriter(_ digest: BlobDigest, bytes: Int) throws -> BlobWriter? {
        try target.holds(digest, bytes: bytes) ? nil : target.database.blobs.writer()
    }

    private mutating func finish(
        _ writer: BlobWriter?, _ digest: BlobDigest, bytes: Int
    ) throws {
        blobs += 1
        guard let writer else { return }
        guard writer.length == bytes, try writer.finish(as: digest) else {
            throw DumpFailure(message: "the blob \(digest) before it is damaged")
        }
        target.note(digest, bytes: bytes)
    }
}
