internal import StoreFormat

/// Reads a blob sequentially or at any offset.
///
/// Continues to read the same bytes if the blob is removed meanwhile. Use it on one thread at a
/// time.
public final class BlobReader {
    private var source: (any BlobSource)?
    /// The length of the blob in bytes.
    public let length: Int
    /// The offset of the next read, from 0 to `length`.
    public private(set) var offset = 0

    init(_ source: any BlobSource) {
        self.source = source
        length = source.length
    }

    /// Fills a buffer, or reads to the end of the blob; returns the number of bytes read, 0 at the
    /// end.
    ///
    /// Throws `.notOpen` after `close()`, or the system's error in the domain `.posix`.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let source else {
            throw StoreError(.notOpen, "the blob was closed; open it again")
        }
        // Ignores bytes beyond the length at the time of opening.
        let part = UnsafeMutableRawBufferPointer(
            rebasing: buffer.prefix(min(buffer.count, length - offset)))
        let count = part.isEmpty ? 0 : try source.read(into: part, at: offset)
        offset += count
        return count
    }

    /// The next bytes, at most `maximum`; empty at the end. Throws as `read(into:)`.
    public func readChunk(maximum: Int = 1 << 16) throws -> [UInt8] {
        let count = min(max(maximum, 0), length - offset)
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try read(
                into: UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer).prefix(count)))
        }
    }

    /// Sets the offset of the next read; one outside the blob is clamped to the nearest end.
    public func seek(to offset: Int) { self.offset = min(max(offset, 0), length) }

    /// Closes the blob; deinitialization does so, too.
    public func close() { source = nil }
}
