internal import StoreFormat

/// The bytes of an open file.
final class FileSource: BlobSource {
    private let file: OpenFile
    let length: Int

    init(_ file: OpenFile) throws {
        self.file = file
        length = try file.status().size
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
        try file.read(into: buffer, at: offset)
    }
}

extension BlobSource {
    /// Reads all of it, some at a time, and hands each part to `body`.
    package func forEachPart(
        bytes: Int = 1 << 16, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try withUnsafeTemporaryAllocation(byteCount: bytes, alignment: 16) { buffer in
            var offset = 0
            while true {
                let count = try read(into: buffer, at: offset)
                if count == 0 { return }
                try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += count
            }
        }
    }

    /// The digest of its bytes as they are.
    func digest() throws -> BlobDigest {
        var hash = SHA1()
        try forEachPart { hash.add($0) }
        return try BlobDigest(hash)
    }
}
